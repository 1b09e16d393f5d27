# SPDX-License-Identifier: Apache-2.0
"""What `budgie train` is asked to do, as the module `command` of each task gets it.

Such a module has `LANGUAGES`, which names the embedded models that can be trained again from official data, and
`train_model`, which does a job. Where there are such models, `recipe_of` names the recipe of one; language
identification has none, as its one model is for all languages.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from budgie.cli.arguments import refuse
from budgie.errors import ConfigError
from budgie.tasks import TASKS
from budgie.train.network.loop import Run
from budgie.train.network.recipe import Recipe


@dataclass(frozen=True)
class Job:
    """A model to train."""

    recipe: Recipe
    language: str  # or pair of languages: of the embedded model to train again; empty where it is none
    args: argparse.Namespace
    run: Run

    @property
    def nouns(self) -> str:
        """What models of this task are called, all together."""
        return f"{TASKS[self.recipe.task].noun}s"

    def refuse(self, *options: str, what: str = "") -> None:
        """Refuse options that would do nothing; `what` has no use for them."""
        refuse(self.args, options, lambda option: f"{what or self.nouns} have no use for {option}")

    def refuse_foreign(self) -> None:
        """Refuse the options of other tasks."""
        own = TASKS[self.recipe.task].trained_with
        self.refuse(*{option for task in TASKS.values() for option in task.trained_with if option not in own})

    def paths(self) -> tuple[list[Path], list[Path], list[Path]]:
        """Files of training, held-out and silver sentences; the embedded models have theirs of the first two."""
        args = self.args
        training, held_out, silver = (
            [Path(path) for path in some or []] for some in (args.train, args.dev, args.silver)
        )
        if bool(training) is not bool(held_out) or not (training or self.language):
            raise ConfigError(f"{self.nouns} need held-out sentences for early stopping: give --train and --dev")
        if args.workers and args.device != "cpu":
            raise ConfigError(f"{self.nouns} prepare their data on the GPU itself: leave out --workers")
        return training, held_out, silver

    def changes(self) -> dict[str, str]:
        """What differs from the recipe, as information for the model."""
        changes = [*changes_of(self.args), *(f"without {group}" for group in self.args.without)]
        return {"changes": "; ".join(changes)} if changes else {}


def changes_of(args: argparse.Namespace) -> list[str]:
    """What the command line changes in the recipe."""
    return [*args.set, *([] if args.budget is None else [f"network.budget={args.budget}"])]


def names_of(paths: Iterable[Path]) -> str:
    """Files, as information for the model."""
    return ", ".join(path.name for path in paths)
