# SPDX-License-Identifier: Apache-2.0
"""Segmented text as sentences whose words are units and whose tags are SPLIT and MERGE: a teacher tags nothing else."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass

from budgie._core import Units
from budgie.errors import ConfigError
from budgie.formats.dictionary import read_dictionary
from budgie.formats.segmented import ZERO_WIDTH_SPACE, Segmented, is_blank
from budgie.formats.sentences import TokenisedSentence
from budgie.train.data.chinese import converter
from budgie.train.data.datasets import Split
from budgie.train.data.segmentation import SEGMENTED_CORPORA, TESTED_ONLY, running_text, text_labels

SPACE = "▁"  # U+2581 stands for white space: by itself, or before a unit where words may have spaces inside
# What a text has that would be taken for white space, though it is none to the core: others like it take its place,
# which are of the same kind, so that the text has the same units.
_LIKE_SPACE = str.maketrans({SPACE: "▂", **dict.fromkeys("\x1c\x1d\x1e\x1f", "\ufffd")})


def as_read(text: str) -> str:
    """A text as training has it."""
    return text.translate(_LIKE_SPACE)


def units_of(text: str, features: Units) -> tuple[str, ...]:
    """The units of a text, white space made visible."""
    return tuple(unit for _, unit in _cut(text, features))


def _cut(text: str, features: Units) -> list[tuple[int, str]]:
    """Where each unit begins, and the unit."""
    text = as_read(text)
    found, behind = [], 0
    for start, end, _, _ in features.units(text):
        unit = text[start:end]
        found.append((start, SPACE if is_blank(unit) else SPACE + unit if behind < start else unit))
        behind = end
    return found


def text_of(units: Sequence[str]) -> str:
    """The inverse of `units_of`, all white space being a space."""
    return "".join(units).replace(SPACE, " ")


def as_sentence(sentence: Segmented, features: Units, standard: str | None = None) -> TokenisedSentence:
    """A tagged sentence; a standard is a unit of its own before all others."""
    starts = {start for start, _ in sentence.spans}
    cut = _cut(sentence.text, features)
    units = tuple(unit for _, unit in cut)
    tags = tuple("SPLIT" if start in starts or unit == SPACE else "MERGE" for start, unit in cut)
    if standard is None:
        return TokenisedSentence(units, tags)
    return TokenisedSentence((mark(standard), *units), ("SPLIT", *tags))


def cut_silver(text: str, starts: Container[int], features: Units, standard: str | None = None) -> str:
    """A text whose words begin at these offsets as silver text has it (train/network/silver.py): nobody doubts them."""
    units = [(unit, start in starts or unit == SPACE) for start, unit in _cut(text, features)]
    first = [(mark(standard), True)] if standard is not None else []
    return "".join(f"{unit}\t{'SPLIT' if begins else 'MERGE'}:1\n" for unit, begins in [*first, *units]) + "\n"


def mark(standard: str) -> str:
    """The unit that says which standard a sentence follows."""
    return f"<{standard}>"


@dataclass(frozen=True)
class UnitMaterial:
    """What a teacher of segmentation learns from: corpora, running text and a list of words, all as units."""

    train: list[TokenisedSentence]
    dev: list[TokenisedSentence]
    text: list[tuple[str, ...]]
    compounds: list[tuple[str, ...]]


def read_units(language: str, lexicon: str | None) -> UnitMaterial:
    """The material of an embedded segmenter; running text is read as the default standard has it."""
    if language not in SEGMENTED_CORPORA:
        raise ConfigError(f"--segmented {language}: there are corpora of {', '.join(SEGMENTED_CORPORA)}")
    corpora = SEGMENTED_CORPORA[language]
    join = any(corpus.convention == "underscore" for corpus in corpora)
    features = Units(runs=True, spaces="join" if join else "break")
    several = len(corpora) > 1

    def sentences(split: Split) -> list[TokenisedSentence]:
        return [
            as_sentence(sentence, features, corpus.standard if several else None)
            for corpus in corpora
            for sentence in corpus.read(split, spaced=True)
        ]

    before = (mark(corpora[0].standard),) if several else ()
    text = [(*before, *units_of(line, features)) for line in read_text(language)]
    words = read_dictionary(lexicon) if lexicon else []
    return UnitMaterial(sentences("train"), sentences("dev"), text, [units_of(word, features) for word in words])


def read_text(language: str) -> Iterator[str]:
    """Running text for a teacher, each line once; held-out and test sentences may not be read, even without words."""
    same = converter("t2s") if len(text_labels(language)) > 1 else str  # in two scripts

    def key(text: str) -> str:
        return same("".join(text.replace(ZERO_WIDTH_SPACE, " ").split()))

    seen = {
        key(sentence.text)
        for corpus in (*SEGMENTED_CORPORA[language], *TESTED_ONLY.get(language, ()))
        for split in corpus.splits
        if split != "train"
        for sentence in corpus.read(split)
    }
    for line in running_text(language):
        if (found := key(line)) and found not in seen:
            seen.add(found)
            yield line
