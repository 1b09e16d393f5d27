# SPDX-License-Identifier: Apache-2.0
"""What is changed of an identifier once all is learnt: scores of close labels, and which rare labels are usual ones.

Tibetan takes from nobody, since nobody else is written so; Egyptian Arabic takes from Arabic. Held-out texts in the
usual languages tell: what a rare label takes of them is what would be answered with it instead of rightly.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping

import numpy as np
import numpy.typing as npt
import torch

from budgie.model.config import Config
from budgie.tasks.langid import LanguageIdentifier
from budgie.train.network.batches import Labels

# Of languages that differ in a few words, the label that was drawn more often takes most texts of the other. These
# numbers are added to scores; found on held-out news (`dslcc`), so that of bs, hr and sr-Latn each is mostly right.
_BIASES = {"bs": 0.65, "ms": 0.1, "sr-Latn": 0.2}
_NEAR = 1.0  # a rare label whose score comes so near to the right one's may take such a text where it is a little other
_CHUNK = 4096  # texts whose scores are in memory at a time


def with_biases(config: Config, weights: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """The same weights, with a little more for labels that would lose nearly all of their texts to a close one."""
    biases = torch.tensor([_BIASES.get(label, 0.0) for label in config.labels])
    return {**weights, "output_bias": weights["output_bias"] + biases}


def harmless_labels(identifier: LanguageIdentifier, texts: list[str], gold: Labels, most: float) -> list[str]:
    """The rare labels that together take no larger share than `most` of the texts of any usual label."""
    config = identifier.model.config
    rare = _numbers(config, config.rare)
    usual = _numbers(config, (label for label in config.labels if label not in {*config.rare, *config.background}))
    counts = np.bincount(gold, minlength=len(config.labels)).clip(min=1)
    taken, owners = [], []  # of texts that are right without rare labels: which of these take it, and whose it is
    for start in range(0, len(texts), _CHUNK):
        chunk = gold[start : start + _CHUNK]
        scores = np.array([identifier.scores(text) for text in texts[start : start + _CHUNK]], dtype=np.float32)
        own = scores[np.arange(len(chunk)), chunk]
        right = np.isin(chunk, usual) & (own >= scores[:, usual].max(axis=1))
        taken.append(scores[right][:, rare] > own[right, None] - _NEAR)
        owners.append(chunk[right])
    takes, owner = np.concatenate(taken), np.concatenate(owners)
    lost = np.zeros(len(takes), dtype=bool)
    chosen = []
    for candidate in np.argsort(takes.sum(axis=0), kind="stable").tolist():
        with_it = lost | takes[:, candidate]
        if (np.bincount(owner[with_it], minlength=len(counts)) <= most * counts).all():
            lost = with_it
            chosen.append(config.labels[rare[candidate]])
    return chosen


def with_usual(
    config: Config, weights: Mapping[str, torch.Tensor], harmless: list[str]
) -> tuple[Config, dict[str, torch.Tensor], Labels]:
    """The same network with these labels among the usual ones, which stand first; the new number of each old one."""
    rare = tuple(label for label in config.rare if label not in harmless)
    order = sorted(config.labels, key=lambda label: (label in {*rare, *config.background}, label))
    places = torch.tensor([config.labels.index(label) for label in order])
    moved = {"output": weights["output"][:, places], "output_bias": weights["output_bias"][places]}
    changed = dataclasses.replace(config, labels=tuple(order), rare=rare)
    return changed, {**weights, **moved}, np.argsort(places.numpy())


def _numbers(config: Config, labels: Iterable[str]) -> npt.NDArray[np.int64]:
    wanted = set(labels)
    return np.array([number for number, label in enumerate(config.labels) if label in wanted], dtype=np.int64)
