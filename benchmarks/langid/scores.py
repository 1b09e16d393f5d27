# SPDX-License-Identifier: Apache-2.0
"""Accuracy: over languages that all the compared systems know, and inside groups of close languages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from benchmarks.langid.material import TestSet

Answers = Sequence[str | None]  # None: this text was not asked

# Few systems tell the scripts of one language apart, so that none is asked to in a comparison.
FOLDED = {"zh-Hant": "zh", "sr-Latn": "sr"}

CLOSE = (("bs", "hr", "sr-Latn"), ("id", "ms"), ("no", "nn", "da"), ("zh", "zh-Hant"), ("cs", "sk"))


@dataclass(frozen=True)
class Score:
    """Shares of right answers, from 0 to 1."""

    macro: float  # mean over languages
    micro: float  # over texts
    undetermined: float  # share of texts without an answer
    languages: dict[str, float]
    texts: int


def fold(language: str) -> str:
    """The language without its script."""
    return FOLDED.get(language, language)


def score(test: TestSet, answers: Answers, languages: set[str], also: Answers | None = None) -> Score | None:
    """Accuracy on the texts of these languages; with `also`, only on those that the other system answered too."""
    asked: Counter[str] = Counter()
    right: Counter[str] = Counter()
    undetermined = 0
    for at, (language, answer) in enumerate(zip(test.languages, answers, strict=True)):
        if language not in languages or answer is None or (also is not None and also[at] is None):
            continue
        asked[fold(language)] += 1
        right[fold(language)] += fold(answer) == fold(language)
        undetermined += answer == "und"
    if not asked:
        return None
    each = {language: right[language] / asked[language] for language in sorted(asked)}
    return Score(
        macro=sum(each.values()) / len(each),
        micro=right.total() / asked.total(),
        undetermined=undetermined / asked.total(),
        languages=each,
        texts=asked.total(),
    )


def common(known: Iterable[Iterable[str]]) -> set[str]:
    """The languages that every system knows."""
    return set.intersection(*map(set, known))


def member(answer: str, group: Sequence[str]) -> str:
    """The language of the group that an answer means, or "other"; Serbian is meant whatever its script."""
    meant = "sr-Latn" if answer == "sr" else answer
    return meant if meant in group else "other"


def confusion(test: TestSet, answers: Answers, language: str, group: Sequence[str]) -> dict[str, float] | None:
    """Shares of each language of a group, and of any other, among the answers to the texts of one language."""
    given = Counter(
        member(answer, group)
        for gold, answer in zip(test.languages, answers, strict=True)
        if gold == language and answer is not None
    )
    return {label: given[label] / given.total() for label in (*group, "other")} if given else None
