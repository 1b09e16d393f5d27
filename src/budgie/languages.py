# SPDX-License-Identifier: Apache-2.0
"""Languages by the names that people give them: `EN`, `eng`, `eng_Latn`, `en-US`, `English (US)` are all `en`.

A label is the code of ISO 639-1, or of 639-3 where there is none, and a script where it is not the usual one.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection
from functools import cache
from typing import NamedTuple

from budgie.errors import ConfigError

# Label, code of ISO 639-3, usual script (ISO 15924), English name and other names; of most its own.
_TABLE = """
af afr Latn Afrikaans
am amh Ethi Amharic
an arg Latn Aragonese
ar ara Arab Arabic/العربية
az aze Latn Azerbaijani/Azeri
be bel Cyrl Belarusian/Byelorussian/Беларуская
bg bul Cyrl Bulgarian/Български
bn ben Beng Bengali/Bangla/বাংলা
br bre Latn Breton
bs bos Latn Bosnian
ca cat Latn Catalan/Valencian/Català
ceb ceb Latn Cebuano/Bisaya
co cos Latn Corsican
cs ces Latn Czech/Čeština
cy cym Latn Welsh/Cymraeg
da dan Latn Danish/Dansk
de deu Latn German/Deutsch
el ell Grek Greek/Ελληνικά
en eng Latn English
eo epo Latn Esperanto
es spa Latn Spanish/Castilian/Español
et est Latn Estonian/Eesti
eu eus Latn Basque/Euskara
fa fas Arab Persian/Farsi/فارسی
fi fin Latn Finnish/Suomi
fil fil Latn Filipino/Tagalog
fr fra Latn French/Français
fy fry Latn Western Frisian/Frisian
ga gle Latn Irish/Gaeilge
gd gla Latn Scottish Gaelic/Gaelic
gl glg Latn Galician/Galego
gu guj Gujr Gujarati
ha hau Latn Hausa
haw haw Latn Hawaiian
he heb Hebr Hebrew/עברית
hi hin Deva Hindi/हिन्दी
hmn hmn Latn Hmong
hr hrv Latn Croatian/Hrvatski
ht hat Latn Haitian Creole/Haitian
hu hun Latn Hungarian/Magyar
hy hye Armn Armenian/Հայերեն
id ind Latn Indonesian/Bahasa Indonesia
ig ibo Latn Igbo
io ido Latn Ido
is isl Latn Icelandic/Íslenska
it ita Latn Italian/Italiano
ja jpn Jpan Japanese/日本語
jv jav Latn Javanese
ka kat Geor Georgian/ქართული
kk kaz Cyrl Kazakh/Қазақша
km khm Khmr Khmer/ខ្មែរ
kn kan Knda Kannada
ko kor Kore Korean/한국어
ku kmr Latn Kurdish/Kurmanji/Northern Kurdish
ky kir Cyrl Kyrgyz/Kirghiz
la lat Latn Latin
lb ltz Latn Luxembourgish
lo lao Laoo Lao
lt lit Latn Lithuanian/Lietuvių
lv lav Latn Latvian/Latviešu
mg mlg Latn Malagasy
mi mri Latn Maori
mk mkd Cyrl Macedonian/Македонски
ml mal Mlym Malayalam
mn mon Cyrl Mongolian
mr mar Deva Marathi
ms msa Latn Malay/Bahasa Melayu
mt mlt Latn Maltese/Malti
my mya Mymr Burmese/Myanmar/မြန်မာ
ne nep Deva Nepali
nl nld Latn Dutch/Flemish/Nederlands
nn nno Latn Norwegian Nynorsk/Nynorsk
no nob Latn Norwegian Bokmål/Norwegian/Bokmål/Bokmal/Norsk
ny nya Latn Chichewa/Nyanja
oc oci Latn Occitan
pa pan Guru Punjabi/Panjabi
pl pol Latn Polish/Polski
ps pus Arab Pashto
pt por Latn Portuguese/Português
ro ron Latn Romanian/Moldovan/Română
ru rus Cyrl Russian/Русский
sd snd Arab Sindhi
si sin Sinh Sinhala/Sinhalese
sk slk Latn Slovak/Slovenčina
sl slv Latn Slovenian/Slovene/Slovenščina
sm smo Latn Samoan
sn sna Latn Shona
so som Latn Somali
sq sqi Latn Albanian/Shqip
sr srp Cyrl Serbian/Српски
st sot Latn Sotho/Southern Sotho
su sun Latn Sundanese
sv swe Latn Swedish/Svenska
sw swa Latn Swahili/Kiswahili
ta tam Taml Tamil/தமிழ்
te tel Telu Telugu/తెలుగు
tg tgk Cyrl Tajik
th tha Thai Thai/ไทย
tr tur Latn Turkish/Türkçe
uk ukr Cyrl Ukrainian/Українська
ur urd Arab Urdu/اردو
uz uzb Latn Uzbek
vi vie Latn Vietnamese/Tiếng Việt
vo vol Latn Volapük/Volapuk
wa wln Latn Walloon
xh xho Latn Xhosa
yi yid Hebr Yiddish
yo yor Latn Yoruba
yue yue Hant Cantonese/粵語
zh zho Hans Simplified Chinese/Chinese/Mandarin/Mandarin Chinese/中文/简体中文
zh-Hant zho Hant Traditional Chinese/繁體中文
zu zul Latn Zulu
"""

# Codes that stand for a label in other ways: older and wider ones, and those of ISO 639-2/B.
_OTHERS = {
    "nb": "no", "nor": "no", "iw": "he", "in": "id", "ji": "yi", "jw": "jv", "tl": "fil", "tgl": "fil", "mo": "ro",
    "kur": "ku", "cmn": "zh", "chi": "zh", "ger": "de", "fre": "fr", "dut": "nl", "gre": "el", "per": "fa", "pes": "fa",
    "arb": "ar", "rum": "ro", "slo": "sk", "cze": "cs", "wel": "cy", "baq": "eu", "arm": "hy", "geo": "ka", "ice": "is",
    "mac": "mk", "alb": "sq", "bur": "my", "may": "ms", "zsm": "ms", "mao": "mi", "ekk": "et", "lvs": "lv", "als": "sq",
    "npi": "ne", "azj": "az", "uzn": "uz", "khk": "mn", "plt": "mg", "swh": "sw", "pbt": "ps", "ydd": "yi",
}  # fmt: skip
# Words for places, which are moved behind the language as codes: Brazilian Portuguese, English (United States). Not
# `Swiss` nor `Egyptian`: with these, German and Arabic are languages of their own. Codes in capitals are no names.
_PLACES = {
    "american": "US", "united states": "US", "usa": "US", "british": "GB", "united kingdom": "GB", "canadian": "CA",
    "canada": "CA", "australian": "AU", "australia": "AU", "ireland": "IE", "india": "IN", "brazilian": "BR",
    "brazil": "BR", "portugal": "PT", "european": "150", "europe": "150", "latin american": "419",
    "latin america": "419", "mexican": "MX", "mexico": "MX", "spain": "ES", "argentina": "AR", "france": "FR",
    "belgium": "BE", "germany": "DE", "austrian": "AT", "austria": "AT", "switzerland": "CH", "china": "CN",
    "singapore": "SG", "taiwan": "TW", "hong kong": "HK", "macau": "MO", "macao": "MO",
}  # fmt: skip
# Codes of countries that people write for a language, and that are no code of another one.
_COUNTRIES = {
    "jp": "ja", "cz": "cs", "dk": "da", "gr": "el", "ua": "uk", "cn": "zh", "vn": "vi", "us": "en", "gb": "en",
    "ir": "fa", "il": "he", "rs": "sr", "al": "sq", "by": "be", "kz": "kk", "mx": "es",
}  # fmt: skip
# Names of several labels together.
_SEVERAL = dict.fromkeys(("hbs", "sh", "serbo-croatian"), "bs, hr and sr-Latn")
_TO_BE_FOUND = ("auto", "autodetect", "detect")  # what other tools call a language that is to be found
_LONGEST_CODE = 3
_MOST_WORDS = 2  # of a name
_TRADITIONAL = ("TW", "HK", "MO")  # where Chinese is written so
_SCRIPTS = {"Latn": "Latin", "Cyrl": "Cyrillic", "Arab": "Arabic"}
_SCRIPT_WORDS = {"traditional": "hant", "simplified": "hans", **{name.lower(): code for code, name in _SCRIPTS.items()}}
_LOCALE = re.compile(r"([\w-]+)(?:\.[\w-]+)?(?:@(\w+))?")  # as de_DE.UTF-8, sr_RS@latin


class Language(NamedTuple):
    """A language, as it is written."""

    label: str
    iso: str  # code of ISO 639-3
    script: str  # of ISO 15924
    name: str  # in English


@cache
def known() -> dict[str, Language]:
    """All languages that Budgie has a name for, by label."""
    rows = (line.split(maxsplit=3) for line in _TABLE.strip().splitlines())
    return {label: Language(label, iso, script, names.split("/")[0]) for label, iso, script, names in rows}


@cache
def _names() -> dict[str, str]:
    """Labels by names and codes in lower case."""
    found: dict[str, str] = {}
    for line in _TABLE.strip().splitlines():
        label, iso, _, names = line.split(maxsplit=3)
        for name in (label, iso, *names.split("/")):
            found.setdefault(name.lower(), label)
    return {**_OTHERS, **found}


def name_of(label: str) -> str:
    """The English name of a label, and its script where that is not the usual one."""
    if label in known():
        return known()[label].name
    code, _, script = label.partition("-")
    if code not in known():
        return label
    return f"{known()[code].name.removeprefix('Simplified ')} in {_SCRIPTS.get(script, script)} script"


def find(name: str) -> str | None:
    """The label of a language by any of its names; None where nobody knows it.

    A script that is not the usual one stays: `sr-Latn`, `zh-Hant`; a country does not, but for Chinese.
    """
    words = _words(name)
    for count in range(_MOST_WORDS, 0, -1):
        if label := _names().get(" ".join(words[:count])):
            return _written(label, words[count:])
    return None


def _words(name: str) -> list[str]:
    """The words of a name in lower case, with codes for places behind all else."""
    if locale := _LOCALE.fullmatch(name.strip()):
        name = f"{locale[1]} {locale[2] or ''}".removesuffix(" euro")  # a modifier of old, which says nothing here
    whole = " ".join(re.sub(r"[_(),-]", " ", name.lower()).split())
    if whole in _names():
        return whole.split()
    for place in sorted(_PLACES, key=len, reverse=True):
        if place in whole:
            whole, found = re.subn(rf"\b{place}\b", " ", whole)
            whole += f" {_PLACES[place]}" * found
    return whole.split()


def _written(label: str, rest: list[str]) -> str | None:
    """The label of a language whose script and country are in these words; None where they are anything else."""
    scripts = [code.title() for part in rest if len(code := _SCRIPT_WORDS.get(part, part)) == 4 and code.isalpha()]
    countries = [part.upper() for part in rest if len(part) == 2 or part.isdigit()]
    if len(scripts) + len(countries) < len(rest):
        return None
    if label == "zh" and (scripts == ["Hant"] or (not scripts and set(countries) & set(_TRADITIONAL))):
        return "zh-Hant"
    usual = known()[label].script
    return label if not scripts or scripts[0] == usual else f"{label}-{scripts[0]}"


def choose(name: str, among: Collection[str], what: str) -> str:
    """The one of several labels that a name means; `what` has them."""
    if name in among:
        return name
    label = find(name)
    if label in among:
        return str(label)
    if label is not None:
        said = "" if label == name else f", which is {label}"
        raise ConfigError(f"{what} does not know the language {name!r}{said}; it knows {_listed(among)}")
    near = _nearest(name, among)
    hint = f"did you mean {near}?" if near else f"it knows {_listed(among)}"
    if name.lower() in _TO_BE_FOUND:
        hint = "leave it out, and the language is found"
    if several := _SEVERAL.get(name.lower()):
        hint = f'it is {several}, which languages="macro" takes for one'
    raise ConfigError(f"{what} does not know the language {name!r}; {hint}")


def meant(name: str) -> str:
    """A question for people who wrote a name that nobody knows; empty where it cannot be told what they meant."""
    if name.lower() in _TO_BE_FOUND:
        return "`budgie annotate` finds the language by itself"
    near = None if find(name) else _nearest(name, known())
    return f"did you mean {near}?" if near else ""


def _nearest(name: str, among: Collection[str]) -> str | None:
    if (label := _COUNTRIES.get(name.lower())) in among:
        return label
    names = (one for one, label in _names().items() if label in among and len(one) > _LONGEST_CODE)
    return next(iter(difflib.get_close_matches(name.lower(), [*among, *names], 1, 0.6)), None)


def _listed(labels: Collection[str]) -> str:
    return " ".join(sorted(labels))
