# SPDX-License-Identifier: Apache-2.0
"""Tables for people."""

from __future__ import annotations

from collections.abc import Sequence

Row = Sequence[str]


def aligned(header: Row, rows: Sequence[Row]) -> str:
    """Columns of even width."""
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in (header, *rows))
    return "".join(f"{line.rstrip()}\n" for line in lines)


def markdown(header: Row, rows: Sequence[Row]) -> str:
    """The same for a page."""
    return "".join(f"| {' | '.join(row)} |\n" for row in (header, ["---"] * len(header), *rows))
