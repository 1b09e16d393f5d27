# SPDX-License-Identifier: Apache-2.0
"""Language identification: what language a text is in, how sure that is, and where a mixed text changes language."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator

from budgie import _core
from budgie.errors import ConfigError
from budgie.model.file import Model, core_of, refusing
from budgie.tasks.batches import TEXTS, check, positive, several
from budgie.tasks.records import Identification, Span

Text = str | bytes

_STREAMED = 4096  # texts taken from an iterator at a time


class LanguageIdentifier:
    """Identifies the language of any str or bytes of UTF-8. It never changes: use one from any number of threads."""

    def __init__(self, model: Model) -> None:
        with refusing():
            self._core = _core.LanguageIdentifier(core_of(model))
        self.model = model
        self._labels = model.core.labels
        self._numbers = {label: number for number, label in enumerate(self._labels)}
        self._all = self._core.allow(list(range(len(self._labels))))

    def __reduce__(self) -> tuple[Callable[[Model], LanguageIdentifier], tuple[Model]]:
        return LanguageIdentifier, (self.model,)

    def __repr__(self) -> str:
        return f"<LanguageIdentifier of {len(self.languages)} languages>"

    @property
    def languages(self) -> tuple[str, ...]:
        """The labels that this model knows."""
        return self._labels

    def identify(self, text: Text, languages: Iterable[str] | None = None) -> Identification:
        """The language of `text`; `languages` restricts the choice. Text without letters gives `und`."""
        return self._core.identify(text, self._allowed(languages))

    def identify_batch(
        self, texts: Iterable[Text], languages: Iterable[str] | None = None, threads: int = 1
    ) -> list[Identification]:
        """The language of each text, in order: the same answers as `identify`, faster, on `threads` threads."""
        return self._core.identify_batch(several(texts, threads, TEXTS), self._allowed(languages), threads)

    def identify_stream(
        self, texts: Iterable[Text], languages: Iterable[str] | None = None, threads: int = 1
    ) -> Iterator[Identification]:
        """The same for texts without end: a few thousand are in memory at a time."""
        check(texts, threads, TEXTS)
        allowed, remaining = self._allowed(languages), iter(texts)
        pieces = iter(lambda: list(itertools.islice(remaining, _STREAMED)), [])
        return itertools.chain.from_iterable(self._core.identify_batch(piece, allowed, threads) for piece in pieces)

    def rank(self, text: Text, k: int = 3, languages: Iterable[str] | None = None) -> list[Identification]:
        """The `k` most probable languages, best first."""
        return self._core.rank(text, positive("k", k), self._allowed(languages))

    def rank_batch(
        self, texts: Iterable[Text], k: int = 3, languages: Iterable[str] | None = None, threads: int = 1
    ) -> list[list[Identification]]:
        """The same for each text, on `threads` threads."""
        return self._core.rank_batch(
            several(texts, threads, TEXTS), positive("k", k), self._allowed(languages), threads
        )

    def spans(self, text: Text, languages: Iterable[str] | None = None) -> list[Span]:
        """Cut mixed-language text into spans of one language each.

        Spans tile the text: the first begins at 0, each begins where the one before ends, the last ends at len(text).
        Offsets count characters of a str, or bytes of bytes.
        """
        return self._core.spans(text, self._allowed(languages))

    def spans_batch(
        self, texts: Iterable[Text], languages: Iterable[str] | None = None, threads: int = 1
    ) -> list[list[Span]]:
        """The spans of each text, on `threads` threads."""
        return self._core.spans_batch(several(texts, threads, TEXTS), self._allowed(languages), threads)

    def passages(self, text: Text, languages: Iterable[str] | None = None) -> list[Span]:
        """The same sentence by sentence: much faster, and text in one language stays in one piece.

        Words in another language are found only in sentences that as a whole are not in the language of the text.
        """
        return self._core.passages(text, self._allowed(languages))

    def passages_batch(
        self, texts: Iterable[Text], languages: Iterable[str] | None = None, threads: int = 1
    ) -> list[list[Span]]:
        """The passages of each text, on `threads` threads."""
        return self._core.passages_batch(several(texts, threads, TEXTS), self._allowed(languages), threads)

    def letters(self, text: Text) -> int:
        """How many letters and marks of `text` the network sees, without markup and addresses."""
        return self._core.letters(text)

    def scores(self, text: Text) -> list[float]:
        """What the network says of each language, before calibration and softmax."""
        return self._core.scores(text)

    def _allowed(self, languages: Iterable[str] | None) -> _core.Allowed:
        if languages is None:
            return self._all
        if isinstance(languages, str):
            raise ConfigError(f"languages must be a list of codes, not one str: languages=[{languages!r}]")
        chosen = [language if language in self._numbers else self._named(language) for language in languages]
        if not chosen:
            raise ConfigError("languages must not be empty")
        return self._core.allow(sorted({self._numbers[language] for language in chosen}))

    def _named(self, language: str) -> str:
        # Who uses labels does not pay for names.
        from budgie.languages import choose  # noqa: PLC0415

        return choose(language, self._numbers, "this model")
