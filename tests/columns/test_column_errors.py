# SPDX-License-Identifier: Apache-2.0
"""What is no column of texts gives an error that says why; what was taken already, too; nothing of it stays in memory.

Malformed arrays are the matter of core/tests/columns_test.cpp.
"""

from __future__ import annotations

import errno
import struct
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from arrow_structs import InOnePiece, ReadError, array, bits, chunks, failing_chunks, lists, read, schema, table, texts

import budgie
from budgie import ConfigError, DataError


def refused(source: Any, **options: Any) -> str:
    with pytest.raises(DataError) as error:
        read(budgie.identify_column(source, **options))
    return str(error.value)


def test_other_objects() -> None:
    for source in (["a", "b"], "a", None, {"text": ["a"]}):
        with pytest.raises(TypeError, match=f"Arrow PyCapsule interface is needed, not {type(source).__name__}"):
            budgie.identify_column(source)


def test_other_arguments() -> None:
    source = chunks(["a"])
    with pytest.raises(TypeError, match="column must be the name of one"):
        budgie.identify_column(source, column=1)
    with pytest.raises(TypeError, match="keep must be a list of names"):
        budgie.identify_column(source, keep=1)
    with pytest.raises(TypeError, match="keep must be a list of names, not with 1 in it"):
        budgie.identify_column(source, keep=["a", 1])
    with pytest.raises(ConfigError, match="keep names a column twice: id, id"):
        budgie.identify_column(source, keep=["id", "id"])
    with pytest.raises(ConfigError, match="threads must be at least 1"):
        budgie.identify_column(source, threads=0)
    with pytest.raises(TypeError, match="dictionary must be True or False"):
        budgie.identify_column(source, dictionary=1)
    with pytest.raises(ConfigError, match="k must be at least 1"):
        budgie.rank_column(source, 0)
    with pytest.raises(ConfigError, match="no tagger for 'tlh'"):
        budgie.tag_column(source, "tlh")


def test_other_capsules() -> None:
    class Wrong:
        def __init__(self, capsules: Any) -> None:
            self.capsules = capsules

        def __arrow_c_array__(self, requested_schema: object = None) -> Any:
            return self.capsules

    class Stream:
        def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
            return 1

    made = InOnePiece(*texts(["a"]))
    kind, one = made.__arrow_c_array__()
    for capsules in ((), (1, 2), (kind, 1), (one, kind), (kind, one, one)):
        with pytest.raises(TypeError, match="needed"):
            read(budgie.identify_column(Wrong(capsules)))
    with pytest.raises(TypeError, match="a capsule arrow_array_stream is needed"):
        read(budgie.identify_column(Stream()))
    for part in made.parts:
        if part.release:
            part.release(part)


def test_other_types() -> None:
    assert "this column has the Arrow type l" in refused(InOnePiece(schema("l"), array(1, [None, bytes(8)])))
    assert "this column has the Arrow type +l" in refused(InOnePiece(*lists([["a"]])))
    with pytest.raises(DataError, match="lists of words are needed, and this column has the Arrow type u"):
        read(budgie.tag_column(chunks(["a"]), "en"))


def test_other_columns() -> None:
    def made() -> InOnePiece:
        return InOnePiece(*table(texts(["x"], name="id"), texts(["y"], name="text")))

    assert refused(made()) == "column= must say which of these has the texts: id, text"
    assert refused(made(), column="body") == "there is no column body; there are id, text"
    assert refused(made(), column="text", keep=["body"]) == "there is no column body; there are id, text"
    twice = InOnePiece(*table(texts(["x"], name="text"), texts(["y"], name="text")))
    assert refused(twice, column="text") == "there are two columns text"
    taken = InOnePiece(*table(texts(["x"], name="language"), texts(["y"], name="text")))
    assert refused(taken, column="text", keep="language") == "an answer is called language, too: rename yours"
    assert "this is no table but one column" in refused(chunks(["a"]), column="text")
    assert "this is no table but one column" in refused(chunks(["a"]), keep="text")


def test_columns_are_kept_where_no_row_is_null() -> None:
    def made(rows: list[bool]) -> InOnePiece:
        parts = [texts(["1", "2"], name="id"), texts(["a", "b"], name="text")]
        kind = schema("+s", children=[one for one, _ in parts])
        return InOnePiece(kind, array(2, [bits(rows)], [one for _, one in parts]))

    kept = read(budgie.identify_column(made([True, True]), column="text", keep="id"))
    assert [row["id"] for row in kept] == ["1", "2"]
    with pytest.raises((DataError, ReadError), match="rows that are null as a whole cannot be kept"):
        read(budgie.identify_column(made([True, False]), column="text", keep="id"))


def test_a_list_of_words_that_need_no_bytes() -> None:
    many = 2**31 - 1
    words = array(1, [None, struct.pack("<2i", 0, many)], [array(many, [])])
    with pytest.raises((DataError, ReadError), match="too many words"):
        read(budgie.tag_column(InOnePiece(schema("+l", children=[schema("n", "item")]), words), "en"))


def test_a_source_that_is_used_already() -> None:
    source = InOnePiece(*texts(["a"]))
    columns = budgie.identify_column(source)
    assert len(read(columns)) == 1
    assert refused(source) == "the array was used already, or given back"


def test_a_source_that_can_be_read_again() -> None:
    columns = budgie.identify_column(chunks(["a", None]))
    assert read(columns) == read(columns)


def test_a_source_that_fails() -> None:
    with pytest.raises(ReadError) as error:
        read(budgie.identify_column(failing_chunks(["Der Hund schläft."])))
    assert error.value.args == (errno.ENOSPC, "the disk is full")


def test_a_reader_that_stops_early() -> None:
    source = chunks(*[["Der Hund schläft.", None]] * 50)
    assert len(read(budgie.identify_column(source), batches=2)) == 4
    assert source.asked == 2  # and not a batch more
    assert budgie.identify_column(source).__arrow_c_stream__() is not None  # nobody reads it at all
    assert source.asked == 2


class Once:
    """A stream that is there already."""

    def __init__(self, capsule: Any) -> None:
        self.capsule = capsule

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        return self.capsule


def test_streams_that_outlive_all_else() -> None:
    held = budgie.load("langid").identify_column(chunks(["Der Hund schläft."])).__arrow_c_stream__()

    rows: list[Any] = []
    reader = threading.Thread(target=lambda: rows.extend(read(Once(held))))
    reader.start()
    reader.join()
    assert rows[0]["language"] == "de"


@pytest.mark.parametrize("keep_gil", [False, True])
def test_others_run_while_a_batch_is_made(keep_gil: bool) -> None:
    columns = budgie.identify_column(chunks(["The cat sleeps under the table. " * 1_000_000]))
    done, turns = threading.Event(), 0

    def count() -> None:
        nonlocal turns
        while not done.wait(0.001):
            turns += 1

    other = threading.Thread(target=count)
    other.start()
    while not turns:
        pass
    before = turns
    read(columns, keep_gil=keep_gil)
    during = turns - before
    done.set()
    other.join()
    assert during > 20


INTERRUPTED = """
import ctypes, os, signal, sys, threading, time
sys.path.insert(0, sys.argv[1])
from arrow_structs import ReadError, chunks, read
import budgie

source = chunks(*[["The cat sleeps under the table. " * 3000] * 40] * 200)
threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    try:
        read(budgie.annotate_column(source, threads=int(sys.argv[2])), keep_gil=sys.argv[3] == "True")
    except ReadError as error:
        assert "stopped" in str(error), error
        for _ in range(1000):
            time.sleep(0.001)
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.parametrize("threads", ["1", "2"])
@pytest.mark.parametrize("keep_gil", ["False", "True"])
def test_interrupt(threads: str, keep_gil: str) -> None:
    """The reader gets an error at once, and then Python its KeyboardInterrupt."""
    folder = str(Path(__file__).parent)
    call = [sys.executable, "-c", INTERRUPTED, folder, threads, keep_gil]
    done = subprocess.run(call, capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout == "interrupted\n", done.stderr
    assert not done.stderr
