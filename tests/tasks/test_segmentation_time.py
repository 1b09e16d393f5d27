# SPDX-License-Identifier: Apache-2.0
"""Texts of any size take time that is linear in it, and can be interrupted."""

from __future__ import annotations

import itertools
import time

import pytest
from conftest import random_segmenter
from reference.segmenters import (
    MIXED,
    MODELS,
    SEGMENTERS,
    check_text,
)
from test_any_text import check_linear, to_size

from budgie import ModelError, Segmenter
from budgie.model.config import Group

PATTERNS = {
    "prose": MIXED.replace("\ud800", "").replace("\udfff", "") * 40,
    "one character": "中" * 10_000,
    "one word": "a" * 20_000,
    "spaces": " \n" * 10_000,
    "short words": "a " * 10_000,
    "names": "a." * 10_000,
    "boxes": "a@" * 10_000,
    "addresses": "www.x ab://c a@b " * 1_000,
    "ends of addresses": "www." + "." * 20_000,
    "numbers": "1," * 10_000,
    "marks": "\u0301" * 10_000,
    "Khmer": "ក្" * 4_000,
    "joiners": "\u200d" * 7_000,
    "words with joiners": "می\u200c" * 5_000,
    "addresses with commas": "a@b," * 5_000,
    "flags": "🇩" * 5_000,
}


@pytest.mark.parametrize("pattern", PATTERNS.values(), ids=PATTERNS)
def test_time_is_linear(pattern: str) -> None:
    for name in ("the paper's", "ours", "spaces inside"):
        check_linear(SEGMENTERS[name].spans, pattern, 20_000, times=10)


def test_time_is_linear_up_to_three_megabytes() -> None:
    check_linear(SEGMENTERS["ours"].spans, PATTERNS["prose"], 300_000, times=10)


@pytest.mark.parametrize(
    "text", ["中" * 10_000, "中国" * 5_000, ("中" * 99 + "国") * 100], ids=["one", "two", "nearly"]
)
def test_time_is_linear_with_any_dictionary(text: str) -> None:
    """All words begin alike, none or few of them are there."""
    words = ["中" * length + end for length in range(1, 100) for end in ("人", "民")] + ["中" * 1000]
    for name in ("the paper's", "ours"):
        check_linear(Segmenter(MODELS[name], words).spans, text, 10_000, times=10)


def test_keys_that_all_fall_into_one_place() -> None:
    """The table of n-grams is open: without a limit, loading these would take time quadratic in their number."""
    inverse = pow(0x9E3779B97F4A7C15, -1, 2**64)
    keys = [(place << 32 | place) * inverse % 2**64 for place in range(1, 50_001)]
    group = Group("bigrams", "vocabulary", 1, 1, n=2)
    # In heaps as well, each of which alone would be fine.
    heaps = [(high << 21 | place) * inverse % 2**64 for place in range(0, 2**17, 512) for high in range(200)]
    few, *slow = (random_segmenter(1, [group], {"bigrams": sorted(some)}) for some in (keys[:30], keys, heaps))
    check_text(Segmenter(few), MIXED)
    for many in slow:
        start = time.process_time()
        with pytest.raises(ModelError, match="a vocabulary was made to be slow"):
            Segmenter(many)
        assert time.process_time() - start < 0.5


def test_a_line_of_five_megabytes() -> None:
    segmenter = Segmenter(MODELS["words alone"], ["珍珠奶茶", "New York"])
    text = to_size(PATTERNS["prose"], 5_000_000)
    spans = segmenter.spans(text, spaces=True)
    assert (spans[0][0], spans[-1][1]) == (0, len(text))
    assert all(one[1] == other[0] for one, other in itertools.pairwise(spans))
