# SPDX-License-Identifier: Apache-2.0
"""Chunks of bytes as paragraphs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

LONGEST_PARAGRAPH = 2**16  # bytes; longer ones are cut, so that any file takes the same memory

_BLANK_LINES = re.compile(rb"\n(?:[ \t\r]*\n)+")
_BLANK_BEGIN = re.compile(rb"(?:[ \t\r]*\n)*")
_SENTENCE_END = re.compile(rb"""[.!?]["')\]]*\s|(?:\xe3\x80\x82|\xef\xbc\x81|\xef\xbc\x9f)\s?""")  # also 。！？
_SPACE = re.compile(rb"\s")


def paragraphs(chunks: Iterable[bytes]) -> Iterator[list[tuple[int, bytes]]]:
    """The paragraphs that each chunk completes, with the number of the line on which each begins.

    Blank lines separate them. What is longer than LONGEST_PARAGRAPH is cut, at the end of a sentence if it has one.
    """
    rest, line = b"", 1  # rest begins on that line
    for chunk in chunks:
        found: list[tuple[int, bytes]] = []
        text = rest + chunk
        blank = _BLANK_BEGIN.match(text)
        begin = blank.end() if blank else 0
        line += text.count(b"\n", 0, begin)
        for gap in _BLANK_LINES.finditer(text):
            found += _cut(text[begin : gap.start()], line)
            line += text.count(b"\n", begin, gap.end())
            begin = gap.end()
        rest = text[begin:]
        if len(rest) > LONGEST_PARAGRAPH:
            *whole, (last, rest) = _cut(rest, line)
            found += whole
            line = last
        yield found
    yield list(_cut(rest, line))


def _cut(text: bytes, line: int) -> Iterator[tuple[int, bytes]]:
    """Pieces of a paragraph that are short enough, with their lines."""
    begin = 0
    while len(text) - begin > LONGEST_PARAGRAPH:
        end = _good_end(text, begin)
        yield line, text[begin:end]
        line += text.count(b"\n", begin, end)
        begin = end
    yield line, text[begin:]


def _good_end(text: bytes, begin: int) -> int:
    """Where a piece may end: behind a sentence, or white space, or at least a character."""
    end = begin + LONGEST_PARAGRAPH
    for place in (_SENTENCE_END, _SPACE):
        ends = [found.end() for found in place.finditer(text, end - LONGEST_PARAGRAPH // 4, end)]
        if ends:
            return ends[-1]
    # A character of UTF-8 goes on for three bytes at most; what goes on longer is none.
    return next((at for at in range(end, end - 4, -1) if text[at] & 0xC0 != 0x80), end)
