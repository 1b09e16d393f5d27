# SPDX-License-Identifier: Apache-2.0
"""The corpora for preordering."""

from __future__ import annotations

import lzma
from collections.abc import Callable
from pathlib import Path

import pytest

from budgie import DataError
from budgie.formats.alignments import Aligned
from budgie.licences import classify
from budgie.train.data.datasets import Split
from budgie.train.data.preordering import ALIGNED_CORPORA, aligned_corpus

SPLITS: tuple[Split, ...] = ("train", "dev", "test")


def test_a_corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BUDGIE_DATA", str(tmp_path))
    folder = tmp_path / "preorder" / "enit-xlwa"
    folder.mkdir(parents=True)
    for kind, text in (("src", b"red wine\n"), ("tgt", b"vino rosso\n"), ("align", b"0-1 1-0\n")):
        (folder / f"test.{kind}.xz").write_bytes(lzma.compress(text))
    italian = aligned_corpus("enit-xlwa")
    assert italian.prefix("test") == folder / "test"
    assert italian.read("test") == [Aligned(("red", "wine"), ((1,), (0,)))]
    with pytest.raises(DataError, match=r"there is no .*enit-xlwa/dev\.src"):
        italian.read("dev")
    with pytest.raises(DataError, match="preorder/enja-kftt-manual is not on this machine: get it from http"):
        aligned_corpus("enja-kftt-manual").read("test")
    with pytest.raises(DataError, match="there is no aligned corpus enit; there are enja-kftt-manual, enja-kyoto-auto"):
        aligned_corpus("enit")


def test_names() -> None:
    assert len(ALIGNED_CORPORA) == 19
    for name, one in ALIGNED_CORPORA.items():
        assert name.startswith(f"{one.source}{one.target}-")
        assert one.dataset == f"preorder/{name}"
        assert ("manual" in name) is (one.manual == SPLITS)
        assert ("auto" in name) is (one.manual == ())
        assert ("xlwa" in name) is (one.manual == ("dev", "test"))
    assert len({one.name for one in ALIGNED_CORPORA.values()}) == 19


def test_the_manifest(shared_data: Callable[[str], Path]) -> None:
    rows = (shared_data("preorder/enja-kftt-manual").parent / "manifest.tsv").read_text("utf-8").splitlines()
    header, *sets = (row.split("\t") for row in rows)
    found = {one["name"]: one for one in (dict(zip(header, cells, strict=True)) for cells in sets)}
    assert found.keys() == ALIGNED_CORPORA.keys()
    for name, one in ALIGNED_CORPORA.items():
        assert found[name]["note"].startswith(f"{one.source}->{one.target}")
        if "CC-BY-NC" in found[name]["license"]:
            assert classify(one.licence) == "non-commercial"
        for split in SPLITS:
            if (count := int(found[name][split])) < 10_000:  # the others take seconds
                assert len(one.read(split)) == count, f"{name} {split}"
