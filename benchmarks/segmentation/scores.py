# SPDX-License-Identifier: Apache-2.0
"""Word F1: a word is right if both its ends are. White space is no part of any word."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import pairwise

from benchmarks.segmentation.corpora import Sentence


@dataclasses.dataclass(frozen=True)
class Scores:
    """Counts of words; of them come the shares."""

    gold: int
    given: int
    right: int
    unknown: int | None  # gold words that the training set does not have, if there is one
    unknown_right: int
    changed: int  # sentences whose characters the system changed
    astride: int  # words given that begin or end inside a gold word and go over an end of it: wrong by any standard

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return 2 * self.right / (self.gold + self.given)

    @property
    def unknown_recall(self) -> float | None:
        """Recall of words that the training set does not have."""
        return self.unknown_right / self.unknown if self.unknown else None


def score(sentences: Sequence[Sentence], answers: Sequence[Sequence[str]], known: set[str] | None) -> Scores:
    """Compare the words that a system gave with those of the corpus."""
    gold = given = right = unknown = unknown_right = changed = astride = 0
    for sentence, words in zip(sentences, answers, strict=True):
        found, exact = spans(words, bare(sentence.text))
        true = dict(zip(spans(sentence.words, bare(sentence.text))[0], sentence.words, strict=True))
        hits = true.keys() & set(found)
        gold, given, right, changed = gold + len(true), given + len(found), right + len(hits), changed + (not exact)
        ends = {0, *(end for _, end in true)}
        cutting = (range(start + 1, end) for start, end in found if start not in ends or end not in ends)
        astride += sum(not ends.isdisjoint(inside) for inside in cutting)
        if known is not None:
            unknown += sum(word not in known for word in true.values())
            unknown_right += sum(true[hit] not in known for hit in hits)
    return Scores(gold, given, right, None if known is None else unknown, unknown_right, changed, astride)


def spans(words: Sequence[str], text: str) -> tuple[list[tuple[int, int]], bool]:
    """Start and end of each word in the text without white space, and whether the words are exactly this text."""
    written = [word for word in map(bare, words) if word]
    ends = [0]
    for word in written:
        ends.append(ends[-1] + len(word))
    exact = "".join(written) == text
    if not exact:
        ends = aligned(ends, "".join(written), text)
    return [(start, end) for start, end in pairwise(ends) if start < end], exact


def aligned(ends: Sequence[int], written: str, text: str) -> list[int]:
    """Places in a text, for places in another writing of it: some systems compose, replace or drop characters."""
    places = list(range(len(written) + 1))
    for _, start, end, there, there_end in SequenceMatcher(None, written, text, autojunk=False).get_opcodes():
        for at in range(start, end):
            places[at] = min(there + at - start, there_end)
    places[len(written)] = len(text)
    return [places[end] for end in ends]


def bare(text: str) -> str:
    """A text without its white space."""
    return "".join(text.split())
