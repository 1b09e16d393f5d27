# SPDX-License-Identifier: Apache-2.0
"""The embedded preorderers: sentences they must get right, their sizes and licences, floors of quality."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import budgie
from budgie.distributions import known
from budgie.evaluation.preordering import evaluate_order
from budgie.train.data.preordering import PAIRS

GOLDEN = [
    ("en-ja", "The student reads a book .", "The student a book reads ."),
    ("en-ja", "he lived a hard life .", "he a hard life lived ."),
    ("en-ja", "choose one from among these .", "these among from one choose ."),
    ("en-ja", "there are some oranges on the tree .", "the tree on oranges some there are ."),
    ("en-es", "The old man bought a red car .", "The old man bought a car red ."),
    ("en-es", "The student reads a book in Kyoto .", "The student reads a book in Kyoto ."),
    ("en-ja", "i study english every day .", "i every day english study ."),
]


@pytest.mark.parametrize(("pair", "sentence", "reordered"), GOLDEN)
def test_golden(pair: str, sentence: str, reordered: str) -> None:
    assert budgie.load(f"preorder-{pair}").reorder(sentence.split()).words == reordered.split()


def test_all_pairs_are_there() -> None:
    assert {f"preorder-{pair}" for pair in PAIRS} == {name for name in known() if name.startswith("preorder-")}


@pytest.mark.parametrize("pair", PAIRS)
def test_size_and_licence(pair: str) -> None:
    assert Path(budgie.file_of(f"preorder-{pair}")).stat().st_size <= 1_300_000
    preorderer = budgie.load(f"preorder-{pair}")
    assert preorderer.tagger is not None
    assert preorderer.tagger.tag(["The", "cat", "sleeps", "."]) == ["DET", "NOUN", "VERB", "PUNCT"]
    info = preorderer.model.info
    assert info["trained_on"] == PAIRS[pair].name
    assert PAIRS[pair].licence in info["licence"]


@pytest.mark.parametrize("pair", PAIRS)
def test_a_long_line(pair: str) -> None:
    words = "He said that she had bought a new book in Kyoto , and".split() * 800
    assert sorted(budgie.load(f"preorder-{pair}").reorder(words).permutation) == list(range(len(words)))


@pytest.mark.parametrize(("pair", "beam", "least"), [("en-ja", 1, 0.74), ("en-ja", 4, 0.75), ("en-es", 1, 0.78)])
def test_quality(shared_data: Callable[[str], Path], pair: str, beam: int, least: float) -> None:
    shared_data(PAIRS[pair].dataset)
    found = evaluate_order(budgie.load(f"preorder-{pair}", beam=beam), PAIRS[pair].read("dev"))
    assert found.frs >= least
    assert found.frs > found.frs_unchanged
