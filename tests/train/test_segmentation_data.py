# SPDX-License-Identifier: Apache-2.0
"""The corpora for segmentation."""

from __future__ import annotations

import lzma
from collections.abc import Callable
from pathlib import Path

import pytest

from budgie import DataError
from budgie.train.data.datasets import Split
from budgie.train.data.segmentation import (
    SEGMENTED_CORPORA,
    TESTED_ONLY,
    SegmentedCorpus,
    segmented_corpus,
    text_sources,
)
from budgie.train.segmentation.units import read_text


def test_corpora(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BUDGIE_DATA", str(tmp_path))
    folder = tmp_path / "seg" / "zh-sxu"
    folder.mkdir(parents=True)
    (folder / "train.txt").write_text("我 在\n你 在\n", "utf-8")
    (folder / "test.txt.xz").write_bytes(lzma.compress("你 在\n他 在\n".encode()))
    sxu = segmented_corpus("zh", "sxu")
    assert [one.text for one in sxu.read("train")] == ["我在", "你在"]
    assert [one.text for one in sxu.read("test")] == ["他在"]  # the other one stands in the training set
    with pytest.raises(DataError, match=r"zh-sxu holds no dev\.txt"):
        sxu.read("dev")
    with pytest.raises(DataError, match="seg/zh-msr has no train set; it has test"):
        segmented_corpus("zh", "msr").read("train")
    with pytest.raises(DataError, match="seg/th-tud is not on this machine: get it from https://"):
        segmented_corpus("th", "tud").read("train")
    with pytest.raises(DataError, match="no corpus of th by the standard pku; there are zh gsd"):
        segmented_corpus("th", "pku")


@pytest.mark.parametrize(
    ("one", "split"),
    [
        (one, split)
        for table in (SEGMENTED_CORPORA, TESTED_ONLY)
        for found in table.values()
        for one in found
        for split in one.splits
    ],
    ids=lambda value: value.dataset if isinstance(value, SegmentedCorpus) else value,
)
def test_real_corpora(one: SegmentedCorpus, split: Split, shared_data: Callable[[str], Path]) -> None:
    shared_data(one.dataset)
    sentences = one.read(split)
    assert len(sentences) > 90
    assert not any("▁" in sentence.text or "BKT" in sentence.text for sentence in sentences)
    assert any(" " in sentence.text for sentence in sentences) is (one.convention != "joined")


def test_running_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BUDGIE_DATA", str(tmp_path))
    for name, text in {
        "langid/train/tatoeba/ja.txt.xz": "猫が好き。\n道元は禅僧。\n",
        "preorder/enja-kyoto-auto/train.tgt.xz": "道元 は 禅僧 。\nthe kyoto の 本 。\n道元 は 僧 。\n",
        "seg/ja-gsd/dev.txt": "猫 が 好き 。\n",
        "seg/ja-gsd/test.txt": "道元 は 僧 。\n",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(lzma.compress(text.encode()) if path.suffix == ".xz" else text.encode())
    # Words that others have cut are put together; each text comes once, and none that is held out or tested with.
    assert list(read_text("ja")) == ["道元は禅僧。", "the kyotoの本。"]
    assert text_sources("ja") == [
        "tatoeba (CC-BY-2.0-FR)",
        "Wikipedia's Kyoto Articles (NICT) (CC-BY-SA-3.0 (NICT, Wikipedia))",
    ]
