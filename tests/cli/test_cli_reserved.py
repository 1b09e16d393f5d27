# SPDX-License-Identifier: Apache-2.0
"""Records that have a field of the answer's name already: broken ones, as any other."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import Command

GOOD = [json.dumps({"id": number, "text": "Some words."}) for number in range(3)]
TAKEN = "there is a field {!r} already; --into NAME gives the answer a place"

COMMANDS = {
    "annotate --format jsonl": "spans",
    "annotate --format jsonl --where": "line",
    "annotate --format jsonl --into found": "found",
    "identify --json": "language",
    "identify --json --no-text": "reliable",
    "identify --json --rank 2": "ranking",
    "identify --json --spans": "spans",
    "identify --json --keep en --least 0": "probability",
    "segment --model tokens --format json": "sentences",
    "segment --model seg-zh --format json": "words",
    "tag --model pos-en --format json": "tags",
    "tag --model pos-en --format json --probabilities": "probabilities",
}


@pytest.mark.parametrize(("command", "field"), COMMANDS.items())
def test_only_such_records_are_left_out(budgie: Command, command: str, field: str) -> None:
    lines = "\n".join([*GOOD, json.dumps({"text": "Some words.", field: 1}), GOOD[0]]).encode()
    output = budgie(*command.split(), "--errors", "skip", stdin=lines, status=1)
    assert [json.loads(line)["id"] for line in output.splitlines()] == [0, 1, 2, 0]
    assert f"standard input, line 4: {TAKEN.format(field)}; left out\n" in budgie.error.decode()
    assert b"left out: 1 x broken record\n" in budgie.error
    output = budgie(*command.split(), stdin=lines, status=1)
    assert [json.loads(line)["id"] for line in output.splitlines()] == [0, 1, 2]  # what came before
    assert f"line 4: {TAKEN.format(field)}; --errors skip goes on without such records\n" in budgie.error.decode()


def test_output_that_takes_no_field(budgie: Command) -> None:
    lines = b'{"text": "Some words .", "language": 1, "spans": 1, "words": 1, "tags": 1, "file": 1}\n'
    for command in (
        "annotate",
        "annotate --format tsv --where",
        "identify",
        "identify --spans",
        "segment --model tokens",
        "tag --model pos-en",
    ):
        assert budgie(*command.split(), stdin=lines)
    assert budgie("identify", "--keep", "en", "--least", "0", stdin=lines, notes=True) == lines


def test_tables_are_left_out_as_a_whole(budgie: Command, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("language,text\nxx,Some words.\n")
    (tmp_path / "b.csv").write_text("id,id,text\n1,2,Some words.\n")
    (tmp_path / "c.csv").write_text("id,text\n3,Some words.\n")
    files = [tmp_path / name for name in ("a.csv", "b.csv", "c.csv")]
    for command in (("identify", "--json"), ("annotate", "--format", "jsonl")):
        (line,) = budgie(*command, *files, "--errors", "skip", status=1).splitlines()
        assert json.loads(line)["id"] == "3"
        first, second, last = budgie.error.decode().splitlines()
        assert first.endswith(f"a.csv: {TAKEN.format('language')}; the rest of this input is left out")
        assert second.endswith(
            "b.csv: JSON has no place for several columns of one name; the rest of this input is left out"
        )
        assert last.endswith("left out: 2 x input or a part of it")
    output = budgie("identify", files[0], files[2], "--errors", "skip", status=1)
    assert output.startswith(b"language\tprobability\treliable\tid\ttext\n")
