# SPDX-License-Identifier: Apache-2.0
"""Scores of tokens, words, sentences and tags found in raw text, as the shared task of CoNLL 2018 defines them.

White space, of some width or none, does not count: a token, a sentence and a word that is a token of its own are right
if they cover the same characters. Words of multiword tokens are aligned as a longest common subsequence of their
lower-case forms.
"""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from budgie.document import Document
from budgie.errors import DataError
from budgie.evaluation import report
from budgie.evaluation.metrics import percent
from budgie.formats.segmented import ZERO_WIDTH_SPACE
from budgie.formats.sentences import NO_TAG
from budgie.formats.treebank import TreebankSentence, TreebankToken, TreebankWord, raw_text, read_treebank
from budgie.pipeline import Pipeline
from budgie.tasks.records import Token
from budgie.tasks.segmentation import Segmenter


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


class _Sentences(Protocol):
    def sentences(self, text: str, /) -> Iterable[Iterable[tuple[int, int]]]: ...


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


def evaluate_raw_text(segmenter: _Sentences, sentences: Sequence[TreebankSentence]) -> RawTextScores:
    """What a segmenter finds in the raw text of a treebank. It knows no words but its tokens, and no tags."""
    raw = raw_text(sentences)
    return score(_surface(sentences), read_found(raw.text, segmenter.sentences(raw.text)))


def evaluate_documents(
    annotate: Callable[[str], Document], sentences: Sequence[TreebankSentence]
) -> tuple[RawTextScores, F1]:
    """What a pipeline finds in the raw text of a treebank; and how many of its multiword tokens are right."""
    document = annotate(raw_text(sentences).text)
    found = [
        TreebankSentence(tuple(_annotated_token(token) for token in sentence.tokens)) for sentence in document.sentences
    ]
    return score(sentences, found), _f1(_multiword_tokens(sentences), _multiword_tokens(found))


def _annotated_token(token: Token) -> TreebankToken:
    words = tuple(TreebankWord(word.text, word.tag or NO_TAG) for word in token.words)
    space = " " if token.space_after else ""
    return TreebankToken(token.text, space, words or (TreebankWord(token.text, token.tag or NO_TAG),))


def _multiword_tokens(sentences: Iterable[TreebankSentence]) -> list[tuple[int, int, tuple[str, ...]]]:
    """Where they are, counted in characters without white space, and their words."""
    found, at = list[tuple[int, int, tuple[str, ...]]](), 0
    for sentence in sentences:
        for token in sentence.tokens:
            start, at = at, at + len(_characters(token))
            if len(token.words) > 1:
                found.append((start, at, tuple(word.text.lower() for word in token.words)))
    return found


def _characters(token: TreebankToken) -> str:
    return "".join(token.text.replace(ZERO_WIDTH_SPACE, " ").split())


def read_found(text: str, found: Iterable[Iterable[tuple[int, int]]]) -> list[TreebankSentence]:
    """Offsets of the tokens of each sentence, as a treebank has them."""
    return [
        TreebankSentence(tuple(_plain_token(text[start:end], " ") for start, end in sentence)) for sentence in found
    ]


def _surface(sentences: Sequence[TreebankSentence]) -> list[TreebankSentence]:
    return [
        TreebankSentence(tuple(_plain_token(token.text, token.space) for token in sentence.tokens))
        for sentence in sentences
    ]


def _plain_token(text: str, space: str) -> TreebankToken:
    return TreebankToken(text, space, (TreebankWord(text, NO_TAG),))


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


def _f1(gold: Sequence[Hashable], found: Sequence[Hashable]) -> F1:
    return F1(len(gold), len(found), len(set(gold) & set(found)))


def _read(sentences: Sequence[TreebankSentence]) -> _Read:
    read, pieces, at = _Read("", [], [], []), list[str](), 0
    for sentence in sentences:
        first = at
        for token in sentence.tokens:
            characters = _characters(token)
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


def evaluate_command(segmenter: Segmenter, args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """`budgie evaluate` for a segmenter that finds sentences, with treebanks: its scores as data, and for people."""
    if args.train or args.convention:
        raise DataError(
            "tokens and sentences are evaluated with treebanks (CoNLL-U): leave out --train and --convention"
        )
    sentences = read_treebank(*map(Path, args.data))
    scores = evaluate_raw_text(segmenter, sentences)
    return _shown({"tokens": scores.tokens, "sentences": scores.sentences})


def evaluate_annotation_command(args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """`budgie evaluate annotation`: all that a pipeline finds in the raw text of treebanks."""
    pipeline = Pipeline(languages=args.languages)
    scores, multiword = evaluate_documents(
        lambda text: pipeline.annotate(text, args.language), read_treebank(*map(Path, args.data))
    )
    shown = {one.name: getattr(scores, one.name) for one in dataclasses.fields(scores)}
    return _shown({**shown, "multiword tokens": multiword} if multiword.gold else shown)


def _shown(scores: dict[str, F1]) -> tuple[dict[str, Any], str]:
    data = {name: {**dataclasses.asdict(one), "f1": one.f1} for name, one in scores.items()}
    rows = {
        name: f"F1 {percent(one.f1)}: {percent(one.precision)} of {one.found:,} found are right, "
        f"{percent(one.recall)} of {one.gold:,} are found"
        for name, one in scores.items()
    }
    return data, report(rows)
