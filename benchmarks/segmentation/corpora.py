# SPDX-License-Identifier: Apache-2.0
"""The corpora: one sentence a line, words separated by a space."""

from __future__ import annotations

import lzma
import random
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from benchmarks.places import MaterialError, data_folder

from budgie.formats.segmented import Convention, join, words

SEED = 2017


@dataclass(frozen=True)
class Sentence:
    """A text as systems get it, and its words. Words have no white space around them; they may have some inside."""

    text: str
    words: tuple[str, ...]


@dataclass(frozen=True)
class Corpus:
    """A corpus by its folder, how its lines are written, and the name that Budgie's model has for its words."""

    name: str
    standard: str = ""
    convention: Convention = "joined"

    def read(self, line: str) -> Sentence:
        """The sentence of a line."""
        sentence = join(line.split(), self.convention)
        return Sentence(sentence.text, tuple(words(sentence)))

    @cached_property
    def test(self) -> list[Sentence]:
        """The test set. 53 lines of zh-sxu also stand in its training set: they do not count."""
        trained = set(self.lines("train")) if self.name == "zh-sxu" else set()
        return [self.read(line) for line in self.lines("test") if line not in trained]

    @cached_property
    def known(self) -> set[str] | None:
        """The words of the training set, if there is one."""
        if not self.file("train").exists():
            return None
        return {word for line in self.lines("train") for word in self.read(line).words}

    def shuffled(self, least_bytes: int) -> list[str]:
        """Texts of the test set in random order, as a slow system sees the first of them only, and again if too few."""
        texts = [sentence.text for sentence in self.test]
        random.Random(SEED).shuffle(texts)
        size = sum(len(text.encode()) for text in texts)
        return texts * -(-least_bytes // size)

    def lines(self, part: str) -> list[str]:
        """Lines of a part, without empty ones."""
        file = self.file(part)
        if not file.exists():
            raise MaterialError(f"{file}: no such file")
        with lzma.open(file, "rt", encoding="utf-8") as lines:
            return [line.strip("\n") for line in lines if not line.isspace()]

    def file(self, part: str) -> Path:
        """The file of a part."""
        return data_folder("seg") / self.name / f"{part}.txt.xz"
