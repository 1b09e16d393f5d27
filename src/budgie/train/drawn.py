# SPDX-License-Identifier: Apache-2.0
"""Minibatches drawn from a text whose first part is annotated and the rest silver: labelled by a teacher."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from budgie.train.batches import Minibatch
from budgie.train.recipe import Optimise

_CHUNK = 4096


class Text(Protocol):
    """Words to tag or decisions to make, by their numbers."""

    def __len__(self) -> int:
        """How many there are."""

    def batch(self, chosen: Tensor, drop: float = 0.0) -> Minibatch:
        """Those number `chosen`, of whose features a share of `drop` is left out."""


class DrawnBatches:
    """Annotated ones, the first `gold` of a text, come in a new order each time all have been used; silver ones, a
    share of each minibatch, at random.
    """

    def __init__(self, text: Text, gold: int, optimise: Optimise) -> None:
        self._text, self._gold, self._silver = text, gold, len(text) - gold
        self._drop, self._seed = optimise.feature_dropout, optimise.seed
        most = optimise.batch - 1  # one at least is annotated
        self._from_silver = min(most, round(optimise.batch * optimise.silver)) if self._silver else 0
        self._from_gold = min(optimise.batch - self._from_silver, gold)
        self._shuffled = -1, np.arange(gold)  # the order of the newest epoch

    def __getitem__(self, step: int) -> Minibatch:
        epoch, place = divmod(step, self._gold // self._from_gold)
        annotated = self._order(epoch)[place * self._from_gold : (place + 1) * self._from_gold]
        random = np.random.default_rng([self._seed, epoch, place])
        silver = self._gold + random.integers(0, max(1, self._silver), self._from_silver)
        return self._text.batch(torch.from_numpy(np.concatenate([annotated, silver])), self._drop)

    def _order(self, epoch: int) -> npt.NDArray[np.int64]:
        if self._shuffled[0] != epoch:
            self._shuffled = epoch, np.random.default_rng([self._seed, epoch]).permutation(self._gold)
        return self._shuffled[1]


class Chunks:
    """All of a text, some thousand at a time."""

    def __init__(self, text: Text) -> None:
        self._text = text

    def __iter__(self) -> Iterator[Minibatch]:
        for start in range(0, len(self._text), _CHUNK):
            yield self._text.batch(torch.arange(start, min(len(self._text), start + _CHUNK)))
