# SPDX-License-Identifier: Apache-2.0
"""Abbreviations that stand before capitals and end no sentence: titles, addresses, numbers of things.

Treebanks of some thousand sentences have few of them, and before a capital an abbreviation looks like an end. These
were written down by hand.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

# Languages and what they have; ~ stands for a space inside of an abbreviation.
_LISTED = """
af: dr. prof. mnr. mev. mej. ds. nr. bl. bv. St. Dr. Prof. adv.
be: г. вул. ім. праф. акад. с. в. гл. св. напр. дац. пл. кв. гр. т.
bs,hr,sr: prof. dr. mr. sv. tzv. npr. ul. br. str. g. gđa. ing. akad. mil. mlrd. tel. tj. doc.
ca: Sr. Sra. Dr. Dra. Prof. Av. St. Sta. art. pàg. núm. vol. D. cap. Sres. tel. C.
cs: prof. dr. ing. Ing. Mgr. Bc. MUDr. JUDr. PhDr. doc. sv. tzv. např. ul. č. str. tj. mil. mld. gen. tel. p.
cy: Dr. Mr. Mrs. Ms. Parch. Syr. St. Yr. rh. t.
da: dr. prof. hr. fr. frk. nr. kap. bl.a. f.eks. ca. dvs. mio. mia. tlf. Sct. cand. jf. pr. afd. Dr. Prof.
de: Dr. Prof. Dipl. Ing. Dipl.-Ing. med. jur. phil. rer.~nat. Hr. Fr. Hrn. Frl. St. Hl. Mio. Mrd. Tsd. Nr. Bd. Art. Abs.
de: Kap. Abb. Tab. Str. geb. gest. ca. bzw. inkl. vgl. sog. evtl. ggf. z.B. z.~B. u.a. u.~a. d.h. d.~h. i.A. i.~A. i.~V.
de: i.~H.~v. v.~a. o.~g. Mag. Tel. Lt. Pf. Min. Std. Jh. Chr.
el: κ. κα. κκ. Δρ. δρ. καθ. π.χ. αρ. σελ. άρθρ. Αγ. Στ. Λεωφ. τηλ. βλ. δηλ. εκατ. δισ. οδ. στρ. Ν. Αλ. Γ.
en: Mr. Mrs. Ms. Dr. Prof. St. Gen. Sen. Rep. Gov. Lt. Col. Sgt. Capt. Rev. Hon. Mt. Ft. vs. No. Fig. Vol. Ch. approx.
en: Pres. Supt. Maj. Cmdr. Adm. cf. Sec. Messrs.
es: Sr. Sra. Srta. Sres. Dr. Dra. D. Dña. Prof. Lic. Ing. Arq. Av. Avda. Gral. Cía. Ud. Uds. núm. pág. art. cap. vol.
es: Sta. Sto. Mons. Excmo. Cnel. tel. Fdo. C.
et: dr. prof. hr. pr. nr. lk. tn. mnt. jm. nt. s.t. ing. kol. ca.
fi: esim. Esim. prof. tri. ns. mm. nk. ks. vrt. puh. toht. maist. kenr. rva. hra. nti. St. em. mrd. milj.
fr: M. MM. Dr. Me. Mgr. Pr. St. Ste. av. bd. art. chap. p. vol. fig. tél. env. c.-à-d. ex. éd. cf.
ga: Dr. Mr. Uimh. uimh. lch. Co. St. m.sh.
gl: Sr. Sra. Dr. Dra. Prof. Av. D. Dna. art. páx. núm. vol. cap. Sta. Sto. tel.
id: Dr. Prof. Ir. H. Hj. Jl. Gg. No. Bpk. Sdr. Drs. Tn. Ny. dr. K.H. Jend. Kol. St.
is: dr. prof. hr. nr. bls. u.þ.b. þ.e. m.a. t.d. skv. sr. fv. kr. mkr.
it: sig. sig.ra sigg. dott. dott.ssa prof. prof.ssa avv. ing. arch. on. sen. geom. rag. mons. gen. col. cap. ten. art.
it: pag. n. vol. tel. cfr. Dott. Dott.ssa Prof. Prof.ssa Sig. Sig.ra Avv. Ing. On. S. P.zza C.so V.le fig. es.
lt: prof. dr. pr. al. pav. tel. Nr. vad. gyd. kun. pvz. vyr. doc. gen. Šv. šv. mln. mlrd. kt.
lv: prof. Dr. dr. st. lpp. nr. piem. sv. tūkst. milj. t.i. Sv. ģen. tālr. plkst.
mt: Dr. Mr. Mrs. Prof. Mons. Dun. Nru. nru. Art. p. Av. Inġ. Onor.
nl: dhr. mevr. mw. dr. prof. ir. ing. mr. drs. st. nr. blz. art. bijv. ds. ca. Dr. Prof. Dhr. Mevr. Mr. jl. jhr. o.a.
nl: m.n. tel. pag. lt. gen. St. resp.
nn,no: dr. prof. nr. kap. bl.a. f.eks. ca. dvs. mill. mrd. tlf. st. jf. pkt. Dr. Prof.
pl: prof. hab. inż. mgr. ul. al. pl. św. tzw. np. nr. str. gen. płk. ks. m.in. tys. red. por. o. im. woj. tel. Prof.
pt: Sr. Sra. Dr. Dra. Prof. Profa. Eng. Arq. D. Av. R. Exmo. Gen. Sto. Sta. art. pág. n. vol. cap. Cel. Pe. V.
ro: dl. Dl. dna. Dna. dr. prof. ing. str. nr. art. pag. bd. Sf. Acad. gen. col. Dr. Prof. mun. jud. av.
ru: г. ул. им. проф. акад. д. с. обл. пос. пр. гр. тов. св. см. напр. ген. доц. наб. пл. пер. кв. тыс. млн. млрд. стр.
ru: гл. ст. п. рис. тел. корп. пгт. т.~н. Св. Г. д-р.
sk: prof. dr. ing. Ing. Mgr. Bc. MUDr. JUDr. PhDr. doc. sv. tzv. napr. ul. č. str. mil. mld. gen. tel. p.
sl: prof. dr. mag. sv. t.i. npr. ul. št. str. g. ga. dipl. ing. akad. doc. tel. mio. mrd.
sv: dr. prof. bl.a. t.ex. d.v.s. s.k. nr. kap. St. f.d. resp. ca. tel. milj. Dr. Prof. kungl. jfr. fil.
tr: Dr. Prof. Doç. Av. Sn. Cad. Sok. Mah. No. Yrd. Öğr. Gör. Hz. Alb. Gen. Müh. Apt. Bkz. Ord. Ecz. Tel.
uk: м. вул. ім. проф. акад. с. обл. смт. гр. св. див. напр. ген. доц. пл. буд. кв. тис. млн. млрд. просп. п. т. ст.
"""


def _read(listed: str) -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for line in listed.strip().splitlines():
        languages, _, some = line.partition(": ")
        for language in languages.split(","):
            found[language] += (one.replace("~", " ") for one in some.split())
    return dict(found)


ABBREVIATIONS = _read(_LISTED)
ORDINALS = frozenset(
    ("bs", "cs", "da", "de", "et", "fi", "hr", "is", "lv", "nn", "no", "pl", "sk", "sl", "sr")
)  # 12. Mai
# Months where they have capitals, so that their ordinals look like the end of a sentence.
MONTHS = {"de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split()}
SEPARATE = frozenset(("cs", "lt", "pl", "sk"))  # their treebanks take the full stop of an abbreviation for a token
