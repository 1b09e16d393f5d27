# SPDX-License-Identifier: Apache-2.0
"""CSV and TSV: quotes, line ends in cells, broken rows."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgie.formats import tables
from budgie.formats.tables import Rows


def rows(text: str | bytes, tabs: bool = False) -> list[tuple[int, list[str], str]]:
    data = text.encode() if isinstance(text, str) else text
    lines = data.split(b"\n")
    found = Rows(iter([lines[:-1], lines[-1:]] if lines[-1] else [lines[:-1]]), tabs)
    return [(row.line, row.cells, row.fault) for row in [found.header, *found]]


cell = st.text(st.sampled_from('ab ,;\t"\n\r我'), max_size=6)


@given(st.lists(st.lists(cell, min_size=2, max_size=2), min_size=1, max_size=5), st.sampled_from([",", "\t"]))
def test_what_csv_writes_is_read(cells: list[list[str]], delimiter: str) -> None:
    csv.writer(file := io.StringIO(newline=""), delimiter=delimiter).writerows([["a", "b"], *cells])
    found = rows(file.getvalue(), delimiter == "\t")
    assert [row for _, row, fault in found if not fault] == [["a", "b"], *cells]
    number = 1
    for line, row, _ in found:
        assert line == number
        number += 1 + sum(cell.count("\n") for cell in row)


def test_rows() -> None:
    text = 'id,text\r\n1,"a ""quoted""\r\nline, here"\r\n\r\n2,b\n3,5" disk'
    assert rows(text) == [
        (1, ["id", "text"], ""),
        (2, ["1", 'a "quoted"\r\nline, here'], ""),
        (5, ["2", "b"], ""),
        (6, ["3", '5" disk'], ""),
    ]
    found = Rows(iter([text.encode().split(b"\n")]), False)
    assert (
        b"\n".join([found.header.raw, *(row.raw for row in found)]) + b"" == text.replace("\r\n\r\n2", "\r\n2").encode()
    )
    assert rows("") == [(1, [], "")]
    assert rows(b"a,b\n\xff\0,1\n")[1] == (2, ["\ufffd\0", "1"], "")


def test_semicolons() -> None:
    assert rows("id;text;n, m\n1;a,b;3\n")[1] == (2, ["1", "a,b", "3"], "")


def test_a_cell_may_be_large() -> None:
    large = "x\n" * 500_000
    assert rows(f'a,b\n1,"{large}"\n2,3')[1:] == [(2, ["1", large], ""), (500_003, ["2", "3"], "")]


def test_broken_rows() -> None:
    text = 'a,b\n1\n2,"x"y\n3,3\n4,"never closed\n5,5\n6,6,6\n7,7\n'
    found = rows(text)
    assert [(line, cells) for line, cells, fault in found if not fault] == [
        (1, ["a", "b"]),
        (4, ["3", "3"]),
        (6, ["5", "5"]),
        (8, ["7", "7"]),
    ]
    assert [(line, fault) for line, _, fault in found if fault] == [
        (2, "1 columns, the header has 2"),
        (3, "not CSV (',' expected after '\"')"),
        (5, "not CSV (unexpected end of data)"),
        (7, "3 columns, the header has 2"),
    ]


def test_a_quote_without_an_end_does_not_take_all_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "_LONGEST", 1000)
    taken = 0

    def pieces() -> object:
        nonlocal taken
        yield [b"a,b", b'1,"begins']
        for _ in range(100):
            taken += 1
            yield [b"x,y" * 10]

    found = Rows(pieces(), False)  # type: ignore[arg-type]
    row = next(found)
    assert (row.line, row.fault) == (2, "not CSV (a row of more than 1,000 bytes: is a quote missing?)")
    assert taken < 50


def test_tsv_without_quotes() -> None:
    """Most TSV knows none: what cannot be meant as quotes is text."""
    text = 'a\tb\n"Yes" he said\t1\n"begins\t2\nthe "end"\t3\n"tab\there"\t4\n5\t5\t5\n'
    assert rows(text, True) == [
        (1, ["a", "b"], ""),
        (2, ['"Yes" he said', "1"], ""),
        (3, ['"begins', "2"], ""),
        (4, ['the "end"', "3"], ""),
        (5, ["tab\there", "4"], ""),
        (6, ["5", "5", "5"], "3 columns, the header has 2"),
    ]
