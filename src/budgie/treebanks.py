# SPDX-License-Identifier: Apache-2.0
"""The treebanks behind the embedded taggers and behind Table 2: which files, of which release, under which licence."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from budgie.datasets import find
from budgie.sentences import Sentence, read_tagged

Split = Literal["train", "dev", "test"]

_SUFFIX = ".tsv.xz"
_FROM_VERSION_1 = {"CONJ": "CCONJ"}  # the one tag that Universal Dependencies 2 renamed


@dataclass(frozen=True)
class Treebank:
    """Files of tagged sentences below a folder of data, without their suffix."""

    name: str
    licence: str
    train: tuple[str, ...]
    dev: tuple[str, ...]
    test: tuple[str, ...]
    folder: str = "ud2"
    version_1: bool = False  # the training set has the tags of Universal Dependencies 1

    @property
    def non_commercial(self) -> bool:
        """Whether the licence forbids commercial use."""
        return "-NC-" in self.licence

    def files(self, split: Split) -> list[Path]:
        """Where the files of a split are on this machine."""
        return [find(self.folder) / f"{name}{_SUFFIX}" for name in getattr(self, split)]

    def read(self, split: Split) -> list[Sentence]:
        """The sentences of a split, with the tags of today."""
        return [self._renamed(sentence) for path in self.files(split) for sentence in read_tagged(path)]

    def _renamed(self, sentence: Sentence) -> Sentence:
        assert sentence.tags is not None  # read_tagged refuses others
        if not self.version_1:
            return sentence
        return dataclasses.replace(sentence, tags=tuple(_FROM_VERSION_1.get(tag, tag) for tag in sentence.tags))


def _ud2(treebank: str, name: str, licence: str, suffix: str = "", version_1: bool = False) -> Treebank:
    train, dev, test = f"{treebank}-train{suffix}", f"{treebank}-dev", f"{treebank}-test"
    return Treebank(f"UD {name}", licence, (train,), (dev,), (test,), version_1=version_1)


# One treebank for each language with an embedded tagger, or, where it is not for commercial use, a tagger to train.
TREEBANKS = {
    "af": _ud2("af_afribooms", "Afrikaans-AfriBooms 2.18", "CC-BY-SA-4.0"),
    "ar": Treebank(
        "UD Arabic-PADT 2", "CC-BY-NC-SA-3.0", ("ar_padt-train.2col",), ("ar_padt-dev.2col",), ("ar_padt-test.2col",)
    ),
    "da": _ud2("da_ddt", "Danish-DDT (trained on 1.3)", "CC-BY-SA-4.0", ".ud1.3.2col", version_1=True),
    "el": _ud2("el_gdt", "Greek-GDT 2.17", "CC-BY-NC-SA-3.0"),
    "en": _ud2("en_ewt", "English-EWT 2.16", "CC-BY-SA-4.0"),
    "et": _ud2("et_edt", "Estonian-EDT (trained on 2.0)", "CC-BY-NC-SA-4.0", ".r2.0"),
    "eu": _ud2("eu_bdt", "Basque-BDT (trained on 1.4)", "CC-BY-NC-SA-3.0", ".r1.4", version_1=True),
    "fa": _ud2("fa_seraji", "Persian-Seraji (trained on 2.1)", "CC-BY-SA-4.0", ".ud2.1.2col"),
    "fi": _ud2("fi_tdt", "Finnish-TDT (trained on 2.2)", "CC-BY-SA-4.0", ".ud2.2.2col"),
    "fr": _ud2("fr_gsd", "French-GSD 2.16", "CC-BY-SA-4.0", ".2col"),
    "ga": _ud2("ga_idt", "Irish-IDT (trained on 2.6)", "CC-BY-SA-3.0", ".r2.6"),
    "gl": _ud2("gl_ctg", "Galician-CTG (trained on 1.4)", "CC-BY-NC-SA-3.0", ".r1.4", version_1=True),
    "hu": _ud2("hu_szeged", "Hungarian-Szeged 2.18", "CC-BY-NC-SA-3.0"),
    "id": _ud2("id_gsd", "Indonesian-GSD (trained on 2.1)", "CC-BY-SA-4.0", ".r2.1"),
    "it": _ud2("it_isdt", "Italian-ISDT 2", "CC-BY-NC-SA-3.0", ".2col"),
    "ja": _ud2("ja_gsd", "Japanese-GSD (trained on 1.4)", "CC-BY-SA-4.0", ".r1.4", version_1=True),
    "ko": _ud2("ko_gsd", "Korean-GSD (trained on 2.10)", "CC-BY-SA-4.0", ".r2.10"),
    "lt": _ud2("lt_alksnis", "Lithuanian-ALKSNIS (trained on 2.4)", "CC-BY-SA-4.0", ".r2.4"),
    "lv": Treebank(
        "UD Latvian-LVTB (trained on 2.0)",
        "CC-BY-SA-4.0",
        ("lv_lvtb-train.r2.0",),
        ("lv_lvtb-dev",),
        ("lv_lvtb-test.r2.12",),
    ),
    "no": _ud2("no_bokmaal", "Norwegian-Bokmaal (trained on 2.5)", "CC-BY-SA-4.0", ".ud2.5.2col"),
    "pt": Treebank(
        "UD Portuguese-Bosque 2.16 and Portuguese-GSD 2.16",
        "CC-BY-SA-4.0",
        ("pt_bosque-train", "pt_gsd-train"),
        ("pt_bosque-dev", "pt_gsd-dev"),
        ("pt_bosque-test", "pt_gsd-test"),
    ),
    "ro": _ud2("ro_rrt", "Romanian-RRT (trained on 1.2)", "CC-BY-SA-4.0", ".r1.2", version_1=True),
    "ta": _ud2("ta_ttb", "Tamil-TTB 2.17", "CC-BY-NC-SA-3.0"),
    "tr": _ud2("tr_imst", "Turkish-IMST 2.16", "CC-BY-NC-SA-4.0"),
    "vi": _ud2("vi_vtb", "Vietnamese-VTB 2.17", "CC-BY-SA-4.0"),
    "zh": _ud2("zh_gsd", "Chinese-GSD (trained on 1.4)", "CC-BY-SA-4.0", ".r1.4", version_1=True),
}


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
