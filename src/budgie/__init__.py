# SPDX-License-Identifier: Apache-2.0
"""Natural language processing with small feed-forward networks: one model file of at most 3 MB for each task."""

from __future__ import annotations

import os
import os.path  # not pathlib: importing it costs more than loading a model
import sys
from typing import TYPE_CHECKING, Any, Literal, overload

from budgie.errors import ConfigError, DataError, Error, MissingExtra, MissingModel, ModelError
from budgie.model.file import Model
from budgie.tasks import TASKS
from budgie.tasks.langid import LanguageIdentifier
from budgie.tasks.preordering import Preorderer
from budgie.tasks.records import Identification, Reordering, Sentence, Span, Tag, Token, TokenSpan, Word
from budgie.tasks.segmentation import Dictionary, Segmenter
from budgie.tasks.tagging import Tagger

if TYPE_CHECKING:
    from budgie.chunking import Chunk
    from budgie.columns import Columns
    from budgie.document import Document
    from budgie.pipeline import Pipeline
    from budgie.shared import (
        annotate,
        annotate_batch,
        annotate_column,
        annotate_stream,
        chunks,
        identify,
        identify_column,
        rank,
        rank_column,
        segment,
        segment_column,
        sentences,
        spans,
        spans_column,
        tag,
        tag_column,
    )

__all__ = [
    "Chunk",
    "Columns",
    "ConfigError",
    "DataError",
    "Document",
    "Error",
    "Identification",
    "LanguageIdentifier",
    "MissingExtra",
    "MissingModel",
    "Model",
    "ModelError",
    "Pipeline",
    "Preorderer",
    "Reordering",
    "Segmenter",
    "Sentence",
    "Span",
    "Tag",
    "Tagger",
    "Token",
    "TokenSpan",
    "Word",
    "annotate",
    "annotate_batch",
    "annotate_column",
    "annotate_stream",
    "chunks",
    "identify",
    "identify_column",
    "load",
    "models",
    "rank",
    "rank_column",
    "segment",
    "segment_column",
    "sentences",
    "spans",
    "spans_column",
    "tag",
    "tag_column",
]
__version__ = "0.1.0"

# All models that have a name, by the task they are for, so that `load` is typed by it: the embedded ones, and those of
# budgie-nlp-restricted (distributions.py).
LanguageIdentifierName = Literal["langid"]
TaggerName = Literal[
    "pos-af", "pos-be", "pos-ca", "pos-cs", "pos-cy", "pos-da", "pos-de", "pos-el", "pos-en", "pos-es", "pos-fa",
    "pos-fi", "pos-fr", "pos-ga", "pos-gl", "pos-he", "pos-hr", "pos-hy", "pos-id", "pos-is", "pos-it", "pos-ja",
    "pos-ka", "pos-ko", "pos-lt", "pos-lv", "pos-mt", "pos-nl", "pos-nn", "pos-no", "pos-pl", "pos-pt", "pos-ro",
    "pos-ru", "pos-sk", "pos-sl", "pos-sr", "pos-sv", "pos-th", "pos-tr", "pos-uk", "pos-vi", "pos-zh",
    "pos-zh-Hant",
]  # fmt: skip
SegmenterName = Literal[
    "seg-ja", "seg-km", "seg-my", "seg-th", "seg-vi", "seg-yue", "seg-zh", "seg-zh-Hant", "seg-zh-research",
    "tokens",
]  # fmt: skip
PreordererName = Literal["preorder-en-es", "preorder-en-ja"]
AnyTask = LanguageIdentifier | Tagger | Segmenter | Preorderer

# Who loads one model does not pay for the pipeline: these are imported when first asked for.
_LATER = {
    "Chunk": "chunking", "Columns": "columns", "Document": "document", "Pipeline": "pipeline",
} | dict.fromkeys(
    (
        "annotate", "annotate_batch", "annotate_column", "annotate_stream", "chunks", "identify", "identify_column",
        "rank", "rank_column", "segment", "segment_column", "sentences", "spans", "spans_column", "tag", "tag_column",
    ),
    "shared",
)  # fmt: skip

_MODELS = os.path.join(os.path.dirname(__file__), "models")
_SUFFIX = ".safetensors"
ALIASES = {"seg-zh-Hant": "seg-zh"}  # a model that does what people look for under another name: it reads both scripts


def __getattr__(name: str) -> Any:
    if name == "languages":
        __import__("budgie.languages")
        return globals()[name]
    if name not in _LATER:
        raise AttributeError(f"module 'budgie' has no attribute {name!r}")
    module = f"budgie.{_LATER[name]}"
    __import__(module)
    globals()[name] = found = getattr(sys.modules[module], name)
    return found


def models() -> list[str]:
    """The names of the models that are installed: the embedded ones, and those of other distributions."""
    from budgie.distributions import folders  # noqa: PLC0415

    return sorted({*embedded(), *(name for folder in folders() for name in _names_in(folder))})


def embedded() -> list[str]:
    """The names of the models that are part of budgie-nlp."""
    return sorted(_names_in(_MODELS))


def _names_in(folder: str) -> list[str]:
    with os.scandir(folder) as files:
        return [
            name
            for file in files
            if file.is_file() and (name := file.name.removesuffix(_SUFFIX)) not in ("", file.name)
        ]


@overload
def load(model: LanguageIdentifierName) -> LanguageIdentifier: ...
@overload
def load(model: TaggerName) -> Tagger: ...
@overload
def load(model: SegmenterName, *, dictionary: Dictionary | None = None, standard: str | None = None) -> Segmenter: ...
@overload
def load(model: PreordererName, *, beam: int | None = None) -> Preorderer: ...
@overload
def load(
    model: str | os.PathLike[str],
    *,
    dictionary: Dictionary | None = None,
    standard: str | None = None,
    beam: int | None = None,
) -> AnyTask: ...


def load(
    model: str | os.PathLike[str],
    *,
    dictionary: Dictionary | None = None,
    standard: str | None = None,
    beam: int | None = None,
) -> AnyTask:
    """Load a model by its name ("langid", "pos-en", "seg-ja", "preorder-en-ja") or a model file by its path.

    Some names are those of models that are not free for any use, and not embedded: MissingModel says what to install.

    The task of the model says what comes back: a LanguageIdentifier, a Tagger, a Segmenter or a Preorderer. A Segmenter
    also takes a dictionary of words to keep whole and the standard that says what a word is; a Preorderer takes a beam,
    which is how many ways to an order it follows side by side.
    """
    found = read_model(model)
    task = TASKS[found.task]
    given = {"dictionary": dictionary, "standard": standard, "beam": beam}
    settings = {name: value for name, value in given.items() if value is not None}
    if unknown := settings.keys() - set(task.settings):
        takes = f"only {' and '.join(task.settings)}" if task.settings else "nor any other setting"
        raise ConfigError(f"{os.fspath(model)} is a model for {found.task} and takes no {min(unknown)}, {takes}")
    ready: AnyTask = task.make(found, **settings)
    return ready


def read_model(model: str | os.PathLike[str]) -> Model:
    """The model file behind a name or a path, without making it ready to use."""
    name = os.fspath(model)
    if os.path.exists(name) or os.path.basename(name) != name or name.endswith(_SUFFIX):
        return Model.read(name)
    return Model.read(file_of(name))


def file_of(name: str) -> str:
    """The path of the file of a model that is installed."""
    name = ALIASES.get(name, name)
    if os.path.isfile(path := os.path.join(_MODELS, name + _SUFFIX)):
        return path
    from budgie.distributions import advice, folders  # noqa: PLC0415

    for folder in folders():
        if os.path.isfile(path := os.path.join(folder, name + _SUFFIX)):
            return path
    if missing := advice(name):
        raise MissingModel(missing)
    raise ModelError(f"there is no file {name} and no model of that name; {_meant(name)}")


def _meant(name: str) -> str:
    import difflib  # noqa: PLC0415

    from budgie import coverage  # noqa: PLC0415
    from budgie.distributions import known  # noqa: PLC0415

    if instead := coverage.instead(name):
        return instead
    names = known()
    near = difflib.get_close_matches(name, names, 1)
    return f"did you mean {near[0]}?" if near else f"there are {', '.join(names)}"
