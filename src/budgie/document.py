# SPDX-License-Identifier: Apache-2.0
"""What a pipeline finds in a text. The core holds it, and makes objects of it when they are asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from budgie import _core
from budgie.errors import DataError
from budgie.tasks.records import Sentence, Span, Token, decode

if TYPE_CHECKING:
    from budgie.chunking import Chunk, Length, Unit

_SHOWN = 60  # characters of the text, and of a token
_SHOWN_TOKENS = 400  # characters of tokens and tags


class Document:
    """A text, its language, and its sentences with their tokens and tags. It never changes."""

    __slots__ = ("_core", "_sentences")

    def __init__(self, core: _core.Document) -> None:
        self._core = core
        self._sentences: list[Sentence] | None = None

    def __reduce__(self) -> tuple[Callable[[Any, bytes], Document], tuple[Any, bytes]]:
        return _unpacked, (self.text, _core.packed_of(self._core))

    def __eq__(self, other: object) -> bool:
        """Whether the texts are the same, and all that was found in them."""
        if not isinstance(other, Document):
            return NotImplemented
        return bool(self.text == other.text) and _core.packed_of(self._core) == _core.packed_of(other._core)

    def __hash__(self) -> int:
        return hash(self.text)

    @property
    def text(self) -> Any:
        """The text, a str or bytes as it was given."""
        return _core.text_of(self._core)

    @property
    def language(self) -> str:
        """The language that most of the text is in; `und` if that is not known."""
        return _core.identification_of(self._core).language

    @property
    def probability(self) -> float:
        """How probable that language is for the longest span in it."""
        return _core.identification_of(self._core).probability

    @property
    def reliable(self) -> bool:
        """Whether that is enough to act on: short texts are in many languages."""
        return _core.identification_of(self._core).reliable

    @property
    def spans(self) -> list[Span]:
        """The parts of the text, each in one language: they lie end to end."""
        return _core.spans_of(self._core)

    @property
    def sentences(self) -> list[Sentence]:
        """The sentences, each with its tokens."""
        if self._sentences is None:
            self._sentences = _core.sentences_of(self._core)
        return self._sentences

    @property
    def tokens(self) -> list[Token]:
        """The tokens of all sentences."""
        return [token for sentence in self.sentences for token in sentence.tokens]

    def chunks(
        self, limit: int, *, unit: Unit = "characters", length: Length | None = None, overlap: int = 0
    ) -> list[Chunk]:
        """Pieces of the text that are at most `limit` long and end at sentences, else at words, else anywhere.

        `unit="bytes"` counts bytes of UTF-8, `length` measures a piece as you want it measured, as by the tokens of a
        model. With an `overlap` each chunk also has the last sentences of the one before, as many as fit into it;
        without one, chunks lie end to end.
        """
        from budgie.chunking import Settings, chunks_of  # noqa: PLC0415

        return chunks_of(self, Settings(limit, unit, length, overlap))

    def __repr__(self) -> str:
        rows = [f"<Document in {self.language}: {_begin(self.text)!r}>"]
        room = _SHOWN_TOKENS
        for sentence in self.sentences:
            row = list[str]()
            for token in sentence.tokens:
                if room <= 0:
                    return "\n".join([*rows, " ".join([*row, "…"])])
                row.append(_shown(token))
                room -= len(row[-1]) + 1
            rows.append(" ".join(row))
        return "\n".join(rows)

    def to_conllu(self, prefix: str = "") -> str:
        """CoNLL-U; sentences have the ids `prefix` and 1, 2, 3, ..."""
        return _core.conllu_of(self._core, _checked(prefix))

    def to_json(self) -> str:
        """`to_dict` as JSON on one line, many times faster than by way of a dict."""
        return _core.json_of(self._core)

    def to_tsv(self, prefix: str = "") -> str:
        """A line for each token: `prefix` and the number of the sentence, start, end, language, token, tag (and
        probability), with tabs between; an empty line behind each sentence.
        """
        return _core.tsv_of(self._core, _checked(prefix))

    def to_dict(self) -> dict[str, Any]:
        """What JSON can say: language, whether that is reliable, spans, sentences."""
        import json  # noqa: PLC0415

        found: dict[str, Any] = json.loads(self.to_json())
        return found

    def to_html(self) -> str:
        """A page to look at: languages, words and tags, without a network."""
        from budgie.formats.document_html import page  # noqa: PLC0415

        return page([self])

    def _repr_html_(self) -> str:
        from budgie.formats.document_html import fragment  # noqa: PLC0415

        return fragment(self)


def _unpacked(text: Any, packed: bytes) -> Document:
    """The document of a pickle. It needs no models."""
    try:
        return Document(_core.document_of(text, packed))
    except ValueError as error:
        raise DataError(f"this document cannot be unpickled: {error}") from None


def _checked(prefix: str) -> str:
    if not isinstance(prefix, str):
        raise TypeError(f"prefix must be a str, not {type(prefix).__name__}")
    return prefix.encode("utf-16", "surrogatepass").decode("utf-16", "replace")  # UTF-8 has no place for half a pair


def _begin(text: str | bytes) -> str:
    begin = decode(text[: 4 * _SHOWN + 4])  # a character is at most four bytes
    return begin if len(begin) <= _SHOWN else begin[: _SHOWN - 1] + "…"


def _shown(token: Token) -> str:
    text = _begin(token.text).encode("utf-8", "backslashreplace").decode()  # a lone surrogate could not be printed
    return f"{text}/{token.tag}" if token.tag else text
