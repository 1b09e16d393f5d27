# SPDX-License-Identifier: Apache-2.0
"""`budgie identify --keep` and `budgie annotate --keep`, with the embedded models."""

from __future__ import annotations

import json
import re
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


# ---- annotate


def test_annotate_leaves_out_other_languages(budgie: Command, tmp_path: Path) -> None:
    texts = [GERMAN, FRENCH, f"{FRENCH} {JAPANESE}", f"{JAPANESE}{JAPANESE} Hallo!", "123"]
    plain = "\n\n".join(texts).encode()
    kept = package.annotate_batch([texts[0], texts[3]])
    assert [one.language for one in kept] == ["de", "ja"]
    keep = ("annotate", "--keep", "german,ja")
    rows = "".join(one.to_tsv(f"{number}\t") for number, one in enumerate(kept, 1))
    assert budgie(*keep, "--format", "tsv", stdin=plain, notes=True).decode() == rows
    assert budgie.error == b"budgie: kept 2 of 5 texts (40.0 %)\n"
    output = budgie(*keep, "--where", stdin=plain, notes=True).decode()
    assert re.findall("# (?:newpar id|line) = (.*)", output) == ["stdin-p1", "1", "stdin-p2", "7"]
    assert budgie(*keep, "--format", "html", stdin=plain, notes=True).count(b"<article") == 2
    lines = "".join(json.dumps({"id": number, "text": text}) + "\n" for number, text in enumerate(texts)).encode()
    for threads in (1, 2):
        output = budgie(*keep, "--format", "jsonl", "--threads", threads, stdin=lines, notes=True)
        found = [json.loads(line) for line in output.splitlines()]
        assert found == [
            {"id": number, "text": texts[number], **one.to_dict()} for number, one in zip((0, 3), kept, strict=True)
        ]
    (tmp_path / "a.txt").write_bytes(plain)
    assert budgie("annotate", "--keep", "cy", tmp_path / "a.txt", "--tasks", "tokens", notes=True) == b""
    assert budgie.error == b"budgie: kept 0 of 5 texts (0.0 %)\n"


def test_annotate_and_the_least_probability(budgie: Command) -> None:
    found = package.annotate("Hallo")
    annotate = ("annotate", "--keep", found.language, "--format", "tsv")
    assert not found.reliable
    assert budgie(*annotate, stdin=b"Hallo", notes=True) == b""
    assert budgie(*annotate, "--least", found.probability - 0.01, stdin=b"Hallo", notes=True).count(b"Hallo") == 1
    assert budgie(*annotate, "--least", found.probability + 0.01, stdin=b"Hallo", notes=True) == b""
    german = ("annotate", "--keep", "de", "--least", "0.3", "--format", "tsv")
    assert budgie(*german, "--priors", "de=1000", stdin=b"Hallo", notes=True).count(b"\tde\t") == 1


def test_errors_of_annotate(budgie: Command) -> None:
    budgie.fails("annotate", "--keep", "germann", message="this model does not know the language 'germann'; did you")
    budgie.fails("annotate", "--keep", ",", message="--keep names no language")
    budgie.fails("annotate", "--least", "0.5", message="--least goes with --keep, which says the languages")
    for option in ("--language", "--languages"):
        budgie.fails(
            "annotate", "--keep", "de", option, "de", message=f"{option}: --keep judges texts by all languages"
        )
