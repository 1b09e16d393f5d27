# SPDX-License-Identifier: Apache-2.0
"""Features of raw text once more: how units are spelt, what stands before them, how long the sentence has become."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import reduce

from budgie.model.config import Group
from reference.langid import SEED, table
from reference.segmentation import _extend
from reference.tagging import finish
from reference.units import LINE_ENDS, OUTSIDE, units

NONE, SPACE, WIDE, LINE, SHORT_LINE, PARAGRAPH, BEGINNING = range(7)
SHORT = 10  # units of a line
DIGITS, ALPHABET = 2, 3
OUTSIDE_SHAPE = 0xFFFF
# Latin, Greek, Cyrillic, Armenian: also extended, joined and full-width letters
CASED = (
    (0, 0x58F), (0x1C80, 0x1C8F), (0x1E00, 0x1FFF), (0x2C60, 0x2C7F),
    (0xA640, 0xA7FF), (0xAB30, 0xAB6F), (0xFB00, 0xFB17), (0xFF21, 0xFF5A),
)  # fmt: skip


@dataclass(frozen=True)
class Spelt:
    start: int
    id: int
    shape: int  # with the gap
    ending: tuple[int, ...]
    gap: int
    line: int  # units of its line before it


def spelt(text: str) -> list[Spelt]:
    """The units of a text that are not white space."""
    found: list[Spelt] = []
    gap, line = BEGINNING, 0
    for unit in units(text, runs=True):
        characters = text[unit.start : unit.end]
        if unit.kind == 0:
            lines = len(re.findall(f"\r\n|[{''.join(LINE_ENDS)}]", characters))
            now = (
                PARAGRAPH
                if lines > 1
                else (SHORT_LINE if line < SHORT else LINE)
                if lines
                else WIDE
                if len(characters) > 1 or characters == "\t"
                else SPACE
            )
            gap = gap if gap == BEGINNING else now
            line = 0 if lines else line
            continue
        lower = [int(table()[1][ord(c)]) for c in characters]
        seen = [bool(offset) for offset in lower[:16]]
        capitals = (
            _uncapitalised(characters, unit.kind)
            if not any(seen)
            else 1
            if len(seen) == 1
            else 3
            if all(seen)
            else 2
            if seen[0] and sum(seen) == 1
            else 4
        )
        rough = min(len(seen), 4) - 1 if unit.kind in (DIGITS, ALPHABET) else 0
        small = [ord(c) + offset for c, offset in zip(characters, lower, strict=True)]
        ending = (0, 0, 0, *small)[-4:] if len(small) < 4 else small[-4:]
        found.append(
            Spelt(unit.start, unit.id, ((unit.kind * 6 + capitals) * 4 + rough) * 8 + gap, tuple(ending), gap, line)
        )
        gap, line = NONE, line + 1
    return found


def _uncapitalised(characters: str, kind: int) -> int:
    """5 where the letters have no case at all."""
    first = ord(characters[0])
    cased = any(low <= first <= high for low, high in CASED)
    return 5 if kind == ALPHABET and not cased else 0


def decisions(
    group: Group, text: str, words: Collection[int], sentences: Collection[int], standard: int
) -> tuple[list[list[int]], list[int]]:
    """The rows of a group for each decision, and what gold does, if words and sentences begin there."""
    found = spelt(text)
    rows, actions, sentence, opening = list[list[int]](), list[int](), 0, 0
    for front, unit in enumerate(found):
        wanted = 2 if unit.start in sentences else 0 if unit.start in words else 1
        if unit.gap in (PARAGRAPH, BEGINNING):
            action = 2
        else:
            action = 0 if wanted == 1 and unit.gap != NONE else wanted
            actions.append(action)
            rows.append(
                [_row(group, found, front + position, (sentence, opening), standard) for position in group.positions]
            )
        sentence, opening = (1, 0) if action == 2 else (sentence + 1, opening)
        opening = opening or _capitals(unit)
    return rows, actions


def _capitals(unit: Spelt) -> int:
    """From 1 on how letters of an alphabet are capitalised, 0 for all else."""
    kind, capitals = divmod(unit.shape // 32, 6)
    return 1 + capitals if kind == ALPHABET else 0


def _row(group: Group, found: list[Spelt], place: int, so_far: tuple[int, int], standard: int) -> int:
    sentence, opening = so_far
    if group.kind == "sentence":
        return min(_roughly(sentence), group.buckets - 1)
    if group.kind == "opening":
        return min(opening * 7 + _capitals(found[place]), group.buckets - 1)
    if group.kind == "line":
        return min(_roughly(found[place].line), group.buckets - 1)
    seed = _extend(SEED, standard) if group.by_standard else SEED
    outside = Spelt(0, OUTSIDE, OUTSIDE_SHAPE, (0,) * 4, NONE, 0)
    places = range(place, place + (1 if group.kind == "endings" else group.n))
    some = [found[i] if 0 <= i < len(found) else outside for i in places]
    numbers = {
        "shapes": [one.shape for one in some],
        "endings": some[0].ending[4 - group.n :],
        "ngrams": [one.id for one in some],
    }[group.kind]
    return finish(reduce(_extend, numbers, seed), group.buckets)


def _roughly(count: int) -> int:
    """Exact up to eight, then two steps for each power of two."""
    if count <= 8:
        return count
    power = count.bit_length() - 1
    return 2 * power + 3 + (count >> (power - 1) & 1)
