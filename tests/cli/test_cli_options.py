# SPDX-License-Identifier: Apache-2.0
"""Options of the commands: their names, those that exclude each other, and what the help says of them."""

from __future__ import annotations

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


@pytest.mark.parametrize("command", ["annotate", "evaluate annotation text.conllu"])
def test_the_language_and_a_choice_of_languages(budgie: Command, command: str) -> None:
    message = "--language says which language all texts are in, --languages which there may be: leave out one of them"
    budgie.fails(*command.split(), "--language", "de", "--languages", "en,fr", message=message)
