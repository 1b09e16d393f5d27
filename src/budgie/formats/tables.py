# SPDX-License-Identifier: Apache-2.0
"""Rows of CSV and TSV: cells in quotes may hold delimiters, quotes (doubled) and line ends."""

from __future__ import annotations

import csv
import io
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
    """The rows below the header of a table, whose bytes come in chunks; empty lines are none.

    Time is linear even where every line begins a row that its quotes do not let end: what comes of lines that begin
    inside of quotes does not depend on the row, so rows that end in the same way are tried once.
    """

    def __init__(self, chunks: Iterator[bytes], tabs: bool) -> None:
        self._held = _Held(chunks)
        self._tabs = tabs
        first = self._held.text(0, self._held.begin_row())
        delimiter = "\t" if tabs else ";" if first.count(";") > first.count(",") else ","
        self._lines = _LineParser(delimiter)
        self._tried = (0, "")  # the last line, in bytes of the table, that a row was read up to, and what was wrong
        self._width = 0  # any, for the header
        self.header = next(self, Row(1, b"", [], ""))
        self._width = len(self.header.cells)

    @property
    def waiting(self) -> bool:
        """Whether a line of the next row is here already."""
        return self._held.waiting

    def __iter__(self) -> Iterator[Row]:
        return self

    def __next__(self) -> Row:
        first = end = self._held.begin_row()
        if not first:
            raise StopIteration
        line = self._held.text(0, first)
        # Most who write TSV know no quotes: those that cannot be meant as quotes are characters of the text.
        plain = self._tabs and line.count("\t") + 1 == self._width
        cells, fault = self._cells(line)
        if self._lines.open:
            last, known = self._tried
            if self._held.passed + first < last and (plain or known):
                cells, fault = [], known
            else:
                cells, fault, end = self._rest(cells, first + 1)
        if self._width and (fault or len(cells) != self._width):
            if plain:
                cells, fault, end = line.removesuffix("\r").split("\t"), "", first
            elif fault:
                end = first  # where a quote is missing, the next line may well begin a row
            else:
                fault = f"{len(cells)} columns, the header has {self._width}"
        number = self._held.number
        return Row(number, self._held.take(end), cells, fault)

    def _cells(self, line: str, inside: bool = False) -> tuple[list[str], str]:
        try:
            return self._lines.parse(line, inside), ""
        except csv.Error as error:
            return [], self._fault(str(error))

    def _fault(self, reason: str) -> str:
        return f"not {'TSV' if self._tabs else 'CSV'} ({reason})"

    def _rest(self, begun: list[str], at: int) -> tuple[list[str], str, int]:
        """All cells of a row whose last cell so far goes on in the line at `at`; what is wrong; where the row ends."""
        *cells, cell = begun
        growing = io.StringIO(newline="")  # a cell may have millions of lines, and an object for each takes far more
        growing.write(cell)
        while (quote := self._held.find(b'"', at, _LONGEST)) >= 0:
            begin, end = self._held.line_begin(at, quote), self._held.line_end(quote)
            growing.write(self._held.text(at, begin))
            parts, fault = self._cells(self._held.text(begin, end), inside=True)
            self._tried = (self._held.passed + begin, fault)
            if fault:
                return [], fault, end
            growing.write(parts[0])
            for part in parts[1:]:
                cells.append(growing.getvalue())
                growing = io.StringIO(newline="")
                growing.write(part)
            if not self._lines.open:
                return [*cells, growing.getvalue()], "", end
            at = end + 1
        too_long = f"a row of more than {_LONGEST:,} bytes: is a quote missing?"
        fault = self._fault("unexpected end of data" if self._held.ended else too_long)
        self._tried = (self._held.passed + self._held.size, fault)
        return [], fault, at


class _LineParser:
    """Cells of single lines, by the csv module."""

    def __init__(self, delimiter: str) -> None:
        csv.field_size_limit(2**31 - 1)  # rows are limited as a whole
        self._reader = csv.reader(self, delimiter=delimiter, strict=True)
        self._line = ""
        self.open = False  # whether the line ended inside of quotes; then its last cell has the line end

    def parse(self, line: str, inside: bool) -> list[str]:
        """The cells of a line; `inside`: it begins inside of quotes."""
        self._line, self.open = f'"{line}\n' if inside else f"{line}\n", False
        return next(self._reader)

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        # Only inside of quotes does the csv module ask for another line: it gets the quote that ends the cell.
        self.open = not self._line
        line, self._line = self._line or '"\n', ""
        return line


class _Held:
    """The bytes of a table from the row that is read on, as many as were needed; offsets count from that row."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._bytes = bytearray()
        self.ended = False  # whether these are all that there are
        self.passed = 0  # bytes before the row
        self.number = 1  # of the line that it begins with

    @property
    def size(self) -> int:
        return len(self._bytes)

    @property
    def waiting(self) -> bool:
        while (end := self._bytes.find(b"\n")) >= 0:
            if not self._is_empty(end):
                return True
            self.take(end)
        return False

    def begin_row(self) -> int:
        """Go behind empty lines; where the first line of the row ends, 0 where there is no row."""
        while self._bytes or self._read():
            end = self.line_end(0)
            if not self._is_empty(end):
                return end
            self.take(end)
        return 0

    def take(self, end: int) -> bytes:
        """The row up to a line end; another begins behind that."""
        raw = bytes(self._bytes[:end])
        del self._bytes[: end + 1]
        self.passed += end + 1
        self.number += raw.count(b"\n") + 1
        return raw

    def text(self, begin: int, end: int) -> str:
        return self._bytes[begin:end].decode("utf-8", "replace")

    def line_begin(self, least: int, at: int) -> int:
        """Where the line of `at` begins, if that is not before `least`, which begins one."""
        return max(least, self._bytes.rfind(b"\n", least, at) + 1)

    def line_end(self, at: int) -> int:
        """Where the line of `at` ends."""
        end = self.find(b"\n", at)
        return end if end >= 0 else len(self._bytes)

    def find(self, wanted: bytes, at: int, most: int | None = None) -> int:
        """Where a byte is, from `at` on; -1: nowhere, or not within about so many bytes of the row."""
        while most is None or at <= most:
            found = self._bytes.find(wanted, at)
            if found >= 0:
                return found
            at = max(at, len(self._bytes))
            if not self._read():
                return -1
        return -1

    def _is_empty(self, end: int) -> bool:
        return self._bytes[0] in b"\r\n" and not self._bytes[:end].strip(b"\r")

    def _read(self) -> bool:
        chunk = next((one for one in self._chunks if one), None)
        self.ended = chunk is None
        self._bytes += chunk or b""
        return not self.ended
