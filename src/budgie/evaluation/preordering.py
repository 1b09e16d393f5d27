# SPDX-License-Identifier: Apache-2.0
"""How well a preorderer does on aligned text: what `budgie evaluate` prints.

The scores are those of the script of Nakagawa (2015). Unaligned words are taken out of the preorderer's order; then
each sentence counts the same, however long it is. Sentences in which two words cannot be compared are skipped.
"""

from __future__ import annotations

import argparse
import bisect
import dataclasses
import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Protocol

from budgie.errors import DataError
from budgie.evaluation import answered, report
from budgie.evaluation.metrics import percent
from budgie.formats.alignments import Aligned, Ranks, ranks, read_aligned
from budgie.tasks.preordering import Preorderer


class _Preorderer(Protocol):
    def permutations(self, sentences: list[Sequence[str]], threads: int, /) -> Iterable[Sequence[int]]: ...


@dataclass(frozen=True)
class OrderEvaluation:
    """Means over the scored sentences, between 0 and 1; `_unchanged` is what the order of the source gets."""

    sentences: int
    scored: int
    skipped: int  # sentences in which two words cannot be compared
    words: int  # of all sentences
    frs: float
    tau: float
    complete: float  # share of sentences in which no two words are inverted
    frs_unchanged: float
    tau_unchanged: float
    complete_unchanged: float


def evaluate_order(preorderer: _Preorderer, sentences: Iterable[Aligned], threads: int = 1) -> OrderEvaluation:
    """Preorder the sentences and compare."""
    return score_order(
        answered(sentences, lambda piece: preorderer.permutations([one.words for one in piece], threads))
    )


def score_order(orders: Iterable[tuple[Aligned, Sequence[int]]]) -> OrderEvaluation:
    """Compare each sentence with the order that a preorderer gives its words: their positions, the first word first."""
    sentences = words = 0
    changed: list[tuple[float, float, float]] = []
    unchanged: list[tuple[float, float, float]] = []
    for sentence, order in orders:
        sentences += 1
        words += len(sentence.words)
        if sorted(order) != list(range(len(sentence.words))):
            raise ValueError(
                f"sentence {sentences}: the answer is not a permutation of its {len(sentence.words)} words"
            )
        if (known := ranks(sentence.links)) is not None:
            changed.append(_scores(order, known))
            unchanged.append(_scores(range(len(known)), known))
    if not sentences:
        raise DataError("there are no sentences to evaluate with")
    if not changed:
        raise DataError(f"none of the {sentences} sentences can be scored: each has two words that cannot be compared")
    frs, tau, complete = map(fmean, zip(*changed, strict=True))
    frs_unchanged, tau_unchanged, complete_unchanged = map(fmean, zip(*unchanged, strict=True))
    return OrderEvaluation(
        sentences=sentences,
        scored=len(changed),
        skipped=sentences - len(changed),
        words=words,
        frs=frs,
        tau=tau,
        complete=complete,
        frs_unchanged=frs_unchanged,
        tau_unchanged=tau_unchanged,
        complete_unchanged=complete_unchanged,
    )


def _scores(order: Sequence[int], known: Ranks) -> tuple[float, float, float]:
    """FRS, τ and whether it is complete."""
    found = [rank for position in order if (rank := known[position]) is not None]
    tau = kendall_tau(found)
    return fuzzy_reordering_score(found), tau, float(tau == 1.0)


def fuzzy_reordering_score(found: Sequence[int]) -> float:
    """How few jumps there are from a word to the next, by the ranks of the aligned words in the preorderer's order.

    No jump is to stay at a rank or to go on to the next; the steps from the beginning and to the end count as well.
    """
    if len(found) <= 1:
        return 1.0
    steps = itertools.pairwise([-1, *found, max(found) + 1])
    return 1 - sum(not 0 <= after - before <= 1 for before, after in steps) / (len(found) + 1)


def kendall_tau(found: Sequence[int]) -> float:
    """The share of pairs of words that are not inverted, by their ranks in the preorderer's order; 1 without a pair.

    Words of one rank are right in any order. (Other definitions of τ are between -1 and 1.)
    """
    inverted = 0
    before: list[int] = []  # ascending
    for rank in found:
        place = bisect.bisect_right(before, rank)
        inverted += len(before) - place
        before.insert(place, rank)
    pairs = len(found) * (len(found) - 1) // 2
    return 1 - inverted / pairs if pairs else 1.0


def report_order(evaluation: OrderEvaluation) -> str:
    """The evaluation for people."""

    def row(score: float, unchanged: float) -> str:
        return f"{percent(score):<10}{percent(unchanged)} if the order is left as it is"

    rows = {
        "sentences": f"{evaluation.sentences:,} of {evaluation.words:,} words; {evaluation.scored:,} are scored",
        "fuzzy reordering": row(evaluation.frs, evaluation.frs_unchanged),
        "Kendall's tau": row(evaluation.tau, evaluation.tau_unchanged),
        "complete": row(evaluation.complete, evaluation.complete_unchanged),
    }
    return report(rows)


def evaluate_command(preorderer: Preorderer, args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """`budgie evaluate` for a preorderer: its scores as data, and for people."""
    evaluation = evaluate_order(preorderer, read_aligned(*args.data), args.threads)
    return dataclasses.asdict(evaluation), report_order(evaluation)
