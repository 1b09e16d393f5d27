# SPDX-License-Identifier: Apache-2.0
"""Minibatches for language identification: texts and labels in, feature ids from the core out."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Protocol

import numpy as np
import torch

from budgie.model.config import Config
from budgie.model.features import make_features
from budgie.train.network.batches import Block, Labels, shares
from budgie.train.network.networks import Bag
from budgie.train.network.quantise import Floats
from budgie.train.network.recipe import Optimise

_MEASURED, _ROOM = 8, 1.1  # minibatches whose size is taken, and how many times the largest fits
_CROPS = 4  # parts cut from each document
_CROP_LEAST, _CROP_MOST = 15, 300  # their length in characters


@dataclass(frozen=True)
class Batch:
    """Texts as bags, one a feature group, and the numbers of their labels.

    It travels as one block, from the worker that makes it and to a GPU: each tensor by itself costs half a millisecond,
    and there are dozens.
    """

    bags: Sequence[Bag]
    gold: torch.Tensor
    block: Block | None = None  # what the tensors are views of, if they have come as one
    alike: bool = False  # whether it was made to have the shape of most others

    def to(self, device: torch.device) -> Batch:
        """The same batch in another memory."""
        return self if device == self.gold.device else _batch_of(self._block().to(device), self.alike)

    def __reduce__(self) -> tuple[Callable[[Block, bool], Batch], tuple[Block, bool]]:
        return _batch_of, (self._block(), self.alike)

    def _block(self) -> Block:
        tensors = [tensor for bag in self.bags for tensor in (bag.ids, bag.starts, bag.weights)]
        return self.block or Block.of([self.gold, *tensors])

    def labels(self) -> torch.Tensor:
        """The number of the label of each text."""
        return self.gold

    def varying(self) -> torch.Tensor | None:
        """All of it, where minibatches were made to be of one shape."""
        return self.block.memory if self.block and self.alike else None


def _batch_of(block: Block, alike: bool) -> Batch:
    """The batch that is in a block."""
    gold, *tensors = block.tensors()
    return Batch([Bag(*tensors[i : i + 3]) for i in range(0, len(tensors), 3)], gold, block, alike)


class Bagger:
    """Turns texts into bags: calls the core for ids and gives them their weights."""

    def __init__(self, config: Config) -> None:
        self._features = make_features(config)
        self._groups = config.groups

    def distinct(self, texts: list[str]) -> list[_Distinct]:
        """For each group the distinct ids of every text and their weights."""
        found = self._features.ids(texts)
        return [
            _Distinct(ids, starts, group.buckets, group.combine == "mean")
            for group, (ids, starts) in zip(self._groups, found, strict=True)
        ]

    def bags(self, texts: list[str], drop: float = 0.0, rng: np.random.Generator | None = None) -> list[Bag]:
        """One bag a feature group, equal ids one by one; `drop` as in `_Distinct.bag`."""
        bags = []
        for group, (ids, starts) in zip(self._groups, self._features.ids(texts), strict=True):
            lengths = np.diff(starts, append=len(ids))
            weights = _dropped(
                np.repeat(shares(lengths, group.combine == "mean").astype(np.float32), lengths), drop, rng
            )
            bags.append(
                Bag(
                    torch.from_numpy(ids.astype(np.int32)),
                    torch.from_numpy(starts.astype(np.int32)),
                    torch.from_numpy(weights),
                )
            )
        return bags


class _Distinct:
    """One group's distinct ids of many texts, with weights: count, or count / number of ids where rows are averaged."""

    def __init__(self, ids: Labels, starts: Labels, buckets: int, mean: bool) -> None:
        lengths = np.diff(starts, append=len(ids))
        texts = np.repeat(np.arange(len(starts)), lengths)
        codes, counts = np.unique(texts * buckets + ids, return_counts=True)
        self._ids = (codes % buckets).astype(np.int32)
        self._starts = np.searchsorted(codes, np.arange(len(starts) + 1) * buckets)
        self._weights = (counts * shares(lengths, mean)[codes // buckets]).astype(np.float32)

    def bag(self, texts: Labels, drop: float = 0.0, rng: np.random.Generator | None = None) -> Bag:
        """The bag of some of the texts; `drop` leaves out a share of the features and scales up the rest."""
        lengths = self._starts[texts + 1] - self._starts[texts]
        ends = np.cumsum(lengths)
        places = np.arange(ends[-1]) + np.repeat(self._starts[texts] - (ends - lengths), lengths)
        weights = _dropped(self._weights[places], drop, rng)
        starts = (ends - lengths).astype(np.int32)
        return Bag(torch.from_numpy(self._ids[places]), torch.from_numpy(starts), torch.from_numpy(weights))


def _dropped(weights: Floats, drop: float, rng: np.random.Generator | None) -> Floats:
    if rng is None or drop == 0:
        return weights
    kept = rng.random(len(weights), dtype=np.float32) >= drop
    return weights * kept / np.float32(1 - drop)


class DocumentBatches:
    """Whole documents, in a new order each time all of them have been used; their ids are computed once."""

    def __init__(self, bagger: Bagger, texts: list[str], labels: Labels, optimise: Optimise) -> None:
        self._labels, self._size, self._seed = labels, min(optimise.batch, len(texts)), optimise.seed
        self._crops, self._drop = optimise.crops, optimise.feature_dropout
        # Text number i stands at place i, its parts at places len(texts) + 4 * i and on.
        random = Random(optimise.seed)
        parts = [part for text in texts for part in _parts(text, random)] if optimise.crops else []
        self._groups = bagger.distinct(texts + parts)

    def __getitem__(self, step: int) -> Batch:
        count = len(self._labels)
        epoch, place = divmod(step, count // self._size)
        order = np.random.default_rng([self._seed, epoch]).permutation(count)
        chosen = order[place * self._size : (place + 1) * self._size]
        rng = np.random.default_rng([self._seed, epoch, place])
        cropped = rng.random(len(chosen)) < self._crops
        part = count + chosen * _CROPS + rng.integers(0, _CROPS, len(chosen))
        texts = np.where(cropped, part, chosen)
        bags = [group.bag(texts, self._drop, rng) for group in self._groups]
        return Batch(bags, torch.from_numpy(self._labels[chosen]))


def _parts(text: str, random: Random) -> Iterator[str]:
    """Random parts of a text, of any length on a logarithmic scale, that begin with a word."""
    for _ in range(_CROPS):
        length = int(math.exp(random.uniform(math.log(_CROP_LEAST), math.log(_CROP_MOST))))
        start = random.randrange(max(1, len(text) - length))
        part = text[text.find(" ", start, start + 40) + 1 or start :][:length]
        yield part if sum(map(str.isalpha, part)) >= 5 else text


class Sampler(Protocol):
    """Draws labelled texts, by number of the batch (train/langid/snippets.py)."""

    def batch(self, index: int, size: int) -> tuple[list[str], Labels]:
        """Batch number `index`."""


class SnippetBatches:
    """Texts drawn anew for every minibatch, with their labels.

    Where they are `alike`, what minibatches lack to one size, which nearly all of them fit, is filled with ids that
    weigh nothing: a GPU then takes a step as one recorded program (network/loop.py).
    """

    def __init__(self, bagger: Bagger, sampler: Sampler, optimise: Optimise, alike: bool = False) -> None:
        self._bagger, self._sampler, self._size = bagger, sampler, optimise.batch
        self._seed, self._drop = optimise.seed, optimise.feature_dropout
        self._room: list[int] = []
        if alike:
            sizes = [[len(bag.ids) for bag in self[step].bags] for step in range(_MEASURED)]
            self._room = [math.ceil(_ROOM * max(of_group)) for of_group in zip(*sizes, strict=True)]

    def __getitem__(self, step: int) -> Batch:
        texts, labels = self._sampler.batch(step, self._size)
        bags = self._bagger.bags(texts, self._drop, np.random.default_rng([self._seed, step]))
        alike = bool(self._room) and all(len(bag.ids) <= room for bag, room in zip(bags, self._room, strict=True))
        if alike:
            bags = [bag.filled(room) for bag, room in zip(bags, self._room, strict=True)]
        return Batch(bags, torch.from_numpy(labels), alike=alike)
