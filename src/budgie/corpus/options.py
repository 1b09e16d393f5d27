# SPDX-License-Identifier: Apache-2.0
"""What is to be done with every shard of a corpus: all that its output depends on, and what only time depends on."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from typing import Any

from budgie.pipeline import known_tasks

_NOT_OF_OUTPUT = ("threads", "skip")


@dataclass(frozen=True)
class Options:
    """As the options of `budgie annotate`, which explains them; `skip` is its --errors skip."""

    tasks: tuple[str, ...] = ("language", "sentences", "tokens", "tags")
    language: str | None = None
    languages: tuple[str, ...] | str | None = None
    priors: tuple[tuple[str, float], ...] = ()
    probabilities: bool = False
    keep: tuple[str, ...] | None = None
    least: float | None = None
    input: str | None = None  # what inputs are; None: by their names
    field: str | None = None
    unit: str | None = None
    format: str | None = None  # of the output; None: by what the input is
    into: str | None = None
    where: bool = False
    skip: bool = False  # broken records and shards, instead of stopping
    threads: int = 1

    def __post_init__(self) -> None:
        for name in ("tasks", "keep"):
            if isinstance(given := getattr(self, name), str):
                object.__setattr__(self, name, tuple(given.split(",")))

    def of_output(self) -> dict[str, Any]:
        """What the output depends on, where it is not as usual: JSON, the same for the same output."""
        usual = Options()
        given = {one.name: getattr(self, one.name) for one in dataclasses.fields(self)}
        asked = {name: value for name, value in given.items() if value != getattr(usual, name)}
        asked["tasks"] = known_tasks(self.tasks)
        if self.keep:
            asked["keep"] = sorted(self.keep)
        found: dict[str, Any] = json.loads(
            json.dumps({name: value for name, value in asked.items() if name not in _NOT_OF_OUTPUT})
        )
        return found
