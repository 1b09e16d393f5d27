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
        return {"permutation": self.permutation, "words": [decode(word) for word in self.words]}


class TokenSpan(NamedTuple):
    """Where a word of a text is, or the white space between two."""

    start: int  # offset of the first character (str) or byte (bytes)
    end: int  # offset behind the last one

    def to_dict(self) -> dict[str, Any]:
        """What JSON can say."""
        return self._asdict()


class Word(NamedTuple):
    """A word of a multiword token: French `du` has two."""

    text: str
    tag: str | None
    probability: float | None  # of the tag, where asked for

    def to_dict(self) -> dict[str, Any]:
        """What JSON can say."""
        return {name: value for name, value in self._asdict().items() if value is not None}


class Token(NamedTuple):
    """A token of a text: what stands between white space, or a part of it."""

    text: Any  # str, or bytes where the text is
    start: int  # offset of the first character (str) or byte (bytes)
    end: int  # offset behind the last one
    space_after: bool  # whether white space stands behind it; a zero-width space counts as some
    tag: str | None  # those of several words have a + between them; None where there is no tagger
    words: tuple[Word, ...]  # of a multiword token; none where the token is a word itself
    probability: float | None  # of the tag, where asked for

    def to_dict(self) -> dict[str, Any]:
        """What JSON can say."""
        fields = self._asdict() | {"text": decode(self.text), "words": [word.to_dict() for word in self.words]}
        return {name: value for name, value in fields.items() if value is not None and value != []}


class Sentence(NamedTuple):
    """A sentence of a text."""

    text: Any  # str, or bytes where the text is
    start: int  # offset of the first character (str) or byte (bytes)
    end: int  # offset behind the last one
    language: str
    tokens: list[Token]

    def to_dict(self) -> dict[str, Any]:
        """What JSON can say."""
        tokens = [token.to_dict() for token in self.tokens]
        return {"start": self.start, "end": self.end, "language": self.language, "tokens": tokens}


def decode(text: str | bytes) -> str:
    """A text as a str; what is not UTF-8 becomes U+FFFD."""
    return text.decode("utf-8", "replace") if isinstance(text, bytes) else text


_core.set_records(Identification, Span, Tag, Reordering, TokenSpan, Sentence, Token, Word)
