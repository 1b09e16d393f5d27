# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import json
from pathlib import Path

import pytest

from budgie.errors import DataError
from budgie.formats.alignments import Aligned
from budgie.formats.orders import Ordered, from_alignments, read_orders


def test_orders_of_json_lines(tmp_path: Path) -> None:
    path = tmp_path / "orders.jsonl"
    lines = [
        json.dumps({"source": ["a", "b", "c"], "permutation": [2, 0, 1], "words": ["c", "a", "b"]}),
        "",
        json.dumps({"source": [], "permutation": []}),
        json.dumps({"source": ["é"], "permutation": [0], "more": 1}),
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert list(read_orders(path)) == [Ordered(("a", "b", "c"), [2, 0, 1]), Ordered((), []), Ordered(("é",), [0])]


@pytest.mark.parametrize(
    "line",
    [
        "[1]",
        "3",
        '{"source": ["a"]}',
        '{"permutation": [0]}',
        '{"source": "a", "permutation": [0]}',
        '{"source": ["a", 1], "permutation": [0, 1]}',
        '{"source": ["a", "b"], "permutation": [0, 0]}',
        '{"source": ["a", "b"], "permutation": [0]}',
        '{"source": ["a", "b"], "permutation": [1, 2]}',
        '{"source": ["a", "b"], "permutation": [0, true]}',
        '{"source": ["a", "b"], "permutation": [0, 1.0]}',
    ],
)
def test_what_is_no_order(tmp_path: Path, line: str) -> None:
    path = tmp_path / "orders.jsonl"
    path.write_text('{"source": ["a"], "permutation": [0]}\n' + line + "\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"orders\.jsonl, line 2: not an object with source"):
        list(read_orders(path))


def test_what_is_no_json(tmp_path: Path) -> None:
    path = tmp_path / "orders.jsonl"
    path.write_text("{\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"orders\.jsonl, line 1: not JSON"):
        list(read_orders(path))


def test_orders_of_alignments() -> None:
    # he(0) sees(2) her(1): Japanese has the verb last.
    aligned = Aligned(("he", "sees", "her"), ((0,), (2,), (1,)))
    assert from_alignments([aligned]) == [Ordered(("he", "sees", "her"), [0, 2, 1])]
