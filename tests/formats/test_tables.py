# SPDX-License-Identifier: Apache-2.0
"""CSV and TSV: quotes, line ends in cells, broken rows."""

from __future__ import annotations

import csv
import io
import time
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgie.formats import tables
from budgie.formats.tables import Rows


def rows(text: str | bytes, tabs: bool = False, size: int = 9) -> list[tuple[int, list[str], str]]:
    data = text.encode() if isinstance(text, str) else text
    found = Rows(iter([data[:size], data[size:]]), tabs)
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
    found = Rows(iter([text.encode()]), False)
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


def test_a_cell_of_many_lines_takes_little_more_than_its_size() -> None:
    for line in (b"x\n", b'""\n', b'"",\n'):
        data = b'a,b\n1,"' + line * 500_000 + b'"\n'
        tracemalloc.start()
        try:
            assert len(next(Rows(iter([data]), False)).cells) == 2
            assert tracemalloc.get_traced_memory()[1] < 8 * len(data)
        finally:
            tracemalloc.stop()


@pytest.mark.parametrize(
    ("line", "last", "tabs", "fault"),
    [
        ('a"\t"b\n', "", True, ""),
        ('a"\t"b\n', 'a"\tc\n', True, ""),
        ('a"\t"b\n' + "b\tc\n" * 9, "", True, ""),
        ('a"\tx\t"b\n', "", True, "not TSV (unexpected end of data)"),
        ('x","y\n', "", False, "not CSV (unexpected end of data)"),
        ('x","y\n', 'x","y","z"z\n', False, "not CSV (',' expected after '\"')"),
    ],
)
def test_quotes_that_never_fit_take_linear_time(line: str, last: str, tabs: bool, fault: str) -> None:
    many = 20_000
    start = time.process_time()
    found = rows(("a\tb\n" if tabs else "a,b\n") + line * many + last, tabs)
    assert time.process_time() - start < 5  # several hundred times as much, where each row reads all that follow
    assert len(found) == 1 + many * line.count("\n") + bool(last)
    assert {one for _, _, one in found[1:many]} == {fault}


def test_rows_behind_quotes_that_do_not_fit() -> None:
    """Lines that a row was tried on and that it did not need begin rows of their own."""
    text = 'a\tb\n1"\t"2\n3\t"4\n5"\n6"\t"7\n8"\t9\n10\t"11\n12"\n'
    assert [(line, cells) for line, cells, fault in rows(text, True) if not fault] == [
        (1, ["a", "b"]),
        (2, ['1"', '"2']),
        (3, ["3", "4\n5"]),
        (5, ['6"', '"7']),
        (6, ['8"', "9"]),
        (7, ["10", "11\n12"]),
    ]


def test_a_row_does_not_wait_for_what_is_behind_empty_lines() -> None:
    found = Rows(iter([b"a,b\n1,2\n\n\r\n", b"3,4\n"]), False)
    assert (next(found).cells, found.waiting) == (["1", "2"], False)
    assert next(found)[:3] == (5, b"3,4", ["3", "4"])


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
        yield b'a,b\n1,"begins\n'
        for _ in range(100):
            taken += 1
            yield b"x,y" * 10 + b"\n"

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
