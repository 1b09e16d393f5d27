# SPDX-License-Identifier: Apache-2.0
"""Official data: where it is looked for, and what is said where it is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from budgie.errors import DataError
from budgie.formats.labelled import read_baldwin_lui, text_files
from budgie.train.data import datasets


def test_datasets_are_found_below_the_named_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BUDGIE_DATA", str(tmp_path))
    with pytest.raises(DataError) as caught:
        datasets.find("tatoeba")
    for part in ("tatoeba", "https://", "CC-BY-2.0-FR", "langid/train/tatoeba", "BUDGIE_DATA"):
        assert part in str(caught.value)
    folder = tmp_path / "langid" / "train" / "tatoeba"
    folder.mkdir(parents=True)
    assert datasets.find("tatoeba") == folder


def test_datasets_are_found_beside_the_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BUDGIE_DATA", raising=False)
    data = tmp_path / "shared" / "data" / "langid" / "dev" / "udhr"
    data.mkdir(parents=True)
    (tmp_path / "main").mkdir()
    monkeypatch.chdir(tmp_path / "main")
    assert datasets.find("udhr") == data


def test_an_unknown_dataset_is_named() -> None:
    with pytest.raises(DataError, match="no data set is called tatoebba"):
        datasets.find("tatoebba")


def test_official_files_where_they_are() -> None:
    try:
        train, archive_file = datasets.find("langid/train"), datasets.find("baldwin_lui")
    except DataError:
        pytest.skip("no official data on this machine")
    assert {path.parent.name for path in text_files(train)} <= datasets.DATASETS.keys()
    documents = read_baldwin_lui(archive_file, "Wikipedia")
    assert len(documents) == 4963
    assert len({document.language for document in documents} - {"UNKNOWN"}) == 66
    assert len(read_baldwin_lui(archive_file, "TCL")) == 3174
