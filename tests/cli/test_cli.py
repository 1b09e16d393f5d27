# SPDX-License-Identifier: Apache-2.0
"""The command, with a small model file."""

from __future__ import annotations

import gzip
import json
import lzma
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from conftest import LABELS, SENTENCES, Command, calls_of_the_core, spawn

import budgie as package
from budgie import LanguageIdentifier, MissingExtra, Model
from budgie.cli import main
from budgie.cli.arguments import cores
from budgie.model.accounting import account

RAW = b"caf\xe9 \xff latin-1"


@pytest.fixture
def identify(model_file: Path) -> tuple[str, ...]:
    return "identify", "--model", str(model_file)


def rows_of(identifier: LanguageIdentifier, texts: list[bytes]) -> bytes:
    return b"".join(
        b"%b\t%.4f\t%b\t%b\n" % (a.language.encode(), a.probability, b"yes" if a.reliable else b"no", text)
        for a, text in zip(identifier.identify_batch(texts), texts, strict=True)
    )


# ---- identify --------------------------------------------------------------------------------------------------


def test_lines_of_standard_input(budgie: Command, identify: tuple[str, ...], identifier: LanguageIdentifier) -> None:
    texts = [*(sentence.encode() for sentence in SENTENCES), b"", b"123", RAW, b"tab\there", b"nul\x00", b"last"]
    expected = rows_of(identifier, texts)
    assert budgie(*identify, stdin=b"\n".join(texts)) == expected
    assert budgie(*identify, "-", stdin=b"\n".join(texts) + b"\n") == expected
    assert budgie(*identify, "--threads", 3, stdin=b"\r\n".join(texts) + b"\n") == expected
    assert budgie(*identify, stdin=b"") == b""
    assert budgie(*identify, stdin=b"\n\n") == b"und\t0.0000\tno\t\n" * 2


def test_files_compressed_or_not(
    budgie: Command, identify: tuple[str, ...], identifier: LanguageIdentifier, tmp_path: Path
) -> None:
    texts = [sentence.encode() for sentence in SENTENCES] * 50
    lines = b"\n".join(texts) + b"\n"
    (tmp_path / "a.txt").write_bytes(lines)
    (tmp_path / "b.txt.gz").write_bytes(gzip.compress(lines))
    (tmp_path / "c.txt.xz").write_bytes(lzma.compress(lines))
    files = sorted(tmp_path.iterdir())
    expected = rows_of(identifier, texts)
    for file in files:
        assert budgie(*identify, file) == expected
    assert budgie(*identify, files[0], "-", files[1], stdin=lines) == expected * 3
    assert budgie(*identify, *files, "--output", tmp_path / "out.tsv") == b""
    assert (tmp_path / "out.tsv").read_bytes() == expected * 3


def test_whole_files(
    budgie: Command, identify: tuple[str, ...], identifier: LanguageIdentifier, tmp_path: Path
) -> None:
    path = tmp_path / "näme.txt"
    path.write_bytes("\n".join(SENTENCES).encode())
    answer = identifier.identify("\n".join(SENTENCES))
    row = f"{answer.language}\t{answer.probability:.4f}\t{'yes' if answer.reliable else 'no'}"
    assert budgie(*identify, "--whole", path, "-", stdin=b"").decode() == f"{row}\t{path}\nund\t0.0000\tno\t-\n"
    assert json.loads(budgie(*identify, "--whole", "--json", "--no-text", path)) == {
        "language": answer.language,
        "probability": round(answer.probability, 6),
        "reliable": answer.reliable,
        "file": str(path),
    }


def test_json_lines(budgie: Command, identify: tuple[str, ...], identifier: LanguageIdentifier) -> None:
    texts = [SENTENCES[6].encode(), RAW, b'"quoted"\\']
    lines = budgie(*identify, "--json", stdin=b"\n".join(texts)).splitlines()
    assert SENTENCES[6].encode() in lines[0]  # readable, not escaped
    for line, text in zip(lines, texts, strict=True):
        answer = identifier.identify(text)
        assert json.loads(line) == {
            "language": answer.language,
            "probability": round(answer.probability, 6),
            "reliable": answer.reliable,
            "text": text.decode("utf-8", "replace"),
        }
    assert all(
        "text" not in json.loads(line) for line in budgie(*identify, "--json", "--no-text", stdin=RAW).splitlines()
    )


def test_rank(budgie: Command, identify: tuple[str, ...], identifier: LanguageIdentifier) -> None:
    text = SENTENCES[0].encode()
    ranking = identifier.rank(text, 2)
    pairs = " ".join(f"{answer.language}:{answer.probability:.4f}" for answer in ranking).encode()
    assert budgie(*identify, "--rank", 2, stdin=text + b"\n1\n") == pairs + b"\t" + text + b"\nund:0.0000\t1\n"
    assert budgie(*identify, "--rank", 2, "--no-text", stdin=text) == pairs + b"\n"
    many = b"\n".join([text] * 300)
    assert budgie(*identify, "--rank", 2, "--threads", 2, stdin=many) == budgie(*identify, "--rank", 2, stdin=many)
    result = json.loads(budgie(*identify, "--rank", 2, "--json", stdin=text))
    assert [answer["language"] for answer in result["ranking"]] == [answer.language for answer in ranking]


@pytest.mark.parametrize(
    ("options", "call"), [((), "identify_batch"), (("--rank", 2), "rank_batch"), (("--spans",), "spans_batch")]
)
def test_threads_reach_the_core(
    options: tuple[object, ...], call: str, budgie: Command, identify: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = calls_of_the_core(monkeypatch, "budgie.tasks.langid", "LanguageIdentifier")
    texts = "".join(f"{sentence}\n" for sentence in SENTENCES).encode()
    budgie(*identify, *options, "--threads", 3, stdin=texts)
    budgie(*identify, *options, stdin=texts)
    batches = [(name, arguments[-1]) for name, arguments in calls if name.endswith("_batch")]
    assert batches == [(call, 3), (call, cores())]


def test_spans(budgie: Command, identify: tuple[str, ...], identifier: LanguageIdentifier, tmp_path: Path) -> None:
    text = "\t".join(SENTENCES)
    lines = f"first\n{text}\n".encode()
    rows = [row.split("\t") for row in budgie(*identify, "--spans", stdin=lines).decode().splitlines()]
    second = [row for row in rows if row[0] == "2"]
    assert [(int(row[1]), int(row[2]), row[3]) for row in second] == [
        (span.start, span.end, span.language) for span in identifier.spans(text)
    ]
    assert "".join(row[6] for row in second) == text.replace("\t", " ")
    assert all(
        len(row) == 6
        for row in [r.split(b"\t") for r in budgie(*identify, "--spans", "--no-text", stdin=lines).splitlines()]
    )
    assert budgie(*identify, "--spans", "--threads", 2, stdin=lines * 50) == budgie(
        *identify, "--spans", stdin=lines * 50
    )
    result = [json.loads(line) for line in budgie(*identify, "--spans", "--json", stdin=lines).splitlines()]
    assert result[1]["text"] == text
    assert [(span["start"], span["end"]) for span in result[1]["spans"]] == [
        (span.start, span.end) for span in identifier.spans(text)
    ]
    (tmp_path / "whole.txt").write_bytes(lines)
    rows = [
        row.split("\t") for row in budgie(*identify, "--spans", "--whole", tmp_path / "whole.txt").decode().splitlines()
    ]
    assert all(len(row) == 7 and row[0] == str(tmp_path / "whole.txt") for row in rows)


def test_languages(budgie: Command, identify: tuple[str, ...]) -> None:
    output = budgie(*identify, "--languages", "ko, tr", stdin="\n".join(SENTENCES).encode())
    assert {row.split(b"\t")[0] for row in output.splitlines()} <= {b"ko", b"tr"}
    budgie(*identify, "--languages", "xx", stdin=b"text", status=1)
    assert budgie.error.startswith(b"budgie: this model does not know the language 'xx'; it knows ")


def test_a_line_longer_than_memory_chunks(
    budgie: Command, identify: tuple[str, ...], identifier: LanguageIdentifier
) -> None:
    text = b"a long line " * 300_000
    assert budgie(*identify, stdin=b"x\n" + text + b"\ny") == rows_of(identifier, [b"x", text, b"y"])


def test_answers_come_before_the_input_ends(identify: tuple[str, ...]) -> None:
    with spawn(*identify) as process:
        assert process.stdin and process.stdout
        for text in (b"first", b"second"):
            process.stdin.write(text + b"\n")
            assert process.stdout.readline().endswith(text + b"\n")  # would wait for ever
        process.stdin.close()
        assert process.wait(timeout=10) == 0


def test_a_closed_pipe_is_no_error(identify: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "long.txt").write_bytes(b"some words\n" * 500_000)
    with spawn(*identify, tmp_path / "long.txt") as process:
        assert process.stdout and process.stderr
        process.stdout.readline()
        process.stdout.close()
        assert process.wait(timeout=20) == 141
        assert process.stderr.read() == b""


def test_interrupt(identify: tuple[str, ...]) -> None:
    with spawn(*identify) as process:
        assert process.stdin and process.stdout and process.stderr
        process.stdin.write(b"text\n")
        process.stdout.readline()  # now it runs, and waits for more
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=10) == 130
        assert process.stderr.read() == b""


def test_the_start_imports_little(identify: tuple[str, ...]) -> None:
    program = (
        "import sys, budgie.cli; budgie.cli.main(sys.argv[1:]); heavy = {'numpy', 'torch', 'rich', 'tarfile'}; "
        "print(sorted(heavy & sys.modules.keys()))"
    )
    start = time.perf_counter()
    output = subprocess.run([sys.executable, "-c", program, *identify], input=b"text", capture_output=True, check=True)
    assert output.stdout.endswith(b"\ttext\n[]\n")
    assert time.perf_counter() - start < 5


# ---- errors ----------------------------------------------------------------------------------------------------


def test_errors_are_one_sentence(budgie: Command, identify: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "model").write_bytes(b"no model")
    (tmp_path / "bad.gz").write_bytes(b"no gzip")
    (tmp_path / "cut.gz").write_bytes(gzip.compress(os.urandom(1000).hex().encode())[:-20])
    (tmp_path / "bad.xz").write_bytes(b"no xz")
    (tmp_path / "in.txt").write_bytes(b"keep me\n")
    cases: list[tuple[tuple[object, ...], str]] = [
        (("identify", "--model", tmp_path / "model"), f"{tmp_path}/model: "),
        (("identify", "--model", "nonsense"), "there is no file nonsense and no model of that name"),
        (("identify", "--model", tmp_path / "missing"), f"{tmp_path}/missing: No such file or directory"),
        ((*identify, tmp_path / "missing.txt"), f"{tmp_path}/missing.txt: No such file or directory"),
        ((*identify, tmp_path / "missing.gz"), f"{tmp_path}/missing.gz: No such file or directory"),
        ((*identify, tmp_path), f"{tmp_path}: Is a directory"),
        ((*identify, tmp_path / "bad.gz"), f"{tmp_path}/bad.gz: cannot be read (Not a gzipped file"),
        ((*identify, tmp_path / "cut.gz"), f"{tmp_path}/cut.gz: cannot be read (Compressed file ended"),
        ((*identify, tmp_path / "bad.xz"), f"{tmp_path}/bad.xz: cannot be read ("),
        (
            (*identify, tmp_path / "in.txt", "--output", tmp_path / "in.txt"),
            f"--output {tmp_path}/in.txt is one of the",
        ),
        ((*identify, "--output", tmp_path / "no" / "folder"), f"{tmp_path}/no/folder: No such file or directory"),
        (("info", tmp_path / "model"), f"{tmp_path}/model: "),
        (("evaluate", identify[2], tmp_path / "in.txt"), f"{tmp_path}/in.txt, line 1: no tab"),
    ]
    for arguments, message in cases:
        budgie.fails(*arguments, message=message)
    assert (tmp_path / "in.txt").read_bytes() == b"keep me\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ["fly"],
        ["identify", "--rank", "0"],
        ["identify", "--threads", "x"],
        ["identify", "--rank", "2", "--spans"],
        ["info"],
    ],
)
def test_wrong_use(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 2
    assert "usage: budgie" in capsys.readouterr().err


@pytest.mark.parametrize(
    "command", [[], *([name] for name in ("identify", "info", "languages", "models", "evaluate", "train", "reproduce"))]
)
def test_help(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main([*command, "--help"])
    assert stop.value.code == 0
    assert capsys.readouterr().out.startswith(" ".join(["usage: budgie", *command]))


# ---- info, models, evaluate ------------------------------------------------------------------------------------


def test_info(budgie: Command, model: Model, model_file: Path) -> None:
    described = json.loads(budgie("info", "--json", model_file))
    counts = account(model.config)
    assert described["task"] == "langid"
    assert (described["weights"], described["size"], described["flops"], described["h0"]) == (
        counts.weights,
        counts.size,
        counts.flops,
        counts.h0,
    )
    assert described["file_size"] == model_file.stat().st_size
    assert tuple(described["labels"]) == LABELS
    assert described["sha256"].encode() in model_file.read_bytes()
    assert described["calibration"] == [0.75, 1.5]
    assert described["info"]["scores"] == {"accuracy": 0.1}
    text = budgie("info", model_file).decode()
    for part in (
        f"{counts.weights:,}",
        " ".join(LABELS),
        "temperature = 0.75 + 1.5",
        "licence: CC0-1.0",
        described["sha256"],
    ):
        assert part in text
    assert "3-grams: mean of 3-grams inside words, 1,000 x 16, 8 bits, one scale a table" in text


@pytest.mark.parametrize("name", ["langid", "pos-en", "seg-zh", "preorder-en-ja"])
def test_info_tells_of_the_file_on_disk(budgie: Command, name: str) -> None:
    """Not of what the writer of today would make of it."""
    file = Path(package.file_of(name))
    described = json.loads(budgie("info", name, "--json"))
    assert described["file_size"] == file.stat().st_size
    assert f'"sha256":"{described["sha256"]}"'.encode() in file.read_bytes()


def test_information_cannot_speak_to_the_terminal(budgie: Command, model: Model, tmp_path: Path) -> None:
    Model(model.config, model.tensors, {"about": "\x1b[2J", "scores": '{"a":' * 100_000}).write(tmp_path / "hostile")
    output = budgie("info", tmp_path / "hostile")
    assert b"\x1b" not in output
    assert b"about: \\x1b[2J" in output


def test_evaluate(budgie: Command, identifier: LanguageIdentifier, model_file: Path, tmp_path: Path) -> None:
    answers = [answer.language for answer in identifier.identify_batch(SENTENCES)]
    gold = [*answers[:8], "xx", "xx"]
    table = tmp_path / "test.tsv"
    table.write_text(
        "".join(f"{label}\t{text}\n" for label, text in zip(gold, SENTENCES, strict=True)), encoding="utf-8"
    )
    result = json.loads(budgie("evaluate", model_file, table, "--json"))
    labels = sorted(set(gold))
    assert result["texts"] == 10
    assert result["accuracy"] == 0.8
    assert result["macro_accuracy"] == pytest.approx((len(labels) - 1) / len(labels))
    assert 0 <= result["calibration_error"] <= 1
    assert result["unknown_labels"] == ["xx"]
    assert "labels" not in result
    result = json.loads(budgie("evaluate", model_file, table, "--json", "--per-label", "--threads", 2))
    assert sorted(result["labels"]) == labels
    assert result["labels"]["xx"]["accuracy"] == 0
    assert sum(result["labels"]["xx"]["taken_for"].values()) == 2
    text = budgie("evaluate", model_file, table, table, "--per-label").decode()
    assert "80.00 % of all texts (micro)" in text
    assert "unknown labels    xx (always wrong; --known leaves them out)" in text
    assert "100.00 % of all texts" in budgie("evaluate", model_file, table, "--known").decode()


# ---- train, reproduce ------------------------------------------------------------------------------------------


def test_train_and_reproduce_get_their_options(budgie: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []

    def command(args: Any) -> int:
        seen.append(args)
        return 0

    monkeypatch.setitem(sys.modules, "budgie.train.command", SimpleNamespace(train_command=command))  # type: ignore[misc]
    monkeypatch.setitem(sys.modules, "budgie.train.reproduce.table1", SimpleNamespace(main=command))  # type: ignore[misc]
    budgie(
        "train", "recipe", "--train", "a", "--out", "b", "--device", "cuda", "--workers", 2, "--seed", 3, "--steps", 4
    )
    budgie("reproduce", "table1", "--folds", 2, "--rows", "x", "y", "--quiet")
    train, table = (vars(args) for args in seen)
    assert (train["recipe"], train["train"], train["dev"], train["out"], train["device"]) == (
        "recipe",
        ["a"],
        None,
        "b",
        "cuda",
    )
    assert (train["workers"], train["threads"], train["seed"], train["steps"]) == (2, 1, 3, 4)
    assert (train["resume"], train["log"], train["quiet"]) == (False, None, False)
    assert (table["folds"], table["rows"], table["steps"], table["workers"], table["out"]) == (
        [2],
        ["x", "y"],
        None,
        None,
        None,
    )


def test_a_missing_extra_is_one_sentence(budgie: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_args: Any) -> int:
        raise MissingExtra("training needs torch: pip install 'budgie-nlp[train]'")

    monkeypatch.setitem(sys.modules, "budgie.train.command", SimpleNamespace(train_command=refuse))  # type: ignore[misc]
    budgie("train", "recipe", "--train", "a", "--out", "b", status=1)
    assert budgie.error == b"budgie: training needs torch: pip install 'budgie-nlp[train]'\n"


@pytest.mark.parametrize(
    ("closed", "status", "said"),
    [("<&-", 0, ""), (">&-", 1, "budgie: standard output is closed"), ("</dev/null 2>&-", 0, ""), (">&- 2>&-", 1, "")],
)
def test_closed_streams(closed: str, status: int, said: str) -> None:
    command = f"{shlex.quote(sys.executable)} -m budgie identify {closed}"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr.strip()) == (status, "", said)
