# SPDX-License-Identifier: Apache-2.0
"""The embedded model of a language."""

from __future__ import annotations

import budgie
from budgie.errors import ConfigError
from budgie.tasks import TASKS


def embedded(task: str, language: str) -> str:
    """The name of the embedded model of a task for a language."""
    prefix, what = f"{task}-", TASKS[task].people
    name, names = prefix + language, budgie.models()
    if name not in names:
        languages = " ".join(name.removeprefix(prefix) for name in names if name.startswith(prefix))
        raise ConfigError(
            f"no {what} for {language!r} comes with Budgie; there are {what}s for: {languages or 'no language'}; "
            "--model takes a model file"
        )
    return name
