# SPDX-License-Identifier: Apache-2.0
"""Readers of segmented text: a sentence a line, words separated by spaces; they find the text that was cut."""

from __future__ import annotations

import functools
import itertools
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from budgie.errors import DataError
from budgie.formats.lines import read_lines

# How the text follows from the words:
#   joined      nothing stands between two words (Chinese, Japanese, Khmer, Burmese)
#   visible     the same, but a word `▁` is a space of the text and no word (Thai)
#   underscore  a space stands between two words, and `_` inside a word is a space (Vietnamese)
Convention = Literal["joined", "visible", "underscore"]
Spans = Sequence[tuple[int, int]]  # first character and character behind the last, in the order of the text

ZERO_WIDTH_SPACE = "\u200b"  # no white space to Python
_SPACE = "▁"  # U+2581
_INNER_SPACE = re.compile(r"(?<=[^_])_(?=[^_])")  # a word that is a line of underscores keeps them
_CLOSING = frozenset(",.!?;:…)]}”’%")  # no space before
_OPENING = frozenset("([{“‘")  # no space after
_QUOTE = '"'
# Letters whose words would run together without a space: the first word of their Unicode names.
_ALPHABETIC = frozenset(
    "ARABIC ARMENIAN BENGALI CYRILLIC DEVANAGARI GEORGIAN GREEK GUJARATI GURMUKHI HANGUL HEBREW KANNADA LATIN "
    "MALAYALAM ORIYA SINHALA SYRIAC TAMIL TELUGU".split()
)


@dataclass(frozen=True, slots=True)
class Segmented:
    """A text and where its words are, in characters. What lies outside of all words is white space."""

    text: str
    spans: tuple[tuple[int, int], ...]


def is_blank(text: str) -> bool:
    """Whether there is nothing but white space, of which a segmenter takes the zero-width space to be (Khmer)."""
    return text.isspace() or text.replace(ZERO_WIDTH_SPACE, " ").isspace()


def words(sentence: Segmented) -> list[str]:
    """The words, with the spaces that the text has inside of them."""
    return [sentence.text[start:end] for start, end in sentence.spans]


def read_segmented(
    *paths: Path, convention: Convention, spaced: bool = False, aliases: Mapping[str, str] | None = None
) -> Iterator[Segmented]:
    """Stream the sentences of plain, .gz, .xz or .zst files; blank lines are skipped.

    `aliases` are words that stand for others, such as the LBKT that some corpora write for a bracket.
    """
    for path in paths:
        found = False
        for line in read_lines(path):
            sentence = join([(aliases or {}).get(token, token) for token in line.split()], convention, spaced)
            if sentence.spans:
                found = True
                yield sentence
        if not found:
            raise DataError(f"{path} holds no words")


def join(tokens: Sequence[str], convention: Convention, spaced: bool = False) -> Segmented:
    """The sentence of some words, written as the convention has them.

    `spaced` puts a space between two words that would otherwise run together to one, since a letter of an alphabetic
    script follows another, or a digit another. Training needs it; published scores are made without.
    """
    if convention == "underscore":
        return _place([_INNER_SPACE.sub(" ", token) for token in tokens], _gaps(tokens))
    if convention == "visible":
        tokens = [" " if token == _SPACE else token for token in tokens]
    gaps = [spaced and _run_together(one, other) for one, other in itertools.pairwise(tokens)]
    return _place(tokens, gaps)


def _place(tokens: Sequence[str], gaps: Sequence[bool]) -> Segmented:
    """Write the tokens one after the other; `gaps` says whether a space stands behind each but the last."""
    text: list[str] = []
    spans: list[tuple[int, int]] = []
    start = 0
    for token, gap in zip(tokens, [*gaps, False], strict=False):
        end = start + len(token)
        text.append(token)
        if token != " ":
            spans.append((start, end))
        if gap:
            text.append(" ")
        start = end + gap
    return Segmented("".join(text), tuple(spans))


# ---- spaces that the convention does not show ------------------------------------------------------------------


def _gaps(tokens: Sequence[str]) -> list[bool]:
    """Whether people write a space between each word and the next, in a language that has spaces."""
    closing = [_CLOSING.issuperset(token) for token in tokens]
    before, after = [not one for one in closing], [not _OPENING.issuperset(token) for token in tokens]
    last = next((i for i in reversed(range(len(tokens))) if not closing[i]), 0)  # only punctuation follows
    quoted = False
    for i, token in enumerate(tokens):
        if token == _QUOTE:
            # A quotation of several sentences may end here without having begun here.
            quoted = not quoted and (i < last or i == 0)
            before[i], after[i] = quoted, not quoted
    return [one and other for one, other in zip(after, before[1:], strict=False)]


def _run_together(one: str, other: str) -> bool:
    last, first = _last_base(one), other[0]
    return (last.isdecimal() and first.isdecimal()) or (_alphabetic(last) and _alphabetic(first))


def _last_base(token: str) -> str:
    """The last character that is no accent."""
    return next((c for c in reversed(token) if not unicodedata.category(c).startswith("M")), token[-1])


@functools.lru_cache(maxsize=4096)
def _alphabetic(character: str) -> bool:
    name = unicodedata.name(character, "").removeprefix("FULLWIDTH ")
    return character.isalpha() and name.partition(" ")[0] in _ALPHABETIC
