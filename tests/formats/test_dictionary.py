# SPDX-License-Identifier: Apache-2.0
"""The dictionary of a user: all that people write into one is read, or refused with the number of the line."""

from __future__ import annotations

import gzip
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from budgie import DataError
from budgie.formats.dictionary import read_dictionary

WORDS = ["小明图书馆", "New York", "C++", "#1", "well-known", "👩‍🚀", "จุฬา ลงกรณ์"]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_file(tmp_path: Path, bom: str, end: str) -> None:
    path = tmp_path / "words.txt"
    lines = [f" {WORDS[0]}\t", "", *WORDS[1:], "　", WORDS[0]]  # white space around a word, blank lines, a word twice
    content = (bom + end.join(lines)).encode()
    for bytes_of_file in (content, content + end.encode()):
        path.write_bytes(bytes_of_file)
        assert read_dictionary(path) == read_dictionary(str(path)) == WORDS
    packed = tmp_path / "words.txt.gz"
    packed.write_bytes(gzip.compress(content))
    assert read_dictionary(packed) == WORDS


def test_empty(tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_bytes(b"")
    assert read_dictionary(tmp_path / "words.txt") == read_dictionary([]) == read_dictionary(["", " "]) == []


def test_list(tmp_path: Path) -> None:
    assert read_dictionary(["b", " a ", "b"]) == ["b", "a"]
    assert read_dictionary(iter(WORDS)) == WORDS
    path = tmp_path / "words.txt"
    path.write_text("\n".join(WORDS), "utf-8")
    with path.open(encoding="utf-8") as file:  # an open file is an iterable of str, too
        assert read_dictionary(file) == WORDS


def test_a_byte_order_mark_is_one_of_a_file(tmp_path: Path) -> None:
    """In a list it belongs to a word, as it does in all other lines: what was read can be read again."""
    lines = ["\ufeffa", "b", "\ufeffc"]
    assert read_dictionary(lines) == read_dictionary(read_dictionary(lines)) == lines
    path = tmp_path / "words.txt"
    path.write_text("\n".join(lines), "utf-8")
    assert read_dictionary(path) == ["a", "b", "\ufeffc"]
    path.write_text("\ufeff" + "\n".join(lines), "utf-8")
    assert read_dictionary(path) == lines


def test_longest() -> None:
    assert read_dictionary(["字" * 1000]) == ["字" * 1000]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"\xff", "line 2, byte 1 of the line: this is not UTF-8; convert the dictionary to UTF-8"),
        ("石墨烯 100 n".encode(), "line 2: a frequency; a dictionary has one word a line"),
        ("词\t12".encode(), "line 2: a tab; a dictionary has one word a line and nothing else, such as a frequency"),
        (b"a\x00b", r"line 2: the control character U\+0000; remove it"),
        ("a\u2028b".encode(), r"line 2: the control character U\+2028"),
        (b"a\rb", r"line 2: the control character U\+000D"),
        (b"a" * 1001, "line 2: more than 1,000 characters; a dictionary has one word a line"),
        ("字".encode() * 1001, "line 2: more than 1,000 characters"),
        (b" " * 10**6, "line 2: more than 1,000 characters"),
    ],
)
def test_bad_lines(tmp_path: Path, line: bytes, message: str) -> None:
    path = tmp_path / "words.txt"
    path.write_bytes(b"good\n" + line + b"\nword\n")
    with pytest.raises(DataError, match=f"words.txt, {message}"):
        read_dictionary(path)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"missing: No such file"):
        read_dictionary(tmp_path / "missing")
    with pytest.raises(DataError, match="Is a directory"):
        read_dictionary(tmp_path)
    (tmp_path / "bad.gz").write_bytes(b"no gzip")
    with pytest.raises(DataError, match=r"bad\.gz: cannot be read \(Not a gzipped file"):
        read_dictionary(tmp_path / "bad.gz")


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (["a", 3], "word 2 of the dictionary is int, not str"),
        ([b"a"], "word 1 of the dictionary is bytes, not str"),
        (b"words.txt", "a dictionary is the path of a file, as str, or an iterable of str"),
        (3, "not iterable"),
    ],
)
def test_wrong_types(source: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        read_dictionary(source)


@pytest.mark.parametrize(
    ("item", "message"),
    [("a\tb", "a tab"), ("a\nb", r"U\+000A"), ("\ud800", "not valid Unicode"), ("a" * 1001, "more than 1,000")],
)
def test_bad_items(item: str, message: str) -> None:
    with pytest.raises(DataError, match=f"the dictionary, word 2: .*{message}"):
        read_dictionary(["good", item])


def test_a_list_imports_little() -> None:
    program = "import sys, budgie.formats.dictionary as d; d.read_dictionary(['a']); sys.exit('tarfile' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
