# SPDX-License-Identifier: Apache-2.0
"""Mutual information and likelihood of classes, straight from their definitions: slow, and without the core."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping

RARE, BORDER = "rare", "border"  # the classes of what is in no table

Pairs = Counter[tuple[str | None, str | None]]


def pairs_of(lines: Iterable[bytes]) -> Pairs:
    """How often each word follows each other one; None is the border of a sentence, with which the text begins."""
    pairs: Pairs = Counter()
    for line in lines:
        words: list[str | None] = [word.decode("utf-8", "replace") for word in line.split()]
        if words:
            pairs.update(zip([None, *words], [*words, None], strict=True))
    return pairs


def mutual_information(pairs: Pairs, classes: Mapping[str, int]) -> float:
    """Average mutual information of neighbouring classes, in bits."""
    joint: Counter[tuple[object, object]] = Counter()
    first: Counter[object] = Counter()
    second: Counter[object] = Counter()
    for (one, other), count in pairs.items():
        c, d = class_of(one, classes), class_of(other, classes)
        joint[c, d] += count
        first[c] += count
        second[d] += count
    total = sum(joint.values())
    return sum(n / total * math.log2(n * total / (first[c] * second[d])) for (c, d), n in joint.items())


def likelihood(pairs: Pairs, classes: Mapping[str, int], two_sided: bool) -> float:
    """Logarithm of the probability of a text, in nats; all rare words are one word."""
    joint: Counter[tuple[object, object]] = Counter()  # of what stands before, and the class
    before: Counter[object] = Counter()
    of_class: Counter[object] = Counter()
    of_word: Counter[tuple[object, object]] = Counter()
    for (one, other), count in pairs.items():
        history, c = class_of(one, classes) if two_sided else symbol_of(one, classes), class_of(other, classes)
        joint[history, c] += count
        before[history] += count
        of_class[c] += count
        of_word[symbol_of(other, classes), c] += count
    transitions = sum(n * math.log(n / before[history]) for (history, _), n in joint.items())
    return transitions + sum(n * math.log(n / of_class[c]) for (_, c), n in of_word.items())


def class_of(word: str | None, classes: Mapping[str, int]) -> object:
    """A class, where the words of no class are one and borders another."""
    return BORDER if word is None else classes.get(word, RARE)


def symbol_of(word: str | None, classes: Mapping[str, int]) -> object:
    """A word, unless it is rare."""
    return (word,) if word is None or word in classes else RARE
