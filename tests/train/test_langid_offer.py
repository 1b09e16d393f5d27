# SPDX-License-Identifier: Apache-2.0
"""Which rare labels become usual ones: those that take nothing from others."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs the extra `train`")

from conftest import SENTENCES, random_model

from budgie import LanguageIdentifier
from budgie.train.langid.offer import harmless_labels, with_biases, with_usual
from budgie.train.network.export import make_model, weights_of

LABELS = ("de", "en", "bar", "bo", "sco", "zxx")


def identifier(scores: dict[str, list[float]]) -> Any:
    config = SimpleNamespace(labels=LABELS, rare=("bar", "bo", "sco"), background=("zxx",))
    return SimpleNamespace(model=SimpleNamespace(config=config), scores=scores.__getitem__)


def texts(*kinds: tuple[list[float], int]) -> dict[str, list[float]]:
    """So many texts of each kind, by what is said of them."""
    return {f"{kind} {i}": scores for kind, (scores, count) in enumerate(kinds) for i in range(count)}


def test_labels_that_take_nothing_are_usual() -> None:
    said = texts(([3, 0, 1, 0, 0, 0], 90), ([3, 0, 5, 0, 0, 0], 9), ([3, 0, 0, 0, 4, 0], 1), ([0, 3, 1, 0, 0, 9], 100))
    gold = np.array([0] * 100 + [1] * 100)
    model = identifier(said)
    assert harmless_labels(model, list(said), gold, 0.0) == ["bo"]
    assert harmless_labels(model, list(said), gold, 0.01) == ["bo", "sco"]  # takes one of a hundred German texts
    assert harmless_labels(model, list(said), gold, 0.09) == ["bo", "sco"]  # and with those of bar they are ten
    assert harmless_labels(model, list(said), gold, 0.1) == ["bo", "sco", "bar"]


def test_what_is_wrong_already_is_not_taken() -> None:
    said = texts(([0, 3, 9, 0, 0, 0], 50), ([3, 0, 0, 9, 0, 0], 50))
    gold = np.array([0] * 100)  # the first half is answered with en in any case, and bo is the text's own label below
    assert harmless_labels(identifier(said), list(said), gold, 0.0) == ["bar", "sco"]
    assert harmless_labels(identifier(said), list(said), np.array([0] * 50 + [3] * 50), 0.0) == ["bar", "bo", "sco"]


def test_labels_move_with_their_weights() -> None:
    weights = weights_of(random_model())
    before = make_model(random_model(rare=("de", "tr", "ar"), background=("en",)).config, weights)
    config, moved, numbers = with_usual(before.config, weights, ["tr"])
    after = make_model(config, moved)
    usual = len(config.labels) - 3
    assert set(config.rare) == {"ar", "de"}
    assert set(config.labels[usual:]) == {"ar", "de", "en"}
    assert list(config.labels[:usual]) == sorted(config.labels[:usual])
    assert [config.labels[number] for number in numbers] == list(before.config.labels)
    old, new = LanguageIdentifier(before), LanguageIdentifier(after)
    assert "tr" in new.languages
    for sentence in SENTENCES:
        said = dict(zip(before.config.labels, old.scores(sentence), strict=True))
        assert dict(zip(config.labels, new.scores(sentence), strict=True)) == said


def test_close_labels_have_a_little_more() -> None:
    config = SimpleNamespace(labels=("bs", "hr", "sr-Latn"))
    weights = {"output_bias": torch.tensor([1.0, 1.0, 1.0]), "output": torch.ones(2, 3)}
    bias = with_biases(config, weights)["output_bias"].tolist()  # type: ignore[arg-type]
    assert bias[0] > bias[2] > bias[1] == 1.0
    assert with_biases(config, weights)["output"] is weights["output"]  # type: ignore[arg-type]
