# SPDX-License-Identifier: Apache-2.0
"""The treebanks behind the embedded taggers and behind Table 2: which files, of which release, under which licence."""

from __future__ import annotations

import dataclasses
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from budgie.formats.sentences import TokenisedSentence, pairs, read_tagged
from budgie.train.data.chinese import Conversion, converter
from budgie.train.data.datasets import Split, find

_SUFFIXES = {"ud2": ".tsv.xz", "ud11": ".tsv.xz", "ud-raw": ".conllu.xz"}  # of the files of a folder
_HELD_OUT = 10  # where the dev set is trained on, every tenth sentence is left to choose by
_NEARLY_ALWAYS = 0.8
_ENOUGH = 3  # times that a word must be seen to show its new tag


@dataclass(frozen=True)
class Treebank:
    """Files of tagged sentences below a folder of data, without their suffix."""

    name: str
    licence: str
    train: tuple[str, ...]
    dev: tuple[str, ...]
    test: tuple[str, ...]
    folder: str = "ud2"
    old_tags: bool = False  # the training set has the tags of Universal Dependencies 1
    dev_too: bool = False  # the training set is small or not to be had: most of the dev set is trained on as well
    conversion: Conversion | None = None  # of the training set alone: dev and test are as people have written them

    def files(self, split: Split) -> list[Path]:
        """Where the files of a split are on this machine."""
        return [find(self.folder) / f"{name}{_SUFFIXES[self.folder]}" for name in getattr(self, split)]

    def read(self, split: Split) -> list[TokenisedSentence]:
        """The sentences of a split, with the tags of today."""
        sentences = read_tagged(*self.files(split))
        if split == "dev" and self.dev_too:
            return sentences[::_HELD_OUT]
        if split == "train" and self.conversion is not None:
            sentences = in_characters(sentences, self.conversion)
        if split != "train" or not (self.old_tags or self.dev_too):
            return sentences
        dev = read_tagged(*self.files("dev"))
        if self.dev_too:
            dev = [sentence for i, sentence in enumerate(dev) if i % _HELD_OUT]
        if self.old_tags:
            sentences = renewed(sentences, dev)
        return sentences + dev if self.dev_too else sentences


def in_characters(sentences: list[TokenisedSentence], conversion: Conversion) -> list[TokenisedSentence]:
    """Words in other Chinese characters."""
    convert = converter(conversion)
    return [TokenisedSentence(tuple(map(convert, one.words)), one.tags) for one in sentences]


def renewed(sentences: list[TokenisedSentence], examples: list[TokenisedSentence]) -> list[TokenisedSentence]:
    """Old tags as today's `examples` have them: CONJ is CCONJ, and words that nearly always had one tag and now
    nearly always have another get that one."""
    before, now = _usual_tags(sentences, 1), _usual_tags(examples, _ENOUGH)
    new = {(word, before[word]): now[word] for word in before.keys() & now.keys()}
    return [
        dataclasses.replace(
            sentence, tags=tuple(new.get(pair, "CCONJ" if pair[1] == "CONJ" else pair[1]) for pair in pairs(sentence))
        )
        for sentence in sentences
    ]


def _usual_tags(sentences: list[TokenisedSentence], least: int) -> dict[str, str]:
    """The tag of each word that has the same one nearly always, and at least so often."""
    counts: dict[str, Counter[str]] = {}
    for sentence in sentences:
        for word, tag in pairs(sentence):
            counts.setdefault(word, Counter())[tag] += 1
    usual = {word: tags.most_common(1)[0] for word, tags in counts.items()}
    return {
        word: tag for word, (tag, count) in usual.items() if count >= max(least, _NEARLY_ALWAYS * counts[word].total())
    }


def _ud2(
    treebank: str, name: str, licence: str, suffix: str = "", old_tags: bool = False, dev_too: bool = False
) -> Treebank:
    train, dev, test = f"{treebank}-train{suffix}", f"{treebank}-dev", f"{treebank}-test"
    return Treebank(f"UD {name}", licence, (train,), (dev,), (test,), old_tags=old_tags, dev_too=dev_too)


def _dev_only(treebank: str, name: str, licence: str, suffix: str = "") -> Treebank:
    dev, test = f"{treebank}-dev{suffix}", f"{treebank}-test{suffix}"
    return Treebank(f"UD {name} (trained on its dev set)", licence, (), (dev,), (test,), dev_too=True)


def _gsd(treebank: str, name: str, conversion: Conversion | None = None) -> Treebank:
    dev, test = f"zh_{treebank}-dev", f"zh_{treebank}-test"
    files = ("zh_gsd-train.um",), (dev,), (test,)
    return Treebank(f"UD {name}", "CC-BY-SA-4.0", *files, folder="ud-raw", dev_too=True, conversion=conversion)


# One treebank for each language with an embedded tagger, or, where it is not for commercial use, a tagger to train.
TREEBANKS = {
    "af": _ud2("af_afribooms", "Afrikaans-AfriBooms 2.18", "CC-BY-SA-4.0"),
    "ar": Treebank(
        "UD Arabic-PADT 2", "CC-BY-NC-SA-3.0", ("ar_padt-train.2col",), ("ar_padt-dev.2col",), ("ar_padt-test.2col",)
    ),
    "ca": _dev_only("ca_ancora", "Catalan-AnCora 2.8", "CC-BY-4.0", ".r2.8"),
    "da": _ud2("da_ddt", "Danish-DDT (trained on 1.3)", "CC-BY-SA-4.0", ".ud1.3.2col", old_tags=True),
    "el": _ud2("el_gdt", "Greek-GDT 2.17", "CC-BY-NC-SA-3.0"),
    "en": _ud2("en_ewt", "English-EWT 2.16", "CC-BY-SA-4.0"),
    "es": _dev_only("es_gsd", "Spanish-GSD 2.16", "CC-BY-SA-4.0"),
    "et": _ud2("et_edt", "Estonian-EDT (trained on 2.0)", "CC-BY-NC-SA-4.0", ".r2.0"),
    "eu": _ud2("eu_bdt", "Basque-BDT (trained on 1.4)", "CC-BY-NC-SA-3.0", ".r1.4", old_tags=True),
    "fa": _ud2("fa_seraji", "Persian-Seraji (trained on 2.1)", "CC-BY-SA-4.0", ".ud2.1.2col"),
    "fi": _ud2("fi_tdt", "Finnish-TDT (trained on 2.2)", "CC-BY-SA-4.0", ".ud2.2.2col"),
    "fr": _ud2("fr_gsd", "French-GSD 2.16", "CC-BY-SA-4.0", ".2col"),
    "ga": _ud2("ga_idt", "Irish-IDT (trained on 2.6)", "CC-BY-SA-3.0", ".r2.6"),
    "gl": _ud2("gl_ctg", "Galician-CTG (trained on 1.4)", "CC-BY-NC-SA-3.0", ".r1.4", old_tags=True),
    "hr": _dev_only("hr_set", "Croatian-SET 2", "CC-BY-SA-4.0"),
    "hu": _ud2("hu_szeged", "Hungarian-Szeged 2.18", "CC-BY-NC-SA-3.0"),
    "id": _ud2("id_gsd", "Indonesian-GSD (trained on 2.1)", "CC-BY-SA-4.0", ".r2.1"),
    "it": _ud2("it_isdt", "Italian-ISDT 2", "CC-BY-NC-SA-3.0", ".2col"),
    "ko": _ud2("ko_gsd", "Korean-GSD (trained on 2.10)", "CC-BY-SA-4.0", ".r2.10"),
    "lt": _ud2(
        "lt_alksnis", "Lithuanian-ALKSNIS (trained on 2.4 and the dev set)", "CC-BY-SA-4.0", ".r2.4", dev_too=True
    ),
    "lv": Treebank(
        "UD Latvian-LVTB (trained on 2.0 and the dev set)",
        "CC-BY-SA-4.0",
        ("lv_lvtb-train.r2.0",),
        ("lv_lvtb-dev",),
        ("lv_lvtb-test.r2.12",),
        dev_too=True,
    ),
    "nn": _dev_only("no_nynorsk", "Norwegian-Nynorsk 2", "CC-BY-SA-4.0"),
    "no": _ud2("no_bokmaal", "Norwegian-Bokmaal (trained on 2.5)", "CC-BY-SA-4.0", ".ud2.5.2col"),
    "pt": _ud2("pt_bosque", "Portuguese-Bosque 2.16", "CC-BY-SA-4.0"),
    "ro": _ud2(
        "ro_rrt", "Romanian-RRT (trained on 1.2 and the dev set)", "CC-BY-SA-4.0", ".r1.2", old_tags=True, dev_too=True
    ),
    "sl": _dev_only("sl_ssj", "Slovenian-SSJ 2", "CC-BY-SA-4.0"),
    "ta": _ud2("ta_ttb", "Tamil-TTB 2.17", "CC-BY-NC-SA-3.0"),
    "tr": _ud2("tr_imst", "Turkish-IMST 2.16", "CC-BY-NC-SA-4.0"),
    "vi": _ud2("vi_vtb", "Vietnamese-VTB 2.17 (trained on the dev set, too)", "CC-BY-SA-4.0", dev_too=True),
    "zh": _gsd("gsdsimp", "Chinese-GSDSimp 2.16 (trained on GSD 2.3 in simplified characters and the dev set)", "t2s"),
    "zh-Hant": _gsd("gsd", "Chinese-GSD 2.17 (trained on 2.3 and the dev set)"),
}


_HELP, _VOICE, _NOVELS = "LibreOffice help (MPL-2.0)", "Common Voice (CC0-1.0)", "ELTeC novels (CC-BY-4.0)"
_PARLIAMENT, _MDN = "proceedings of the European Parliament (reuse authorised, © European Union)", "MDN (CC-BY-SA-2.5)"
_MICROSOFT, _STATUTES = "Microsoft documentation (CC-BY-4.0)", "statutes (not copyrightable)"

# The plain text that a teacher has labelled for the embedded tagger of a language, beside its treebank.
SILVER_TEXT = {
    "da": (_HELP, _MICROSOFT, "ADL (public domain)", _STATUTES, _VOICE),
    "en": (_VOICE, _NOVELS, _HELP, _PARLIAMENT),
    "fi": (
        _HELP,
        "Turku paraphrase corpus (CC-BY-SA-4.0)",
        _MICROSOFT,
        "Annif corpora (CC-BY-4.0)",
        "Finlex (CC-BY-4.0)",
        _VOICE,
    ),
    "fr": (_NOVELS, _HELP, _MDN, _STATUTES, _PARLIAMENT, _VOICE),
    "id": (_MICROSOFT, _HELP, "manual pages (free licences)", _STATUTES, _VOICE, _MDN),
    "ko": (_HELP, _MDN, _VOICE),
    "no": (_VOICE, _STATUTES),
    "pt": (_NOVELS, _HELP, _MDN, _VOICE),
}

# What the clusters of the embedded tagger of a language were made from: where no other table is at hand, the same text.
_BROWN = ("Brown clusters of spacy-lookups-data 1.0.5 (MIT)",)
CLUSTERED_TEXT = {**SILVER_TEXT, "en": _BROWN, "es": _BROWN}


def _ud11(language: str, licence: str, suffix: str = "") -> Treebank:
    train, dev, test = f"{language}-train{suffix}", f"{language}-dev", f"{language}-test"
    return Treebank("Universal Dependencies 1.1", licence, (train,), (dev,), (test,), folder="ud11")


# Table 2 of the paper. The training sets of el, en and id are those of release 1.1; the others are stand-ins.
UD11 = {
    "da": _ud11("da", "GPL-2.0", ".proxy-ud1.3"),
    "de": _ud11("de", "CC-BY-NC-SA-3.0", ".truecased"),
    "el": _ud11("el", "CC-BY-NC-SA-3.0"),
    "en": _ud11("en", "CC-BY-SA-4.0"),
    "fa": _ud11("fa", "CC-BY-SA-4.0", ".proxy-ud2.1"),
    "fi": _ud11("fi", "CC-BY-SA-4.0", ".proxy-ud2.2"),
    "fr": _ud11("fr", "CC-BY-NC-SA-3.0", ".proxy-ud1.1tokens-tags-from-2.5"),
    "id": _ud11("id", "CC-BY-NC-SA-3.0"),
    "it": _ud11("it", "CC-BY-NC-SA-3.0", ".proxy-ud2.17"),
    "sv": _ud11("sv", "CC-BY-SA-4.0", ".proxy-pre1.0"),
}
EXACT = ("el", "en", "id")
