# SPDX-License-Identifier: Apache-2.0
"""Word frequencies of each label: they tell lines and listed words that stand under the wrong label."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

Vocabulary = Mapping[str, float]  # word -> natural logarithm of its relative frequency

UNSEEN = math.log(1e-7)
# Languages whose sentences stray into the corpora of others.
STRAYS = ("en", "de", "eo", "es", "fr", "id", "it", "nl", "pt", "ru", "tr")
# By how much the mean logarithm must be higher there. The Wikipedia text of Javanese is full of Indonesian.
_MARGIN = {"jv": 0.2}
_USUAL_MARGIN = 1.0
_EDGES = ".,!?;:\"'()[]«»“”„‘’…–—-*/"


def words_of(line: str) -> list[str]:
    """The words of a line in lower case, without the marks around them."""
    return [word for token in line.lower().split() if (word := token.strip(_EDGES))]


def vocabulary(lines: Iterable[str]) -> Vocabulary:
    """The vocabulary of running text."""
    counts = Counter(word for line in lines for word in words_of(line))
    total = counts.total()
    return {word: math.log(count / total) for word, count in counts.items()}


def likelihood(words: Sequence[str], known: Vocabulary) -> float:
    """The mean logarithm of the frequencies of some words."""
    return sum([known.get(word, UNSEEN) for word in words]) / len(words)


def stray(words: Sequence[str], label: str, vocabularies: Mapping[str, Vocabulary]) -> bool:
    """Whether words under `label` are far more at home in one of the languages that stray."""
    if len(words) < 3:
        return False
    own = likelihood(words, vocabularies[label])
    if own > -8.5:  # common words of the label: no other language can win by far
        return False
    least = own + _MARGIN.get(label, _USUAL_MARGIN)
    return any(
        other != label and other in vocabularies and likelihood(words, vocabularies[other]) > least for other in STRAYS
    )


def nearer(words: Sequence[str], one: Vocabulary, other: Vocabulary, margin: float = 0.5) -> bool:
    """Whether words belong clearly to `one` rather than to `other`."""
    return bool(words) and likelihood(words, one) > likelihood(words, other) + margin
