# SPDX-License-Identifier: Apache-2.0
"""Which models there are for a language."""

from __future__ import annotations

import pytest

import budgie
from budgie.coverage import Coverage, of
from budgie.distributions import OFFERS, language_of


@pytest.mark.parametrize(
    "expected",
    [
        Coverage("en", "en", None, "pos-en"),
        Coverage("de", "de", None, "pos-de"),
        Coverage("eo", "und", None, None),
        Coverage("zh", "zh", "seg-zh", "pos-zh"),
        Coverage("zh-Hant", "zh", "seg-zh", "pos-zh-Hant"),
        Coverage("yue", "zh", "seg-yue", None),
        Coverage("ja", "ja", "seg-ja", "pos-ja"),
        Coverage("th", "und", "seg-th", "pos-th"),
        Coverage("vi", "und", "seg-vi", "pos-vi"),
        Coverage("no", "no", None, "pos-no"),
        Coverage("nn", "nn", None, "pos-nn"),
        Coverage("hr", "hr", None, "pos-hr"),
        Coverage("bs", "hr", None, "pos-hr"),
        Coverage("sr", "sr", None, "pos-sr"),
        Coverage("sr-Latn", "sr", None, "pos-sr"),
        Coverage("ms", "und", None, None),
        *(Coverage(f"{label}-Latn", "und", None, None) for label in ("bg", "el", "hi", "ja", "ru", "zh")),
        Coverage("und", "und", None, None),
        Coverage("xx", "und", None, None),
    ],
    ids=lambda one: one.label,
)
def test_models_of_a_label(expected: Coverage) -> None:
    assert of(expected.label) == expected


def test_every_model_of_a_language_is_of_some_label() -> None:
    labels = {*budgie.load("langid").languages, "yue"}
    found = {name for label in labels for name in (of(label).segmenter, of(label).tagger) if name}
    named = {name for name in (*budgie.embedded(), *OFFERS) if name.startswith(("pos-", "seg-"))}
    assert found == {name for name in named if name.endswith(language_of(name))}  # no other than the free one
    assert {of(label).tokens for label in labels} == set(budgie.load("tokens").standards)
