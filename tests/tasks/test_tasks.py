# SPDX-License-Identifier: Apache-2.0
"""The one table of tasks: every row leads to something, and no task is missing."""

from __future__ import annotations

import inspect
import sys
import typing
from collections.abc import Callable
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
def test_only_a_model_becomes_one(row: TaskRow) -> None:
    for other in ("langid", 3, None, budgie.load("langid")):
        message = f"model must be a budgie.Model, not {type(other).__name__}; budgie.load takes the name"
        with pytest.raises(TypeError, match=message):
            row.make(other)


# Every call that takes a number, with what else it needs.
NUMBERED: dict[str, Callable[..., object]] = {
    "identify_batch": lambda **number: budgie.load("langid").identify_batch(["a"], **number),
    "identify_stream": lambda **number: budgie.load("langid").identify_stream(["a"], **number),
    "rank_batch": lambda **number: budgie.load("langid").rank_batch(["a"], **number),
    "spans_batch": lambda **number: budgie.load("langid").spans_batch(["a"], **number),
    "tag_batch": lambda **number: budgie.load("pos-en").tag_batch([["a"]], **number),
    "probabilities": lambda **number: budgie.load("pos-en").probabilities([["a"]], **number),
    "segment_batch": lambda **number: budgie.load("seg-ja").segment_batch(["a"], **number),
    "sentences_batch": lambda **number: budgie.load("seg-ja").sentences_batch(["a"], **number),
    "reorder_batch": lambda **number: budgie.load("preorder-en-ja").reorder_batch([["a"]], **number),
    "permutations": lambda **number: budgie.load("preorder-en-ja").permutations([["a"]], **number),
    "rank": lambda **number: budgie.load("langid").rank("a", **number),
    "rank of a tagger": lambda **number: budgie.load("pos-en").rank(["a"], **number),
}


@pytest.mark.parametrize("call", NUMBERED.values(), ids=NUMBERED)
def test_a_wrong_number_is_named(call: Callable[..., object]) -> None:
    """And not by nanobind, whose message is a page."""

    class Two:
        def __index__(self) -> int:
            return 2

    rank = call in (NUMBERED["rank"], NUMBERED["rank of a tagger"])
    for name in {"k"} if rank else {"threads", "k"} if call is NUMBERED["rank_batch"] else {"threads"}:
        assert call(**{name: Two()})
        for wrong in (1.5, "2", None, 2.0):
            with pytest.raises(TypeError, match=f"^{name} must be a whole number, not {type(wrong).__name__}$"):
                call(**{name: wrong})
        for wrong in (0, -(2**70)):
            with pytest.raises(budgie.ConfigError, match=f"^{name} must be at least 1, not {wrong}$"):
                call(**{name: wrong})
        with pytest.raises(budgie.ConfigError, match=f"^{name} must be at most {sys.maxsize}$"):
            call(**{name: 2**70})


def test_probabilities_are_wanted_or_not() -> None:
    with pytest.raises(TypeError, match="probabilities must be True or False, not int"):
        budgie.load("pos-en").tag_batch([["a"]], probabilities=1)  # type: ignore[call-overload]


@ROWS
def test_options_are_options_of_the_command(row: TaskRow) -> None:
    evaluate = make_parser().parse_args(["evaluate", "model", "data"])
    assert {*row.settings, *row.evaluated_with} < vars(evaluate).keys()
    train = make_parser().parse_args(["train", "recipe"])
    assert set(row.trained_with) < vars(train).keys()
