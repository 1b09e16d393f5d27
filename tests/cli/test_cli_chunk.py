# SPDX-License-Identifier: Apache-2.0
"""`budgie chunk`, with the embedded models."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from conftest import Command

import budgie as package

ENGLISH = "Dr. Lee didn't ask why. Nobody knows.\n\nShe left at nine."
CHINESE = "我们昨天看了两部电影。第一部电影很好看。"
TEXT = f"{ENGLISH}\r\n{CHINESE}"


def objects(output: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in output.splitlines()]


def expected(text: str, limit: int, language: str | None = None, **options: Any) -> list[dict[str, Any]]:
    return [chunk.to_dict() for chunk in package.chunks(text, limit, language, **options)]


def test_files(budgie: Command, tmp_path: Path) -> None:
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(TEXT.encode()))
    found = objects(budgie("chunk", "--limit", 30, tmp_path / "a.txt.gz", "-", stdin=b"Yes. No."))
    assert found == [*expected(TEXT, 30), *expected("Yes. No.", 30)]
    assert "".join(one["text"] for one in found[:-1]) == TEXT
    assert {one["language"] for one in found[:-1]} == {"en", "zh"}
    output = tmp_path / "out.jsonl"
    assert budgie("chunk", "--limit", 30, "--threads", 2, "--output", output, stdin=TEXT.encode()) == b""
    assert objects(output.read_bytes()) == expected(TEXT, 30)
    assert budgie("chunk", "--limit", 30, stdin=b"") == b""


def test_options(budgie: Command) -> None:
    for options, keywords in (
        (("--unit", "bytes"), {"unit": "bytes"}),
        (("--overlap", 12), {"overlap": 12}),
        (("--language", "german"), {"language": "de"}),
    ):
        assert objects(budgie("chunk", "--limit", 40, *options, stdin=TEXT.encode())) == expected(TEXT, 40, **keywords)
    found = objects(budgie("chunk", "--limit", 20, "--languages", "ja,fr", stdin=CHINESE.encode()))
    assert {one["language"] for one in found} == {"ja"}


def test_lines(budgie: Command) -> None:
    found = objects(budgie("chunk", "--limit", 25, "--lines", "--where", stdin=TEXT.encode()))
    lines = ENGLISH.split("\n")
    chunks = [(1, one) for one in expected(lines[0], 25)] + [(3, one) for one in expected(lines[2], 25)]
    chunks += [(4, one) for one in expected(CHINESE, 25)]
    assert found == [{"file": "-", "line": line, **one} for line, one in chunks]
    budgie.fails(
        "chunk", "--limit", 9, "--lines", "--input", "jsonl", message="standard input is read as JSON lines, where a"
    )


def test_lines_of_text(budgie: Command) -> None:
    chunks = package.chunks(TEXT, 22)
    lines = budgie("chunk", "--limit", 22, "--format", "text", stdin=TEXT.encode()).decode().split("\n")
    assert lines == [chunk.text.replace("\r", " ").replace("\n", " ") for chunk in chunks] + [""]


def test_records(budgie: Command, tmp_path: Path) -> None:
    records = [{"id": 1, "body": ENGLISH, "more": [1]}, {"id": 2, "body": ""}, {"id": 3, "body": "\ud800 x"}]
    lines = "".join(json.dumps(record) + "\n" for record in records).encode()
    chunk = ("chunk", "--limit", 30, "--input", "jsonl", "--field", "body")
    found = [{"id": 1, "more": [1], **one} for one in expected(ENGLISH, 30)]
    found += [{"id": 3, **one} for one in expected("\ud800 x", 30)]
    assert objects(budgie(*chunk, stdin=lines)) == found
    first, *_ = objects(budgie(*chunk, "--into", "chunk", stdin=lines))
    assert first == {"id": 1, "more": [1], "chunk": expected(ENGLISH, 30)[0]}
    (tmp_path / "a.csv").write_text(f'id,text\n7,"{ENGLISH}"\n')
    found = [{"id": "7", **one} for one in expected(ENGLISH, 30)]
    assert objects(budgie("chunk", "--limit", 30, tmp_path / "a.csv")) == found


def test_errors(budgie: Command) -> None:
    lines = b'{"text": "Yes."}\n{"text": "Yes.", "end": 4}\n{}\n'
    chunk = ("chunk", "--limit", 10, "--input", "jsonl")
    assert len(objects(budgie(*chunk, "--errors", "skip", stdin=lines, status=1))) == 1
    assert b"line 2: there is a field 'end' already; --into NAME gives the answer a place" in budgie.error
    assert b"line 3: no text in the field 'text'; left out" in budgie.error
    lines = b'{"text": "Yes.", "body": "No."}\n'
    budgie(*chunk, "--field", "body", stdin=lines, status=1)
    assert b"there is a field 'text' already; --into" in budgie.error
    budgie.fails("chunk", "--limit", 3, "--unit", "bytes", message="a limit of 3 bytes has no room for some characters")
    budgie.fails("chunk", "--limit", 9, "--overlap", 9, message="overlap must be from 0 to 8, less than the limit")
    for option in (["--where"], ["--into", "x"]):
        budgie.fails(
            "chunk", "--limit", 9, "--format", "text", *option, message=f"{option[0]} goes with --format jsonl"
        )
    with pytest.raises(SystemExit):
        budgie("chunk", "--limit", 0)
    assert b"argument --limit: '0' is not a whole number of 1 or more" in budgie.capture.readouterr().err
