# SPDX-License-Identifier: Apache-2.0
"""Minibatches for segmentation: decisions drawn from texts, each with the rows that the core finds for it."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from budgie._core import UnitFeatures
from budgie.errors import DataError
from budgie.train.network.networks import SingleRows
from budgie.train.network.quantise import Floats
from budgie.train.network.samples import Sample
from budgie.train.segmentation.units import text_of

_AT_ONCE = 1000  # texts whose features are made together


class _Decisions(NamedTuple):
    text: str
    starts: list[int]  # offsets at which words begin
    standard: int
    targets: Floats  # where there is something to decide: the probability of SPLIT and of MERGE


class DecisionText:
    """All decisions of some texts: for each group the rows of every decision, and what should be decided."""

    same_shape = True

    def __init__(
        self, features: UnitFeatures, samples: Sequence[Sample], marks: Sequence[str], device: torch.device
    ) -> None:
        numbers = {mark: number for number, mark in enumerate(marks)}
        rows: list[list[Tensor]] = []
        targets = []
        for start in range(0, len(samples), _AT_ONCE):
            some = [_decisions(sample, numbers, features) for sample in samples[start : start + _AT_ONCE]]
            ids, _ = features.decisions(
                [d.text for d in some], [d.starts for d in some], [[] for _ in some], [d.standard for d in some]
            )
            rows.append([torch.from_numpy(group) for group in ids])
            targets.append(np.concatenate([d.targets for d in some]))
        self.rows = [torch.cat(group).to(device) for group in zip(*rows, strict=True)]
        self.targets = torch.from_numpy(np.concatenate(targets)).to(device)
        if len(self.targets) == 0:
            raise DataError("the text has no two characters beside each other: there is nothing to decide")

    def __len__(self) -> int:
        return len(self.targets)

    def bags(self, chosen: Tensor, drop: float) -> list[SingleRows]:
        """The rows of each group for the decisions number `chosen`, slot after slot."""
        return [SingleRows(group[chosen].flatten(), drop) for group in self.rows]

    def followed_by(self, other: DecisionText) -> DecisionText:
        """The decisions of both."""
        both = copy.copy(self)
        both.rows = [torch.cat(pair) for pair in zip(self.rows, other.rows, strict=True)]
        both.targets = torch.cat([self.targets, other.targets])
        return both


def _decisions(sample: Sample, standards: dict[str, int], features: UnitFeatures) -> _Decisions:
    units, targets = sample.words, sample.targets
    standard = 0
    if standards:
        if units[0] not in standards:
            raise DataError(f"a sentence begins with {units[0]}, not with one of {', '.join(standards)}")
        standard, units, targets = standards[units[0]], units[1:], targets[1:]
    text = text_of(units)
    found = features.units(text)
    if len(found) != len(units):
        raise DataError(f"the text {text[:40]!r} has {len(found)} units, not {len(units)}")
    split = targets[:, 0] >= targets[:, 1]
    starts = [begin for (begin, *_), begins_word in zip(found, split, strict=True) if begins_word]
    open_ = np.array([one[3] for one in found], dtype=bool)
    return _Decisions(text, starts, standard, targets[open_])
