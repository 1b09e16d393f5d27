# SPDX-License-Identifier: Apache-2.0
"""Word segmentation: the words of a text, with their offsets."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import AnyStr

from budgie import _core
from budgie.columns import Columns, Table
from budgie.errors import ConfigError
from budgie.formats.dictionary import read_dictionary
from budgie.model.file import Model, core_of, refusing
from budgie.tasks.batches import TEXTS, flag, several
from budgie.tasks.records import TokenSpan

Dictionary = str | os.PathLike[str] | Iterable[str]


class Segmenter:
    """Cuts text, a str or bytes of UTF-8, into words. It never changes: use one from any number of threads.

    `dictionary` is the path of a file, a word a line, or a list of words: they always stay whole.
    `standard` chooses one of several definitions of a word, where the model knows more than one (`standards`).
    """

    def __init__(self, model: Model, dictionary: Dictionary = (), standard: str | None = None) -> None:
        with refusing():
            self._core = _core.Segmenter(core_of(model))
        known = model.core.standards
        if standard is not None and standard not in known:
            names = f"it knows {', '.join(known)}" if known else "it knows one definition of a word, without a name"
            raise ConfigError(f"the model has no standard {standard!r}: {names}")
        self.model = model
        self._standard = standard if standard is not None else next(iter(known), None)
        self._dictionary = tuple(read_dictionary(dictionary))
        self._settings = (
            _core.Dictionary(list(self.dictionary)) if self.dictionary else None,
            known.index(self.standard) if self.standard is not None else 0,
        )

    def __reduce__(self) -> tuple[Callable[..., Segmenter], tuple[Model, Dictionary, str | None]]:
        return Segmenter, (self.model, self.dictionary, self.standard)

    def __repr__(self) -> str:
        words = f" with {len(self.dictionary)} words of a user" if self.dictionary else ""
        return f"<Segmenter{f' of standard {self.standard}' if self.standard else ''}{words}>"

    @property
    def standard(self) -> str | None:
        """The definition of a word that is in use."""
        return self._standard

    @property
    def dictionary(self) -> tuple[str, ...]:
        """The words that always stay whole."""
        return self._dictionary

    @property
    def standards(self) -> tuple[str, ...]:
        """The definitions of a word that the model knows, its default first; none where it knows just one."""
        return self.model.core.standards

    @property
    def finds_sentences(self) -> bool:
        """Whether it tells where sentences begin, too."""
        return len(self.model.config.labels) > 2

    def segment(self, text: AnyStr, *, spaces: bool = False) -> list[AnyStr]:
        """The words of a text; with `spaces` also the white space between them: joined, they are the text again."""
        return self._core.segment(text, *self._settings, spaces)

    def spans(self, text: str | bytes, *, spaces: bool = False) -> list[TokenSpan]:
        """Where each of them begins and ends: characters of a str, bytes of bytes."""
        return self._core.spans(text, *self._settings, spaces)

    def sentences(self, text: str | bytes) -> list[list[TokenSpan]]:
        """The words of each sentence; one sentence where the model knows none."""
        return self._core.sentences(text, *self._settings, False)

    def segment_batch(self, texts: Iterable[AnyStr], threads: int = 1, *, spaces: bool = False) -> list[list[AnyStr]]:
        """The words of each text; they do not depend on what else is in the batch, nor on `threads`."""
        return self._core.segment_batch(several(texts, threads, TEXTS), *self._settings, spaces, threads)

    def spans_batch(self, texts: Iterable[AnyStr], threads: int = 1, *, spaces: bool = False) -> list[list[TokenSpan]]:
        """The spans of each text."""
        return self._core.spans_batch(several(texts, threads, TEXTS), *self._settings, spaces, threads)

    def sentences_batch(self, texts: Iterable[AnyStr], threads: int = 1) -> list[list[list[TokenSpan]]]:
        """The sentences of each text."""
        return self._core.sentences_batch(several(texts, threads, TEXTS), *self._settings, False, threads)

    def segment_column(
        self,
        table: Table,
        threads: int = 1,
        *,
        column: str | None = None,
        keep: Iterable[str] = (),
        spaces: bool = False,
        offsets: bool = False,
    ) -> Columns:
        """The words of each text of a column, as lists: `tokens`; nulls stay null.

        `table` is anything that speaks the Arrow PyCapsule interface; `column` and `keep` name the texts and what stays
        beside the answers. With `offsets` there is a struct for each word: `text`, `start`, `end`, in characters, or
        bytes where the column is binary.
        """
        task = self._core.segment_column(*self._settings, flag("spaces", spaces), flag("offsets", offsets))
        return Columns(task, table, column, keep, threads)
