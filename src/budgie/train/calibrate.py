# SPDX-License-Identifier: Apache-2.0
"""Calibration: divide scores by a + b / sqrt(letters), so that probabilities mean what they say at every length."""

from __future__ import annotations

import torch

from budgie.langid import LanguageIdentifier
from budgie.train.batches import Labels

_LEAST = 0.05  # of a and b: the temperature must stay above zero


def calibrate(identifier: LanguageIdentifier, texts: list[str], labels: Labels) -> tuple[float, float]:
    """The (a, b) under which held-out texts are most probable."""
    letters = torch.tensor([max(1, sum(map(str.isalpha, text))) for text in texts], dtype=torch.float32)
    scores = torch.tensor([identifier.scores(text) for text in texts])
    gold = torch.from_numpy(labels)
    raw = torch.tensor([0.5, 0.0], requires_grad=True)

    def values() -> torch.Tensor:
        return torch.nn.functional.softplus(raw) + _LEAST

    search = torch.optim.LBFGS([raw], max_iter=100, line_search_fn="strong_wolfe")

    def loss() -> torch.Tensor:
        search.zero_grad()
        a, b = values()
        value = torch.nn.functional.cross_entropy(scores / (a + b / letters.sqrt()).unsqueeze(1), gold)
        value.backward()  # type: ignore[no-untyped-call]
        return value

    search.step(loss)  # type: ignore[no-untyped-call]
    a, b = values().tolist()
    return a, b
