# SPDX-License-Identifier: Apache-2.0
"""The one table of tasks: every row leads to something, and no task is missing."""

from __future__ import annotations

import inspect
import typing
from pathlib import Path

import pytest

import budgie
from budgie.cli import make_parser
from budgie.model.config import Task
from budgie.tasks import TASKS, TaskRow

ROWS = pytest.mark.parametrize("row", TASKS.values(), ids=TASKS)


def test_all_tasks_are_in_the_table() -> None:
    assert tuple(TASKS) == typing.get_args(Task)


@ROWS
def test_the_class_is_public_and_takes_the_settings(row: TaskRow) -> None:
    made = getattr(budgie, row.class_name)
    assert list(inspect.signature(made).parameters) == ["model", *row.settings]
    assert set(row.settings) < set(inspect.signature(budgie.load).parameters)


@ROWS
def test_rooms(row: TaskRow) -> None:
    assert callable(row.evaluation().evaluate_command)
    training = row.training()
    assert callable(training.train_model)
    assert not training.LANGUAGES or callable(training.recipe_of)


@ROWS
def test_what_all_tasks_share_in_training_knows_none(row: TaskRow) -> None:
    shared = Path(budgie.__file__).with_name("train") / "network"
    assert [file.name for file in shared.glob("*.py") if f"budgie.train.{row.room}." in file.read_text("utf-8")] == []


@ROWS
def test_options_are_options_of_the_command(row: TaskRow) -> None:
    evaluate = make_parser().parse_args(["evaluate", "model", "data"])
    assert {*row.settings, *row.evaluated_with} < vars(evaluate).keys()
    train = make_parser().parse_args(["train", "recipe"])
    assert set(row.trained_with) < vars(train).keys()
