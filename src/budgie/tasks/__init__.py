# SPDX-License-Identifier: Apache-2.0
"""The tasks: what a model file becomes when it is loaded. What differs between them elsewhere is in one table, TASKS.

A task has one module here and one of the same name in `budgie.evaluation`, and a folder of that name in `budgie.train`.
The table names them and does not import them: who loads a model pays neither for evaluation nor for training.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any, NamedTuple


class TaskRow(NamedTuple):
    """A task, as all the package has to know it."""

    room: str  # the name of its modules
    class_name: str  # of what a model becomes
    noun: str  # what such a model is called; with an s there are several
    settings: tuple[str, ...] = ()  # what that class takes beside the model, and so do `load` and `budgie evaluate`
    evaluated_with: tuple[str, ...] = ()  # what else of the options of `budgie evaluate` has a meaning
    trained_with: tuple[str, ...] = ()  # the same for those options of `budgie train` that not all tasks have
    own_labels: bool = True  # labels are answers, and come from the data; else they are actions, always the same ones
    reads_units: bool = False  # cuts text into units: what config.TextConfig says of other text has no meaning
    calibrated: bool = False  # probabilities depend on a tensor that is fitted after training

    def make(self, model: Any, **settings: Any) -> Any:
        """A model, ready to use."""
        return getattr(_module(f"budgie.tasks.{self.room}"), self.class_name)(model, **settings)

    def evaluation(self) -> ModuleType:
        """Where `evaluate_command` is."""
        return _module(f"budgie.evaluation.{self.room}")

    def training(self) -> ModuleType:
        """Where `LANGUAGES` and `train_model` are (src/budgie/train/job.py says what they do)."""
        return _module(f"budgie.train.{self.room}.command")


TASKS = {
    "langid": TaskRow(
        "langid",
        "LanguageIdentifier",
        "language identifier",
        evaluated_with=("known", "languages", "per_label"),
        calibrated=True,
    ),
    "pos": TaskRow(
        "tagging", "Tagger", "tagger", evaluated_with=("train", "per_label"), trained_with=("silver", "clusters")
    ),
    "seg": TaskRow(
        "segmentation",
        "Segmenter",
        "segmenter",
        settings=("dictionary", "standard"),
        evaluated_with=("train", "convention"),
        trained_with=("silver", "lexicon", "learn_dev"),
        own_labels=False,
        reads_units=True,
    ),
    "preorder": TaskRow(
        "preordering",
        "Preorderer",
        "preorderer",
        settings=("beam",),
        trained_with=("silver", "start", "tagger", "clusters"),
        own_labels=False,
    ),
}


def _module(name: str) -> ModuleType:
    __import__(name)  # not importlib, which would be one more module for every program that loads a model
    return sys.modules[name]
