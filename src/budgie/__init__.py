# SPDX-License-Identifier: Apache-2.0
"""Natural language processing with small feed-forward networks: one model file of at most 3 MB for each task."""

from __future__ import annotations

import os
import os.path  # not pathlib: importing it costs more than loading a model
from typing import Any, Literal, overload

from budgie._core import Identification, Span
from budgie.errors import ConfigError, DataError, Error, MissingExtra, ModelError
from budgie.langid import LanguageIdentifier
from budgie.model import Model
from budgie.preorderer import Preorderer, Reordering
from budgie.segmenter import Dictionary, Segmenter
from budgie.tagger import Tag, Tagger

__all__ = [
    "ConfigError",
    "DataError",
    "Error",
    "Identification",
    "LanguageIdentifier",
    "MissingExtra",
    "Model",
    "ModelError",
    "Preorderer",
    "Reordering",
    "Segmenter",
    "Span",
    "Tag",
    "Tagger",
    "load",
    "models",
]
__version__ = "0.1.0"

_MODELS = os.path.join(os.path.dirname(__file__), "models")
_SUFFIX = ".safetensors"


def models() -> list[str]:
    """The names of the embedded models."""
    return sorted(name.removesuffix(_SUFFIX) for name in os.listdir(_MODELS) if name.endswith(_SUFFIX))


@overload
def load(model: Literal["langid"]) -> LanguageIdentifier: ...


@overload
def load(
    model: str | os.PathLike[str], *, dictionary: Dictionary | None = None, standard: str | None = None
) -> Any: ...


def load(model: str | os.PathLike[str], *, dictionary: Dictionary | None = None, standard: str | None = None) -> Any:
    """Load an embedded model by its name ("langid", "pos-en", "seg-zh", "preorder-en-ja") or a model file by its path.

    The task of the model says what comes back: a LanguageIdentifier, a Tagger, a Preorderer or a Segmenter, which
    also takes a dictionary of words to keep whole and the standard that says what a word is.
    """
    found = read_model(model)
    task = found.config.task
    if task == "seg":
        return Segmenter(found, () if dictionary is None else dictionary, standard)
    if dictionary is not None or standard is not None:
        raise ConfigError(f"{os.fspath(model)} is a model for {task}: only segmenters take a dictionary or a standard")
    of_task = {"langid": LanguageIdentifier, "pos": Tagger, "preorder": Preorderer}
    return of_task[task](found)


def read_model(model: str | os.PathLike[str]) -> Model:
    """The model file behind a name or a path, without making it ready to use."""
    name = os.fspath(model)
    if os.path.exists(name) or os.path.basename(name) != name or name.endswith(_SUFFIX):
        return Model.read(name)
    embedded = os.path.join(_MODELS, name + _SUFFIX)
    if not os.path.isfile(embedded):
        raise ModelError(
            f"there is no file {name} and no embedded model of that name; embedded are {', '.join(models())}"
        )
    return Model.read(embedded)
