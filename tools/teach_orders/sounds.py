# SPDX-License-Identifier: Apache-2.0
"""Which English and Japanese words sound alike: names, mostly, which are too rare for an aligner."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache

_KANA = dict(
    zip(
        "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン"
        "ガギグゲゴザジズゼゾダヂヅデドバビブベボパピプペポヴ",
        (
            "a i u e o ka ki ku ke ko sa shi su se so ta chi tsu te to na ni nu ne no ha hi fu he ho ma mi mu me mo ya "
            "yu yo ra ri ru re ro wa o n ga gi gu ge go za ji zu ze zo da ji zu de do ba bi bu be bo pa pi pu pe po v"
        ).split(),
        strict=True,
    )
)
_SMALL = dict(zip("ァィゥェォャュョ", "a i u e o ya yu yo".split(), strict=True))
_LONG = {"ou": "o", "oo": "o", "uu": "u"}
_LONGEST = 30  # letters of a word that are compared


def romanised(kana: str) -> str:
    """Katakana in Latin letters as in English texts (Hepburn), long vowels as short ones."""
    letters, doubled = "", False
    for kana_letter in kana:
        if kana_letter in _SMALL:  # takes the place of the vowel before it: kiya is kya, shiya is sha
            small, letters = _SMALL[kana_letter], letters[:-1]
            letters += small[1:] if small[0] == "y" and letters.endswith(("sh", "ch", "j")) else small
        elif kana_letter != "ッ":
            sound = _KANA.get(kana_letter, "")
            letters += sound[:1] * doubled + sound
        doubled = kana_letter == "ッ"
    return _shortened(letters)


def latin(word: str) -> str:
    """A word of Latin letters in the same way: only a to z, long vowels as short ones."""
    word = re.sub("[ūû]", "u", re.sub("[ōô]", "o", word.lower()))
    return _shortened(re.sub("[^a-z]", "", word))


def alike(sources: Sequence[str], targets: Sequence[str]) -> Iterator[tuple[int, int, float]]:
    """Positions of words that sound alike, and how much: from 0 to 1. Words are written as above."""
    having = defaultdict(set)
    for position, word in enumerate(targets):
        for part in {word} if len(word) == 2 else _parts(word, 3):
            having[part].add(position)
    for position, word in enumerate(sources):
        if len(word) >= 3:
            candidates = set().union(*(having.get(part, ()) for part in _parts(word, 2) | _parts(word, 3)))
            for other in sorted(candidates):
                if likeness := _likeness(word[:_LONGEST], targets[other][:_LONGEST]):
                    yield position, other, likeness


@lru_cache(2**20)
def _likeness(source: str, target: str) -> float:
    """By the longest part that both have; 0 where it is a small part of the target, or the target of the source."""
    lengths = range(min(len(source), len(target)), 1, -1)
    common = next((length for length in lengths if not _parts(source, length).isdisjoint(_parts(target, length))), 0)
    whole = common == len(target) and 5 * common >= 2 * len(source)
    if whole or (common >= 3 and 2 * common >= len(target)):
        return round(2 * common / (len(source) + len(target)), 2)
    return 0.0


def _parts(word: str, length: int) -> set[str]:
    return {word[start : start + length] for start in range(len(word) - length + 1)}


def _shortened(letters: str) -> str:
    for long, short in _LONG.items():
        letters = letters.replace(long, short)
    return letters
