# SPDX-License-Identifier: Apache-2.0
"""From raw text to languages, sentences, tokens and tags, by the models of each language."""

from __future__ import annotations

import itertools
import os
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from budgie import _core, coverage, shared
from budgie.columns import Columns, Table
from budgie.document import Document
from budgie.errors import ConfigError, MissingModel, MissingModelWarning, warn
from budgie.tasks.batches import TEXTS, check, flag, names, several
from budgie.tasks.langid import MACRO, Priors, Text

if TYPE_CHECKING:
    from budgie._core import Route
    from budgie.tasks.segmentation import Segmenter

TASKS = ("language", "spans", "sentences", "tokens", "tags")
_STREAMED = 1 << 20  # characters taken from an iterator at a time
_FIRST = 1 << 14  # the same at first; then twice as many each time
_ANY_TEXT = 256  # even an empty text takes as much memory as some characters

_TAGGED_STANDARD = "gsd"  # of the words that the taggers of Chinese have learnt


class Pipeline:
    """Annotates any str or bytes of UTF-8; models are loaded when a language first needs them, and once.

    `languages` restricts what languages there may be, and `priors` says how much more frequent some are than others, as
    {"en": 5, "de": 2}. `tasks` says what is to be found, and each brings what stands before it: "language" of a text as
    a whole, "spans" where it changes its language (and then that of most of it), "sentences" and "tokens" (which come
    together), "tags". `probabilities` asks how probable each tag is. It may be used from any number of threads.
    """

    def __init__(
        self,
        languages: Iterable[str] | None = None,
        tasks: Iterable[str] = TASKS,
        probabilities: bool = False,
        priors: Priors | None = None,
    ) -> None:
        self.tasks = known_tasks(tasks)
        self.probabilities = flag("probabilities", probabilities)
        if not (languages is None or isinstance(languages, str)):
            languages = tuple(names("languages", languages))
        if languages == MACRO:
            raise ConfigError(
                f"languages={MACRO!r} is for identification alone: models of words and tags are of one language each"
            )
        self.languages = languages
        self._identifier = shared.identifier()
        self._allowed = self._identifier._allowed(self.languages, priors)
        self.priors = None if priors is None else dict(priors)
        labels = self._identifier.model.core.labels
        self._names = [*labels, *(name for name in _OTHERS if name not in labels)]
        self._numbers = {name: number for number, name in enumerate(self._names)}
        self._tags: list[str] = []
        self._routes: list[Route | None] = [None] * len(self._names)
        self._missing: dict[str, str] = {}
        self._warns = True
        self._completed: dict[int | None, Pipeline] = {}
        self._core = self._make_core()

    def __reduce__(self) -> tuple[Callable[..., Pipeline], tuple[object, ...]]:
        return Pipeline, (self.languages, self.tasks, self.probabilities, self.priors)

    def __repr__(self) -> str:
        loaded = [name for name, route in zip(self._names, self._routes, strict=True) if route]
        return f"<Pipeline of {', '.join(self.tasks)}; models in use: {' '.join(loaded) or 'none yet'}>"

    @property
    def untagged(self) -> list[str]:
        """The languages that texts were in so far, and that have no tagger though tags were asked for."""
        if "tags" not in self.tasks:
            return []
        used = (name for name, route in zip(self._names, self._routes, strict=True) if route)
        return [name for name in used if name != coverage.NO_LANGUAGE and not coverage.of(name).tagger]

    @property
    def missing(self) -> dict[str, str]:
        """The segmenters that texts needed so far and that are not installed: what to do about each, by its name.

        Words of such texts are what the model `tokens` finds.
        """
        return dict(self._missing)

    def annotate(self, text: Text, language: str | None = None) -> Document:
        """The annotation of a text; `language` is that of all of it, where you know it."""
        if not isinstance(text, (str, bytes)):
            raise TypeError(f"a text must be str or bytes (UTF-8), not {type(text).__name__}")
        return self._annotate([text], self._number(language), 1)[0]

    def annotate_batch(self, texts: Iterable[Text], language: str | None = None, threads: int = 1) -> list[Document]:
        """The annotation of each text, in order; it depends neither on the others nor on `threads`."""
        return self._annotate(several(texts, threads, TEXTS), self._number(language), threads)

    def annotate_stream(
        self, texts: Iterable[Text], language: str | None = None, threads: int = 1
    ) -> Iterator[Document]:
        """The same for texts without end: about a megabyte of them is in memory at a time."""
        check(texts, threads, TEXTS)
        number = self._number(language)
        return itertools.chain.from_iterable(self._annotate(some, number, threads) for some in _pieces(texts, threads))

    def annotate_column(
        self,
        table: Table,
        language: str | None = None,
        threads: int = 1,
        *,
        column: str | None = None,
        keep: Iterable[str] = (),
        dictionary: bool = False,
    ) -> Columns:
        """The same for each text of a column: the fields of Document, with lists of structs; nulls stay null.

        `table` is anything that speaks the Arrow PyCapsule interface; `column` and `keep` name the texts and what stays
        beside the answers. Offsets count characters, or bytes where the column is binary. With `dictionary` languages
        are dictionary-encoded. Where the language is all that is wanted, there are no spans.
        """
        number, dictionary = self._number(language), flag("dictionary", dictionary)
        wanted = ("spans" in self.tasks, "tokens" in self.tasks, "tags" in self.tasks, self.probabilities)
        ready = self._complete(number) if "tokens" in self.tasks else self  # languages need no other models
        task = ready._core.annotate_column(number, self._allowed, *wanted, dictionary)
        return Columns(task, table, column, keep, threads)

    def segment_column(
        self,
        table: Table,
        language: str | None = None,
        threads: int = 1,
        *,
        column: str | None = None,
        keep: Iterable[str] = (),
        offsets: bool = False,
    ) -> Columns:
        """The tokens of each text of a column, as lists: `tokens`; with `offsets` structs of text, start and end."""
        number, offsets = self._number(language), flag("offsets", offsets)
        task = self._complete(number)._core.tokens_column(number, self._allowed, offsets)
        return Columns(task, table, column, keep, threads)

    def _complete(self, language: int | None) -> Pipeline:
        """One with the models of all languages that there may be: a stream may run where Python cannot load any."""
        if language not in self._completed:
            made = Pipeline(self.languages, self.tasks, self.probabilities, self.priors)
            made._warns = False  # of a segmenter that perhaps no text needs
            made._load(range(len(self._names)) if language is None else [language])
            self._completed[language] = made
        return self._completed[language]

    def _annotate(self, texts: list[Text], language: int | None, threads: int) -> list[Document]:
        wanted = ("spans" in self.tasks, "tokens" in self.tasks, "tags" in self.tasks, self.probabilities)
        while True:
            found = self._core.annotate_batch(texts, language, self._allowed, *wanted, threads)
            if isinstance(found, list):
                return [Document(one) for one in found]
            self._load(found)

    def _number(self, language: str | None) -> int | None:
        if language is not None and not isinstance(language, str):
            raise TypeError(f"language must be the name of one, not {type(language).__name__}")
        if language is None:
            return None
        if (number := self._numbers.get(language)) is not None:
            return number
        from budgie.languages import choose  # noqa: PLC0415

        return self._numbers[choose(language, self._numbers, "the pipeline")]

    def _load(self, numbers: Iterable[int]) -> None:
        """Load what some languages need. The core of a pipeline never changes: a new one takes its place."""
        with _loading:
            for number in numbers:
                if self._routes[number] is None:
                    self._routes[number] = self._route(self._names[number])
            self._core = self._make_core()

    def _route(self, label: str) -> Route:
        models, tokens = coverage.of(label), shared.segmenter("tokens")
        words = self._segmenter(models.segmenter) if models.segmenter else None
        tagger = shared.tagger(models.tagger) if models.tagger and "tags" in self.tasks else None
        known = words.standards if words else ()
        words_standard = known.index(_TAGGED_STANDARD) if models.tagger and _TAGGED_STANDARD in known else 0
        return (
            tokens._core,
            tokens.standards.index(models.tokens),
            words._core if words else None,
            words_standard,
            tagger._core if tagger else None,
            [self._number_of_tag(tag) for tag in tagger.tags] if tagger else [],
        )

    def _segmenter(self, name: str) -> Segmenter | None:
        """A text in many languages is no reason to fail where one of them lacks its model."""
        try:
            return shared.segmenter(name)
        except MissingModel as error:
            self._missing[name] = str(error)
            if self._warns:
                warn(str(error), MissingModelWarning)
            return None

    def _number_of_tag(self, tag: str) -> int:
        if tag not in self._tags:
            self._tags.append(tag)
        return self._tags.index(tag)

    def _make_core(self) -> _core.Pipeline:
        unknown = self._numbers[coverage.NO_LANGUAGE]
        return _core.Pipeline(self._identifier._core, self._names, list(self._tags), unknown, list(self._routes))


_loading = threading.Lock()  # of all pipelines: two of them may want the same model


def _renew_lock() -> None:
    """In a child after a fork: the thread that held the lock, to load models, is not there and will never let go of it.

    What it had begun does no harm: each route and each tag is there or not, and is made when it is missing.
    """
    global _loading  # noqa: PLW0603
    _loading = threading.Lock()


os.register_at_fork(after_in_child=_renew_lock)


# Languages that have models, but no label of the identifier; and text of no language that is known.
_OTHERS = ("yue", coverage.NO_LANGUAGE)


def known_tasks(tasks: Iterable[str]) -> tuple[str, ...]:
    """All tasks that are done where some are wanted, in order."""
    given = [tasks] if isinstance(tasks, str) else list(names("tasks", tasks))
    if unknown := [task for task in given if task not in TASKS]:
        raise ConfigError(f"there is no task {unknown[0]!r}: tasks are {', '.join(TASKS)}")
    last = max((TASKS.index(task) for task in given), default=0)
    if TASKS[last] == "sentences":
        last += 1  # with its tokens
    return TASKS[: last + 1]


def _pieces(texts: Iterable[Text], threads: int) -> Iterator[list[Text]]:
    """Some texts at a time: enough to keep the threads at work."""
    piece, size = list[Text](), 0
    most = _STREAMED * min(threads, os.cpu_count() or 1)
    enough = _FIRST  # who waits for the first answers does not wait long
    for text in texts:
        piece.append(text)
        size += _ANY_TEXT + (len(text) if isinstance(text, (str, bytes)) else 0)  # the core says what it should be
        if size >= enough:
            yield piece
            piece, size = [], 0
            enough = min(2 * enough, most)
    if piece:
        yield piece
