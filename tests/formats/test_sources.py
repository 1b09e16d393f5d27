# SPDX-License-Identifier: Apache-2.0
"""Bytes of inputs: compressed under any name, in UTF-16 and UTF-32 with a byte order mark, damaged."""

from __future__ import annotations

import gzip
import io
import lzma
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from budgie import DataError
from budgie.formats.sources import Source

TEXT = "Größe 我 😀\n" * 500


def zst(data: bytes) -> bytes:
    return bytes(pytest.importorskip("zstandard").ZstdCompressor().compress(data))


PACKED = {"gz": gzip.compress, "xz": lzma.compress, "zst": zst}


@pytest.mark.parametrize("name", ["text.{}", "text.txt", "text"])
@pytest.mark.parametrize("kind", PACKED)
def test_compressed_files_are_known_by_how_they_begin(kind: str, name: str, tmp_path: Path) -> None:
    path = tmp_path / name.format(kind)
    path.write_bytes(PACKED[kind](TEXT.encode()) * 2)
    source = Source(str(path))
    assert b"".join(source.chunks()) == TEXT.encode() * 2
    assert source.bytes == 2 * len(TEXT.encode())


@pytest.mark.parametrize("pack", [bytes, *PACKED.values()])
def test_standard_input(pack: Callable[[bytes], bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    reader = io.BufferedReader(io.BytesIO(pack(TEXT.encode())))  # type: ignore[arg-type]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(reader))
    source = Source("-")
    assert b"".join(source.chunks()) == TEXT.encode()
    assert source.shown == "standard input"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_says_the_encoding(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    for text in (TEXT, TEXT * 300, "", "a"):  # more than one chunk, and less than a mark
        path.write_bytes(text.encode(encoding))
        assert b"".join(Source(str(path)).chunks()).decode() == text
    for mark, order in (("\ufeff", "utf-16-be"), ("\ufeff", "utf-32-be")):
        path.write_bytes((mark + TEXT).encode(order))
        assert b"".join(Source(str(path)).chunks()).decode() == TEXT
    path.write_bytes(TEXT.encode("utf-16") + b"x")  # half a character
    assert b"".join(Source(str(path)).chunks()).decode() == TEXT + "\ufffd"


@pytest.mark.parametrize("kind", PACKED)
def test_what_comes_before_damage_is_read(kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"text.{kind}"
    numbers = "".join(f"{number}\n" for number in range(200_000)).encode()
    path.write_bytes(PACKED[kind](numbers)[:-2000])
    source = Source(str(path))
    found = b""
    with pytest.raises(DataError, match=r"cannot be read"):
        for chunk in source.chunks():
            found += chunk
    assert numbers.startswith(found)
    assert len(found) > len(numbers) // 2 or kind == "zst"  # which gives whole blocks


def test_place(tmp_path: Path) -> None:
    path = tmp_path / "text.gz"
    path.write_bytes(gzip.compress(TEXT.encode()))
    source = Source(str(path))
    assert source.place == 0
    for _ in source.chunks():
        assert source.place == path.stat().st_size
    assert source.place == path.stat().st_size  # answers to the end of an input come when it is closed
