# SPDX-License-Identifier: Apache-2.0
"""The teacher that knows syntax learns that verbs stand last, and puts the parts of each head together."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

from tools.order_trees.linear import EXACT, best_order, examples, learn, order
from tools.order_trees.teach import write_orders
from tools.order_trees.trees import Choices, Tree, with_articles

from budgie.formats.orders import read_orders

STUDENT = Tree(
    "the student reads a book in Kyoto .".split(),
    [1, 2, -1, 4, 2, 2, 5, 2],
    "det nsubj ROOT det dobj prep pobj punct".split(),
    "DT NN VBZ DT NN IN NNP .".split(),
)
VERB_LAST = [[], [0], [5], [], [4], [2], [1], [6]]  # the student Kyoto in a book reads .


def test_it_learns_an_order() -> None:
    choices = Choices(STUDENT)
    weights = learn(examples([(choices, VERB_LAST)] * 8), epochs=8, batch=128, rate=0.5)
    found = order(choices, weights)
    assert [STUDENT.words[place] for place in found] == "the student Kyoto in a book reads .".split()
    again = learn(examples([(choices, [[place] for place in range(8)])] * 8), weights, epochs=25, batch=128, rate=0.5)
    assert order(choices, again) == list(range(8))


def test_without_weights_all_stays() -> None:
    choices = Choices(STUDENT)
    assert sorted(order(choices, np.zeros(1 << 17, np.float32))) == list(range(8))


@pytest.mark.parametrize("count", [2, 3, 5])
def test_the_best_order_is_the_best(count: int) -> None:
    random = np.random.default_rng(count)
    for _ in range(20):
        half = random.normal(size=(count, count))
        gains = half - half.T

        def gain(found: tuple[int, ...], gains: np.ndarray = gains) -> float:
            return sum(gains[pair] for pair in itertools.combinations(found, 2))

        assert gain(tuple(best_order(gains))) == pytest.approx(max(map(gain, itertools.permutations(range(count)))))


def test_many_parts() -> None:
    wanted = np.random.default_rng(1).permutation(EXACT + 4)
    place = np.argsort(wanted)
    assert list(best_order(np.sign(place[None] - place[:, None]).astype(float))) == wanted.tolist()


def test_articles_go_with_the_next_word() -> None:
    words = "read the old book the".split()
    assert with_articles(words, [3, 1, 2, 0, 4]) == [3, 1, 2, 0, 4]
    assert with_articles(words, [1, 3, 2, 4, 0]) == [3, 1, 2, 4, 0]


def test_a_file_of_orders(tmp_path: Path) -> None:
    write_orders(tmp_path / "silver" / "trees.jsonl", [Choices(STUDENT)] * 40, np.zeros(1 << 17, np.float32))
    found = list(read_orders(tmp_path / "silver" / "trees.jsonl"))
    assert 40 < len(found) < 60  # parts of some sentences, too
    assert {len(one.words) for one in found} > {8}
