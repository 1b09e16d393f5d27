# SPDX-License-Identifier: Apache-2.0
"""A text in chunks that are not longer than a limit: they end at sentences, else at words, else anywhere."""

from __future__ import annotations

import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from budgie import _core
from budgie.coverage import NO_LANGUAGE
from budgie.errors import ConfigError
from budgie.tasks.batches import positive, whole
from budgie.tasks.records import Span, decode

if TYPE_CHECKING:
    from budgie.document import Document

Unit = Literal["characters", "bytes"]
Length = Callable[[Any], float]

_LONGEST_CHARACTER = 4  # bytes of UTF-8
_ZERO_WIDTH_SPACE = "\u200b"  # which is in no token


class Chunk(NamedTuple):
    """A piece of a text."""

    text: Any  # str, or bytes where the text is
    start: int  # offset of the first character (str) or byte (bytes)
    end: int  # offset behind the last one
    language: str  # that most of the chunk is in; `und` if that is not known

    def to_dict(self) -> dict[str, Any]:
        """What JSON can say."""
        return {**self._asdict(), "text": decode(self.text)}


class Settings:
    """What chunks of any text have to be, checked."""

    def __init__(self, limit: int, unit: Unit = "characters", length: Length | None = None, overlap: int = 0) -> None:
        if unit not in ("characters", "bytes"):
            raise ConfigError(f"unit must be 'characters' or 'bytes', not {unit!r}")
        if length is not None and not callable(length):
            raise TypeError(f"length must be a function that gives the length of a text, not {length!r}")
        if length is not None and unit != "characters":
            raise ConfigError("length says what a limit counts, and so does unit: leave out one of them")
        self.limit, self.overlap = positive("limit", limit), whole("overlap", overlap)
        if not 0 <= self.overlap < self.limit:
            raise ConfigError(f"overlap must be from 0 to {self.limit - 1}, less than the limit, not {self.overlap}")
        self.room = self.limit - self.overlap  # for what is not in the chunk before
        if unit == "bytes" and self.room < _LONGEST_CHARACTER:
            without = " without the overlap" if self.overlap else ""
            raise ConfigError(f"a limit of {self.room} bytes{without} has no room for some characters, which have 4")
        self.unit, self._length = unit, length

    def length_in(self, text: str | bytes) -> Length:
        """What measures the pieces of a text."""
        if self._length is not None:
            return self._length
        if isinstance(text, str):
            return len if self.unit == "characters" else _bytes_of
        return len if self.unit == "bytes" else _characters_of


def chunks_of(document: Document, settings: Settings) -> list[Chunk]:
    """The chunks of a document."""
    text = document.text
    sentences, tokens = (memoryview(bounds).cast("q") for bounds in _core.bounds_of(document._core))
    if not tokens and decode(text).replace(_ZERO_WIDTH_SPACE, "").strip():
        raise ConfigError("chunks end at sentences, which the pipeline of this document was not asked for (tasks)")
    languages = _Languages(document.spans)
    return [
        Chunk(text[start:end], start, end, languages.of(start, end))
        for start, end in _Cutter(text, sentences, tokens, settings).chunks()
    ]


class _Cutter:
    """Finds where the chunks of a text begin and end.

    To find the last place where a chunk may end, pieces of the text are measured that are at most about twice as long
    as the chunk, and about as many as the number of such places has binary digits: so time is linear, and a length
    function is seldom called. It is taken to grow with the text. Where it does not quite, as counts of tokens may not,
    a chunk can end sooner than it had to; it never is too long, since what a chunk ends with was measured.
    """

    def __init__(self, text: str | bytes, sentences: Sequence[int], tokens: Sequence[int], settings: Settings) -> None:
        self._text = text
        self._sentences, self._tokens = sentences, tokens  # where each begins and ends, one behind the other
        self._settings = settings
        self._length = settings.length_in(text)

    def chunks(self) -> Iterator[tuple[int, int]]:
        """The start and the end of each."""
        before = start = 0
        reach = self._settings.room  # behind a start: how far the end of its chunk is looked for
        while start < len(self._text):
            end = self._end(start, reach)
            yield self._overlapping(before, start, end), end
            before, start, reach = start, end, 2 * (end - start)

    def _measure(self, start: int, end: int) -> float:
        return self._length(self._text[start:end])

    def _end(self, start: int, reach: int) -> int:
        """The best place to end the chunk that begins at `start`."""

        def fits(end: int) -> bool:
            return self._measure(start, end) <= self._settings.room

        reach = max(reach, _LONGEST_CHARACTER)
        while fits(far := _border(self._text, start + reach)):
            if far == len(self._text):
                return far
            reach *= 2
        for places, after in self._places(start, far):
            first = bisect_right(places, after)
            found = bisect_left(places, True, first, bisect_right(places, far), key=lambda end: not fits(end))
            if found > first:
                return self._paragraph(start, first, found - 1) if places is self._sentences else places[found - 1]
        character, room = self._text[start : places[0]], self._settings.room
        raise ConfigError(f"{character!r} at {start}, alone, is longer than {room} by the length that was given")

    def _places(self, start: int, far: int) -> Iterator[tuple[Sequence[int], int]]:
        """Where chunks may end, the best places first, and what they must be behind: white space alone is no chunk."""
        first = self._first_token(start)
        yield self._sentences, first
        yield self._between_words(first, far), first
        yield self._tokens, start
        yield [place for place in range(start + 1, far + 1) if _is_border(self._text, place)], start

    def _first_token(self, place: int) -> int:
        """Where the first token begins whose end is behind a place; the place itself, if that is inside of a token."""
        number = bisect_right(self._tokens, place)
        if number == len(self._tokens):
            return len(self._text)
        return place if number % 2 else self._tokens[number]

    def _between_words(self, start: int, end: int) -> list[int]:
        """Those places between tokens where a line may end."""
        tokens = self._tokens
        return [
            tokens[number]
            for number in range(bisect_right(tokens, start), bisect_right(tokens, end))
            if self._is_between_words(number)
        ]

    def _is_between_words(self, number: int) -> bool:
        """Whether there is white space, or a word that no opening mark belongs to, behind the place."""
        last = number - 1 + number % 2  # where a token ends; the next one begins at last + 1
        if last < 0 or last + 1 == len(self._tokens) or self._tokens[last] < self._tokens[last + 1]:
            return True
        place = self._tokens[number]
        before = decode(self._text[max(place - _LONGEST_CHARACTER, 0) : place])[-1]
        behind = decode(self._text[place : place + _LONGEST_CHARACTER])[0]
        if before.isascii() and not before.isalnum():
            return False  # it may well belong to what follows: "yes", $5, #1
        return behind.isalnum() and unicodedata.category(before) not in ("Ps", "Pi")

    def _paragraph(self, start: int, first: int, last: int) -> int:
        """The last end of a paragraph among those of some sentences, if the chunk is half full then; else the last."""
        for number in range(last, first - 1, -1):
            if self._ends_paragraph(number):
                place = self._sentences[number]
                if number == last or self._settings.room / 2 <= self._measure(start, place) <= self._settings.room:
                    return place
                break
        return self._sentences[last]

    def _ends_paragraph(self, number: int) -> bool:
        """Whether there is an empty line behind a sentence."""
        last = number - 1 + number % 2
        if last + 1 == len(self._sentences):
            return True
        gap = decode(self._text[self._sentences[last] : self._sentences[last + 1]])
        return gap.count("\n") > 1

    def _overlapping(self, before: int, start: int, end: int) -> int:
        """Where a chunk begins that has the last sentences of the one before, too."""
        if not self._settings.overlap:
            return start
        starts = self._sentences[::2]

        def fits(place: int) -> bool:
            return (
                self._measure(place, start) <= self._settings.overlap
                and self._measure(place, end) <= self._settings.limit
            )

        first, last = bisect_left(starts, before), bisect_left(starts, start)
        found = bisect_left(starts, True, first, last, key=fits)
        return starts[found] if found < last else start


class _Languages:
    """Which language most of a piece of a text is in."""

    def __init__(self, spans: Sequence[Span]) -> None:
        self._spans = spans
        self._ends = [span.end for span in spans]

    def of(self, start: int, end: int) -> str:
        """That of the piece from `start` to `end`."""
        lengths: dict[str, int] = {}
        for number in range(bisect_right(self._ends, start), len(self._spans)):
            span = self._spans[number]
            if span.start >= end:
                break
            if span.language != NO_LANGUAGE:
                length = min(span.end, end) - max(span.start, start)
                lengths[span.language] = lengths.get(span.language, 0) + length
        return max(lengths, key=lengths.__getitem__, default=NO_LANGUAGE)


def _border(text: str | bytes, place: int) -> int:
    """The last place up to this one where no character is cut."""
    if place >= len(text):
        return len(text)
    return next(before for before in range(place, -1, -1) if _is_border(text, before))


def _is_border(text: str | bytes, place: int) -> bool:
    """Whether no character goes over a place: such a one would be read as single bytes on both sides."""
    if isinstance(text, str) or not b"\x80" <= text[place : place + 1] < b"\xc0":
        return True  # such a byte goes on with no character
    before, behind = text[max(place - _LONGEST_CHARACTER + 1, 0) : place], text[place : place + _LONGEST_CHARACTER - 1]
    return _count(before) + _count(behind) == _count(before + behind)


def _count(text: bytes) -> int:
    return len(text.decode("utf-8", "surrogateescape"))


def _bytes_of(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def _characters_of(text: bytes) -> int:
    return len(decode(text))
