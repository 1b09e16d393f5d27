# SPDX-License-Identifier: Apache-2.0
"""`budgie identify --keep`, with the embedded model."""

from __future__ import annotations

import json
from pathlib import Path

from conftest import Command

import budgie as package

GERMAN, FRENCH = "Der kleine Hund schläft unter dem Tisch.", "Le petit chat dort au soleil depuis ce matin."
JAPANESE, NORWEGIAN = "猫は窓のそばで静かに寝ています。", "Jeg vet ikke hva du snakker om, men det gjør ikke noe."
LINES = [GERMAN, FRENCH, "123", JAPANESE, NORWEGIAN, ""]
TEXT = "\r\n".join(LINES).encode()


def test_lines_stay_as_they_are(budgie: Command) -> None:
    assert budgie("identify", "--keep", "de,ja", stdin=TEXT, notes=True) == f"{GERMAN}\r\n{JAPANESE}\r\n".encode()
    assert budgie.error == b"budgie: kept 2 of 5 texts (40.0 %)\n"
    found = budgie("identify", "--keep", "nb, german,eng_Latn", stdin=TEXT, notes=True)
    assert found == f"{GERMAN}\r\n{NORWEGIAN}\r\n".encode()
    assert budgie("identify", "--keep", "de", stdin=b"", notes=True) == b""
    assert budgie.error == b"budgie: kept 0 of 0 texts\n"


def test_records_stay_as_they_are(budgie: Command, tmp_path: Path) -> None:
    lines = [json.dumps({"n": 1.50, "text": text}).encode() for text in LINES]
    expected = lines[0] + b"\n" + lines[3] + b"\n"
    assert budgie("identify", "--keep", "de,ja", stdin=b"\n".join(lines), notes=True) == expected
    found = budgie("identify", "--keep", "de", "--json", "--where", "--no-text", stdin=b"\n".join(lines), notes=True)
    assert json.loads(found).keys() == {"n", "file", "line", "language", "probability", "reliable"}
    path = tmp_path / "a.csv"
    path.write_text(f'id,text\n1,"{GERMAN}"\n2,{FRENCH}\n3,"{JAPANESE}\n\n"\n', "utf-8")
    expected = f'id,text\n1,"{GERMAN}"\n3,"{JAPANESE}\n\n"\n'.encode()
    assert budgie("identify", "--keep", "de,ja", path, notes=True) == expected
    assert budgie("identify", "--keep", "cy", path, path, notes=True) == b"id,text\n"


def test_least(budgie: Command) -> None:
    word = "Hallo"
    answer = package.load("langid").identify(word)
    keep = ("identify", "--keep", answer.language)
    assert not answer.reliable
    assert budgie(*keep, stdin=word.encode(), notes=True) == b""
    assert budgie(*keep, "--least", answer.probability - 0.01, stdin=word.encode(), notes=True) == b"Hallo\n"
    assert budgie(*keep, "--least", answer.probability + 0.01, stdin=word.encode(), notes=True) == b""
    assert budgie("identify", "--keep", "de", "--least", 1, stdin=GERMAN.encode(), notes=True) == b""


def test_a_summary_follows_what_was_left_out(budgie: Command) -> None:
    lines = json.dumps({"text": GERMAN}).encode() + b"\n{}\n"
    assert budgie("identify", "--keep", "de", "--errors", "skip", stdin=lines, status=1).count(b"\n") == 1
    assert budgie.error.splitlines()[-1] == b"budgie: kept 1 of 1 texts (100.0 %)"


def test_errors(budgie: Command) -> None:
    budgie.fails(
        "identify", "--keep", "germann", message="this model does not know the language 'germann'; did you mean"
    )
    budgie.fails("identify", "--keep", ",", message="--keep names no language")
    budgie.fails("identify", "--least", "0.5", message="--least goes with --keep, which says the languages")
    for option in (["--languages", "de"], ["--whole"]):
        budgie.fails(
            "identify", "--keep", "de", *option, message=f"{option[0]}: --keep takes records, and judges them by"
        )
    for option in (["--no-text"], ["--where"], ["--into", "x"]):
        budgie.fails("identify", "--keep", "de", *option, message=f"{option[0]}: --keep leaves records unchanged")
