# SPDX-License-Identifier: Apache-2.0
"""Minibatches: texts and labels in, feature ids from the core out. A batch depends on the seed and its number alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import torch
from torch.utils.data import DataLoader

from budgie import _core
from budgie.train.networks import Bag

Batch = tuple[list[Bag], torch.Tensor]
Labels = npt.NDArray[np.int64]


class Batches(Protocol):
    """Where minibatches come from, by number."""

    def __getitem__(self, step: int) -> Batch:
        """Minibatch number `step`."""


def bags_of(features: _core.Features, texts: list[str], threads: int = 1) -> list[Bag]:
    """One bag a feature group."""
    return [Bag(torch.from_numpy(ids), torch.from_numpy(starts)) for ids, starts in features.ids(texts, threads)]


class DocumentBatches:
    """Whole documents, in a new order each time all of them have been used; their ids are computed once."""

    def __init__(self, features: _core.Features, texts: list[str], labels: Labels, size: int, seed: int) -> None:
        self._parts = [(ids.astype(np.int32), starts) for ids, starts in features.ids(texts, 1)]
        self._ends = [np.append(starts[1:], len(ids)) for ids, starts in self._parts]
        self._labels, self._size, self._seed = labels, min(size, len(texts)), seed

    def __getitem__(self, step: int) -> Batch:
        per_epoch = len(self._labels) // self._size
        epoch, place = divmod(step, per_epoch)
        order = np.random.default_rng([self._seed, epoch]).permutation(len(self._labels))
        chosen = order[place * self._size : (place + 1) * self._size]
        bags = []
        for (ids, starts), ends in zip(self._parts, self._ends, strict=True):
            pieces = [ids[starts[i] : ends[i]] for i in chosen]
            lengths = np.array([len(piece) for piece in pieces])
            bags.append(
                Bag(torch.from_numpy(np.concatenate(pieces)), torch.from_numpy(np.cumsum(lengths) - lengths).int())
            )
        return bags, torch.from_numpy(self._labels[chosen])


class Sampler(Protocol):
    """Draws labelled texts, by number of the batch (train/snippets.py)."""

    def batch(self, index: int, size: int) -> tuple[list[str], Labels]:
        """Batch number `index`."""


class SnippetBatches:
    """Texts drawn anew for every minibatch."""

    def __init__(self, features: _core.Features, sampler: Sampler, size: int) -> None:
        self._features, self._sampler, self._size = features, sampler, size

    def __getitem__(self, step: int) -> Batch:
        texts, labels = self._sampler.batch(step, self._size)
        bags = [Bag(bag.ids.int(), bag.starts.int()) for bag in bags_of(self._features, texts)]
        return bags, torch.from_numpy(labels)


class _Numbered(torch.utils.data.Dataset[Batch]):
    def __init__(self, batches: Batches) -> None:
        self._batches = batches

    def __getitem__(self, step: int) -> Batch:
        return self._batches[step]


def _as_it_is(batch: Any) -> Any:
    return batch


def stream(batches: Batches, steps: Sequence[int], workers: int) -> Iterator[Batch]:
    """The minibatches numbered `steps`, in order, made ahead of time by `workers` processes."""
    if workers == 0:
        return (batches[step] for step in steps)
    loader: DataLoader[Batch] = DataLoader(
        _Numbered(batches),
        batch_size=None,
        sampler=steps,
        num_workers=workers,
        prefetch_factor=8,
        collate_fn=_as_it_is,
        multiprocessing_context="fork",
    )
    return iter(loader)
