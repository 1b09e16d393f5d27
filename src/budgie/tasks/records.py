# SPDX-License-Identifier: Apache-2.0
"""The answers of all tasks: tuples with names, which the core makes by the million."""

from __future__ import annotations

from typing import Any, AnyStr, Generic, NamedTuple

from budgie import _core


class Identification(NamedTuple):
    """The language of a text, and how sure that is."""

    language: str  # code of the language; 'und' for text without letters
    probability: float  # calibrated: that `language` is right
    reliable: bool  # whether to act on it: probable enough, and no other language that was not asked for far more so

    def to_dict(self) -> dict[str, Any]:
        """What JSON can say."""
        return self._asdict()


class Span(NamedTuple):
    """A part of a text in one language."""

    start: int  # offset of the first character (str) or byte (bytes)
    end: int  # offset behind the last one
    language: str  # code of the language; 'und' for text without letters
    probability: float  # calibrated: that `language` is right for this part alone
    reliable: bool  # whether to act on it: probable enough, and no other language that was not asked for far more so

    def to_dict(self) -> dict[str, Any]:
        """What JSON can say."""
        return self._asdict()


class Tag(NamedTuple):
    """A tag, and how probable it is."""

    tag: str
    probability: float

    def to_dict(self) -> dict[str, Any]:
        """What JSON can say."""
        return self._asdict()


class Reordering(NamedTuple, Generic[AnyStr]):
    """The words of a sentence in the order of the target language."""

    permutation: list[int]  # for each place of the target order the number of the word in the source, from 0
    words: list[AnyStr]

    def to_dict(self) -> dict[str, Any]:
        """What JSON can say: words of bytes become str."""
        words = [word.decode("utf-8", "replace") if isinstance(word, bytes) else word for word in self.words]
        return {"permutation": self.permutation, "words": words}


class TokenSpan(NamedTuple):
    """Where a word of a text is, or the white space between two."""

    start: int  # offset of the first character (str) or byte (bytes)
    end: int  # offset behind the last one

    def to_dict(self) -> dict[str, Any]:
        """What JSON can say."""
        return self._asdict()


_core.set_records(Identification, Span, Tag, Reordering, TokenSpan)
