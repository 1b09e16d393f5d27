# SPDX-License-Identifier: Apache-2.0
"""`--languages macro`."""

from __future__ import annotations

import json
from pathlib import Path

from conftest import Command

import budgie as package

TEXT = "Dobar dan, kako ste danas?"


def test_identify(budgie: Command) -> None:
    model = package.load("langid")
    answer = model.identify(TEXT, "macro")
    row = f"hbs\t{answer.probability:.4f}\tyes\t{TEXT}\n".encode()
    assert budgie("identify", "--languages", "macro", stdin=TEXT.encode()) == row
    spans = budgie("identify", "--languages", "macro", "--spans", stdin=TEXT.encode())
    assert spans == b"1\t0\t%d\t" % len(TEXT) + row
    assert budgie("identify", "--languages", "macro", "--rank", 2, stdin=TEXT.encode()).startswith(b"hbs:0.99")
    as_json = json.loads(budgie("identify", "--languages", "macro", "--json", stdin=TEXT.encode()))
    assert (as_json["language"], as_json["reliable"]) == ("hbs", True)
    assert budgie("identify", "--languages", "macro", "--priors", "hbs=9,de=2", stdin=TEXT.encode())[:3] == b"hbs"


def test_keep(budgie: Command) -> None:
    lines = f"{TEXT}\nDer Hund schläft unter dem Tisch.\n".encode()
    kept = budgie("identify", "--languages", "macro", "--keep", "hbs,en", stdin=lines, notes=True)
    assert kept == f"{TEXT}\n".encode()


def test_evaluate(budgie: Command, tmp_path: Path) -> None:
    data = tmp_path / "data.tsv"
    data.write_text(f"bs\t{TEXT}\nhr\t{TEXT}\nhbs\t{TEXT}\nxx\t{TEXT}\n", "utf-8")
    found = json.loads(budgie("evaluate", "langid", data, "--languages", "macro", "--known", "--json"))
    assert (found["texts"], found["accuracy"], found["unknown_labels"]) == (3, 1, [])


def test_what_makes_no_sense(budgie: Command, tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text(f"{TEXT}\n", "utf-8")
    budgie.fails("annotate", "--languages", "macro", text, message="languages='macro' is for identification alone")
    budgie.fails(
        "identify",
        "--languages",
        "hbs,en",
        text,
        message="this model does not know the language 'hbs'; it is bs, hr and sr-Latn, which languages=\"macro\"",
    )
    budgie.fails("identify", "--languages", "de", "--keep", "de", text, message="--languages: --keep takes records")
