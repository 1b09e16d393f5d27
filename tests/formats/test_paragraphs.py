# SPDX-License-Identifier: Apache-2.0
"""Lines and paragraphs of chunks."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable
from typing import Any

from budgie.formats.paragraphs import LONGEST_PARAGRAPH, paragraphs
from budgie.formats.sources import lines

TEXT = "\n\nOne\nline.\n \t\nTwo, 我們.\r\n\r\n\r\nThree\n".encode()


def in_chunks(text: bytes, seed: int) -> list[bytes]:
    draw, places = random.Random(seed), [0, len(text)]
    places += [draw.randrange(len(text)) for _ in range(5)]
    places.sort()
    return [text[a:b] for a, b in itertools.pairwise(places)]


def joined(pieces: Iterable[list[Any]]) -> list[Any]:
    return list(itertools.chain.from_iterable(pieces))


def test_lines() -> None:
    for seed in range(50):
        assert joined(lines(in_chunks(TEXT, seed))) == TEXT.split(b"\n")[:-1]
    assert list(lines([b"a\nb", b"", b"c"])) == [[b"a"], [b"bc"]]
    assert list(lines([b""])) == list(lines([])) == []


def test_paragraphs() -> None:
    expected = [(3, b"One\nline."), (6, "Two, 我們.\r".encode()), (9, b"Three\n")]
    for seed in range(50):
        found = joined(paragraphs(in_chunks(TEXT, seed)))
        assert [(line, text) for line, text in found if text] == expected


def test_long_paragraphs_are_cut() -> None:
    draw = random.Random(1)
    words = ["ein", "kurzer,", "Satz.", "Mit\n", "Größe", "und", "我們。"]
    for choice, end in (
        (words, (".", "。")),
        (["word", "größer\n"], (" ", "\n")),
        (["größe"], ("g", "r", "ö", "ß", "e")),
    ):
        separator = "" if len(choice) == 1 else " "
        text = separator.join(draw.choices(choice, k=80_000)).encode()
        found = joined(paragraphs(in_chunks(text, 3)))
        assert b"".join(part for _, part in found) == text
        assert all(len(part) <= LONGEST_PARAGRAPH for _, part in found)
        assert len(found) < 3 * len(text) // LONGEST_PARAGRAPH
        ends = [part.decode() for _, part in found[:-1]]  # whole characters
        assert all((part.rstrip() if separator and end[0] == "." else part).endswith(end) for part in ends)
        before = 0
        for line, part in found:
            assert line == before + 1
            before += part.count(b"\n")


def test_bytes_that_are_no_characters_are_cut_somewhere() -> None:
    text = b"\x80" * (3 * LONGEST_PARAGRAPH)
    found = [part for _, part in joined(paragraphs(in_chunks(text, 3)))]
    assert b"".join(found) == text
    assert all(len(part) <= LONGEST_PARAGRAPH for part in found)


def test_memory_does_not_grow_with_the_text() -> None:
    """A paragraph without an end is given piece by piece."""
    chunks = iter([b"word " * 100_000] * 3)
    found = paragraphs(chunks)
    first = next(found)
    assert len(next(chunks)) == 500_000  # it has not been asked for yet
    assert sum(len(part) for _, part in first) > 400_000
