# SPDX-License-Identifier: Apache-2.0
"""K networks of one shape as one program: every parameter has an axis K, and all share the minibatch.

A grid of settings then costs little more than one of them, and K = 1 is the same code
(docs/decisions/022-grid-as-one-program.md). Embeddings are gathered by the sparse form (EmbeddingBag) or, on a GPU with
small matrices, by the product of a matrix of counts with the embedding matrix, which avoids the scatter of the backward
pass. Both give the same sums.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor
from torch.nn import functional

from budgie.model.config import Config
from budgie.train.network.quantise import STEPS
from budgie.train.network.recipe import Optimise

Form = Literal["sparse", "dense"]

DENSE_ROWS = 2**16  # a larger matrix is gathered by the sparse form in any case


@dataclass(frozen=True)
class Bag:
    """The ids of one feature group for a batch of texts: text t owns ids[starts[t]:starts[t + 1]].

    A text's part of h0 is the sum of its rows times their weights: 1, or 1 / (number of ids) where rows are averaged.
    """

    ids: Tensor
    starts: Tensor
    weights: Tensor

    def to(self, device: torch.device) -> Bag:
        """The same bag in another memory."""
        ids, starts, weights = (x.to(device, non_blocking=True) for x in (self.ids, self.starts, self.weights))
        return Bag(ids, starts, weights)

    def sums(self, table: Tensor) -> Tensor:
        """The weighted sum of each text's rows of `table`."""
        summed: Tensor = functional.embedding_bag(
            self.ids, table, self.starts, mode="sum", per_sample_weights=self.weights
        )
        return summed

    def filled(self, size: int) -> Bag:
        """The same with so many ids: what is missing weighs nothing."""
        missing = (0, size - len(self.ids))
        return Bag(functional.pad(self.ids, missing), self.starts, functional.pad(self.weights, missing))

    def thinned(self, share: float) -> Bag:
        """The same without a share of the ids, at random; the others count for more."""
        if share == 0:
            return self
        kept = torch.rand_like(self.weights) >= share
        return Bag(self.ids, self.starts, self.weights * kept / (1 - share))

    def coarser(self, times: int) -> Bag:
        """The same for a table with so many times fewer rows: each takes the place of neighbours."""
        return Bag(self.ids.div(times, rounding_mode="floor"), self.starts, self.weights)

    def dense(self, rows: int) -> Counts:
        """The same as a matrix."""
        end = torch.tensor([len(self.ids)], device=self.ids.device, dtype=self.starts.dtype)
        sizes = torch.diff(self.starts, append=end)
        texts = torch.repeat_interleave(torch.arange(len(sizes), device=self.ids.device), sizes)
        matrix = torch.zeros(len(sizes) * rows, device=self.ids.device)
        matrix.index_add_(0, texts * rows + self.ids, self.weights)
        return Counts(matrix.view(len(sizes), rows))


@dataclass(frozen=True)
class Counts:
    """The same for a small embedding matrix, as a matrix of weights [texts, rows]: quick on a GPU."""

    matrix: Tensor

    def sums(self, table: Tensor) -> Tensor:
        """The weighted sum of each text's rows of `table`."""
        return self.matrix @ table


@dataclass(frozen=True)
class SingleRows:
    """One id for each slot of each text, and no sum: simply that row, or nothing (-1). `drop` leaves out a share."""

    ids: Tensor
    drop: float = 0.0

    def sums(self, table: Tensor) -> Tensor:
        """Each slot's row of `table`."""
        rows = table.index_select(0, self.ids.clamp(min=0)) * (self.ids >= 0).unsqueeze(1)
        if self.drop == 0:
            return rows
        kept = torch.rand(len(rows), 1, device=rows.device) >= self.drop
        return rows * kept / (1 - self.drop)


class Networks(torch.nn.Module):
    """K networks after `config`, with parameters tables [V, K, D], hidden [K, H0, M] and output [K, M, L]."""

    def __init__(
        self, config: Config, k: int, seed: int, form: Form = "sparse", start: float = Optimise.embedding_start
    ) -> None:
        super().__init__()
        self.config, self.k, self.form = config, k, form
        generator = torch.Generator().manual_seed(seed)

        def uniform(*shape: int, bound: float) -> torch.nn.Parameter:
            return torch.nn.Parameter((torch.rand(*shape, generator=generator) * 2 - 1) * bound)

        self.tables = torch.nn.ParameterList(
            uniform(group.buckets, k, group.dim, bound=start) for group in config.groups
        )
        labels = len(config.labels)
        self.hidden = uniform(k, config.h0, config.hidden, bound=math.sqrt(6 / (config.h0 + config.hidden)))
        self.hidden_bias = torch.nn.Parameter(torch.full((k, config.hidden), 0.1))
        self.output = uniform(k, config.hidden, labels, bound=math.sqrt(6 / (config.hidden + labels)))
        self.output_bias = torch.nn.Parameter(torch.zeros(k, labels))

    def forward(self, bags: Sequence[Bag | Counts | SingleRows], dropout: Tensor | None = None) -> Tensor:
        """Scores [K, B, L]; `dropout` gives each of the K networks its own probability for h0 and h1.

        A bag holds B texts, or B times as many as its group has slots, slot after slot.
        """
        parts = [self._gather(i, bag) for i, bag in enumerate(bags)]
        h0 = torch.stack(parts).sum(0) if self.config.shared_space else torch.cat(parts, dim=2)  # [K, B, H0]
        h0 = _drop(h0, dropout)
        h1 = torch.relu(torch.baddbmm(self.hidden_bias.unsqueeze(1), h0, self.hidden))
        h1 = _drop(h1, dropout)
        return torch.baddbmm(self.output_bias.unsqueeze(1), h1, self.output)

    def _gather(self, group: int, bag: Bag | Counts | SingleRows) -> Tensor:
        """One group's part of h0: [K, B, slots * D]."""
        table: Tensor = self.tables[group]
        if self.config.groups[group].bits < 8:
            table = rounded(table, self.config.groups[group].bits)
        rows, k, dim = table.shape
        if isinstance(bag, Bag) and self.form == "dense" and rows <= DENSE_ROWS:
            bag = bag.dense(rows)
        slots = self.config.groups[group].slots
        return bag.sums(table.view(rows, k * dim)).view(-1, slots, k, dim).permute(2, 0, 1, 3).flatten(2)

    @torch.no_grad()
    def limit(self) -> None:
        """Keep weights within the range of their bits: beyond it, they would take long to come back."""
        for group, table in zip(self.config.groups, self.tables, strict=True):
            if group.bits < 8:
                bound = STEPS[group.bits] * 2 ** (group.bits - 1)
                table.clamp_(-bound, bound)

    def axis(self, name: str) -> int:
        """Which axis of the parameter `name` is K."""
        return 1 if name.startswith("tables") else 0

    def regularised(self, name: str) -> bool:
        """Whether L2 applies: biases and hidden layer, as in the paper, and not embeddings."""
        return not name.startswith("tables")


def rounded(table: Tensor, bits: int) -> Tensor:
    """Weights as 2 or 4 bits can hold them, so that training knows the error; gradients pass unchanged."""
    step, half = STEPS[bits], 2 ** (bits - 1)
    nearest = (torch.clamp(torch.floor(table / step), -half, half - 1) + 0.5) * step
    return table + (nearest - table).detach()


def _drop(x: Tensor, dropout: Tensor | None) -> Tensor:
    if dropout is None:
        return x
    keep = 1 - dropout.view(-1, 1, 1)
    return x * (torch.rand_like(x) < keep) / keep
