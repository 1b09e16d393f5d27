# SPDX-License-Identifier: Apache-2.0
"""Rows of CSV and TSV: cells in quotes may hold delimiters, quotes (doubled) and line ends."""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

_LONGEST = 2**28  # bytes of a row: where a quote is missing, the rest of the file would be one


class Row(NamedTuple):
    """A row of a table."""

    line: int  # on which it begins
    raw: bytes  # as it came, without the end of its last line
    cells: list[str]
    fault: str  # what is wrong with it; the cells mean nothing then


class Rows:
    """The rows below the header of a table, whose lines come in pieces; empty lines are none."""

    def __init__(self, pieces: Iterator[list[bytes]], tabs: bool) -> None:
        self._lines = _Lines(pieces)
        self._tabs = tabs
        first = self._lines.look()
        delimiter = "\t" if tabs else ";" if first.count(b";") > first.count(b",") else ","
        csv.field_size_limit(2**31 - 1)  # rows are limited as a whole
        self._reader = csv.reader(self._lines, delimiter=delimiter, strict=True)
        self._width = 0  # any, for the header
        self.header = next(self, Row(1, b"", [], ""))
        self._width = len(self.header.cells)

    @property
    def waiting(self) -> bool:
        """Whether a line of the next row is here already."""
        return self._lines.waiting

    def __iter__(self) -> Iterator[Row]:
        return self

    def __next__(self) -> Row:
        cells, fault = self._parse()
        if self._width and (fault or len(cells) != self._width):
            plain = self._lines.first().split("\t")
            if self._tabs and len(plain) == self._width:
                # Most who write TSV know no quotes: these are characters of the text.
                self._lines.keep_first()
                cells, fault = plain, ""
            elif fault:
                self._lines.keep_first()  # where a quote is missing, the next line may well begin a row
            else:
                fault = f"{len(cells)} columns, the header has {self._width}"
        return Row(self._lines.number, self._lines.raw(), cells, fault)

    def _parse(self) -> tuple[list[str], str]:
        cells: list[str] = []
        while not cells:
            self._lines.begin_row()
            try:
                cells = next(self._reader)
            except csv.Error as error:
                return [], f"not {'TSV' if self._tabs else 'CSV'} ({error})"
        return cells, ""


class _Lines:
    """Lines for the csv module; those that it has taken for a row can be given back."""

    def __init__(self, pieces: Iterator[list[bytes]]) -> None:
        self._pieces = pieces
        self._ready: deque[bytes] = deque()
        self._taken: list[bytes] = []
        self._size = 0  # of those taken
        self.number = 1  # of the first of them

    @property
    def waiting(self) -> bool:
        return bool(self._ready)

    def look(self) -> bytes:
        """The next line, which stays."""
        while not self._ready:
            piece = next(self._pieces, None)
            if piece is None:
                return b""
            self._ready.extend(piece)
        return self._ready[0]

    def begin_row(self) -> None:
        self.number += len(self._taken)
        self._taken, self._size = [], 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        if self._size > _LONGEST:
            raise csv.Error(f"a row of more than {_LONGEST:,} bytes: is a quote missing?")
        while not self._ready:
            self._ready.extend(next(self._pieces))
        line = self._ready.popleft()
        self._taken.append(line)
        self._size += len(line)
        return line.decode("utf-8", "replace") + "\n"

    def first(self) -> str:
        return self._taken[0].removesuffix(b"\r").decode("utf-8", "replace")

    def keep_first(self) -> None:
        """Give back all other lines of the row."""
        self._ready.extendleft(reversed(self._taken[1:]))
        del self._taken[1:]

    def raw(self) -> bytes:
        return b"\n".join(self._taken)
