# SPDX-License-Identifier: Apache-2.0
"""Scores of tokens, words, sentences and tags found in raw text, as the shared task of CoNLL 2018 defines them.

White space, of some width or none, does not count: a token, a sentence and a word that is a token of its own are right
if they cover the same characters. Words of multiword tokens are aligned as a longest common subsequence of their
lower-case forms.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from budgie.errors import DataError
from budgie.formats.segmented import ZERO_WIDTH_SPACE
from budgie.formats.treebank import TreebankSentence, TreebankToken


@dataclass(frozen=True)
class F1:
    """How many there are, how many were found, and how many of these are right."""

    gold: int
    found: int
    right: int

    @property
    def precision(self) -> float:
        """The share of what was found that is right."""
        return self.right / self.found if self.found else 0.0

    @property
    def recall(self) -> float:
        """The share of what there is that was found."""
        return self.right / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of the two."""
        return 2 * self.right / (self.gold + self.found) if self.gold + self.found else 0.0


@dataclass(frozen=True)
class RawTextScores:
    """Scores of everything that is found in raw text."""

    tokens: F1
    sentences: F1
    words: F1
    tags: F1


class _Word(NamedTuple):
    start: int
    end: int
    text: str
    tag: str
    multiword: bool  # one of several words of a token


class _Read(NamedTuple):
    characters: str  # of the text, without white space
    tokens: list[tuple[int, int]]
    sentences: list[tuple[int, int]]
    words: list[_Word]


def score(gold: Sequence[TreebankSentence], found: Sequence[TreebankSentence]) -> RawTextScores:
    """What was found in a text, against what is there."""
    a, b = _read(gold), _read(found)
    if a.characters != b.characters:
        at = next(
            (i for i, (x, y) in enumerate(zip(a.characters, b.characters, strict=False)) if x != y),
            min(len(a.characters), len(b.characters)),
        )
        raise DataError(f"the two texts differ: {a.characters[at : at + 20]!r} and {b.characters[at : at + 20]!r}")
    pairs = _align(a.words, b.words)
    same_tag = sum(one.tag == other.tag for one, other in pairs)
    return RawTextScores(
        _f1(a.tokens, b.tokens),
        _f1(a.sentences, b.sentences),
        F1(len(a.words), len(b.words), len(pairs)),
        F1(len(a.words), len(b.words), same_tag),
    )


def _f1(gold: list[tuple[int, int]], found: list[tuple[int, int]]) -> F1:
    return F1(len(gold), len(found), len(set(gold) & set(found)))


def _read(sentences: Sequence[TreebankSentence]) -> _Read:
    read, pieces, at = _Read("", [], [], []), list[str](), 0
    for sentence in sentences:
        first = at
        for token in sentence.tokens:
            characters = "".join(token.text.replace(ZERO_WIDTH_SPACE, " ").split())
            start, at = at, at + len(characters)
            pieces.append(characters)
            read.tokens.append((start, at))
            read.words.extend(_words(token, start, at))
        read.sentences.append((first, at))
    return read._replace(characters="".join(pieces))


def _words(token: TreebankToken, start: int, end: int) -> list[_Word]:
    several = len(token.words) > 1
    return [_Word(start, end, word.text.lower(), word.tag, several) for word in token.words]


def _align(gold: list[_Word], found: list[_Word]) -> list[tuple[_Word, _Word]]:
    """Pairs of words that are the same."""
    pairs: list[tuple[_Word, _Word]] = []
    g = f = 0
    while g < len(gold) and f < len(found):
        if gold[g].multiword or found[f].multiword:
            # All words up to where both have come to the end of a token.
            first_g, first_f = g, f
            end = gold[g].end if gold[g].multiword else found[f].end
            while True:
                g, f = _behind(gold, g, end), _behind(found, f, end)
                ends = [words[at - 1].end for words, at in ((gold, g), (found, f)) if at > 0]
                if max(ends) <= end:
                    break
                end = max(ends)
            pairs += _common(gold[first_g:g], found[first_f:f])
        elif (gold[g].start, gold[g].end) == (found[f].start, found[f].end):
            pairs.append((gold[g], found[f]))
            g, f = g + 1, f + 1
        elif gold[g].start <= found[f].start:
            g += 1
        else:
            f += 1
    return pairs


def _behind(words: list[_Word], at: int, end: int) -> int:
    """The first word that begins at `end` or behind it."""
    while at < len(words) and words[at].start < end:
        at += 1
    return at


def _common(gold: list[_Word], found: list[_Word]) -> list[tuple[_Word, _Word]]:
    """A longest common subsequence by form."""
    longest = [[0] * (len(found) + 1) for _ in range(len(gold) + 1)]
    for g in reversed(range(len(gold))):
        for f in reversed(range(len(found))):
            longest[g][f] = (
                longest[g + 1][f + 1] + 1
                if gold[g].text == found[f].text
                else max(longest[g + 1][f], longest[g][f + 1])
            )
    pairs, g, f = list[tuple[_Word, _Word]](), 0, 0
    while g < len(gold) and f < len(found):
        if gold[g].text == found[f].text:
            pairs.append((gold[g], found[f]))
            g, f = g + 1, f + 1
        elif longest[g + 1][f] >= longest[g][f + 1]:
            g += 1
        else:
            f += 1
    return pairs
