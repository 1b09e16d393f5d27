# SPDX-License-Identifier: Apache-2.0
"""Which model a command uses: one that comes with Budgie, by its language, or another."""

from __future__ import annotations

import argparse

import budgie
from budgie.errors import ConfigError
from budgie.tasks import TASKS


def add_model(parser: argparse.ArgumentParser, option: str, metavar: str, help_text: str) -> None:
    """The language of an embedded model, or a model."""
    model = parser.add_mutually_exclusive_group(required=True)
    model.add_argument(option, metavar=metavar, help=help_text)
    model.add_argument("--model", help="name of an embedded model, or path of a model file")


def model_name(task: str, language: str, model: str | None) -> str:
    """The model that was named, or the embedded one of a task for a language."""
    if model is not None:
        return model
    prefix, what = f"{task}-", TASKS[task].noun
    name, names = prefix + language, budgie.models()
    if name not in names:
        languages = " ".join(name.removeprefix(prefix) for name in names if name.startswith(prefix))
        raise ConfigError(
            f"no {what} for {language!r} comes with Budgie; there are {what}s for: {languages or 'no language'}; "
            "--model takes a model file"
        )
    return name
