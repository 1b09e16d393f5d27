# SPDX-License-Identifier: Apache-2.0
"""The teacher learns a tiny made-up language: endings tell the tag, but for one word that needs its neighbour."""

from __future__ import annotations

import argparse
import lzma
from pathlib import Path

import pytest
from conftest import Command, made_up_sentences, write_columns

torch = pytest.importorskip("torch")

from budgie.errors import ConfigError
from budgie.formats.sentences import TokenisedSentence
from budgie.train.teacher import teacher
from budgie.train.teacher import text as teacher_text
from budgie.train.teacher.network import Shape
from budgie.train.teacher.teach import teach_command
from budgie.train.teacher.text import SentenceRows, TeacherLexicon

TINY = teacher.Settings(
    shape=Shape(width=32, layers=1, heads=2, letter=8, filters=32),
    frequent=200,
    text_epochs=2,
    lessons=(teacher.Lesson(15, 4, 5e-3, 0.1), teacher.Lesson(10, 4, 5e-3, 0.1)),
    least_steps=100,
    label_lengths=(2, 60),
    reserve=1.0,
)


def read_silver(path: Path) -> list[list[tuple[str, dict[str, float]]]]:
    sentences = []
    for block in lzma.decompress(path.read_bytes()).decode().split("\n\n"):
        lines = [line.split("\t") for line in block.splitlines()]
        pairs = [(form, [label.rsplit(":", 1) for label in labels.split(" ")]) for form, labels in lines]
        sentences.append([(form, {tag: float(share) for tag, share in labels}) for form, labels in pairs])
    return [words for words in sentences if words]


@pytest.fixture(scope="module")
def taught(
    tmp_path_factory: pytest.TempPathFactory,
) -> tuple[Path, list[TokenisedSentence], list[TokenisedSentence], list[TokenisedSentence]]:
    folder = tmp_path_factory.mktemp("teacher")
    train, dev, text = (made_up_sentences(count, count) for count in (240, 40, 200))
    raw = folder / "raw.txt"
    raw.write_text("".join(" ".join(s.words) + "\n" for s in text + text + dev), encoding="utf-8")
    args = argparse.Namespace(
        train=[write_columns(folder / "train.tsv", train)],
        dev=[write_columns(folder / "dev.tsv", dev)],
        test=[],
        segmented=None,
        lexicon=None,
        text=[str(raw)],
        exclude=[write_columns(folder / "exclude.tsv", text[:20])],
        out=str(folder / "silver" / "tiny"),
        encoder=str(folder / "encoder"),
        device="cpu",
        seconds=300,
        seed=1,
        members=2,
        folds=2,
        words=10**6,
        steps=1000,
        together=None,
    )
    torch.set_num_threads(1)
    assert teach_command(args, TINY) == 0
    return folder, train, dev, text


def test_unseen_training_sentences_are_labelled_rightly(taught) -> None:
    folder, train, _, _ = taught
    silver = read_silver(folder / "silver" / "tiny-train.silver.tsv.xz")
    assert [[form for form, _ in words] for words in silver] == [list(s.words) for s in train]
    guesses = [max(labels, key=labels.get) for words in silver for _, labels in words]
    gold = [tag for s in train for tag in s.tags]
    assert sum(map(str.__eq__, guesses, gold)) / len(gold) > 0.97


def test_labels_are_probabilities_likeliest_first(taught) -> None:
    silver = read_silver(taught[0] / "silver" / "tiny-raw.silver.tsv.xz")
    for _, labels in (word for words in silver for word in words):
        assert set(labels) <= {"DET", "NOUN", "PRON", "VERB"}
        assert sum(labels.values()) == pytest.approx(1, abs=0.02)
        assert list(labels.values()) == sorted(labels.values(), reverse=True)
        assert min(labels.values()) >= 0.005


def test_each_sentence_once_and_none_that_is_excluded(taught) -> None:
    folder, _, dev, text = taught
    silver = [" ".join(form for form, _ in s) for s in read_silver(folder / "silver" / "tiny-raw.silver.tsv.xz")]
    excluded = {" ".join(s.words) for s in dev + text[:20]}
    assert len(silver) == len(set(silver)) > 100
    assert not excluded & set(silver)
    assert set(silver) == {" ".join(s.words) for s in text} - excluded


def test_the_encoder_serves_a_second_treebank(taught) -> None:
    folder, train, dev, _ = taught
    again = teacher.Teacher(train, [], TINY, "cpu", 2)
    encoder = teacher.Encoder.load(folder / "encoder")
    assert not any(name.startswith("tagger") for name in encoder.weights)
    labels = again.teach(encoder, dev, [], teacher.Clock(0))  # no time: one member all the same
    assert labels["train"].probabilities().sum(1).min() == pytest.approx(1, abs=1e-4)


def test_a_file_that_is_no_encoder(tmp_path: Path) -> None:
    path = tmp_path / "encoder"
    path.write_bytes(b"junk")
    with pytest.raises(ConfigError, match="no encoder"):
        teacher.Encoder.load(path)


def test_every_word_has_its_place_in_the_rows() -> None:
    sentences = [[f"w{i}"] * length for i, length in enumerate((5, 127, 1, 300, 2, 128))]
    lexicon = TeacherLexicon.of(sentences, 10)
    rows = SentenceRows.of(sentences, lexicon, torch.device("cpu"))
    assert rows.words.flatten()[rows.places].tolist() == lexicon.numbers(w for s in sentences for w in s)
    assert len(set(rows.places.tolist())) == 563
    assert int((rows.sentences == 0).sum()) == rows.words.numel() - 563


def test_long_words_keep_both_ends() -> None:
    word = "abcdefghijklmnopqrstuvwxyz"
    lexicon = TeacherLexicon(word, [])
    (number,) = lexicon.numbers([word])
    spelled = [word[i - 5] for i in lexicon.spellings()[number].tolist()[1:-1]]
    assert "".join(spelled) == "abcdef" + word[-(teacher_text.LETTERS - 8) :]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--device", "cpu"], "give --train and --dev; --lexicon is for --segmented"),
        (["--segmented", "xx"], "--segmented xx: there are corpora of zh, zh-research"),
        (["--segmented", "ja", "--text", "a.txt"], "--segmented names corpora and text: leave out --train"),
    ],
)
def test_the_command_says_what_it_needs(budgie: Command, tmp_path: Path, arguments: list[str], message: str) -> None:
    budgie.fails("teach", "--out", tmp_path / "silver", *arguments, message=message)
