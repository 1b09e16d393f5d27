# SPDX-License-Identifier: Apache-2.0
"""Word lists as training material: which listed words belong to the language, and how often to draw each."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from budgie.formats.labelled import label_of
from budgie.formats.lines import read_lines
from budgie.train.langid.cleaning import SCRIPT, normalise, script_letters
from budgie.train.langid.vocabulary import STRAYS, UNSEEN, Vocabulary

_COUNTED = frozenset({"crubadan_wordfreq", "opensubtitles_wordfreq", "unilex_wordfreq"})  # word TAB count
WORD_LISTS = _COUNTED | {"gatitos_wordfreq", "tesseract_bigrams", "tesseract_wordlist"}
SLOTS = 1 << 16  # of the sampling table: a word takes slots by its dampened frequency
_MARKS = "'’ʻ‘ʼ-"
# A listed word so many times as frequent in another language is a word of that language: lists come from the web.
_EXCESS = {other: math.log(3 if other == "en" else 10) for other in STRAYS}


def read_word_list(
    path: Path, vocabularies: Mapping[str, Vocabulary], limit: int, damping: float
) -> tuple[str, array[int]] | None:
    """The words of a list, each ended by a line feed, and where the word of each sampling slot starts."""
    label = label_of(path)
    words: list[str] = []
    weights: list[float] = []
    for raw, frequency in _listed(path):
        if len(words) == limit:
            break
        entry = normalise(raw)
        parts = entry.split()
        if not parts or not all(_is_word(part, label) for part in parts):
            continue
        if any(_stray_word(part.lower(), label, math.log(frequency), vocabularies) for part in parts):
            continue
        words.append(entry)
        # most capitalised words of a list are names, and names belong to no language; German writes its nouns so
        name = entry[0].isupper() and label not in ("de", "lb")
        weights.append(frequency**damping * (0.2 if name else 1.0))
    if not words:
        return None
    lengths = np.array([len(word) + 1 for word in words])
    cumulative = np.cumsum(weights)
    slots = np.searchsorted(cumulative, (np.arange(SLOTS) + 0.5) / SLOTS * cumulative[-1])
    return "\n".join(words) + "\n", array("i", (np.cumsum(lengths) - lengths)[slots].tolist())


def _listed(path: Path) -> Iterator[tuple[str, float]]:
    """Words (or pairs of words) and their relative frequency, by Zipf's law where only the order is known."""
    lines = list(read_lines(path))
    if path.parent.name in _COUNTED:
        entries = [line.rpartition("\t") for line in lines]
        total = sum(int(count) for _, _, count in entries)
        for word, _, count in entries:
            yield word, int(count) / total
    else:
        for rank, line in enumerate(lines, 3):
            yield line, 0.08 / rank


def _stray_word(word: str, label: str, listed: float, vocabularies: Mapping[str, Vocabulary]) -> bool:
    """Whether another language uses a word far more than the label, by its text and by its list, does."""
    own = max(vocabularies[label].get(word, UNSEEN), listed)
    return any(
        other != label and vocabularies[other].get(word, UNSEEN) > own + excess
        for other, excess in _EXCESS.items()
        if other in vocabularies
    )


def _is_word(word: str, label: str) -> bool:
    """Whether all characters are letters of the right script, marks inside a word apart."""
    if len(word) == 1 and SCRIPT.get(label) not in ("Han", "Japanese", "Hangul"):
        return word.isalpha() and word.islower()
    return word[0] not in "'-" and script_letters(word, label) == len(word) - sum(map(word.count, _MARKS))
