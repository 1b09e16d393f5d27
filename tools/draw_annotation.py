# SPDX-License-Identifier: Apache-2.0
"""Draws what Budgie makes of a raw text, docs/annotation.svg: languages, sentences, tokens over their words and tags.

python -m tools.draw_annotation
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import budgie
from budgie.formats.document_html import TAGS
from budgie.languages import name_of
from tools.svg import box, picture, text

ROOT = Path(__file__).resolve().parents[1]
EXAMPLE = ROOT / "examples" / "raw.txt"
PICTURE = ROOT / "docs" / "annotation.svg"

WIDTH, LEFT, RIGHT = 900, 125, 885  # of the picture; from where to where tokens go
LETTERS = {"token": 16, "word": 12, "tag": 9}  # their sizes
STYLE = "".join(
    [
        *(f".{kind} {{font-size: {size}px}}\n" for kind, size in LETTERS.items()),
        *(f".{tag} {{fill: {one.background}}} text.{tag} {{fill: {one.ink}}}\n" for tag, one in TAGS.items()),
    ]
)


def draw(document: Any) -> str:
    """A document as a picture, each sentence on lines of its own."""
    lines: list[str] = []
    top, language = 14.0, None
    for sentence in document.sentences:
        if sentence.language != language:
            language = sentence.language
            lines.append(text(14, top + 17, name_of(language), "small"))
        for row in rows(sentence.tokens):
            lines += draw_row(row, top)
            top += max(map(token_height, row)) + 8
        top += 4
    return picture(WIDTH, int(top) + 6, document.text, STYLE, lines)


def rows(tokens: Sequence[Any]) -> Iterator[list[Any]]:
    """Tokens by lines, as many as fit into each."""
    row: list[Any] = []
    for token in tokens:
        if row and sum(map(advance, [*row, token])) > RIGHT - LEFT:
            yield row
            row = []
        row.append(token)
    yield row


def draw_row(row: Sequence[Any], top: float) -> Iterator[str]:
    """Tokens on a line, from the side where their script begins."""
    from_right = any(unicodedata.bidirectional(letter) in ("R", "AL") for token in row for letter in token.text)
    x = float(LEFT)
    for token in row:
        yield from draw_token(token, LEFT + RIGHT - x - token_width(token) if from_right else x, top, from_right)
        x += advance(token)


def draw_token(token: Any, left: float, top: float, from_right: bool) -> Iterator[str]:
    """A token over its words and their tags."""
    whole = token_width(token)
    yield box(left, top, whole, token_height(token), "box", 4)
    yield text(left + whole / 2, top + 17, token.text, "token", "middle")
    parts = token.words or [token]
    x = left + (whole - sum(map(part_width, parts))) / 2
    for part in reversed(parts) if from_right else parts:
        middle, y = x + part_width(part) / 2, top + 24
        if token.words:
            yield text(middle, y + 10, part.text, "word", "middle")
            y += 16
        if part.tag:
            yield box(x + 1, y, part_width(part) - 2, 14, part.tag, 4)
            yield text(middle, y + 10.5, part.tag, f"tag {part.tag}", "middle")
        x += part_width(part)


def advance(token: Any) -> float:
    """From where a token begins to where the next one does."""
    return token_width(token) + (7 if token.space_after else 2)


def token_height(token: Any) -> int:
    """The height of a token, of its words and of their tags."""
    return 58 if token.words else 42 if token.tag else 24


def token_width(token: Any) -> float:
    """The width of a token and of all below it."""
    return max(letters_width(token.text, "token") + 6, sum(map(part_width, token.words or [token])) + 2)


def part_width(part: Any) -> float:
    """The width of a tag, and of the word above it, where it is one of several."""
    word = 0.0 if hasattr(part, "words") else letters_width(part.text, "word")
    return max(word, letters_width(part.tag or "", "tag") + 6) + 4


def letters_width(words: str, kind: str) -> float:
    """How wide letters are, by and large: those of Chinese, and emoji, are squares."""
    squares = (unicodedata.east_asian_width(letter) in "WF" for letter in words)
    return LETTERS[kind] * sum(1.0 if square else 0.62 for square in squares)


def main() -> None:
    """Write the picture."""
    PICTURE.write_text(draw(budgie.annotate(EXAMPLE.read_text("utf-8"))), "utf-8")
    print(PICTURE.relative_to(ROOT))


if __name__ == "__main__":
    main()
