# SPDX-License-Identifier: Apache-2.0
"""The material: treebanks, and running text of the same language."""

from __future__ import annotations

import lzma
import random
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from benchmarks.places import MaterialError, data_folder

from budgie.formats.sentences import TokenisedSentence, read_tagged
from budgie.train.data.treebanks import TREEBANKS

SEED = 2017
RAW_NAMES = {"no": "nb"}  # running text that has another code than the treebank


@dataclass(frozen=True)
class Treebank:
    """A treebank by its name: a bare language is Universal Dependencies 1.1, language_treebank is 2."""

    name: str

    @property
    def release(self) -> str:
        """The release, for people."""
        return "UD 2" if "_" in self.name else "UD 1.1"

    @cached_property
    def train(self) -> list[TokenisedSentence]:
        return read_tagged(self.file("train"))

    @cached_property
    def dev(self) -> list[TokenisedSentence]:
        return read_tagged(self.file("dev"))

    @cached_property
    def test(self) -> list[TokenisedSentence]:
        return read_tagged(self.file("test"))

    def file(self, part: str) -> Path:
        """The file of one part; its name may also tell where it is from."""
        folder = data_folder("pos") / ("ud2" if "_" in self.name else "ud11")
        found = sorted(folder.glob(f"{self.name}-{part}.*tsv.xz"))
        if len(found) != 1:
            names = ", ".join(file.name for file in found) or "none"
            raise MaterialError(f"{folder}: {self.name} needs one file for {part}, but has {names}")
        return found[0]

    def speed_sets(self, raw_words: int) -> dict[str, list[list[str]]]:
        """Sentences that speed is measured on: the test set, and running text where there is some."""
        language = self.name.partition("_")[0]
        file = data_folder("raw") / f"{RAW_NAMES.get(language, language)}.txt.xz"
        sets = {"test set": [list(sentence.words) for sentence in self.test]}
        if file.exists():
            sets["running text"] = running_text(file, raw_words)
        return sets


@dataclass(frozen=True)
class TreebankOfTagger(Treebank):
    """What an embedded tagger learns from, by its language: sometimes several treebanks, and most of a dev set."""

    @cached_property
    def train(self) -> list[TokenisedSentence]:
        return TREEBANKS[self.name].read("train")

    @cached_property
    def dev(self) -> list[TokenisedSentence]:
        return TREEBANKS[self.name].read("dev")

    @cached_property
    def test(self) -> list[TokenisedSentence]:
        return TREEBANKS[self.name].read("test")


def running_text(file: Path, words: int) -> list[list[str]]:
    """Sentences from all over a file, in random order: the file goes source by source, and a pass may be cut short."""
    with lzma.open(file, "rt", encoding="utf-8") as lines:
        sentences = [line for line in lines if not line.isspace()]
    random.Random(SEED).shuffle(sentences)
    chosen: list[list[str]] = []
    count = 0
    for sentence in sentences:
        if count >= words:
            break
        chosen.append(sentence.split())
        count += len(chosen[-1])
    return chosen
