# SPDX-License-Identifier: Apache-2.0
"""What the tables of the paper have in common."""

from __future__ import annotations

import pytest
from conftest import Command

torch = pytest.importorskip("torch", reason="training needs the extra `train`")


@pytest.mark.parametrize(
    ("table", "rows"),
    [
        ("table1", "langid-paper-6, langid-paper-16, langid-302k"),
        ("table2", "pos-paper, pos-paper-clusters, pos-paper-half, pos-241k, pos, pos-clusters"),
        ("table3", "seg-paper-c64, seg-paper-c256, seg-paper-c64-b4, seg"),
        ("table4", "preorder-paper, preorder-paper-tags, preorder-paper-inputs"),
    ],
)
def test_rows_that_are_not_there(table: str, rows: str, budgie: Command) -> None:
    message = f"no row nonsense; there are {rows}\n"
    budgie.fails("reproduce", table, "--rows", rows.partition(", ")[0], "nonsense", message=message)
