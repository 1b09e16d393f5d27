# SPDX-License-Identifier: Apache-2.0
"""Files that are there as a whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from budgie.formats.files import replacing


def test_a_file_is_replaced_when_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.write_bytes(b"old")
    with replacing(path) as file:
        file.write(b"new")
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"
    with pytest.raises(KeyboardInterrupt), replacing(path) as file:
        file.write(b"part")
        raise KeyboardInterrupt
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_stays(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "there" / "out")
    with replacing(tmp_path / "link") as file:
        file.write(b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "there" / "out").read_bytes() == b"new"


def test_errors_name_the_file(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    (tmp_path / "file").touch()
    for path in (tmp_path, tmp_path / "no" / "folder", tmp_path / "a", tmp_path / "a" / "c", tmp_path / "file" / "x"):
        with pytest.raises(OSError) as error, replacing(path):
            pass
        assert error.value.filename == str(path)
