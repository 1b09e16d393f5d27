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
from budgie.model.config import MOVES, Config
from budgie.model.features import make_state_features
from budgie.train.network.networks import Bag, Counts, SingleRows
from budgie.train.network.words import WordTable

Integers = npt.NDArray[np.int32]


@dataclass(frozen=True)
class States:
    """What the core says of states (core/training/gold_states.hpp), each array with one row a state."""

    words: Integers  # columns of words, counted from the first of the sentence; -1: none
    rows: Integers  # columns of rows, for groups that are of whole spans; -1: no span
    moves: Integers
    ends: Integers  # behind the last state of each sentence


class Looks:
    """What the groups of a preorderer look at: columns of words, which they may share, and columns of rows."""

    def __init__(self, config: Config) -> None:
        self.groups, self.features = config.groups, make_state_features(config)
        self.words, self.spans = self.features.words, self.features.spans
        self.of_words = [
            [] if group.kind == "tags" else columns for group, columns in zip(self.groups, self.words, strict=True)
        ]

    def gold(self, orders: Sequence[Sequence[int]]) -> States:
        """The states on the way to some orders."""
        return States(*self.features.states(orders))


class MoveText:
    """States of sentences, which stand one behind the other; before the first is what stands for no word."""

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
        words, tagged, begins = [0], [-1], list[int]()
        for sentence, of_sentence in zip(sentences, tags, strict=True):
            begins.append(len(words))
            words += table.numbers(sentence.words)
            tagged += of_sentence
        self._words, self._tags = torch.tensor(words, device=device), torch.tensor(tagged, device=device)
        sizes = np.diff(states.ends[:, 0], prepend=0)
        places = states.words + np.repeat(np.array(begins, np.int32), sizes)[:, None]
        self._places = torch.from_numpy(np.where(states.words < 0, 0, places)).to(device)
        self._rows = torch.from_numpy(states.rows).to(device)
        targets = np.eye(len(MOVES), dtype=np.float32)[states.moves[:, 0]]
        self.targets = torch.from_numpy(targets).to(device)

    def __len__(self) -> int:
        return len(self.targets)

    def bags(self, chosen: Tensor, drop: float) -> list[Bag | Counts | SingleRows]:
        """The features of the states number `chosen`."""
        looks, places = self.looks, self._places[chosen].long()
        of_words = iter(self.table.bags(self._words[places], drop))
        bags: list[Bag | Counts | SingleRows] = []
        for group, words, spans in zip(looks.groups, looks.words, looks.spans, strict=True):
            if group.kind == "tags":
                bags.append(SingleRows(self._tags[places[:, words]].flatten(), drop))
            elif spans:
                bags.append(SingleRows(self._rows[chosen][:, spans].flatten().long(), drop))
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
        both._rows = torch.cat([self._rows, other._rows])
        both.targets = torch.cat([self.targets, other.targets])
        return both
