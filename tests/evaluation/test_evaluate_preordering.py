# SPDX-License-Identifier: Apache-2.0
"""Scores of preorderers, worked out by hand and compared with those of the script of Nakagawa (2015)."""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from budgie import DataError
from budgie.evaluation.preordering import (
    OrderEvaluation,
    evaluate_order,
    fuzzy_reordering_score,
    kendall_tau,
    report_order,
    score_order,
)
from budgie.formats.alignments import Aligned, Links, merged_order
from budgie.train.data.preordering import ALIGNED_CORPORA, aligned_corpus


def aligned(links: Links) -> Aligned:
    return Aligned(tuple(f"w{i}" for i in range(len(links))), tuple(tuple(positions) for positions in links))


FISH = aligned(((0,), (), (5,), (4,), (2,)))  # I do not eat fish: 私 は 魚 を 食べ ない
NOT = aligned(((3,), (0, 2), (1,)))  # two words that cannot be compared


@pytest.mark.parametrize(
    ("found", "frs", "tau"),
    [
        ([], 1.0, 1.0),
        ([0], 1.0, 1.0),
        ([0, 1], 1.0, 1.0),
        # -1 | 1 | 0 | 2: three jumps of three
        ([1, 0], 0.0, 0.0),
        # -1 0 | 3 | 2 | 1 | 4: four jumps of five; 3 2, 3 1 and 2 1 are inverted, of six pairs
        ([0, 3, 2, 1], 1 / 5, 1 / 2),
        # -1 | 2 3 | 0 1 | 4: three jumps of five; four of six pairs are inverted
        ([2, 3, 0, 1], 2 / 5, 1 / 3),
        # -1 0 | 2 | 1 | 3: three jumps of four; one of three pairs
        ([0, 2, 1], 1 / 4, 2 / 3),
        # ties are right: -1 0 0 1 1 2
        ([0, 0, 1, 1], 1.0, 1.0),
        # -1 0 1 | 0 1 2: one jump of five; one of six pairs
        ([0, 1, 0, 1], 4 / 5, 5 / 6),
        # -1 0 0 0 1
        ([0, 0, 0], 1.0, 1.0),
        # -1 | 1 | 0 0 | 2: three jumps of four; two of three pairs
        ([1, 0, 0], 1 / 4, 1 / 3),
        # The end is a step as well: -1 0 1 2 | 1 | 3
        ([0, 1, 2, 1], 3 / 5, 5 / 6),
    ],
)
def test_one_sentence(found: list[int], frs: float, tau: float) -> None:
    assert fuzzy_reordering_score(found) == pytest.approx(frs, abs=1e-15)
    assert kendall_tau(found) == pytest.approx(tau, abs=1e-15)


def test_tau_is_the_count_of_pairs() -> None:
    draw = random.Random(6)
    for size in range(2, 60):
        found = [draw.randrange(draw.choice((3, 100))) for _ in range(size)]
        right = sum(one <= other for one, other in itertools.combinations(found, 2))
        assert kendall_tau(found) == pytest.approx(right / (size * (size - 1) / 2), abs=1e-12)


def test_only_the_right_order_is_perfect() -> None:
    for order in itertools.permutations(range(5)):
        assert (fuzzy_reordering_score(order) == 1.0) is (kendall_tau(order) == 1.0) is (list(order) == [0, 1, 2, 3, 4])


def test_a_long_sentence_takes_no_minutes() -> None:
    size = 20_000
    begin = time.process_time()
    evaluation = score_order([(aligned([(i,) for i in range(size)]), range(size)[::-1])])
    assert time.process_time() - begin < 10  # pair by pair it would be 200 million comparisons
    assert (evaluation.tau, evaluation.tau_unchanged, evaluation.words) == (0.0, 1.0, size)


def test_a_set_by_hand() -> None:
    """The mean of the sentences, not of the words; `do` has no place, wherever it is put."""
    # [0, 3, 4, 2, 1] of FISH has the ranks 0 2 1 3, do taken out: -1 0 | 2 | 1 | 3 4, three jumps of five; one pair of
    # six is inverted. Its own order has 0 3 2 1: four jumps of five, three pairs. The second sentence is a word that is
    # right; the third is inverted, in its own order right; the fourth has no aligned word; the last is skipped.
    swapped = aligned(((0,), (1,)))
    answers = [
        (FISH, [0, 3, 4, 2, 1]),
        (aligned(((3,), ())), [1, 0]),
        (swapped, [1, 0]),
        (aligned(((), ())), [1, 0]),
        (NOT, [2, 1, 0]),
    ]
    assert score_order(answers) == OrderEvaluation(
        sentences=5,
        scored=4,
        skipped=1,
        words=14,
        frs=pytest.approx((2 / 5 + 1 + 0 + 1) / 4),
        tau=pytest.approx((5 / 6 + 1 + 0 + 1) / 4),
        complete=2 / 4,
        frs_unchanged=pytest.approx((1 / 5 + 1 + 1 + 1) / 4),
        tau_unchanged=pytest.approx((1 / 2 + 1 + 1 + 1) / 4),
        complete_unchanged=3 / 4,
    )


def test_unaligned_words_do_not_count() -> None:
    others = [word for word in merged_order(FISH.links) if word != 1]
    for place in range(5):
        evaluation = score_order([(FISH, [*others[:place], 1, *others[place:]])])
        assert (evaluation.frs, evaluation.tau, evaluation.complete) == (1.0, 1.0, 1.0)


@pytest.mark.parametrize("answer", [[], [0, 1], [0, 1, 1], [1, 2, 3], [-1, 0, 1], [0, 1, 2, 3], [0, 0, 1, 2]])
def test_what_is_no_permutation(answer: list[int]) -> None:
    for sentence in (aligned(((0,), (1,), (2,))), NOT):
        with pytest.raises(ValueError, match="sentence 2: the answer is not a permutation of its 3 words"):
            score_order([(sentence, [2, 1, 0]), (sentence, answer)])


def test_nothing_to_score() -> None:
    with pytest.raises(DataError, match="no sentences to evaluate with"):
        score_order([])
    with pytest.raises(DataError, match="none of the 2 sentences can be scored: each has two words that cannot be"):
        score_order([(NOT, [0, 1, 2])] * 2)


class Reverser:
    """A preorderer that reads from behind."""

    def __init__(self) -> None:
        self.calls: list[tuple[int, int]] = []

    def permutations(self, sentences: list[Sequence[str]], threads: int) -> list[list[int]]:
        assert all(word == f"w{i}" for sentence in sentences for i, word in enumerate(sentence))
        self.calls.append((len(sentences), threads))
        return [list(range(len(sentence)))[::-1] for sentence in sentences]


class Forgetful(Reverser):
    def permutations(self, sentences: list[Sequence[str]], threads: int) -> list[list[int]]:
        return super().permutations(sentences, threads)[1:]


def test_a_preorderer() -> None:
    reverser = Reverser()
    mirrored, straight = aligned(((1,), (0,))), aligned(((0,), (1,), (2,)))
    sentences = itertools.chain(itertools.repeat(mirrored, 3000), itertools.repeat(straight, 3000))
    evaluation = evaluate_order(reverser, sentences, threads=3)
    assert (evaluation.sentences, evaluation.words) == (6000, 15_000)
    # -1 | 2 | 1 | 0 | 3: four jumps of four
    assert (evaluation.frs, evaluation.tau, evaluation.complete) == (0.5, 0.5, 0.5)
    assert (evaluation.frs_unchanged, evaluation.tau_unchanged, evaluation.complete_unchanged) == (0.5, 0.5, 0.5)
    assert [threads for _, threads in reverser.calls] == [3] * len(reverser.calls)
    assert sum(count for count, _ in reverser.calls) == 6000
    assert max(count for count, _ in reverser.calls) < 5000  # not all in memory at once
    with pytest.raises(ValueError, match="shorter"):
        evaluate_order(Forgetful(), [mirrored])


def test_report() -> None:
    text = report_order(score_order([(FISH, [0, 4, 3, 1, 2]), (aligned(((1,), (0,))), [0, 1]), (NOT, [0, 1, 2])] * 500))
    assert text == (
        "sentences         1,500 of 5,000 words; 1,000 are scored\n"
        "fuzzy reordering  50.00 %   10.00 % if the order is left as it is\n"
        "Kendall's tau     50.00 %   25.00 % if the order is left as it is\n"
        "complete          50.00 %   0.00 % if the order is left as it is\n"
    )


# ---- real sets -------------------------------------------------------------------------------------------------


def test_the_script_of_nakagawa(shared_data: Callable[[str], Path]) -> None:
    """The order of the source, scored by google/topdown-btg-preordering."""
    shared_data("preorder/enja-kftt-manual")
    evaluation = score_order((one, range(len(one.words))) for one in aligned_corpus("enja-kftt-manual").read("test"))
    assert (evaluation.sentences, evaluation.scored, evaluation.skipped) == (354, 318, 36)
    scores = (evaluation.frs, evaluation.tau, evaluation.complete)
    assert scores == (evaluation.frs_unchanged, evaluation.tau_unchanged, evaluation.complete_unchanged)
    assert [round(100 * score, 1) for score in scores] == [49.4, 72.7, 17.0]


@pytest.mark.parametrize("name", ALIGNED_CORPORA)
def test_the_gold_order_is_perfect(name: str, shared_data: Callable[[str], Path]) -> None:
    shared_data(f"preorder/{name}")
    for split in ("dev", "test"):
        sentences = aligned_corpus(name).read(split)
        evaluation = score_order((one, merged_order(one.links)) for one in sentences)
        assert (evaluation.frs, evaluation.tau, evaluation.complete) == (1.0, 1.0, 1.0)
        assert evaluation.frs_unchanged < 0.95
        assert evaluation.skipped < 0.4 * evaluation.sentences
