# SPDX-License-Identifier: Apache-2.0
"""What the network learns: which word comes before which, and which right behind which.

A table [2, words + 1, words + 1] says of words i and j how likely i is somewhere before j, and j right behind i. Row
and column 0 are the edge of the sentence: the words that begin it and that end it; word i is at i + 1. Words of one
place are to keep the order of the source, though the scores take any: else pupils would learn one without a reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np
import torch
from tools.teach_orders.material import Corpus, put
from torch import Tensor

from budgie.formats.alignments import Links, ranks

UNALIGNED = 0.3  # weight of a word that has its place from the next one
TIED = 0.2  # weight of two words of one place
LINKED = 0.3  # share of the alignments that makes a word an aligned one

Targets = Mapping[int, np.ndarray]  # by the number of the sentence: a table, and one of how much each number counts


def manual_targets(corpus: Corpus, chosen: np.ndarray) -> Targets:
    """The orders of the manual alignments."""
    return {number: _manual(corpus.pairs[number].aligned().links) for number in chosen.tolist()}


def automatic_targets(corpus: Corpus, chosen: np.ndarray) -> Targets:
    """The orders of the automatic links."""
    return {number: _automatic(corpus, number) for number in chosen.tolist()}


def learnt_targets(tables: Mapping[int, np.ndarray]) -> Targets:
    """The orders that networks gave, as their tables of probabilities."""
    return {number: np.stack([table, _even(table.shape[1])]) for number, table in tables.items()}


def padded(targets: Targets, chosen: np.ndarray, words: int, device: torch.device) -> tuple[Tensor, Tensor]:
    """Values and weights of some sentences [sentences, 2, words + 1, words + 1]."""
    both = np.zeros((len(chosen), 2, 2, words + 1, words + 1), np.float16)
    for row, number in zip(both, chosen.tolist(), strict=True):
        size = targets[number].shape[2]
        row[..., :size, :size] = targets[number]
    values, weights = put(both, device).float().unbind(1)
    return values, weights


@cache
def _even(size: int) -> np.ndarray:
    """Weights of pairs of two words, and of neighbours that may also be the edge."""
    weights = np.stack([1 - np.eye(size, dtype=np.float16)] * 2)
    weights[0, 0] = weights[0, :, 0] = 0
    return weights


def _manual(links: Links) -> np.ndarray:
    aligned = np.array([bool(positions) for positions in links])
    spans = np.array([(min(positions), max(positions)) if positions else (0, 0) for positions in links])
    sure = np.append(1, np.where(aligned, 1, UNALIGNED))
    return _target(spans, aligned, np.minimum.outer(sure, sure))


def _automatic(corpus: Corpus, number: int) -> np.ndarray:
    """A word is where its links are on average; the more alignments have them, the surer it is."""
    links, shares = corpus.automatic(number)
    words = int(corpus.source.lengths[number])
    sure, mass, place = np.zeros(words), np.zeros(words), np.zeros(words)
    np.maximum.at(sure, links[:, 0], shares)
    np.add.at(mass, links[:, 0], shares**2)
    np.add.at(place, links[:, 0], shares**2 * links[:, 1])
    place = np.round(2 * place / np.maximum(mass, 1e-6)).astype(int)  # in half words
    aligned = sure >= LINKED
    sure = np.append(1, np.where(aligned, sure, UNALIGNED))
    return _target(np.stack([place, place], 1), aligned, np.multiply.outer(sure, sure))


def _target(spans: np.ndarray, aligned: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """From first and last places of words [words, 2], those that are known, and weights [words + 1, words + 1]."""
    words = len(spans)
    values, both = np.zeros((2, words + 1, words + 1)), np.zeros((2, words + 1, words + 1))
    if aligned.any():
        spans = spans[_next_aligned(aligned)]
        before = (spans[:, None] <= spans).all(2)
        tied = before & before.T
        source_order = np.triu(np.ones((words, words), bool), 1)
        weights = weights * (1 - np.eye(words + 1))
        values[0, 1:, 1:] = np.where(tied, source_order, before)
        both[0, 1:, 1:] = weights[1:, 1:] * np.where(tied, TIED, 1) * (before | before.T)
        if (known := ranks(spans.tolist())) is not None:
            rank = np.array(known)
            step = rank - rank[:, None]
            values[1, 1:, 1:] = ((step == 0) & source_order) | (step == 1)
            values[1, 0, 1:], values[1, 1:, 0] = rank == 0, rank == rank.max()
            both[1] = weights
    return np.stack([values, both]).astype(np.float16)


def _next_aligned(aligned: np.ndarray) -> np.ndarray:
    """For each word the next aligned one, itself or behind it; the last one for those at the end."""
    known = np.flatnonzero(aligned)
    following: np.ndarray = known[np.searchsorted(known, np.arange(len(aligned))).clip(max=len(known) - 1)]
    return following
