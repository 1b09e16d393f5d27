# SPDX-License-Identifier: Apache-2.0
"""One teacher for two made-up languages: the same words, and other tags in one of them."""

from __future__ import annotations

import lzma
from pathlib import Path

import pytest
from conftest import Command, made_up_sentences, write_columns

torch = pytest.importorskip("torch")

from budgie.formats.sentences import TokenisedSentence
from budgie.train.teacher import teach
from budgie.train.teacher.network import Shape
from budgie.train.teacher.teacher import Lesson
from budgie.train.teacher.together import by_language

TINY = {
    "shape": Shape(width=32, layers=1, heads=2, letter=8, filters=32),
    "frequent": 200,
    "text_epochs": 1,
    "lessons": (Lesson(15, 4, 5e-3, 0.1),),
    "least_steps": 200,
    "reserve": 1.0,
}


def other_tags(sentence: TokenisedSentence) -> TokenisedSentence:
    assert sentence.tags is not None
    return TokenisedSentence(sentence.words, tuple("PROPN" if tag == "NOUN" else tag for tag in sentence.tags))


def silver_of(path: Path) -> list[list[tuple[str, str]]]:
    blocks = lzma.decompress(path.read_bytes()).decode().strip().split("\n\n")
    return [
        [(word, labels.split(":")[0]) for word, labels in (line.split("\t") for line in block.split("\n"))]
        for block in blocks
    ]


def test_languages_are_told_apart_by_their_marks(
    tmp_path: Path, budgie: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(teach, "TOGETHER", TINY)
    train, dev, text = (made_up_sentences(count, count) for count in (160, 30, 40))
    for language, change in (("aa", lambda one: one), ("bb", other_tags)):
        folder = tmp_path / "in" / language
        folder.mkdir(parents=True)
        write_columns(folder / "train.tsv", list(map(change, train)))
        write_columns(folder / "dev.tsv", list(map(change, dev)))
        (folder / "text.txt").write_text("".join(" ".join(one.words) + "\n" for one in text), encoding="utf-8")
    out = tmp_path / "silver" / "two"
    options = ["--device", "cpu", "--members", "2", "--folds", "2", "--seconds", "200"]
    budgie("teach", "--together", tmp_path / "in", "--out", out, *options, notes=True)
    assert b"two-aa dev: " in budgie.error and b"two-bb dev: " in budgie.error
    for language, tag, never in (("aa", "NOUN", "PROPN"), ("bb", "PROPN", "NOUN")):  # `never` is not even possible
        silver = silver_of(tmp_path / "silver" / f"two-{language}-train.silver.tsv.xz")
        assert [[word for word, _ in one] for one in silver] == [list(one.words) for one in train]
        tags = [one for sentence in silver for _, one in sentence]
        assert tags.count(tag) > 50 and never not in tags
        raw = silver_of(tmp_path / "silver" / f"two-{language}-raw.silver.tsv.xz")
        assert {tuple(word for word, _ in one) for one in raw} <= {one.words for one in text}


def test_words_of_a_language_stand_between_those_of_others() -> None:
    found = by_language([("⟨aa⟩", "x", "y"), ("⟨bb⟩", "z"), ("⟨aa⟩", "w")])
    assert found["aa"][0] == [("x", "y"), ("w",)]
    assert found["aa"][1].tolist() == [1, 2, 6]
    assert found["bb"][1].tolist() == [4]


def test_what_a_folder_must_have(tmp_path: Path, budgie: Command) -> None:
    asked = ("teach", "--together", tmp_path, "--out", tmp_path / "silver", "--device", "cpu")
    budgie.fails(*asked, message=f"{tmp_path} must have a folder for each language")
    (tmp_path / "aa").mkdir()
    budgie.fails(*asked, message=f"{tmp_path / 'aa'} must have files train* and dev*")
    given = ("--train", "x", "--exclude", "y")
    budgie.fails(*asked, *given, message="--together names a folder of all sentences: leave out --train, --exclude")
