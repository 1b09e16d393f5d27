# SPDX-License-Identifier: Apache-2.0
"""python-crfsuite: averaged perceptron over affixes, shapes and neighbours. Features are made here, in Python."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pycrfsuite
from benchmarks.tagging.systems import Tagged, Way, Ways, Words, one_by_one

ITERATIONS = 15
AFFIX = 4  # longest prefix and suffix
NEIGHBOURS = (-2, -1, 1, 2)


def shape(word: str) -> str:
    """Kinds of letters, runs made one: McDonald is XxXx, 1,000 is d,d."""
    kinds: list[str] = []
    for letter in word:
        kind = "d" if letter.isdigit() else "X" if letter.isupper() else "x" if letter.isalpha() else letter
        if not kinds or kinds[-1] != kind:
            kinds.append(kind)
    return "".join(kinds)


WordFeatures = tuple[list[str], dict[int, str]]


def features_of(word: str) -> WordFeatures:
    """What a word says about itself, and what it says about each of its neighbours, by its place as seen from there."""
    lower = word.lower()
    lengths = range(1, min(AFFIX, len(lower)) + 1)
    itself = ["bias", f"w={word}", f"l={lower}", f"shape={shape(word)}"]
    itself += [f"p={lower[:length]}" for length in lengths] + [f"s={lower[-length:]}" for length in lengths]
    return itself, {step: f"{step}={lower}" for step in NEIGHBOURS}


def features(words: Words, of: Callable[[str], WordFeatures] = features_of) -> list[list[str]]:
    """The features of every word of a sentence. Suffixes and shapes of neighbours too were no better on dev sets."""
    known = [of(word) for word in words]
    end = len(words)
    return [
        itself + [known[at + step][1][step] if 0 <= at + step < end else f"{step} none" for step in NEIGHBOURS]
        for at, (itself, _) in enumerate(known)
    ]


def train(learn: list[Tagged], _dev: list[Tagged], path: Path) -> None:
    """Learn a tagger."""
    trainer = pycrfsuite.Trainer(algorithm="ap", params={"max_iterations": ITERATIONS}, verbose=False)
    for sentence in learn:
        trainer.append(features([word for word, _ in sentence]), [tag for _, tag in sentence])
    trainer.train(str(path))


def load(path: str) -> Ways:
    """A model. Two more ways show what features cost: with those of each word remembered, and with all made before."""
    tagger = pycrfsuite.Tagger()
    tagger.open(path)
    remembered = cache(features_of)
    each = Way(one_by_one(lambda words: tagger.tag(features(words))))
    return {
        "one": each,
        "batch": each,
        "remembered": Way(one_by_one(lambda words: tagger.tag(features(words, remembered)))),
        "ready": Way(
            one_by_one(tagger.tag), lambda sentences: [pycrfsuite.ItemSequence(features(words)) for words in sentences]
        ),
    }
