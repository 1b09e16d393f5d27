# SPDX-License-Identifier: Apache-2.0
"""Files on this machine and in a store: found, read, and written whole or not at all."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from budgie.errors import DataError, MissingExtra
from budgie.formats import places
from budgie.formats.places import find, is_file, is_folder, join, open_reading, read, stamp, writing
from budgie.formats.sources import Source

FILES = ("a.txt", "b/c.txt", "b/d/e.parquet", "b/_hidden/x.txt", ".git/y.txt", "_summary.json")


@pytest.fixture(params=["local", "memory"])
def folder(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A folder with FILES, here and in a store."""
    name = str(tmp_path)
    if request.param == "memory":
        pytest.importorskip("fsspec", reason="fsspec is part of the extra arrow")
        name = f"memory://{uuid.uuid4().hex}"
    for relative in FILES:
        with writing(join(name, relative)) as file:
            file.write(relative.encode())
    monkeypatch.chdir(tmp_path)
    yield name


def relatives(name: str) -> list[str]:
    return [one.relative for one in find(name)]


def test_what_names_stand_for(folder: str) -> None:
    assert relatives(folder) == ["a.txt", "b/c.txt", "b/d/e.parquet"]
    assert relatives(f"{folder}/") == relatives(folder)
    assert relatives(join(folder, "b/*.txt")) == ["c.txt"]
    assert relatives(join(folder, "**/*.txt")) == ["a.txt", "b/c.txt"]
    assert relatives(join(folder, "?.txt")) == relatives(join(folder, "a.txt")) == ["a.txt"]
    assert relatives(join(folder, "_summary.json")) == ["_summary.json"]  # whoever names it means it
    assert relatives(join(folder, "b/_hidden/*")) == ["x.txt"]
    for found in find(folder):
        assert read(found.name) == found.relative.encode()
        assert is_file(found.name) and not is_folder(found.name)
    assert is_folder(folder) and is_folder(join(folder, "b")) and not is_file(folder)
    with pytest.raises(DataError, match="there are no files"):
        find(join(folder, "*.nothing"))
    with pytest.raises((DataError, FileNotFoundError)):
        find(join(folder, "nothing"))


def test_names_from_here() -> None:
    here = find("*.toml") if Path("pyproject.toml").exists() else []
    assert [one.name for one in here] == [one.relative for one in here]


def test_stamps_change_with_files(folder: str) -> None:
    name = join(folder, "a.txt")
    before = stamp(name)
    assert before.size == len("a.txt") and stamp(name) == before
    with writing(name) as file:
        file.write(b"other")
    if "://" not in name:
        os.utime(name, ns=(1, 1))
    assert stamp(name) != before
    with pytest.raises(FileNotFoundError):
        stamp(join(folder, "nothing"))
    assert read(join(folder, "nothing")) is None


def test_written_whole_or_not_at_all(folder: str) -> None:
    name = join(folder, "new/z.txt")
    with pytest.raises(ZeroDivisionError), writing(name) as file:
        file.write(b"half")
        raise ZeroDivisionError
    assert read(name) is None
    with writing(name) as file:
        file.write(b"whole")
        assert read(name) is None
    assert read(name) == b"whole"
    with pytest.raises(ZeroDivisionError), writing(name) as file:
        file.write(b"half of another")
        raise ZeroDivisionError
    assert read(name) == b"whole"
    assert [one.relative for one in find(join(folder, "new"))] == ["z.txt"]


def test_commands_read_from_stores(folder: str) -> None:
    source = Source(join(folder, "a.txt"))
    assert b"".join(source.chunks()) == b"a.txt"
    assert source.bytes == source.place == 5
    with open_reading(join(folder, "a.txt")) as file:
        assert file.peek(2)[:2] == b"a."


def test_stores_that_are_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("fsspec", reason="fsspec is part of the extra arrow")
    with pytest.raises(DataError, match="nonsense://x"):
        find("nonsense://x")
    monkeypatch.setitem(__import__("sys").modules, "fsspec.core", None)
    with pytest.raises(MissingExtra, match=r"budgie-nlp\[arrow\]"):
        find("memory://x")


def test_names_that_are_no_urls() -> None:
    assert places.is_url("s3://bucket/x") and places.is_url("abfs://c@a.b/x")
    assert not any(map(places.is_url, ("C:\\x", "a/b", "a:b", "/x//y", "x://"[:2])))
