# SPDX-License-Identifier: Apache-2.0
"""What the network learns: which word comes before which, and which right behind which.

A table [2, words + 1, words + 1] says of words i and j how likely i is somewhere before j, and j right behind i. Row and
column 0 are the edge of the sentence: the words that begin it and that end it; word i is at i + 1. Orders keep words of
one place in the order of the source, though the scores take any: else a pupil would learn an order without a reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from budgie.alignments import Links, ranks
from tools.teach_orders.material import Corpus

UNALIGNED = 0.3  # weight of a word that has its place from the next one
TIED = 0.2  # weight of two words of one place
LINKED = 0.3  # share of the alignments that makes a word an aligned one
_NEIGHBOURS = 1  # the second half of a table


@dataclass(frozen=True)
class Target:
    """Probabilities, and how much each counts."""

    values: np.ndarray  # [2, words + 1, words + 1]
    weights: np.ndarray


Targets = Mapping[int, Target]  # by the number of the sentence


def manual_targets(corpus: Corpus, chosen: np.ndarray) -> Targets:
    """The orders of the manual alignments."""
    return {number: _manual(corpus.pairs[number].aligned().links) for number in chosen.tolist()}


def automatic_targets(corpus: Corpus, chosen: np.ndarray) -> Targets:
    """The orders of the automatic links."""
    return {number: _automatic(corpus, number) for number in chosen.tolist()}


def learned_target(probabilities: np.ndarray) -> Target:
    """What networks say [2, words + 1, words + 1]."""
    weights = 1 - np.eye(probabilities.shape[1], dtype=np.float16)
    both = np.stack([weights, weights])
    both[1 - _NEIGHBOURS, 0] = both[1 - _NEIGHBOURS, :, 0] = 0
    return Target(probabilities.astype(np.float16), both)


def padded(targets: Targets, chosen: np.ndarray, words: int, device: torch.device) -> tuple[Tensor, Tensor]:
    """Values and weights of some sentences [sentences, 2, words + 1, words + 1]."""
    both = np.zeros((2, len(chosen), 2, words + 1, words + 1), np.float16)
    for place, number in enumerate(chosen.tolist()):
        target = targets[number]
        size = target.values.shape[1]
        both[0, place, :, :size, :size], both[1, place, :, :size, :size] = target.values, target.weights
    values, weights = torch.from_numpy(both).to(device).float().unbind(0)
    return values, weights


def _manual(links: Links) -> Target:
    aligned = np.array([bool(positions) for positions in links])
    spans = np.array([(min(positions), max(positions)) if positions else (0, 0) for positions in links])
    sure = np.append(1, np.where(aligned, 1, UNALIGNED))
    return _target(spans, aligned, np.minimum.outer(sure, sure))


def _automatic(corpus: Corpus, number: int) -> Target:
    """A word is where its links are on average; the more alignments have them, the surer it is."""
    links, shares = corpus.automatic(number)
    words = int(corpus.source.lengths[number])
    sure, mass, place = np.zeros(words), np.zeros(words), np.zeros(words)
    np.maximum.at(sure, links[:, 0], shares)
    np.add.at(mass, links[:, 0], shares**2)
    np.add.at(place, links[:, 0], shares**2 * links[:, 1])
    place = np.round(2 * place / np.maximum(mass, 1e-6)).astype(int)  # half a word apart is the same place
    aligned = sure >= LINKED
    sure = np.append(1, np.where(aligned, sure, UNALIGNED))
    return _target(np.stack([place, place], 1), aligned, np.multiply.outer(sure, sure))


def _target(spans: np.ndarray, aligned: np.ndarray, weights: np.ndarray) -> Target:
    """First and last places of the words [words, 2], which of them are known, and weights of pairs [words + 1, words + 1]."""
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
    return Target(values.astype(np.float16), both.astype(np.float16))


def _next_aligned(aligned: np.ndarray) -> np.ndarray:
    """For each word the next aligned one, itself or behind it; the last one for those at the end."""
    known = np.flatnonzero(aligned)
    return known[np.searchsorted(known, np.arange(len(aligned))).clip(max=len(known) - 1)]
