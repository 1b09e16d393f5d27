# SPDX-License-Identifier: Apache-2.0
"""Minibatches: what a task has to offer for the loop to learn from it. One depends on the seed and its number alone."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import torch
from torch.utils.data import DataLoader

from budgie.train.network.networks import Bag, Counts, SingleRows

Labels = npt.NDArray[np.int64]


class Minibatch(Protocol):
    """What a network learns from in one step."""

    @property
    def bags(self) -> Sequence[Bag | Counts | SingleRows]:
        """One bag a feature group."""

    @property
    def gold(self) -> torch.Tensor:
        """The number of each text's label, or the probability of every label."""

    def labels(self) -> torch.Tensor:
        """The most probable label of each text."""

    def to(self, device: torch.device) -> Minibatch:
        """The same in another memory."""

    def varying(self) -> torch.Tensor | None:
        """The one tensor that differs from minibatch to minibatch, if that is all and its shape stays the same."""


class Batches(Protocol):
    """Where minibatches come from, by number."""

    def __getitem__(self, step: int) -> Minibatch:
        """Minibatch number `step`."""


@dataclass(frozen=True)
class Block:
    """Several tensors in one piece of memory."""

    memory: torch.Tensor  # bytes
    shapes: tuple[tuple[torch.dtype, tuple[int, ...]], ...]

    @classmethod
    def of(cls, tensors: Sequence[torch.Tensor]) -> Block:
        """A copy of the tensors, one behind the other."""
        sizes = [_padded(tensor.nbytes) for tensor in tensors]
        block = cls(torch.empty(sum(sizes), dtype=torch.uint8), tuple((t.dtype, tuple(t.shape)) for t in tensors))
        for tensor, view in zip(tensors, block.tensors(), strict=True):
            view.copy_(tensor)
        return block

    def tensors(self) -> list[torch.Tensor]:
        """Views of the tensors."""
        views, start = [], 0
        for dtype, shape in self.shapes:
            size = dtype.itemsize * math.prod(shape)
            views.append(self.memory[start : start + size].view(dtype).view(shape))
            start += _padded(size)
        return views

    def to(self, device: torch.device) -> Block:
        """The same block in another memory."""
        return Block(self.memory.to(device, non_blocking=True), self.shapes)


def _padded(size: int) -> int:
    """Bytes that a tensor takes in a block, where each begins at a multiple of 16."""
    return -(-size // 16) * 16


def shares(lengths: Labels, mean: bool) -> npt.NDArray[np.float64]:
    """The weight of each id of texts that have so many: 1, or where rows are averaged its share."""
    return 1 / np.maximum(lengths, 1) if mean else np.ones(len(lengths))


class _Numbered(torch.utils.data.Dataset[Minibatch]):
    def __init__(self, batches: Batches) -> None:
        self._batches = batches

    def __getitem__(self, step: int) -> Minibatch:
        return self._batches[step]


def _as_it_is(batch: Any) -> Any:
    return batch


def stream(batches: Batches, steps: Sequence[int], workers: int) -> Iterator[Minibatch]:
    """The minibatches numbered `steps`, in order, made ahead of time by `workers` processes."""
    if workers == 0:
        return (batches[step] for step in steps)
    loader: DataLoader[Minibatch] = DataLoader(
        _Numbered(batches),
        batch_size=None,
        sampler=steps,
        num_workers=workers,
        prefetch_factor=8,
        collate_fn=_as_it_is,
        multiprocessing_context="fork",
    )
    return iter(loader)
