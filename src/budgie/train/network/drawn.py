# SPDX-License-Identifier: Apache-2.0
"""Minibatches drawn from a text whose first part is annotated and the rest silver: labelled by a teacher."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from budgie.train.network.networks import Bag, Counts, SingleRows
from budgie.train.network.recipe import Optimise

_CHUNK = 4096


class TrainingText(Protocol):
    """Words to tag or decisions to make, by their numbers."""

    targets: Tensor  # the probability of every label for each of them
    same_shape: bool  # whether the bags of as many of them always have one shape

    def __len__(self) -> int:
        """How many there are."""

    def bags(self, chosen: Tensor, drop: float) -> Sequence[Bag | Counts | SingleRows]:
        """The features of those number `chosen`, of which a share of `drop` is left out."""


@dataclass(frozen=True)
class Drawn:
    """A minibatch by numbers; all else is made of them where it is needed, in the memory of the text."""

    text: TrainingText
    chosen: Tensor
    drop: float = 0.0

    def to(self, device: torch.device) -> Drawn:
        """The same with its numbers in another memory."""
        return Drawn(self.text, self.chosen.to(device, non_blocking=True), self.drop)

    @property
    def bags(self) -> Sequence[Bag | Counts | SingleRows]:
        """One bag a feature group."""
        return self.text.bags(self.chosen, self.drop)

    @property
    def gold(self) -> Tensor:
        """For each the probability of every label."""
        return self.text.targets[self.chosen]

    def labels(self) -> Tensor:
        """The most probable label of each; -1 where nothing is known."""
        gold = self.gold
        return torch.where(gold.sum(1) > 0, gold.argmax(1), -1)

    def varying(self) -> Tensor | None:
        """The numbers, if all else has the same shape in each minibatch."""
        return self.chosen if self.text.same_shape else None


class DrawnBatches:
    """Annotated ones, the first `gold` of a text, come in a new order each time all have been used; silver ones, a
    share of each minibatch, at random.
    """

    def __init__(self, text: TrainingText, gold: int, optimise: Optimise) -> None:
        self._text, self._gold, self._silver = text, gold, len(text) - gold
        self._drop, self._seed = optimise.feature_dropout, optimise.seed
        most = optimise.batch - 1  # one at least is annotated
        self._from_silver = min(most, round(optimise.batch * optimise.silver)) if self._silver else 0
        self._from_gold = min(optimise.batch - self._from_silver, gold)
        self._shuffled = -1, np.arange(gold)  # the order of the newest epoch

    def __getitem__(self, step: int) -> Drawn:
        epoch, place = divmod(step, self._gold // self._from_gold)
        annotated = self._order(epoch)[place * self._from_gold : (place + 1) * self._from_gold]
        random = np.random.default_rng([self._seed, epoch, place])
        silver = self._gold + random.integers(0, max(1, self._silver), self._from_silver)
        return Drawn(self._text, torch.from_numpy(np.concatenate([annotated, silver])), self._drop)

    def _order(self, epoch: int) -> npt.NDArray[np.int64]:
        if self._shuffled[0] != epoch:
            self._shuffled = epoch, np.random.default_rng([self._seed, epoch]).permutation(self._gold)
        return self._shuffled[1]


class Chunks:
    """All of a text, some thousand at a time."""

    def __init__(self, text: TrainingText) -> None:
        self._text = text

    def __iter__(self) -> Iterator[Drawn]:
        for start in range(0, len(self._text), _CHUNK):
            yield Drawn(self._text, torch.arange(start, min(len(self._text), start + _CHUNK)))
