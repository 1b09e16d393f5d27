# SPDX-License-Identifier: Apache-2.0
"""Minibatches for preordering: states of sentences, each with the words that features look at and the right move."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from budgie.formats.orders import Ordered
from budgie.model.config import MOVES, OF_SPANS, SPANS, Config
from budgie.model.features import place_numbers
from budgie.train.network.networks import Bag, Counts, SingleRows
from budgie.train.network.words import WordTable

Integers = npt.NDArray[np.int32]


@dataclass(frozen=True)
class States:
    """What the core says of states (core/training/gold_states.hpp), each array with one row a state."""

    corners: Integers  # words of spans, counted from the first of the sentence; -1: none
    lengths: Integers  # of spans; 0: no span
    swapped: Integers  # 1: has been swapped; -1: no span
    moves: Integers
    ends: Integers  # behind the last state of each sentence


class Looks:
    """The words that the groups of a preorderer look at: columns of a window, each a corner and an offset to it."""

    def __init__(self, config: Config) -> None:
        self.groups = config.groups
        found: dict[tuple[int, int], int] = {}
        self.columns = [
            []
            if group.kind in OF_SPANS
            else [
                found.setdefault((corner, position), len(found))
                for corner in place_numbers(group)
                for position in group.positions
            ]
            for group in config.groups
        ]
        self.of_words = [
            columns if group.kind != "tags" else [] for group, columns in zip(self.groups, self.columns, strict=True)
        ]
        self.corners, self.offsets = [corner for corner, _ in found], [offset for _, offset in found]
        self.margin = max(map(abs, self.offsets), default=0)


class MoveText:
    """States of sentences, which stand one behind the other with as much between them as features can reach."""

    same_shape = False  # words differ in how many ids they have

    def __init__(
        self,
        table: WordTable,
        looks: Looks,
        sentences: Sequence[Ordered],
        tags: Sequence[Sequence[int]],
        states: States,
    ) -> None:
        self.table, self.looks, device = table, looks, table.device
        margin = max(1, looks.margin)
        words, tagged, begins = [0] * margin, [-1] * margin, list[int]()
        for sentence, of_sentence in zip(sentences, tags, strict=True):
            begins.append(len(words))
            words += table.numbers(sentence.words) + [0] * margin
            tagged += [*of_sentence] + [-1] * margin
        self._words, self._tags = torch.tensor(words, device=device), torch.tensor(tagged, device=device)
        sizes = np.diff(states.ends[:, 0], prepend=0)
        corners = states.corners[:, looks.corners]
        places = corners + np.repeat(np.array(begins), sizes)[:, None] + np.array(looks.offsets, dtype=np.int64)
        self._places = torch.from_numpy(np.where(corners < 0, 0, places).astype(np.int32)).to(device)
        self._spans = {
            "swapped": torch.from_numpy(states.swapped).to(device),
            "length": torch.from_numpy(states.lengths - 1).to(device),
        }
        targets = np.eye(len(MOVES), dtype=np.float32)[states.moves[:, 0]]
        self.targets = torch.from_numpy(targets).to(device)

    def __len__(self) -> int:
        return len(self.targets)

    def bags(self, chosen: Tensor, drop: float) -> list[Bag | Counts | SingleRows]:
        """The features of the states number `chosen`."""
        looks, places = self.looks, self._places[chosen].long()
        of_words = iter(self.table.bags(self._words[places], drop))
        bags: list[Bag | Counts | SingleRows] = []
        for group, columns in zip(looks.groups, looks.columns, strict=True):
            if group.kind == "tags":
                bags.append(SingleRows(self._tags[places[:, columns]].flatten(), drop))
            elif group.kind in OF_SPANS:
                spans = [SPANS.index(place) for place in group.places]
                rows = self._spans[group.kind][chosen][:, spans].clamp(max=group.buckets - 1)
                bags.append(SingleRows(rows.flatten().long(), drop))
            else:
                bags.append(next(of_words))
        return bags

    def followed_by(self, other: MoveText) -> MoveText:
        """The states of both."""
        both = copy.copy(self)
        shift = len(self._words)
        both._words = torch.cat([self._words, other._words])
        both._tags = torch.cat([self._tags, other._tags])
        both._places = torch.cat([self._places, other._places + shift])
        both._spans = {name: torch.cat([rows, other._spans[name]]) for name, rows in self._spans.items()}
        both.targets = torch.cat([self.targets, other.targets])
        return both
