# SPDX-License-Identifier: Apache-2.0
"""Scores of a classifier: accuracy, calibration."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence


def accuracy(gold: Sequence[str], predicted: Sequence[str]) -> float:
    """The share of right answers; with one label a text this is micro-averaged F1, as the paper reports it."""
    _check(gold, predicted)
    return sum(one == other for one, other in zip(gold, predicted, strict=True)) / len(gold)


def accuracy_by_label(gold: Sequence[str], predicted: Sequence[str]) -> dict[str, float]:
    """The share of right answers among the texts of each gold label."""
    _check(gold, predicted)
    total = Counter(gold)
    right = Counter(one for one, other in zip(gold, predicted, strict=True) if one == other)
    return {label: right[label] / total[label] for label in sorted(total)}


def macro_accuracy(gold: Sequence[str], predicted: Sequence[str]) -> float:
    """The mean of `accuracy_by_label`: every label counts the same, however many texts it has."""
    shares = accuracy_by_label(gold, predicted)
    return sum(shares.values()) / len(shares)


def calibration_error(right: Sequence[bool], probabilities: Sequence[float], bins: int = 15) -> float:
    """Expected calibration error: the mean gap between probability and accuracy over bins of equal width."""
    _check(right, probabilities)
    hits, sums = [0] * bins, [0.0] * bins
    for correct, probability in zip(right, probabilities, strict=True):
        if not 0.0 <= probability <= 1.0:
            raise ValueError(f"{probability} is not a probability")
        bin_number = min(int(probability * bins), bins - 1)
        hits[bin_number] += correct
        sums[bin_number] += probability
    return sum(abs(hit - total) for hit, total in zip(hits, sums, strict=True)) / len(right)


def percent(share: float | None) -> str:
    """A score for people; `-` where there was nothing to score."""
    return "-" if share is None else f"{100 * share:.2f} %"


def _check(one: Sequence[object], other: Sequence[object]) -> None:
    if len(one) != len(other):
        raise ValueError(f"{len(one)} gold labels, but {len(other)} answers")
    if not one:
        raise ValueError("nothing to score")
