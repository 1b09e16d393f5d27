# SPDX-License-Identifier: Apache-2.0
"""`budgie segment`, and `budgie evaluate` for segmenters; the segmenter is made up here."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from conftest import Command

from budgie import ModelError, coverage
from budgie.cli import main
from budgie.formats.dictionary import read_dictionary


class Characters:
    """Words are runs of ASCII, those of the dictionary, and else single characters."""

    finds_sentences = False

    def __init__(self, model: Any, dictionary: Any = ()) -> None:
        self.model = model
        kept = "".join(f"{re.escape(word)}|" for word in read_dictionary(dictionary))
        self.tokens = re.compile(rf"{kept}[!-~]+|[^\s\u200b]", re.DOTALL)

    def segment_batch(self, texts: list[str], threads: int = 1) -> list[list[str]]:
        return [self.tokens.findall(text) for text in texts]

    def spans_batch(self, texts: list[str], threads: int = 1) -> list[list[tuple[int, int]]]:
        return [[token.span() for token in self.tokens.finditer(text)] for text in texts]


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """What segmenters were made from: name of the model, dictionary, standard."""
    calls: list[tuple[Any, ...]] = []

    def make(model: Any, dictionary: Any = (), standard: str | None = None) -> Characters:
        if model.config.task != "seg":
            raise ModelError(f"this is a model for {model.config.task}, not for segmentation")
        calls.append((model.name, dictionary, standard))
        return Characters(model, dictionary)

    def read_model(name: str) -> Any:
        text = SimpleNamespace(spaces="join" if name == "seg-vi" else "break")
        config = SimpleNamespace(task=name.partition("-")[0], text=text)
        return SimpleNamespace(name=name, config=config, core=SimpleNamespace(standards=("und", "en")))

    coverage.of("en")  # it remembers what models there are: must be the true ones
    for name in ("budgie.Segmenter", "budgie.tasks.segmentation.Segmenter"):
        monkeypatch.setattr(name, make)
    monkeypatch.setattr("budgie.read_model", read_model)
    monkeypatch.setattr("budgie.models", lambda: ["langid", "pos-en", "seg-vi", "seg-zh"])
    return calls


pytestmark = pytest.mark.usefixtures("made")
SEGMENT = ("segment", "--language", "zh")
TEXT = "我有 iPhone。\n\n你　呢？\n"
WORDS = "我 有 iPhone 。\n\n你 呢 ？\n"


# ---- segment ---------------------------------------------------------------------------------------------------


def test_words(budgie: Command) -> None:
    for text in (TEXT, TEXT.removesuffix("\n"), TEXT.replace("\n", "\r\n"), "\ufeff" + TEXT):
        assert budgie(*SEGMENT, stdin=text.encode()).decode() == WORDS
    assert budgie(*SEGMENT, "--threads", 2, "-", stdin=TEXT.encode()).decode() == WORDS
    assert budgie(*SEGMENT, stdin=b"") == b""
    assert budgie(*SEGMENT, stdin=b"\n \n") == b"\n\n"
    assert budgie(*SEGMENT, "--separator", " | ", stdin="你呢".encode()).decode() == "你 | 呢\n"
    assert budgie(*SEGMENT, "--separator", "\n", stdin="你呢".encode()).decode() == "你\n呢\n"


def test_dictionary(budgie: Command, made: list[tuple[Any, ...]], tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("New York\n我有\n", "utf-8")
    segment = (*SEGMENT, "--dictionary", path)
    text = "我有New York".encode()
    assert budgie(*segment, stdin=text).decode() == "我有 New_York\n"
    assert budgie(*segment, "--joiner", "~", stdin=text).decode() == "我有 New~York\n"
    assert budgie(*segment, "--standard", "pku", "--joiner", " ", stdin=text).decode() == "我有 New York\n"
    assert budgie(*segment, "--format", "spans", stdin=text).decode() == "1\t0\t2\t我有\n1\t2\t10\tNew York\n"
    assert made[0] == ("seg-zh", str(path), None)
    assert made[2] == ("seg-zh", str(path), "pku")
    path.write_text("good\nbad\t3\n", "utf-8")
    budgie.fails(*segment, message=f"{path}, line 2: a tab; a dictionary has one word a line")


def test_spans(budgie: Command, tmp_path: Path) -> None:
    rows = [
        "1\t0\t1\t我",
        "1\t1\t2\t有",
        "1\t3\t9\tiPhone",
        "1\t9\t10\t。",
        "3\t0\t1\t你",
        "3\t2\t3\t呢",
        "3\t3\t4\t？",
    ]
    assert budgie(*SEGMENT, "--format", "spans", stdin=TEXT.encode()).decode().splitlines() == rows
    (tmp_path / "second.txt").write_text("你", "utf-8")  # lines are counted on
    output = budgie(*SEGMENT, "--format", "spans", "-", tmp_path / "second.txt", stdin=TEXT.encode()).decode()
    assert output.splitlines() == [*rows, "4\t0\t1\t你"]


def test_a_span_is_one_row(budgie: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Characters, "spans_batch", lambda self, texts, threads: [[(0, len(t))] for t in texts])
    assert budgie(*SEGMENT, "--format", "spans", stdin=b"a\tb\rc\n") == b"1\t0\t5\ta b c\n"


def test_a_zero_width_space_is_no_word(budgie: Command) -> None:
    text = "ខ\u200b\u200bគ \u200b\n\u200b\n".encode()
    assert budgie(*SEGMENT, stdin=text).decode() == "ខ គ\n\n"
    assert budgie(*SEGMENT, "--format", "spans", stdin=text).decode() == "1\t0\t1\tខ\n1\t3\t4\tគ\n"
    first, second = map(json.loads, budgie(*SEGMENT, "--format", "json", stdin=text).decode().splitlines())
    assert (first["words"], first["spans"]) == (["ខ", "គ"], [[0, 1], [3, 4]])
    assert (second["words"], second["spans"]) == ([], [])


def test_json(budgie: Command) -> None:
    first, second, _ = budgie(*SEGMENT, "--format", "json", stdin=TEXT.encode()).decode().splitlines()
    assert "我" in first  # readable, not escaped
    assert json.loads(first) == {
        "text": "我有 iPhone。",
        "words": ["我", "有", "iPhone", "。"],
        "spans": [[0, 1], [1, 2], [3, 9], [9, 10]],
    }
    assert json.loads(second) == {"text": "", "words": [], "spans": []}


def test_bytes_that_are_not_utf8(budgie: Command) -> None:
    assert budgie(*SEGMENT, stdin=b"caf\xe9 \xff\n").decode() == "caf \ufffd \ufffd\n"


def test_files(budgie: Command, made: list[tuple[Any, ...]], tmp_path: Path) -> None:
    text = TEXT * 500
    (tmp_path / "a.txt").write_text(text, "utf-8")
    (tmp_path / "b.txt.gz").write_bytes(gzip.compress(text.encode()))
    files, model = sorted(tmp_path.iterdir()), ("segment", "--model", "seg-zh")
    for file in files:
        assert budgie(*model, file).decode() == WORDS * 500
    assert budgie(*model, files[1], "-", stdin=text.encode()).decode() == WORDS * 1000
    assert budgie(*model, *files, "--output", tmp_path / "out") == b""
    assert (tmp_path / "out").read_text("utf-8") == WORDS * 1000
    assert {name for name, *_ in made} == {"seg-zh"}
    budgie.fails(*model, files[0], "--output", files[0], message=f"--output {files[0]} is one of the inputs")
    budgie.fails(*model, tmp_path / "missing.txt", message=f"{tmp_path}/missing.txt: No such file or directory")
    budgie.fails("segment", "--model", "pos-en", message="this is a model for pos, not for segmentation")
    budgie.fails(
        "segment",
        "--language",
        "xx",
        message="no segmenter for 'xx' comes with Budgie; there are segmenters for km my vi zh zh-Hant, and",
    )
    assert budgie.error.endswith(b"and tokens for und en (und: any other language); --model takes a model file\n")


@pytest.mark.parametrize(
    "arguments",
    [
        ["segment"],
        ["segment", "--language", "zh", "--model", "x"],
        ["segment", "--language", "zh", "--format", "tsv"],
        ["segment", "--language", "zh", "--threads", "0"],
    ],
)
def test_wrong_use(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 2
    assert "usage: budgie segment" in capsys.readouterr().err


# ---- evaluate --------------------------------------------------------------------------------------------------


def test_evaluate(budgie: Command, made: list[tuple[Any, ...]], tmp_path: Path) -> None:
    test, train, kept = tmp_path / "test.txt", tmp_path / "train.txt.gz", tmp_path / "words.txt"
    test.write_text("我 有 手机 ▁ 。\n\n你 呢\n", "utf-8")
    train.write_bytes(gzip.compress("我 你 手机\n".encode()))
    kept.write_text("手机\n", "utf-8")
    result = json.loads(budgie("evaluate", "seg-zh", test, "--json", "--train", train, "--threads", 2))
    assert result == {
        "sentences": 2,
        "words": 6,
        "answers": 7,
        "right": 5,
        "precision": 5 / 7,
        "recall": 5 / 6,
        "f1": 10 / 13,
        "sentence_accuracy": 0.5,
        "unknown_words": 3,
        "unknown_word_rate": 0.5,
        "unknown_word_recall": 1.0,
        "known_word_recall": 2 / 3,
    }
    text = budgie("evaluate", "seg-zh", test, test, "--dictionary", kept, "--standard", "pku").decode()
    assert "12 in 4 sentences" in text
    assert "F1                100.00 %\n" in text
    assert made[-1] == ("seg-zh", str(kept), "pku")
    result = json.loads(budgie("evaluate", "seg-zh", test, "--convention", "joined", "--json"))
    assert result["words"] == 7  # ▁ is a word


def test_the_model_says_what_the_convention_is(budgie: Command, tmp_path: Path) -> None:
    test = tmp_path / "test.txt"
    test.write_text("nha_cua dep .\n", "utf-8")
    for model, text_words in (("seg-vi", 3), ("seg-zh", 1)):  # nha cua dep. and nha_cuadep.
        output = budgie("evaluate", model, test).decode()
        assert f"3 in 1 sentences; the model found {text_words}\n" in output


def test_evaluate_refuses_what_makes_no_sense(budgie: Command, tmp_path: Path) -> None:
    for options in (["--known"], ["--languages", "en"], ["--per-label"]):
        budgie.fails("evaluate", "seg-zh", "x", *options, message=f"{options[0]} makes no sense with seg-zh")
    for model in ("langid", "pos-en"):
        for options in (["--convention", "joined"], ["--standard", "pku"], ["--dictionary", "x"]):
            budgie.fails("evaluate", model, "x", *options, message=f"{options[0]} makes no sense with {model}")
    (tmp_path / "bad").write_bytes(b"a b\n\xff\n")
    budgie.fails("evaluate", "seg-zh", tmp_path / "bad", message=f"{tmp_path}/bad, line 2, byte 1 of the line")
