# SPDX-License-Identifier: Apache-2.0
"""Segmented text as sentences whose words are units and whose tags are SPLIT and MERGE: a teacher tags nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from budgie._core import UnitFeatures
from budgie.data import read_lines
from budgie.dictionary import read_dictionary
from budgie.errors import ConfigError
from budgie.segmentation_data import CORPORA, TESTED_ONLY, Split, plain_text
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


@dataclass(frozen=True)
class UnitMaterial:
    """What a teacher of segmentation learns from: corpora, running text and a list of words, all as units."""

    train: list[Sentence]
    dev: list[Sentence]
    text: list[tuple[str, ...]]
    compounds: list[tuple[str, ...]]


def read_units(language: str, lexicon: str | None) -> UnitMaterial:
    """The material of an embedded segmenter; running text is read as the default standard has it."""
    if language not in CORPORA:
        raise ConfigError(f"--segmented {language}: there are corpora of {', '.join(CORPORA)}")
    corpora = CORPORA[language]
    join = any(corpus.convention == "underscore" for corpus in corpora)
    features = UnitFeatures([], [], b"", 0, True, join)
    several = len(corpora) > 1

    def sentences(split: Split) -> list[Sentence]:
        return [
            as_sentence(sentence, features, corpus.standard if several else None)
            for corpus in corpora
            for sentence in corpus.read(split, spaced=True)
        ]

    # Neither held-out nor test sentences may be read, not even without their words.
    closed = (*corpora, *TESTED_ONLY.get(language, ()))
    seen = {
        _bare(sentence.text)
        for corpus in closed
        for split in corpus.splits
        if split != "train"
        for sentence in corpus.read(split)
    }
    text = []
    for path in plain_text(language):
        for line in read_lines(path):
            if (key := _bare(line)) and key not in seen:
                seen.add(key)
                text.append((*([mark(corpora[0].standard)] if several else []), *units_of(line, features)))
    words = read_dictionary(lexicon) if lexicon else []
    return UnitMaterial(sentences("train"), sentences("dev"), text, [units_of(word, features) for word in words])


def _bare(text: str) -> str:
    return "".join(text.split())
