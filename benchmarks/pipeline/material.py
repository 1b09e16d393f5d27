# SPDX-License-Identifier: Apache-2.0
"""The material: raw text whose tokens and sentences are known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from benchmarks.places import data_folder

import budgie
from budgie.coverage import NO_LANGUAGE
from budgie.formats.lines import read_lines
from budgie.formats.sentences import NO_TAG
from budgie.formats.treebank import TreebankSentence, TreebankToken, TreebankWord, raw_text
from budgie.train.data.raw_treebanks import RAW_TREEBANKS
from budgie.train.segmentation.tokens import LanguageText

# The languages whose treebanks the model `tokens` has learnt: those that are free.
LEARNT = tuple(language for language in RAW_TREEBANKS if language in budgie.read_model("tokens").config.standards)
# Test sets whose script says more than the language of their treebank.
LABELS = {"zh_gsd": "zh-Hant", "sr_set": "sr-Latn"}
JOINED = 8  # sentences of a paragraph
TEXT = 2_000  # characters of a text, about, for speed


@dataclass(frozen=True)
class TestSet:
    """Sentences in their order; paragraphs are what systems are asked for."""

    name: str
    language: str  # as treebanks and peers call it
    sentences: Sequence[TreebankSentence]

    @property
    def label(self) -> str:
        """What Budgie calls the language; no name is better than one that it does not know."""
        label = LABELS.get(self.name, self.language)
        return label if label in known_labels() else NO_LANGUAGE

    @property
    def texts(self) -> list[str]:
        """Its paragraphs as they are written."""
        return [raw_text(some).text for some in paragraphs(self.sentences)]

    @property
    def tokens(self) -> int:
        """How many tokens there are."""
        return sum(len(sentence.tokens) for sentence in self.sentences)


@cache
def known_labels() -> frozenset[str]:
    """The languages that Budgie identifies."""
    return frozenset(budgie.load("langid").languages)


def paragraphs(sentences: Sequence[TreebankSentence]) -> Iterator[list[TreebankSentence]]:
    """Sentences that stand together."""
    some: list[TreebankSentence] = []
    for sentence in sentences:
        if some and sentence.begins_paragraph:
            yield some
            some = []
        some.append(sentence)
    if some:
        yield some


def treebanks(languages: Iterable[str]) -> list[TestSet]:
    """The test sets of some languages' treebanks."""
    return [
        TestSet(name, language, LanguageText(language).written(sentences))
        for language in languages
        for name, sentences in RAW_TREEBANKS[language].tests().items()
    ]


def web_languages() -> list[str]:
    """The languages of sentences from the web."""
    return sorted(file.name.partition(".")[0] for file in data_folder("langid/dev/lingua_sentences").iterdir())


def web(language: str) -> TestSet:
    """Sentences from the web (Leipzig corpora, by way of lingua), in random order, eight to a paragraph."""
    lines = read_lines(data_folder("langid/dev/lingua_sentences") / f"{language}.txt.xz")
    space = " " if LanguageText(language).spaced else ""
    some = [line.strip() for line in lines if line.strip()]
    return TestSet(f"web-{language}", language, [_whole(line, space, i % JOINED == 0) for i, line in enumerate(some)])


def _whole(line: str, space: str, begins: bool) -> TreebankSentence:
    """A sentence whose tokens nobody knows."""
    return TreebankSentence((TreebankToken(line, space, (TreebankWord(line, NO_TAG),)),), begins)


def running_text(language: str) -> TestSet:
    """All that there is to learn from, in texts of some length, which end where a sentence does: for speed.

    Test sets are too short: a pipeline that remembers words would meet each but once or twice.
    """
    sentences = LanguageText(language).written(RAW_TREEBANKS[language].training())
    return TestSet(f"{language}-train", language, list(in_texts(sentences)))


def in_texts(sentences: Iterable[TreebankSentence]) -> Iterator[TreebankSentence]:
    """Sentences with paragraphs of some length."""
    size = TEXT
    for sentence in sentences:
        yield replace(sentence, begins_paragraph=size >= TEXT)
        size = size + len(sentence.text) if size < TEXT else len(sentence.text)
