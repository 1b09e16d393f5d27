# SPDX-License-Identifier: Apache-2.0
"""Options of the commands: their names, those that exclude each other, and what the help and errors say of them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from conftest import Command

from budgie.cli import main


@pytest.mark.parametrize(
    ("command", "option"),
    [
        ("identify", "--lang=de"),  # not --languages
        ("annotate", "--prob"),
        ("segment --model tokens", "--sent"),
        ("reproduce table1", "--quie"),
        ("", "--vers"),
    ],
)
def test_options_have_their_whole_names(command: str, option: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main([*command.split(), option])
    assert stop.value.code == 2
    name = " ".join(["budgie", *command.partition("--")[0].split()])
    error = capsys.readouterr().err
    assert error.startswith(f"usage: {name} [")  # which shows the options that there are
    assert error.endswith(f"{name}: error: unrecognized arguments: {option}\n")


@pytest.mark.parametrize("command", ["annotate", "chunk --limit 9", "evaluate annotation text.conllu"])
def test_the_language_and_a_choice_of_languages(budgie: Command, command: str) -> None:
    message = "--language says which language all texts are in, --languages which there may be: leave out one of them"
    budgie.fails(*command.split(), "--language", "de", "--languages", "en,fr", message=message)


def test_zst_without_its_extra(budgie: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "compression.zstd", None)  # as if they were not installed
    monkeypatch.setitem(sys.modules, "zstandard", None)
    (tmp_path / "a.zst").write_bytes(b"\x28\xb5\x2f\xfd")
    message = ".zst files need the extra zst: pip install 'budgie-nlp[zst]', or '.[zst]' in a checkout"
    budgie.fails("identify", tmp_path / "a.zst", message=message)
    budgie.fails("annotate", "--output", tmp_path / "b.zst", message=message)
    assert [path.name for path in tmp_path.iterdir()] == ["a.zst"]


@pytest.mark.parametrize(
    ("command", "unit"),
    [
        ("annotate", "a paragraph is a text"),
        ("identify", "a line is a text; with --whole the file"),
        ("chunk", "the file is a text; with --lines a line"),
        ("segment", "a line is a text"),
        ("tag", "a line is a sentence; with --raw a paragraph is a text"),
        ("preorder", "a line is a text"),
    ],
)
def test_help_says_what_a_text_is(command: str, unit: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([command, "--help"])
    output = capsys.readouterr().out
    assert f"Input is plain text ({unit})," in output
    assert max(map(len, output.partition("options:")[0].splitlines())) <= 120
