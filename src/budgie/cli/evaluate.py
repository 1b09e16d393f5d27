# SPDX-License-Identifier: Apache-2.0
"""`budgie evaluate`: the model says by its task what is scored."""

from __future__ import annotations

import argparse
import sys

import budgie
from budgie.cli.arguments import refuse
from budgie.cli.streams import pretty
from budgie.tasks import TASKS


def evaluate(args: argparse.Namespace) -> int:
    """Score a model on labelled text, on tagged sentences, on segmented or on aligned text."""
    model = budgie.read_model(args.model)
    task = TASKS[model.config.task]
    foreign = {option for row in TASKS.values() for option in (*row.settings, *row.evaluated_with)}
    foreign -= {*task.settings, *task.evaluated_with}
    refuse(
        args, foreign, lambda option: f"{option} makes no sense with {args.model}, which is a model for another task"
    )
    given = {name: value for name in task.settings if (value := getattr(args, name))}
    result, text = task.evaluation().evaluate_command(task.make(model, **given), args)
    sys.stdout.write(pretty(result) if args.json else text)
    return 0
