# SPDX-License-Identifier: Apache-2.0
"""The features of single words, for tasks whose networks look at several of them: worked out once for every word."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from budgie._core import WordFeatures
from budgie.model.config import Group
from budgie.train.network.batches import shares
from budgie.train.network.networks import DENSE_ROWS, Bag, Counts, Form
from budgie.train.network.unknown_words import UnknownWords


class WordTable:
    """The features of every word that can come, by its number. Number 0 is no word: what stands around a sentence."""

    def __init__(
        self,
        groups: Sequence[Group],
        columns: Sequence[Sequence[int]],
        features: WordFeatures,
        words: Iterable[str],
        device: torch.device,
        form: Form,
    ) -> None:
        """`columns` are those of a window of words that each group looks at, in the order of h0; a group that looks at
        none of them has nothing to do with words.
        """
        self.device = device
        self._numbers = {word: number for number, word in enumerate(dict.fromkeys(words), 1)}
        found = features.ids(list(self._numbers))
        self._features = [
            _Features(number, group, torch.tensor(seen, device=device), ids, starts, form)
            for number, (group, seen, (ids, starts)) in enumerate(zip(groups, columns, found, strict=True))
            if seen
        ]
        self.dense = all(features.dense for features in self._features)  # then all bags of a size have one shape

    def numbers(self, words: Iterable[str]) -> list[int]:
        """The numbers of some words."""
        return [self._numbers[word] for word in words]

    @property
    def words(self) -> list[str]:
        """All words, from number 1 on."""
        return list(self._numbers)

    def bags(self, windows: Tensor, drop: float = 0.0, unknown: UnknownWords | None = None) -> list[Bag | Counts]:
        """One bag for each group of words, for windows [B, columns].

        `drop` leaves out a share of the features and scales up the rest. `unknown` is for tables without matrices.
        """
        if unknown is None:
            return [features.bag(windows[:, features.columns].flatten(), drop) for features in self._features]
        drawn = unknown.draw(windows)
        return [
            features.bag_with_unknown(
                windows[:, features.columns].flatten(), drop, unknown, drawn[:, features.columns].flatten()
            )
            for features in self._features
        ]


class _Features:
    """One group's features of all words: a matrix of weights on a GPU, else lists of ids with their weights."""

    def __init__(
        self,
        number: int,
        group: Group,
        columns: Tensor,
        ids: npt.NDArray[np.int64],
        starts: npt.NDArray[np.int64],
        form: Form,
    ) -> None:
        self._number = number  # among all groups
        self.columns, device = columns, columns.device  # of a window
        self._slots = group.slots // len(columns)
        # The lists of no word, which are empty, come first.
        begins = np.concatenate([np.zeros(self._slots, np.int64), starts, [len(ids)]])
        lengths = np.diff(begins)
        weights = np.repeat(shares(lengths, group.combine == "mean").astype(np.float32), lengths)
        self._ids, self._begins = torch.from_numpy(ids).to(device), torch.from_numpy(begins).to(device)
        self._weights = torch.from_numpy(weights).to(device)
        self.dense = form == "dense" and group.buckets <= DENSE_ROWS
        if self.dense:
            self._matrix = Bag(self._ids, self._begins[:-1], self._weights).dense(group.buckets).matrix

    def bag(self, words: Tensor, drop: float) -> Bag | Counts:
        """The features of some words, slot after slot."""
        texts = self._texts(words)
        if self.dense:
            return Counts(_dropped(self._matrix[texts], drop))
        places, starts, _ = self._places(texts)
        return Bag(self._ids[places], starts, _dropped(self._weights[places], drop))

    def bag_with_unknown(self, words: Tensor, drop: float, unknown: UnknownWords, drawn: Tensor) -> Bag:
        """The same where some of the words, `drawn` says which, are unknown."""
        places, starts, lengths = self._places(self._texts(words))
        of_unknown = torch.repeat_interleave(drawn.repeat_interleave(self._slots), lengths)
        ids = unknown.replace(self._number, self._ids[places], places, of_unknown)
        return Bag(ids, starts, _dropped(self._weights[places], drop))

    def _texts(self, words: Tensor) -> Tensor:
        """The numbers of the lists of some words, slot after slot."""
        return (words.unsqueeze(1) * self._slots + torch.arange(self._slots, device=words.device)).flatten()

    def _places(self, texts: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Where the features of some lists stand among all, where each list begins in that, and how long it is."""
        begins = self._begins[texts]
        lengths = self._begins[texts + 1] - begins
        starts = torch.cumsum(lengths, 0) - lengths
        total = int(lengths.sum())
        places = torch.arange(total, device=texts.device) + torch.repeat_interleave(begins - starts, lengths)
        return places, starts, lengths


def _dropped(weights: Tensor, drop: float) -> Tensor:
    if drop == 0:
        return weights
    return weights * (torch.rand_like(weights) >= drop) / (1 - drop)
