# SPDX-License-Identifier: Apache-2.0
"""All sizes and times of the teacher of orders."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

CORRECTED, SOURCE_ONLY = "corrected", "source-only"  # kinds of orders


class Mode(Enum):
    """What the network is shown of a sentence."""

    SOURCE = "source"
    TARGET = "source and target"
    LINKS = "source, target and automatic links"


Shares = dict[Mode, float]  # how often each mode is trained; they add up to 1


@dataclass(frozen=True)
class Lesson:
    """Training with the manual alignments, and what its networks are shown when they give orders."""

    shown: Mode
    shares: Shares
    epochs: int
    rate: float


@dataclass(frozen=True)
class Round:
    """Training with the automatic sentences, then lessons; the next round learns from the orders that are corrected."""

    seconds: float
    rate: float
    shares: Shares
    lessons: dict[str, Lesson]
    fresh: bool = True  # begin with a new network, not with that of the round before


def _shares(source: float, target: float, links: float) -> Shares:
    return {Mode.SOURCE: source, Mode.TARGET: target, Mode.LINKS: links}


_ALL = _shares(0.25, 0.15, 0.6)
_ROUNDS = (
    Round(150, 6e-4, _shares(0.35, 0.35, 0.3), {CORRECTED: Lesson(Mode.LINKS, _ALL, 20, 5e-4)}),
    Round(140, 6e-4, _shares(0.3, 0.35, 0.35), {CORRECTED: Lesson(Mode.LINKS, _ALL, 30, 3e-4)}),
    Round(
        130,
        4e-4,
        _shares(0.7, 0.15, 0.15),
        {
            CORRECTED: Lesson(Mode.LINKS, _ALL, 30, 3e-4),
            # gentle: the source alone gains more from a million corrected words than from the manual sentences
            SOURCE_ONLY: Lesson(Mode.SOURCE, {Mode.SOURCE: 1.0}, 12, 1e-4),
        },
        fresh=False,
    ),
)


@dataclass(frozen=True)
class Settings:
    """Sizes of the network, and how it is trained."""

    width: int = 384
    layers: int = 6
    heads: int = 8
    word: int = 128  # dimensions of a word, of a lemma and of a spelling
    pair: int = 256  # dimensions of a pair of words
    dropout: float = 0.1
    rounds: tuple[Round, ...] = _ROUNDS
    members: int = 5  # networks that give orders together
    batch: int = 20_000  # words of both sides in a step with the automatic sentences
    warm_up: int = 300  # steps until the learning rate is reached
    lesson_batch: int = 900
    lesson_warm_up: int = 50
    hidden: float = 0.12  # share of the words to be guessed
    forgotten: float = 0.1  # share of the words that lessons show by their spelling only
    pairs_weight: float = 1.0  # of all pairs of words, against the neighbours, when an order is chosen


SMALL = Settings(width=64, layers=2, heads=4, word=32, pair=32, batch=2000)
