# SPDX-License-Identifier: Apache-2.0
"""What systems found in raw text, scored as in the shared task of CoNLL 2018."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from benchmarks.pipeline.material import TestSet

from budgie.evaluation.raw_text import RawTextScores, score
from budgie.formats.sentences import NO_TAG
from budgie.formats.treebank import TreebankSentence, TreebankToken, TreebankWord


def scored(test: TestSet, found: Sequence[Any]) -> RawTextScores:
    """The scores of what was found in each paragraph."""
    sentences = [one for text, some in zip(test.texts, found, strict=True) for one in read(text, some) if one.tokens]
    return score(test.sentences, sentences)


def read(text: str, sentences: Iterable[Iterable[Any]]) -> list[TreebankSentence]:
    """Sentences of [start, end, words], as a treebank has them.

    What stands in no token is one of its own, in the sentence before it: nothing may be lost.
    """
    made: list[list[TreebankToken]] = []
    at = 0
    for sentence in sentences:
        tokens: list[TreebankToken] = []
        for start, end, words in sentence:
            if start >= end or start < at:
                continue
            tokens_before = tokens if tokens or not made else made[-1]
            tokens_before += rest(text[at:start])
            tokens.append(_token(text[start:end], words))
            at = end
        if tokens:
            made.append(tokens)
    left = rest(text[at:])
    if left and not made:
        made.append([])
    if left:
        made[-1] += left
    return [TreebankSentence(tuple(tokens)) for tokens in made]


def rest(text: str) -> list[TreebankToken]:
    """Tokens of what a system has left out."""
    return [_token(piece, []) for piece in text.split()]


def _token(text: str, words: Iterable[Sequence[str]]) -> TreebankToken:
    made = tuple(TreebankWord(form, tag or NO_TAG) for form, tag in words)
    return TreebankToken(text, " ", made or (TreebankWord(text, NO_TAG),))
