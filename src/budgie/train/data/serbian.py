# SPDX-License-Identifier: Apache-2.0
"""Serbian in Latin and in Cyrillic script: a letter is a letter, and three are written with two in Latin."""

from __future__ import annotations

import re

_LATIN = "abvgdđežzijklmnoprstćufhcčš"
_CYRILLIC = "абвгдђежзијклмнопрстћуфхцчш"
_PAIRS = {"lj": "љ", "nj": "њ", "dž": "џ"}
_PAIR = re.compile("|".join(_PAIRS), re.IGNORECASE)
_LETTERS = str.maketrans(_LATIN + _LATIN.upper(), _CYRILLIC + _CYRILLIC.upper())
_FOREIGN = re.compile("[qwxy]|[.@/].", re.IGNORECASE)  # words with these, and addresses, stay in Latin script


def in_cyrillic(word: str) -> str:
    """A word of Latin script as Serbian writes it in Cyrillic."""
    if _FOREIGN.search(word):
        return word
    return _PAIR.sub(_one_letter, word).translate(_LETTERS)


def _one_letter(pair: re.Match[str]) -> str:
    letter = _PAIRS[pair[0].lower()]
    return letter.upper() if pair[0][0].isupper() else letter
