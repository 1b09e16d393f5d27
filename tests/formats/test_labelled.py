# SPDX-License-Identifier: Apache-2.0
"""Readers: what they accept, and what they say about what they do not."""

import gzip
import io
import lzma
import tarfile
from pathlib import Path

import pytest

from budgie.errors import DataError
from budgie.formats.labelled import Document, Example, read_baldwin_lui, read_labelled
from budgie.formats.lines import read_lines


def test_table_with_bom_crlf_blank_lines_and_no_last_line_feed(tmp_path: Path) -> None:
    path = tmp_path / "train.tsv"
    path.write_bytes("\ufeffde\tGuten Tag\r\n\r\nen\tgood\tmorning \r\nde\t\r\nen\tbye\u2028now".encode())
    assert list(read_labelled(path)) == [
        Example("de", "Guten Tag"),
        Example("en", "good\tmorning"),
        Example("en", "bye\u2028now"),
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"de\tGuten Tag\nen good morning\n", "line 2: no tab"),
        (b"de\tGuten Tag\nen\tna\xefve\n", "line 2, byte 6 of the line: this is not UTF-8"),
        (b"de\tGuten Tag\n \tgood\n", "line 2: the label before the tab is empty"),
        (b"", "is empty"),
        (b"\n\n", "holds no text"),
    ],
)
def test_table_errors_name_file_and_line(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "train.tsv"
    path.write_bytes(content)
    with pytest.raises(DataError, match=r"train\.tsv") as caught:
        list(read_labelled(path))
    assert message in str(caught.value)


def test_folder_of_plain_and_compressed_files_with_and_without_sources(tmp_path: Path) -> None:
    (tmp_path / "news").mkdir()
    (tmp_path / "de.txt").write_text("eins\n\nzwei\n", "utf-8")
    (tmp_path / "en.txt.gz").write_bytes(gzip.compress(b"one\n"))
    (tmp_path / "news" / "zh-Hant.txt.xz").write_bytes(lzma.compress("漢字\n".encode()))
    (tmp_path / "README.md").write_text("not data", "utf-8")
    assert list(read_labelled(tmp_path)) == [
        Example("de", "eins"),
        Example("de", "zwei"),
        Example("en", "one"),
        Example("zh-Hant", "漢字", "news"),
    ]


def test_a_folder_without_texts_says_what_it_should_hold(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"LABEL\.txt"):
        list(read_labelled(tmp_path))


@pytest.mark.parametrize("name", ["a.txt.xz", "a.txt.gz", "b.txt"])
def test_files_that_are_damaged_or_missing(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    if name.startswith("a"):
        path.write_bytes(b"not compressed at all")
    with pytest.raises(DataError, match="cannot be read" if path.exists() else "No such file or directory"):
        list(read_lines(path))


def test_a_cut_off_file_gives_its_lines_and_then_an_error(tmp_path: Path) -> None:
    path = tmp_path / "a.txt.gz"
    path.write_bytes(gzip.compress(b"one\ntwo\n" * 10_000)[:-20])
    with pytest.raises(DataError, match="cannot be read"):
        list(read_lines(path))


def test_reading_is_streaming(tmp_path: Path) -> None:
    path = tmp_path / "train.tsv"
    path.write_bytes(b"de\teins\nen\tone\nbroken\n")
    lines = read_labelled(path)
    assert next(lines) == Example("de", "eins")
    assert next(lines) == Example("en", "one")


def archive(path: Path, files: dict[str, bytes]) -> Path:
    with tarfile.open(path, "w:xz") as tar:
        for name, content in files.items():
            member = tarfile.TarInfo(f"naacl2010-langid/{name}")
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    return path


META = b"x_1\tiso-8859-1\tde\t3\nx_2\tutf-8\tfr\t0\n"


def test_baldwin_lui_takes_language_and_encoding_from_the_meta_file(tmp_path: Path) -> None:
    path = archive(
        tmp_path / "bl.tar.xz",
        {"TCL.meta": META, "TCL/x_1": b"f\xfcr", "TCL/x_2": b"\xc3\xa9t\xe9", "Wikipedia/x_1": b"other"},
    )
    assert read_baldwin_lui(path, "TCL") == [Document("x_1", "für", "de", 3), Document("x_2", "ét\ufffd", "fr", 0)]


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"TCL/x_1": b""}, "holds no TCL.meta"),
        ({"TCL.meta": META, "TCL/x_1": b""}, "line 2: the archive lacks TCL/x_2"),
        ({"TCL.meta": b"x_1\tutf-8\tde\n", "TCL/x_1": b""}, "line 1: not four fields"),
        ({"TCL.meta": b"x_1\tklingon\tde\t1\n", "TCL/x_1": b"a"}, "line 1: unknown encoding klingon"),
    ],
)
def test_baldwin_lui_errors(tmp_path: Path, files: dict[str, bytes], message: str) -> None:
    with pytest.raises(DataError) as caught:
        read_baldwin_lui(archive(tmp_path / "bl.tar.xz", files), "TCL")
    assert message in str(caught.value)


def test_baldwin_lui_refuses_what_is_no_archive(tmp_path: Path) -> None:
    path = tmp_path / "bl.tar.xz"
    path.write_bytes(b"<html>404</html>")
    with pytest.raises(DataError, match="not a readable archive"):
        read_baldwin_lui(path, "Wikipedia")
