# SPDX-License-Identifier: Apache-2.0
"""Natural language processing with small feed-forward networks: one model file of at most 3 MB for each task."""

from __future__ import annotations

import os
import os.path  # not pathlib: importing it costs more than loading a model
from collections.abc import Callable
from typing import Any, Literal, overload

from budgie.errors import ConfigError, DataError, Error, MissingExtra, ModelError
from budgie.model.config import Task
from budgie.model.file import Model
from budgie.tasks.langid import LanguageIdentifier
from budgie.tasks.preordering import Preorderer
from budgie.tasks.records import Identification, Reordering, Span, Tag, TokenSpan
from budgie.tasks.segmentation import Dictionary, Segmenter
from budgie.tasks.tagging import Tagger

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
    "TokenSpan",
    "load",
    "models",
]
__version__ = "0.1.0"

_MODELS = os.path.join(os.path.dirname(__file__), "models")
_SUFFIX = ".safetensors"
_TASKS: dict[Task, tuple[Callable[..., Any], tuple[str, ...]]] = {
    "langid": (LanguageIdentifier, ()),
    "pos": (Tagger, ()),
    "seg": (Segmenter, ("dictionary", "standard")),
    "preorder": (Preorderer, ("beam",)),
}


def models() -> list[str]:
    """The names of the embedded models."""
    return sorted(name.removesuffix(_SUFFIX) for name in os.listdir(_MODELS) if name.endswith(_SUFFIX))


@overload
def load(model: Literal["langid"]) -> LanguageIdentifier: ...


@overload
def load(
    model: str | os.PathLike[str],
    *,
    dictionary: Dictionary | None = None,
    standard: str | None = None,
    beam: int | None = None,
) -> Any: ...


def load(
    model: str | os.PathLike[str],
    *,
    dictionary: Dictionary | None = None,
    standard: str | None = None,
    beam: int | None = None,
) -> Any:
    """Load an embedded model by its name ("langid", "pos-en", "seg-zh", "preorder-en-ja") or a model file by its path.

    The task of the model says what comes back: a LanguageIdentifier, a Tagger, a Segmenter or a Preorderer. A Segmenter
    also takes a dictionary of words to keep whole and the standard that says what a word is; a Preorderer takes a beam,
    which is how many ways to an order it follows side by side.
    """
    found = read_model(model)
    use, known = _TASKS[found.config.task]
    given = {"dictionary": dictionary, "standard": standard, "beam": beam}
    settings = {name: value for name, value in given.items() if value is not None}
    if unknown := settings.keys() - set(known):
        takes = f"only {' and '.join(known)}" if known else "nor any other setting"
        raise ConfigError(f"{os.fspath(model)} is a model for {found.config.task} and takes no {min(unknown)}, {takes}")
    return use(found, **settings)


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
