# SPDX-License-Identifier: Apache-2.0
"""The calls at the top of the package, by embedded models that are loaded when first needed, and then kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, AnyStr

import budgie
from budgie.columns import Columns, Table
from budgie.errors import ConfigError
from budgie.tasks.batches import flag
from budgie.tasks.langid import LanguageIdentifier, Languages, Priors, Text
from budgie.tasks.records import Identification, Span
from budgie.tasks.segmentation import Segmenter
from budgie.tasks.tagging import Tagger

if TYPE_CHECKING:
    from budgie.chunking import Chunk, Length, Unit
    from budgie.document import Document
    from budgie.pipeline import Pipeline


@cache
def identifier() -> LanguageIdentifier:
    """The language identifier."""
    return budgie.load("langid")


@cache
def segmenter(name: str) -> Segmenter:
    """An embedded segmenter by its name."""
    return Segmenter(budgie.read_model(name))


@cache
def tagger(name: str) -> Tagger:
    """An embedded tagger by its name."""
    return Tagger(budgie.read_model(name))


@cache
def _pipeline(tags: bool, probabilities: bool) -> Pipeline:
    from budgie.pipeline import TASKS, Pipeline  # noqa: PLC0415

    return Pipeline(tasks=TASKS if tags else TASKS[:-1], probabilities=probabilities)


def _annotator(probabilities: bool, languages: Languages | None, priors: Priors | None) -> Pipeline:
    """The pipeline that is kept or, for a choice of languages, one of its own: it costs little beside the models."""
    if languages is None and priors is None:
        return _pipeline(tags=True, probabilities=flag("probabilities", probabilities))
    from budgie.pipeline import Pipeline  # noqa: PLC0415

    return Pipeline(languages, probabilities=probabilities, priors=priors)


def identify(text: Text, languages: Languages | None = None, *, priors: Priors | None = None) -> Identification:
    """The language of a text; `languages` restricts the choice, and `priors` says how frequent some are, as {"en": 5}.

    Text without letters gives `und`.
    """
    return identifier().identify(text, languages, priors=priors)


def rank(
    text: Text, k: int = 3, languages: Languages | None = None, *, priors: Priors | None = None
) -> list[Identification]:
    """The `k` most probable languages of a text, best first."""
    return identifier().rank(text, k, languages, priors=priors)


def spans(text: Text, languages: Languages | None = None, *, priors: Priors | None = None) -> list[Span]:
    """Where a text changes its language: spans that lie end to end."""
    return identifier().spans(text, languages, priors=priors)


def annotate(
    text: Text,
    language: str | None = None,
    probabilities: bool = False,
    *,
    languages: Languages | None = None,
    priors: Priors | None = None,
) -> Document:
    """Languages, sentences, tokens and tags of a raw text; `language` is that of all of it, where you know it.

    `languages` and `priors` are those of `identify`.
    """
    return _annotator(probabilities, languages, priors).annotate(text, language)


def annotate_batch(
    texts: Iterable[Text],
    language: str | None = None,
    probabilities: bool = False,
    threads: int = 1,
    *,
    languages: Languages | None = None,
    priors: Priors | None = None,
) -> list[Document]:
    """The same for each text, in order, on `threads` threads."""
    return _annotator(probabilities, languages, priors).annotate_batch(texts, language, threads)


def annotate_stream(
    texts: Iterable[Text],
    language: str | None = None,
    probabilities: bool = False,
    threads: int = 1,
    *,
    languages: Languages | None = None,
    priors: Priors | None = None,
) -> Iterator[Document]:
    """The same for texts without end, in constant memory."""
    return _annotator(probabilities, languages, priors).annotate_stream(texts, language, threads)


def segment(text: AnyStr, language: str | None = None) -> list[AnyStr]:
    """The tokens of a raw text in any language, without its white space."""
    return [token.text for token in _pipeline(tags=False, probabilities=False).annotate(text, language).tokens]


def sentences(text: AnyStr, language: str | None = None) -> list[AnyStr]:
    """The sentences of a raw text in any language."""
    return [one.text for one in _pipeline(tags=False, probabilities=False).annotate(text, language).sentences]


def chunks(
    text: Text,
    limit: int,
    language: str | None = None,
    *,
    unit: Unit = "characters",
    length: Length | None = None,
    overlap: int = 0,
) -> list[Chunk]:
    """Pieces of a raw text that are at most `limit` long and end at sentences, else at words, else anywhere.

    `unit`, `length` and `overlap` are those of `Document.chunks`.
    """
    from budgie.chunking import Settings, chunks_of  # noqa: PLC0415

    settings = Settings(limit, unit, length, overlap)
    return chunks_of(_pipeline(tags=False, probabilities=False).annotate(text, language), settings)


def tag(sentence: Sequence[str] | Sequence[bytes], language: str) -> list[str]:
    """The tags of the words of a sentence; `annotate` takes raw text."""
    return _tagger_of(language).tag(sentence)


def identify_column(
    table: Table,
    languages: Languages | None = None,
    threads: int = 1,
    *,
    column: str | None = None,
    keep: Iterable[str] = (),
    priors: Priors | None = None,
    dictionary: bool = False,
) -> Columns:
    """The language of each text of a column of polars, pyarrow, pandas, DuckDB or any other table of Arrow's.

    `column` names the texts, which may be left out where there is one column; `keep` names those that stay beside the
    answers. What comes back is a table for all of them, computed batch by batch as it is read; with `dictionary`
    languages are dictionary-encoded.
    """
    return identifier().identify_column(
        table, languages, threads, column=column, keep=keep, priors=priors, dictionary=dictionary
    )


def rank_column(
    table: Table,
    k: int = 3,
    languages: Languages | None = None,
    threads: int = 1,
    *,
    column: str | None = None,
    keep: Iterable[str] = (),
    priors: Priors | None = None,
    dictionary: bool = False,
) -> Columns:
    """The `k` most probable languages of each text of a column, best first."""
    return identifier().rank_column(
        table, k, languages, threads, column=column, keep=keep, priors=priors, dictionary=dictionary
    )


def spans_column(
    table: Table,
    languages: Languages | None = None,
    threads: int = 1,
    *,
    column: str | None = None,
    keep: Iterable[str] = (),
    priors: Priors | None = None,
    dictionary: bool = False,
) -> Columns:
    """Where each text of a column changes its language."""
    return identifier().spans_column(
        table, languages, threads, column=column, keep=keep, priors=priors, dictionary=dictionary
    )


def segment_column(
    table: Table,
    language: str | None = None,
    threads: int = 1,
    *,
    column: str | None = None,
    keep: Iterable[str] = (),
    offsets: bool = False,
) -> Columns:
    """The tokens of each text of a column; with `offsets` also where they are."""
    pipeline = _pipeline(tags=False, probabilities=False)
    return pipeline.segment_column(table, language, threads, column=column, keep=keep, offsets=offsets)


def tag_column(
    table: Table,
    language: str,
    threads: int = 1,
    probabilities: bool = False,
    *,
    column: str | None = None,
    keep: Iterable[str] = (),
    dictionary: bool = False,
) -> Columns:
    """The tags of each list of words of a column; `annotate_column` takes raw text."""
    return _tagger_of(language).tag_column(
        table, threads, probabilities, column=column, keep=keep, dictionary=dictionary
    )


def annotate_column(
    table: Table,
    language: str | None = None,
    probabilities: bool = False,
    threads: int = 1,
    *,
    column: str | None = None,
    keep: Iterable[str] = (),
    languages: Languages | None = None,
    priors: Priors | None = None,
    dictionary: bool = False,
) -> Columns:
    """Languages, sentences, tokens and tags of each text of a column."""
    pipeline = _annotator(probabilities, languages, priors)
    return pipeline.annotate_column(table, language, threads, column=column, keep=keep, dictionary=dictionary)


def _tagger_of(language: str) -> Tagger:
    from budgie import coverage  # noqa: PLC0415
    from budgie.languages import find, meant  # noqa: PLC0415

    if not isinstance(language, str):
        raise TypeError(f"language must be the name of one, not {type(language).__name__}")
    name = coverage.of(find(language) or language).tagger
    if name is None:
        there = meant(language) or "`budgie languages` shows what there is"
        raise ConfigError(f"no tagger for {language!r} comes with Budgie; {there}")
    return tagger(name)
