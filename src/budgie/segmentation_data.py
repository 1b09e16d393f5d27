# SPDX-License-Identifier: Apache-2.0
"""The segmented text behind the embedded segmenters: which corpora, by which standard, under which licence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from budgie.data import TEXT_SUFFIXES
from budgie.datasets import DATASETS, find
from budgie.errors import DataError
from budgie.segmented import Convention, Segmented, read_segmented

Split = Literal["train", "dev", "test"]


@dataclass(frozen=True)
class Corpus:
    """A folder of segmented text."""

    dataset: str  # its name in budgie.datasets
    standard: str  # the name of its definition of a word
    name: str  # for people
    convention: Convention = "joined"
    splits: tuple[Split, ...] = ("train", "dev", "test")
    aliases: Mapping[str, str] = field(default_factory=dict)  # words that stand for others
    overlaps: bool = False  # test sentences that also stand in the training set are left out

    @property
    def licence(self) -> str:
        """The licence of the text."""
        return DATASETS[self.dataset].licence

    @property
    def non_commercial(self) -> bool:
        """Whether the licence forbids commercial use."""
        return "-NC-" in self.licence or "research only" in self.licence

    def file(self, split: Split) -> Path:
        """Where a split is on this machine."""
        if split not in self.splits:
            raise DataError(f"{self.dataset} has no {split} set; it has {' and '.join(self.splits)}")
        folder = find(self.dataset)
        for suffix in TEXT_SUFFIXES:
            if (path := folder / f"{split}{suffix}").exists():
                return path
        raise DataError(f"{folder} holds no {split}.txt, plain or compressed (.gz, .xz, .zst)")

    def read(self, split: Split, spaced: bool = False) -> list[Segmented]:
        """The sentences of a split; `spaced` as in `budgie.segmented.join`."""
        sentences = self._read(split, spaced)
        if split == "test" and self.overlaps:
            seen = {sentence.text for sentence in self._read("train", spaced)}
            sentences = [sentence for sentence in sentences if sentence.text not in seen]
        return sentences

    def _read(self, split: Split, spaced: bool) -> list[Segmented]:
        path = self.file(split)
        return list(read_segmented(path, convention=self.convention, spaced=spaced, aliases=self.aliases))


_PKU = Corpus("seg/zh-pku", "pku", "PFR People's Daily, January 1998 (test: SIGHAN 2005 PKU)")
_SXU = Corpus("seg/zh-sxu", "sxu", "SIGHAN 2008 SXU", overlaps=True)
_WTB = Corpus("seg/zh-weibo-wtb", "wtb", "Weibo Treebank")
_BRACKETS = {"LBKT": "(", "KBKT": "(", "RBKT": ")"}  # one LBKT is misspelt

# The corpora of each language with a segmenter. Where several standards are named, one model learns them all.
CORPORA: dict[str, tuple[Corpus, ...]] = {
    "zh": (_PKU, _SXU, _WTB),
    "zh-Hant": (
        Corpus("seg/zh-gsd", "gsd", "UD Chinese-GSD 2.0"),
        Corpus("seg/zh-sinica", "sinica", "Sinica Treebank, 10,000 sentences"),
    ),
    "yue": (Corpus("seg/yue-hkcancor", "hkcancor", "Hong Kong Cantonese Corpus"),),
    "ja": (Corpus("seg/ja-gsd", "gsd", "UD Japanese-GSD 2.8, short unit words"),),
    "th": (Corpus("seg/th-tud", "tud", "UD Thai-TUD", "visible"),),
    "vi": (Corpus("seg/vi-vtb", "vtb", "UD Vietnamese-VTB", "underscore", aliases=_BRACKETS),),
    "km": (Corpus("seg/km-khpos", "khpos", "khPOS"),),
    "my": (Corpus("seg/my-mypos1", "mypos", "myPOS 1.0"),),
}

# Corpora without a training set: other sentences by known or new standards.
TESTED_ONLY: dict[str, tuple[Corpus, ...]] = {
    "zh": (
        Corpus("seg/zh-msr", "msr", "SIGHAN 2005 MSR", splits=("test",)),
        Corpus("seg/zh-gsdsimp", "gsd", "UD Chinese-GSDSimp", splits=("dev", "test")),
    ),
}


def corpus(language: str, standard: str) -> Corpus:
    """The corpus of a language by its standard."""
    found = [one for one in (*CORPORA.get(language, ()), *TESTED_ONLY.get(language, ())) if one.standard == standard]
    if not found:
        known = [f"{code} {one.standard}" for table in (CORPORA, TESTED_ONLY) for code in table for one in table[code]]
        raise DataError(f"there is no corpus of {language} by the standard {standard}; there are {', '.join(known)}")
    return found[0]
