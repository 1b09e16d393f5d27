# SPDX-License-Identifier: Apache-2.0
"""Segmented text as sentences whose words are units and whose tags are SPLIT and MERGE: a teacher tags nothing else."""

from __future__ import annotations

from collections.abc import Sequence

from budgie._core import UnitFeatures
from budgie.segmented import Segmented
from budgie.sentences import Sentence

SPACE = "▁"  # U+2581 stands for white space: by itself, or before a unit where words may have spaces inside


def units_of(text: str, features: UnitFeatures) -> tuple[str, ...]:
    """The units of a text, white space made visible."""
    units, behind = [], 0
    for begin, end, _, _ in features.units(text):
        spaced = behind < begin
        unit = text[begin:end]
        units.append(SPACE if unit.isspace() else SPACE + unit if spaced else unit)
        behind = end
    return tuple(units)


def text_of(units: Sequence[str]) -> str:
    """The inverse of `units_of`."""
    return "".join(units).replace(SPACE, " ")


def as_sentence(sentence: Segmented, features: UnitFeatures, standard: str | None = None) -> Sentence:
    """A tagged sentence; a standard is a unit of its own before all others."""
    starts = {begin for begin, _ in sentence.spans}
    tags = tuple(
        "SPLIT" if begin in starts or sentence.text[begin:end].isspace() else "MERGE"
        for begin, end, _, _ in features.units(sentence.text)
    )
    units = units_of(sentence.text, features)
    if standard is None:
        return Sentence(units, tags)
    return Sentence((mark(standard), *units), ("SPLIT", *tags))


def mark(standard: str) -> str:
    """The unit that says which standard a sentence follows."""
    return f"<{standard}>"
