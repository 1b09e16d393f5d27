# SPDX-License-Identifier: Apache-2.0
"""Minibatches for segmentation: decisions drawn from texts, each with the rows that the core finds for it."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from budgie._core import UnitFeatures
from budgie.errors import DataError
from budgie.model.config import SENTENCE_ACTIONS
from budgie.train.network.networks import SingleRows
from budgie.train.network.quantise import Floats
from budgie.train.network.samples import Sample
from budgie.train.segmentation.layouts import LaidOut
from budgie.train.segmentation.units import text_of

Rows = npt.NDArray[np.int32]

_PARTING = frozenset("”」』》）】…")  # a token begins on both sides, which none surely does beside ’
_AT_ONCE = 1000  # texts whose features are made together


class _Decisions(NamedTuple):
    text: str
    starts: list[int]  # offsets at which words begin
    standard: int
    targets: Floats  # where there is something to decide: the probability of SPLIT and of MERGE


class DecisionText:
    """All decisions of some texts: for each group the rows of every decision, and what should be decided."""

    same_shape = True

    def __init__(self, rows: list[Tensor], targets: Tensor) -> None:
        self.rows, self.targets = rows, targets
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


def decisions_of_samples(
    features: UnitFeatures, samples: Sequence[Sample], marks: Sequence[str], device: torch.device
) -> DecisionText:
    """The decisions of segmented sentences."""
    numbers = {mark: number for number, mark in enumerate(marks)}

    def make(some: Sequence[Sample]) -> tuple[list[Rows], Floats]:
        found = [_decisions(sample, numbers, features) for sample in some]
        rows, _ = features.decisions(
            [d.text for d in found], [d.starts for d in found], [[] for _ in found], [d.standard for d in found]
        )
        return rows, np.concatenate([d.targets for d in found])

    return _put_together(samples, make, device)


def decisions_of_raw_text(features: UnitFeatures, texts: Sequence[LaidOut], device: torch.device) -> DecisionText:
    """The decisions of raw text; where nobody knows its tokens, those where sentences begin, or might."""

    def make(some: Sequence[LaidOut]) -> tuple[list[Rows], Floats]:
        raw = [one.text for one in some]
        rows, actions = features.decisions(
            [one.text for one in raw],
            [[start for start, _ in one.tokens] for one in raw],
            [[one.tokens[first][0] for first, _ in one.sentences] for one in raw],
            [one.standard for one in some],
        )
        learnt = np.concatenate([_learnt(one, features) for one in some])
        return [group[learnt] for group in rows], np.eye(len(SENTENCE_ACTIONS), dtype=np.float32)[actions[learnt]]

    return _put_together(texts, make, device)


def _learnt(one: LaidOut, features: UnitFeatures) -> npt.NDArray[np.bool_]:
    """Which of the decisions of a text are known: all, or where sentences begin and where others may.

    Those are behind white space and, where none is written, beside marks that close.
    """
    text = one.text.text
    begins = {one.text.tokens[first][0] for first, _ in one.text.sentences}
    units = (start for start, _, _, decided in features.units(text) if decided)
    known = (one.tokens_known or start in begins or _tells(text[max(start - 1, 0) : start + 1]) for start in units)
    return np.fromiter(known, dtype=bool)


def _tells(beside: str) -> bool:
    """Whether a sentence might begin between two characters, and a token surely does."""
    return beside[0].isspace() or not _PARTING.isdisjoint(beside)


def _put_together(
    texts: Sequence[Any], make: Callable[[Sequence[Any]], tuple[list[Rows], Floats]], device: torch.device
) -> DecisionText:
    """The decisions of all texts, some of which are made at a time."""
    rows: list[list[Tensor]] = []
    targets = []
    for start in range(0, len(texts), _AT_ONCE):
        found, wanted = make(texts[start : start + _AT_ONCE])
        rows.append([torch.from_numpy(group) for group in found])
        targets.append(wanted)
    return DecisionText(
        [torch.cat(group).to(device) for group in zip(*rows, strict=True)],
        torch.from_numpy(np.concatenate(targets)).to(device),
    )


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
