# SPDX-License-Identifier: Apache-2.0
"""`budgie preorder`, and `budgie evaluate` for preorderers; the preorderer turns every sentence round."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pytest
from conftest import SENTENCES, Command, random_model, random_preorderer, spawn, stubborn_preorderer

from budgie import Preorderer
from budgie.cli import main

TEXT = "He bought books .\n\n  two\twords \nÄpfel　essen\n"
WORDS = ". books bought He\n\nwords two\nessen Äpfel\n"
ORDERS = "3 2 1 0\n\n1 0\n1 0\n"


@pytest.fixture(scope="session")
def reverse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("preorderer") / "reverse.safetensors"
    stubborn_preorderer(shift=1, append=0, swap=2).write(path)
    return path


@pytest.fixture
def preorder(reverse: Path) -> tuple[object, ...]:
    return "preorder", "--model", reverse


# ---- preorder --------------------------------------------------------------------------------------------------


def test_words(budgie: Command, preorder: tuple[object, ...]) -> None:
    for text in (TEXT, TEXT.removesuffix("\n"), TEXT.replace("\n", "\r\n"), "\ufeff" + TEXT):
        assert budgie(*preorder, stdin=text.encode()).decode() == WORDS
    assert budgie(*preorder, "--format", "words", "--threads", 2, "-", stdin=TEXT.encode()).decode() == WORDS
    assert budgie(*preorder, stdin=b"") == b""
    assert budgie(*preorder, stdin=b"\n \n\t\r\n") == b"\n\n\n"
    assert budgie(*preorder, stdin=b"one") == b"one\n"


def test_permutation(budgie: Command, preorder: tuple[object, ...]) -> None:
    assert budgie(*preorder, "--format", "permutation", stdin=TEXT.encode()).decode() == ORDERS


def test_json(budgie: Command, preorder: tuple[object, ...]) -> None:
    lines = budgie(*preorder, "--format", "json", stdin=TEXT.encode()).decode().splitlines()
    assert "Äpfel" in lines[3]  # readable, not escaped
    rows = [json.loads(line) for line in lines]
    assert rows[0] == {
        "source": ["He", "bought", "books", "."],
        "permutation": [3, 2, 1, 0],
        "words": [".", "books", "bought", "He"],
    }
    assert rows[1] == {"source": [], "permutation": [], "words": []}
    assert rows[3]["source"] == ["Äpfel", "essen"]
    assert len(rows) == 4


def test_bytes_that_are_not_utf8(budgie: Command, preorder: tuple[object, ...]) -> None:
    assert budgie(*preorder, stdin=b"caf\xe9 \xff a\xed\xa0\x80\n").decode() == "a\ufffd\ufffd\ufffd \ufffd caf\ufffd\n"
    assert budgie(*preorder, stdin=b"a\0b c\n") == b"c a\0b\n"


def test_a_line_ends_at_a_line_feed_alone(budgie: Command, preorder: tuple[object, ...]) -> None:
    """Other characters that Python takes for the end of a line separate words."""
    assert budgie(*preorder, stdin="a\u2028b\x0cc\rd\n".encode()) == b"d c b a\n"


def test_files(budgie: Command, preorder: tuple[object, ...], tmp_path: Path) -> None:
    text = TEXT * 500
    (tmp_path / "a.txt").write_text(text, "utf-8")
    (tmp_path / "b.txt.gz").write_bytes(gzip.compress(text.encode()))
    (tmp_path / "c.txt").write_bytes(b"no end")
    files = sorted(tmp_path.iterdir())
    for file in files[:2]:
        assert budgie(*preorder, file).decode() == WORDS * 500
    assert budgie(*preorder, files[2], files[1], "-", stdin=TEXT.encode()).decode() == "end no\n" + WORDS * 501
    out = tmp_path / "out"
    assert budgie(*preorder, *files, "--threads", 3, "--output", out) == b""
    assert out.read_text("utf-8") == WORDS * 1000 + "end no\n"
    budgie.fails(*preorder, files[0], "--output", files[0], message=f"--output {files[0]} is one of the inputs")
    assert files[0].read_text("utf-8") == text
    budgie.fails(*preorder, tmp_path / "missing", message=f"{tmp_path}/missing: No such file or directory")


def test_answers_are_those_of_the_library(budgie: Command, tmp_path: Path) -> None:
    model = random_preorderer(3)
    model.write(tmp_path / "tagged.safetensors")
    text = "\n".join(SENTENCES * 30).encode()
    expected = Preorderer(model).reorder_batch([sentence.split() for sentence in SENTENCES])
    assert any(one.permutation != sorted(one.permutation) for one in expected)
    command = "preorder", "--model", tmp_path / "tagged.safetensors"
    for threads in (1, 3):
        found = budgie(*command, "--threads", threads, stdin=text).decode()
        assert found.splitlines() == [" ".join(one.words) for one in expected] * 30


def test_answers_come_line_by_line(reverse: Path) -> None:
    with spawn("preorder", "--model", reverse) as process:
        assert process.stdin and process.stdout
        for line, answer in ((b"a b\n", b"b a\n"), (b"\n", b"\n"), (b"c d e\n", b"e d c\n")):
            process.stdin.write(line)
            assert os.read(process.stdout.fileno(), 100) == answer
        process.stdin.close()
        assert process.wait(20) == 0


def test_models_that_are_not_there(budgie: Command, tmp_path: Path) -> None:
    random_model().write(tmp_path / "langid.safetensors")
    budgie.fails(
        "preorder", "--model", tmp_path / "langid.safetensors", message="this is a model for langid, not for preorder"
    )
    budgie.fails("preorder", "--model", "nothing", message="there is no file nothing and no model of that name")
    budgie.fails("preorder", "--pair", "xx-yy", message="no preorderer for 'xx-yy' comes with Budgie; there are preord")
    assert budgie.error.endswith(b"; --model takes a model file\n")
    (tmp_path / "damaged").write_bytes(stubborn_preorderer(0, 0, 0).to_bytes()[:-1])
    budgie.fails("preorder", "--model", tmp_path / "damaged", message=f"{tmp_path}/damaged: cut short")


def test_the_pair_names_an_embedded_model(budgie: Command, reverse: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from budgie import read_model

    asked = []

    def read(name: str) -> object:
        asked.append(name)
        return read_model(reverse)

    monkeypatch.setattr("budgie.models", lambda: ["langid", "preorder-en-de", "preorder-en-ja"])
    monkeypatch.setattr("budgie.read_model", read)
    assert budgie("preorder", "--pair", "en-ja", stdin=b"a b\n") == b"b a\n"
    assert asked == ["preorder-en-ja"]
    budgie.fails("preorder", "--pair", "en", message="no preorderer for 'en' comes with Budgie; there are preorderers")
    assert budgie.error.endswith(b"for: en-de en-es en-ja; --model takes a model file\n")


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--pair", "en-ja", "--model", "x"],
        ["--model", "x", "--format", "tsv"],
        ["--model", "x", "--threads", "0"],
        ["--language", "en"],
    ],
)
def test_wrong_use(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["preorder", *arguments])
    assert stop.value.code == 2
    assert "usage: budgie preorder" in capsys.readouterr().err


# ---- evaluate --------------------------------------------------------------------------------------------------


def write(folder: Path, source: str, links: str) -> Path:
    """An aligned set; gives what the names of its files begin with."""
    (folder / "test.src").write_text(source, "utf-8")
    (folder / "test.align").write_text(links, "utf-8")
    return folder / "test"


def test_evaluate(budgie: Command, reverse: Path, tmp_path: Path) -> None:
    # Two are to be turned round, one is to stay as it is; in the last two words cannot be compared.
    prefix = write(tmp_path, "a b c\nd e\n\ni j\nf g h\n", "0-2 1-1 2-0\n0-0 1-1\n\n0-1 1-0\n0-3 1-0 1-2 2-1\n")
    expected = {
        "sentences": 4,
        "scored": 3,
        "skipped": 1,
        "words": 10,
        **dict.fromkeys(("frs", "tau", "complete"), pytest.approx(2 / 3)),
        **dict.fromkeys(("frs_unchanged", "tau_unchanged", "complete_unchanged"), pytest.approx(1 / 3)),
    }
    assert json.loads(budgie("evaluate", reverse, prefix, "--json", "--threads", 2)) == expected
    twice = json.loads(budgie("evaluate", reverse, prefix, prefix, "--json"))
    assert twice == {**expected, "sentences": 8, "scored": 6, "skipped": 2, "words": 20}
    write(tmp_path, "a b c\nd e\n", "0-2 1-1 2-0\n0-1 1-0\n")
    text = budgie("evaluate", reverse, prefix).decode()
    assert text.splitlines() == [
        "sentences         2 of 5 words; 2 are scored",
        "fuzzy reordering  100.00 %  0.00 % if the order is left as it is",
        "Kendall's tau     100.00 %  0.00 % if the order is left as it is",
        "complete          100.00 %  0.00 % if the order is left as it is",
    ]


@pytest.mark.parametrize(
    "options",
    [
        ["--known"],
        ["--languages", "en"],
        ["--per-label"],
        ["--train", "x"],
        ["--convention", "joined"],
        ["--standard", "pku"],
        ["--dictionary", "x"],
    ],
    ids=lambda options: options[0],
)
def test_evaluate_refuses_what_makes_no_sense(
    options: list[str], budgie: Command, reverse: Path, tmp_path: Path
) -> None:
    prefix = write(tmp_path, "a b\n", "0-1 1-0\n")
    budgie.fails("evaluate", reverse, prefix, *options, message=f"{options[0]} makes no sense with {reverse}, which is")


def test_evaluate_with_wrong_data(budgie: Command, reverse: Path, tmp_path: Path) -> None:
    budgie.fails("evaluate", reverse, tmp_path / "nothing", message=f"there is no {tmp_path}/nothing.src, plain or")
    prefix = write(tmp_path, "a b\n", "0-1 2-0\n")
    budgie.fails(
        "evaluate", reverse, prefix, message=f"{prefix}.align, line 1: the link 2-0 is to word 2 of the source"
    )
    write(tmp_path, "a b\n", "0-0 0-2 1-1\n")
    budgie.fails("evaluate", reverse, prefix, message="none of the 1 sentences can be scored: each has two words")
