# SPDX-License-Identifier: Apache-2.0
"""Sentences to learn labels from: what annotators say of their words, and what teachers do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from budgie.formats.sentences import TokenisedSentence, pairs
from budgie.train.network.quantise import Floats


@dataclass(frozen=True)
class Sample:
    """A sentence to learn from: for each word the probability of every label."""

    words: Sequence[str]
    targets: Floats


def gold_sample(sentence: TokenisedSentence, labels: tuple[str, ...]) -> Sample:
    """What the annotators say; a tag that is no label has no probability at all."""
    numbers = {label: number for number, label in enumerate(labels)}
    targets = np.zeros((len(sentence.words), len(labels)), dtype=np.float32)
    for row, (_, tag) in zip(targets, pairs(sentence), strict=True):
        if tag in numbers:
            row[numbers[tag]] = 1
    return Sample(sentence.words, targets)


def mix(gold: Sequence[Sample], taught: Sequence[Sample]) -> tuple[list[Sample], list[Sample]]:
    """Annotated sentences, softened by what teachers say of them, and what they say of other sentences."""
    opinions: dict[tuple[str, ...], list[Floats]] = {}
    for sample in taught:
        opinions.setdefault(tuple(sample.words), []).append(sample.targets)
    together = {words: np.mean(targets, axis=0) for words, targets in opinions.items()}
    mixed = []
    for sample in gold:
        opinion = together.get(tuple(sample.words), sample.targets)
        mixed.append(Sample(sample.words, np.mean([sample.targets, opinion], axis=0)))
    annotated = {tuple(sample.words) for sample in gold}
    return mixed, [Sample(words, targets) for words, targets in together.items() if words not in annotated]
