# SPDX-License-Identifier: Apache-2.0
"""Language identification: what language a text is in, how sure that is, and where a mixed text changes language."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from budgie import _core
from budgie.columns import Columns, Table
from budgie.errors import ConfigError
from budgie.model.file import Model, core_of, refusing
from budgie.tasks.batches import TEXTS, check, flag, names, positive, several
from budgie.tasks.records import Identification, Span

Text = str | bytes

Languages = Iterable[str]
Priors = Mapping[str, float]

ALL = "all"  # languages: rare ones, too
MACRO = "macro"  # the usual ones, but labels of one macrolanguage count as one

_STREAMED = 4096  # texts taken from an iterator at a time
_MAX_WEIGHT = 1e9  # as core/tasks/langid.hpp has it


class LanguageIdentifier:
    """Identifies the language of any str or bytes of UTF-8. It never changes: use one from any number of threads.

    Every call takes `languages`, which restricts the choice, with "all" lets in rare ones, or with "macro" takes those
    of one macrolanguage for one (`hbs` for Bosnian, Croatian and Serbian in Latin script), and `priors`, which says how
    much more frequent some languages are than others: {"en": 5, "de": 2} stands for five English and two German texts
    on each one of any other language. Both take languages by any of their names.
    """

    def __init__(self, model: Model) -> None:
        with refusing():
            self._core = _core.LanguageIdentifier(core_of(model))
        self.model = model
        self._labels = model.core.labels
        self._numbers = {self._labels[number]: number for number in self._core.languages}
        self._usual = self._core.allow(self._core.usual)

    def __reduce__(self) -> tuple[Callable[[Model], LanguageIdentifier], tuple[Model]]:
        return LanguageIdentifier, (self.model,)

    def __repr__(self) -> str:
        return f"<LanguageIdentifier of {len(self.languages)} languages>"

    @property
    def languages(self) -> tuple[str, ...]:
        """The labels that this model chooses from unless it is told otherwise."""
        return tuple(self._labels[number] for number in self._core.usual)

    @property
    def all_languages(self) -> tuple[str, ...]:
        """The same with rare languages, which `languages="all"` or their names bring in."""
        return tuple(self._labels[number] for number in self._core.languages)

    @property
    def macro_languages(self) -> tuple[str, ...]:
        """What `languages="macro"` chooses from: the usual labels, with one name for those of a macrolanguage."""
        return tuple(dict.fromkeys(map(self.macro, self.languages)))

    def macro(self, label: str) -> str:
        """What `languages="macro"` calls a language: the name of its macrolanguage, or its label."""
        number = self._number(label, self._numbers)
        return next((name for name, numbers in self._core.folds if number in numbers), self._labels[number])

    def identify(
        self, text: Text, languages: Languages | None = None, *, priors: Priors | None = None
    ) -> Identification:
        """The language of `text`. Text without letters gives `und`."""
        return self._core.identify(text, self._allowed(languages, priors))

    def identify_batch(
        self,
        texts: Iterable[Text],
        languages: Languages | None = None,
        threads: int = 1,
        *,
        priors: Priors | None = None,
    ) -> list[Identification]:
        """The language of each text, in order: the same answers as `identify`, faster, on `threads` threads."""
        return self._core.identify_batch(several(texts, threads, TEXTS), self._allowed(languages, priors), threads)

    def identify_stream(
        self,
        texts: Iterable[Text],
        languages: Languages | None = None,
        threads: int = 1,
        *,
        priors: Priors | None = None,
    ) -> Iterator[Identification]:
        """The same for texts without end: a few thousand are in memory at a time."""
        check(texts, threads, TEXTS)
        allowed, remaining = self._allowed(languages, priors), iter(texts)
        pieces = iter(lambda: list(itertools.islice(remaining, _STREAMED)), [])
        return itertools.chain.from_iterable(self._core.identify_batch(piece, allowed, threads) for piece in pieces)

    def rank(
        self, text: Text, k: int = 3, languages: Languages | None = None, *, priors: Priors | None = None
    ) -> list[Identification]:
        """The `k` most probable languages, best first."""
        return self._core.rank(text, positive("k", k), self._allowed(languages, priors))

    def rank_batch(
        self,
        texts: Iterable[Text],
        k: int = 3,
        languages: Languages | None = None,
        threads: int = 1,
        *,
        priors: Priors | None = None,
    ) -> list[list[Identification]]:
        """The same for each text, on `threads` threads."""
        return self._core.rank_batch(
            several(texts, threads, TEXTS), positive("k", k), self._allowed(languages, priors), threads
        )

    def spans(self, text: Text, languages: Languages | None = None, *, priors: Priors | None = None) -> list[Span]:
        """Cut mixed-language text into spans of one language each.

        Spans tile the text: the first begins at 0, each begins where the one before ends, the last ends at len(text).
        Offsets count characters of a str, or bytes of bytes.
        """
        return self._core.spans(text, self._allowed(languages, priors))

    def spans_batch(
        self,
        texts: Iterable[Text],
        languages: Languages | None = None,
        threads: int = 1,
        *,
        priors: Priors | None = None,
    ) -> list[list[Span]]:
        """The spans of each text, on `threads` threads."""
        return self._core.spans_batch(several(texts, threads, TEXTS), self._allowed(languages, priors), threads)

    def passages(self, text: Text, languages: Languages | None = None, *, priors: Priors | None = None) -> list[Span]:
        """The same sentence by sentence: much faster, and text in one language stays in one piece.

        Words in another language are found only in sentences that as a whole are not in the language of the text.
        """
        return self._core.passages(text, self._allowed(languages, priors))

    def passages_batch(
        self,
        texts: Iterable[Text],
        languages: Languages | None = None,
        threads: int = 1,
        *,
        priors: Priors | None = None,
    ) -> list[list[Span]]:
        """The passages of each text, on `threads` threads."""
        return self._core.passages_batch(several(texts, threads, TEXTS), self._allowed(languages, priors), threads)

    def identify_column(
        self,
        table: Table,
        languages: Languages | None = None,
        threads: int = 1,
        *,
        column: str | None = None,
        keep: Iterable[str] = (),
        priors: Priors | None = None,
        dictionary: bool = False,
    ) -> Columns:
        """The language of each text of a column: `language`, `probability` and `reliable`; nulls stay null.

        `table` is anything that speaks the Arrow PyCapsule interface. `column` names the texts, which may be left out
        where there is one column; `keep` names those that stay beside the answers. With `dictionary` languages are
        dictionary-encoded.
        """
        task = self._core.identify_column(self._allowed(languages, priors), flag("dictionary", dictionary))
        return Columns(task, table, column, keep, threads)

    def rank_column(
        self,
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
        """The `k` most probable languages of each text of a column, best first, as lists: `ranking`."""
        allowed = self._allowed(languages, priors)
        task = self._core.rank_column(positive("k", k), allowed, flag("dictionary", dictionary))
        return Columns(task, table, column, keep, threads)

    def spans_column(
        self,
        table: Table,
        languages: Languages | None = None,
        threads: int = 1,
        *,
        column: str | None = None,
        keep: Iterable[str] = (),
        priors: Priors | None = None,
        dictionary: bool = False,
    ) -> Columns:
        """The spans of each text of a column, as lists: `spans`. Offsets count characters, or bytes of binary."""
        task = self._core.spans_column(self._allowed(languages, priors), flag("dictionary", dictionary))
        return Columns(task, table, column, keep, threads)

    def passages_column(
        self,
        table: Table,
        languages: Languages | None = None,
        threads: int = 1,
        *,
        column: str | None = None,
        keep: Iterable[str] = (),
        priors: Priors | None = None,
        dictionary: bool = False,
    ) -> Columns:
        """The passages of each text of a column, in the same form."""
        task = self._core.passages_column(self._allowed(languages, priors), flag("dictionary", dictionary))
        return Columns(task, table, column, keep, threads)

    def letters(self, text: Text) -> int:
        """How many letters and marks of `text` the network sees, without markup and addresses."""
        return self._core.letters(text)

    def scores(self, text: Text) -> list[float]:
        """What the network says of each language, before calibration and softmax."""
        return self._core.scores(text)

    def _allowed(self, languages: Languages | None, priors: Priors | None = None) -> _core.Allowed:
        if languages is None and priors is None:
            return self._usual
        if languages == MACRO:
            return self._core.allow_macrolanguages(self._weights(priors, self._core.folds))
        return self._core.allow(self._chosen(languages), self._weights(priors))

    def _chosen(self, languages: Languages | None) -> list[int]:
        if languages is None:
            return self._core.usual
        if languages == ALL:
            return self._core.languages
        if isinstance(languages, str):
            raise ConfigError(
                f"languages must be a list of codes, {ALL!r} or {MACRO!r}, not one str: languages=[{languages!r}]"
            )
        chosen = {self._number(language, self._numbers) for language in names("languages", languages)}
        if not chosen:
            raise ConfigError("languages must not be empty")
        return sorted(chosen)

    def _weights(self, priors: Priors | None, folds: Sequence[tuple[str, list[int]]] = ()) -> list[float]:
        """The weight of each label. Those of a macrolanguage have the largest that is given to one of them."""
        if priors is None:
            return []
        if not isinstance(priors, Mapping):
            raise ConfigError(f'priors must be weights by language, as {{"en": 5, "de": 2}}, not {priors!r}')
        numbers = self._numbers | {name: members[0] for name, members in folds}
        given: dict[int, float] = {}
        for language, weight in priors.items():
            if not isinstance(weight, (int, float)) or not 1 / _MAX_WEIGHT <= weight <= _MAX_WEIGHT:
                raise ConfigError(
                    f"the prior of {language!r} must be a number from {1 / _MAX_WEIGHT:g} to {_MAX_WEIGHT:g}, "
                    f"not {weight!r}; languages= leaves languages out"
                )
            number = self._number(language, numbers)
            given[number] = max(given.get(number, 0.0), float(weight))
        for _, members in folds:
            if some := [given[number] for number in members if number in given]:
                given.update(dict.fromkeys(members, max(some)))
        return [given.get(number, 1.0) for number in range(len(self._labels))]

    def _number(self, language: str, numbers: Mapping[str, int]) -> int:
        if not isinstance(language, str):
            raise TypeError(f"languages must be given by their names, not as {language!r}")
        number = numbers.get(language)
        if number is not None:
            return number
        # Who uses labels does not pay for names.
        from budgie.languages import choose  # noqa: PLC0415

        return numbers[choose(language, numbers, "this model")]
