# SPDX-License-Identifier: Apache-2.0
"""Plain text for teachers of taggers: where it is, that it may be used, and how two teachers label it together."""

from __future__ import annotations

import lzma
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs the extra `train`")

from tools import silver_tags
from tools.plain_words import plain_sentences

import budgie
from budgie.formats.sentences import TokenisedSentence
from budgie.licences import classify, listed
from budgie.train.data.datasets import DATASETS
from budgie.train.data.plain_text import RAW_TEXT, SOURCES, plain_text_files, plain_text_sources
from budgie.train.data.treebanks import TREEBANKS

# A worker that has learnt how often each tag occurs, and nothing else.
COUNTING = """
import json, sys
tags = [tag for sentence in json.loads(sys.stdin.readline()) for _, tag in sentence]
print(json.dumps(sorted(set(tags))))
for line in sys.stdin:
    print(json.dumps([[tags.count(tag) / len(tags) for tag in sorted(set(tags))] for _ in json.loads(line)]))
"""


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Official data, made up: two sources of Dutch, one of which is larger."""
    for source, lines in (("tatoeba", 30), ("commonvoice", 3), ("mediawiki", 9)):
        text = "".join(f"Zin nummer {i} van {source} is kort. Dit ook.\n" for i in range(lines))
        file = tmp_path / "langid" / "train" / source / "nl.txt.xz"
        file.parent.mkdir(parents=True)
        file.write_bytes(lzma.compress(text.encode()))
    (tmp_path / "langid" / "train_extra").mkdir()
    monkeypatch.setenv("BUDGIE_DATA", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("language", sorted({*SOURCES, *RAW_TEXT}))
def test_all_of_it_is_free(language: str) -> None:
    assert language in TREEBANKS
    assert {*SOURCES.get(language, "").split()} <= DATASETS.keys()
    named = listed(", ".join(plain_text_sources(language)))
    assert len(named) == len(plain_text_sources(language))
    assert {classify(licence) for _, licence in named} == {"free"}


@pytest.mark.parametrize("language", sorted(SOURCES))
def test_files_are_where_they_are_said_to_be(language: str, shared_data: Callable[[str], Path]) -> None:
    folders = [shared_data("langid/train"), shared_data("langid/train_extra")]
    for source in SOURCES[language].split():
        assert any((folder / source / f"{language}.txt.xz").exists() for folder in folders), source


def test_sources_share_the_words(data: Path) -> None:
    assert [file.parent.name for file in plain_text_files("nl")] == ["commonvoice", "tatoeba"]
    known = TokenisedSentence(("Dit", "ook", "."), None)
    sentences = list(plain_sentences("nl", 100, [known]))
    assert ("Zin", "nummer", "2", "van", "commonvoice", "is", "kort", ".") in sentences
    assert 100 <= sum(map(len, sentences)) < 120
    assert known.words not in sentences  # it may be a sentence of the test set
    assert list(plain_sentences("km", 100, [])) == []  # no free model knows its words


def test_text_of_all_parts_of_a_file(data: Path) -> None:
    numbers = [int(words[2]) for words in plain_sentences("nl", 100, [], spread=True) if words[0] == "Zin"]
    assert numbers[:3] == [0, 1, 2]  # of Common Voice, which has no more than its share
    assert numbers[3:] == list(range(0, 4 * len(numbers[3:]), 4))
    assert max(numbers) > 15


def test_two_teachers_label_together(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    worker = tmp_path / "worker.py"
    worker.write_text(COUNTING)
    monkeypatch.setattr(silver_tags, "WORKER", worker)
    tagger = budgie.load("pos-nl")
    sentences = [("De", "kat", "slaapt"), ("Ja",)]
    ours = silver_tags.tagger_says(tagger, sentences)
    assert ours.sum(axis=1) == pytest.approx(np.ones(4), abs=1e-4)
    answers = [tagger.tags[column] for column in ours.argmax(axis=1)]
    assert answers == [tag for words in sentences for tag in tagger.tag(words)]
    learnt = [TokenisedSentence(("a", "b", "c", "d"), ("NOUN", "NOUN", "NOUN", "VERB"))]
    theirs = silver_tags.field_says(sys.executable, learnt, sentences, tagger.tags)
    assert theirs[:, tagger.tags.index("NOUN")] == pytest.approx(np.full(4, 0.75))
    assert theirs.sum(axis=1) == pytest.approx(np.ones(4))
