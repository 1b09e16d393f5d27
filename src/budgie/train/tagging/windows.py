# SPDX-License-Identifier: Apache-2.0
"""Minibatches for tagging: words seen through a window around them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from budgie.model.config import Config
from budgie.train.network.networks import Bag, Counts
from budgie.train.network.samples import Sample
from budgie.train.network.unknown_words import UnknownWords
from budgie.train.network.words import WordTable


class Reach:
    """How far the window of a tagger reaches before and behind the focus."""

    def __init__(self, config: Config) -> None:
        positions = [position for group in config.groups for position in group.positions]
        self.before, self.behind = -min(0, *positions), max(0, *positions)
        self.columns = [[self.before + position for position in group.positions] for group in config.groups]


class TaggedText:
    """Sentences one behind the other, with as much between them as a window can reach."""

    def __init__(
        self, table: WordTable, reach: Reach, samples: Sequence[Sample], unknown: UnknownWords | None = None
    ) -> None:
        margin = [0] * max(reach.before, reach.behind)
        words, places = list(margin), list[int]()
        for sample in samples:
            places += range(len(words), len(words) + len(sample.words))
            words += table.numbers(sample.words) + margin
        self.table, self._unknown, device = table, unknown, table.device
        self.same_shape = table.dense  # without matrices words differ in how many ids they have
        self._words, self._places = torch.tensor(words, device=device), torch.tensor(places, device=device)
        self.targets = torch.from_numpy(np.concatenate([sample.targets for sample in samples])).to(device)
        self._around = torch.arange(-reach.before, reach.behind + 1, device=device)

    def __len__(self) -> int:
        return len(self._places)

    def bags(self, chosen: Tensor, drop: float) -> list[Bag | Counts]:
        """The features of the words number `chosen` and of those around them."""
        windows = self._words[self._places[chosen].unsqueeze(1) + self._around]
        return self.table.bags(windows, drop, self._unknown)
