# SPDX-License-Identifier: Apache-2.0
"""Tagging once more, in NumPy and as plainly as possible: what the core has to agree with (docs/model-format.md)."""

from __future__ import annotations

from functools import reduce

import numpy as np

from budgie.model.config import Group
from budgie.model.file import Model
from reference.langid import SEED, Floats, array, decode, embeddings, extend, extend_word, table

UPPER, LOWER, DIGIT = "X", "x", "9"
LETTER_CLASS, MARK_CLASS, DIGIT_CLASS = range(3)


def finish(hashed: int, buckets: int) -> int:
    """The row of a hash."""
    hashed = hashed * 0x85EBCA6B % 2**32
    return (hashed ^ hashed >> 13) * buckets >> 32


def shape(word: str) -> str:
    """Runs of equal symbols are two long; eight symbols are enough."""
    kinds, lowers = table()
    symbols = ""
    for c in word:
        kind = kinds[ord(c)]
        if kind == MARK_CLASS:
            continue
        symbol = c
        if kind == LETTER_CLASS:
            symbol = UPPER if lowers[ord(c)] else LOWER
        elif kind == DIGIT_CLASS:
            symbol = DIGIT
        if not symbols.endswith(2 * symbol) and len(symbols) < 8:
            symbols += symbol
    return symbols


def word_ids(word: str | bytes, group: Group, fold_case: bool) -> list[list[int]]:
    """The rows of a word, slot by slot."""
    written = decode(word)
    lowers = table()[1]
    seen = "".join(chr(ord(c) + lowers[ord(c)]) for c in written) if fold_case else written
    if group.kind == "bytes":
        raw = written.encode()
        forward, backward = raw[: group.n], raw[::-1][: group.n]
        return [[side[i]] if i < len(side) else [] for side in (forward, backward) for i in range(group.n)]
    if group.kind == "words":
        return [[finish(reduce(extend_word, seen, SEED), group.buckets)]]
    if group.kind == "shapes":
        return [[finish(reduce(extend_word, shape(written), SEED), group.buckets)]]
    text = f" {seen} " if group.ends and group.n > 1 else seen
    grams = [text[i : i + group.n] for i in range(len(text) - group.n + 1)]
    return [[finish(reduce(extend, gram, SEED), group.buckets) for gram in grams]]


def scores(model: Model, words: list[str | bytes]) -> Floats:
    """What the network says of every label, word by word."""
    config = model.config
    found = []
    for focus in range(len(words)):
        parts = []
        for group in config.groups:
            for position in group.positions:
                there = focus + position
                inside = 0 <= there < len(words)
                width = group.dim * group.slots // len(group.positions)
                parts.append(_word_vector(model, words[there], group) if inside else np.zeros(width))
        h1 = np.maximum(array(model, "hidden.weight") @ np.concatenate(parts) + array(model, "hidden.bias"), 0)
        found.append(array(model, "output.weight") @ h1 + array(model, "output.bias"))
    return np.array(found)


def _word_vector(model: Model, word: str | bytes, group: Group) -> Floats:
    parts, rows = [], embeddings(model, group)
    for ids in word_ids(word, group, model.config.text.fold_case):
        chosen = rows[np.array(ids, dtype=np.int64)]
        parts.append(chosen.sum(axis=0) / (max(len(ids), 1) if group.combine == "mean" else 1))
    return np.concatenate(parts)
