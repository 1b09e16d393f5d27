# SPDX-License-Identifier: Apache-2.0
"""A linear model of which part comes first, and the order of all words that it prefers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from tools.order_trees.trees import ARTICLES, ROOT, ROWS, Choices, with_articles
from torch.nn import functional

from budgie.formats.alignments import Links

EXACT = 9  # parts of a head, of which the best order is found; more are put in one by one
DROPOUT = 0.2  # of features
PULL = 1e-3  # towards the weights that a lesson begins with


@dataclass(frozen=True)
class Examples:
    """Pairs of parts: their features, and how likely the second comes first, with a weight."""

    rows: np.ndarray  # [pairs, features]
    swapped: np.ndarray
    weights: np.ndarray


def examples(sentences: Iterable[tuple[Choices, Links]]) -> Examples:
    """What alignments say of the parts; words that are not aligned say nothing, nor do articles."""
    rows, swapped, weights = [], [], []
    for choices, links in sentences:
        middle = [
            None if word.lower() in ARTICLES or not positions else positions[0] + positions[-1]  # times two
            for word, positions in zip(choices.tree.words, links, strict=True)
        ]
        for row, (head, first, second) in zip(choices.rows, choices.pairs, strict=True):
            parts = choices.parts[head]
            a, b = (
                np.array([middle[one] for one in choices.words_of(head, parts[number]) if middle[one] is not None])
                for number in (first, second)
            )
            steps = np.subtract.outer(b, a)
            if count := np.count_nonzero(steps):
                share = np.count_nonzero(steps < 0) / count
                rows.append(row)
                swapped.append(share)
                weights.append(abs(2 * share - 1))
    return Examples(np.array(rows, np.int32), np.array(swapped, np.float32), np.array(weights, np.float32))


def learn(some: Examples, begin: np.ndarray | None = None, *, epochs: int, batch: int, rate: float) -> np.ndarray:
    """The weights of the features, which begin as others or as zeros."""
    torch.manual_seed(1)
    rows, swapped, sure = map(torch.from_numpy, (some.rows, some.swapped, some.weights))
    start = torch.zeros(ROWS, 1) if begin is None else torch.from_numpy(begin)[:, None]
    weights = start.clone().requires_grad_()
    optimiser = torch.optim.Adagrad([weights], lr=rate)
    for _ in range(epochs):
        for chosen in torch.randperm(len(rows)).split(batch):
            seen = rows[chosen].long()
            kept = (torch.rand(seen.shape) > DROPOUT) / (1 - DROPOUT)
            scores = functional.embedding_bag(seen, weights, mode="sum", per_sample_weights=kept)[:, 0]
            loss = functional.binary_cross_entropy_with_logits(scores, swapped[chosen], sure[chosen])
            far = functional.embedding_bag(seen, (weights - start) ** 2, mode="sum").mean()
            optimiser.zero_grad()
            (loss + PULL * far).backward()
            optimiser.step()
    found: np.ndarray = weights.detach().numpy()[:, 0]
    return found


def order(choices: Choices, weights: np.ndarray) -> list[int]:
    """The words of a sentence in the order that the weights prefer."""
    tables = {head: np.zeros((len(parts), len(parts))) for head, parts in choices.parts.items()}
    scores = weights[choices.rows].sum(1) if choices.pairs else []
    for (head, first, second), score in zip(choices.pairs, scores, strict=True):
        tables[head][second, first], tables[head][first, second] = score, -score

    def below(head: int) -> list[int]:
        parts = choices.parts.get(head) or choices.tree.parts(head)
        places = best_order(tables[head]) if len(parts) > 1 else range(len(parts))
        return [one for at in places for one in ([parts[at]] if parts[at] == head else below(parts[at]))]

    return with_articles(choices.tree.words, below(ROOT))


def best_order(gains: np.ndarray) -> Sequence[int]:
    """The numbers 0 to n - 1, so that the sum of gains [a, b] over all a that stand before b is highest."""
    count = len(gains)
    if count > EXACT:
        return _inserted(gains)
    # By dynamic programming: of each set of numbers that may stand first, the best gain and its last number.
    best, last = [0.0] * (1 << count), [0] * (1 << count)
    table = gains.tolist()
    for chosen in range(1, 1 << count):
        members = [one for one in range(count) if chosen >> one & 1]
        best[chosen], last[chosen] = max(
            (best[chosen ^ (1 << one)] + sum(table[other][one] for other in members), one) for one in members
        )
    found, chosen = [], (1 << count) - 1
    while chosen:
        found.append(last[chosen])
        chosen ^= 1 << last[chosen]
    return found[::-1]


def _inserted(gains: np.ndarray) -> list[int]:
    found: list[int] = []
    for one in range(len(gains)):
        steps = gains[found, one] - gains[one, found]  # what it brings to stand behind each
        found.insert(int(np.argmax(np.append(0, np.cumsum(steps)))), one)
    return found
