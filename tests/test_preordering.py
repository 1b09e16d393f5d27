# SPDX-License-Identifier: Apache-2.0
"""The transition system of preordering: every order can be reached, every path ends, and the core walks as we do."""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from conftest import PLAIN_GROUPS, random_preorderer, stubborn_preorderer
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from reference_preorderer import (
    APPEND,
    SHIFT,
    SWAP,
    SWAPS_A_WORD,
    Network,
    Oracle,
    Span,
    State,
    delayed_swap,
    eager,
    follow,
    lazy,
    replay,
    row,
)

from budgie import Preorderer, _core

Arrays = Sequence[NDArray[np.int32]]
ALL_ORDERS = [list(order) for size in range(7) for order in itertools.permutations(range(size))]


def by_sentence(states: Arrays) -> Iterator[list[list[Any]]]:
    """Corners, lengths, swapped and moves of each sentence."""
    *rows, moves, ends = states
    begin = 0
    for end in ends.flatten().tolist():
        yield [*(part[begin:end].tolist() for part in rows), moves[begin:end].flatten().tolist()]
        begin = end
    assert begin == len(moves) == len(rows[0])


def assert_rows(found: list[list[Any]], states: Sequence[State]) -> None:
    """What the core says of some states."""
    corners, lengths, swapped, _ = found
    assert list(zip(corners, lengths, swapped, strict=True)) == [row(state) for state in states]


def moves_of(corners: Sequence[Sequence[int]]) -> list[int]:
    """The moves between the states of a sentence and from the last of them, by the first words of the top spans."""
    if not corners:
        return []
    s0, s1, b0 = 0, 4, 16
    moves = [[before[b0], before[s1], before[s0]].index(after[s0]) for before, after in itertools.pairwise(corners)]
    return [*moves, SHIFT if corners[-1][s0] < 0 else APPEND]  # a single word, else the last two spans


def copies(order: Sequence[int], oracle: Oracle) -> tuple[list[State], list[int]]:
    """The states on the way to an order and its moves."""
    moves = [move for _, move in follow(order, oracle)][:-1]
    return [replay(len(order), moves[:i]) for i in range(len(moves))], moves


# ---- oracles ---------------------------------------------------------------------------------------------------


def test_gold_reaches_every_order_by_allowed_moves() -> None:
    assert len(ALL_ORDERS) == 1 + 1 + 2 + 6 + 24 + 120 + 720
    for order, (*_, moves) in zip(ALL_ORDERS, by_sentence(_core.gold_states(ALL_ORDERS)), strict=True):
        assert replay(len(order), moves).order == order


@pytest.mark.parametrize(
    ("oracle", "mean", "most"), [(lazy, 26.0, 41), (eager, 19.33, 29), (delayed_swap, 18.33, 29)]
)  # fmt: skip
def test_moves_to_each_order_of_six_words(oracle: Oracle, mean: float, most: int) -> None:
    lengths = []
    for order in itertools.permutations(range(6)):
        *path, (last, _) = follow(order, oracle)
        assert last.order == list(order)
        lengths.append(len(path))
    assert np.mean(lengths) == pytest.approx(mean, abs=0.005)
    assert max(lengths) == most
    if oracle is delayed_swap:
        ends = _core.gold_states([list(order) for order in itertools.permutations(range(6))])[4]
        assert np.diff(ends[:, 0], prepend=0).tolist() == lengths


def test_the_fewest_moves_possible() -> None:
    """All states of six words, by the fewest moves that lead there; gold needs no fewer."""
    fewest: dict[tuple[int, ...], int] = {}
    paths: list[tuple[int, ...]] = [()]
    seen = set()
    for steps in itertools.count():
        longer = []
        for path in paths:
            state = replay(6, path)
            key = tuple(tuple(span.words) for span in [*state.stack, Span([]), *state.buffer])
            if key in seen:
                continue
            seen.add(key)
            if state.done:
                fewest[tuple(state.order)] = steps
            else:
                longer += [(*path, move) for move in state.allowed()]
        if not (paths := longer):
            break
    orders = list(map(list, itertools.permutations(range(6))))
    needed = np.array([fewest[tuple(order)] for order in orders])
    assert (needed.mean(), needed.max()) == (pytest.approx(17.0, abs=0.05), 23)
    assert (np.diff(_core.gold_states(orders)[4][:, 0], prepend=0) >= needed).all()


@pytest.mark.parametrize(
    ("order", "moves"),
    [
        ([], ""),
        ([0], "S"),
        ([0, 1], "SSA"),
        ([1, 0], "SSXSA"),
        ([0, 1, 2], "SSASA"),
        # 1 2 is a block: 0 waits until it is whole
        ([1, 2, 0], "SSSAXSA"),
        # but here nothing follows: 0 goes at once
        ([1, 0, 2], "SSXSASA"),
        ([2, 1, 0], "SSXSASXSA"),
    ],
)
def test_moves_by_hand(order: list[int], moves: str) -> None:
    ((*_, found),) = by_sentence(_core.gold_states([order]))
    assert "".join("SAX"[move] for move in found) == moves


# ---- paths -----------------------------------------------------------------------------------------------------


@given(st.integers(0, 40), st.randoms(use_true_random=False), st.sampled_from([(1, 1, 1), (1, 1, 9), (9, 1, 9)]))
@settings(max_examples=150, deadline=None)
def test_any_path_ends(words: int, draw: random.Random, weights: tuple[int, int, int]) -> None:
    state, steps = State(words), 0
    while not state.done:
        allowed = state.allowed()
        assert allowed
        state.apply(draw.choices(allowed, [weights[move] for move in allowed])[0])
        steps += 1
    assert sorted(state.order) == list(range(words))
    assert steps <= max(0, words * words + words - 1)


def test_the_longest_path() -> None:
    for words in range(1, 30):
        state, steps = State(words), 0
        while not state.done:
            allowed = state.allowed()
            state.apply(SWAP if SWAP in allowed else allowed[0])
            steps += 1
        assert steps == words * words + words - 1
        assert state.order == list(range(words))[::-1]


def test_gold_states_are_those_of_the_reference() -> None:
    draw = random.Random(3)
    orders = [*ALL_ORDERS[::7], *(draw.sample(range(size), size) for size in (*range(7, 20), 40))]
    blocks = draw.sample([range(i, i + 5) for i in range(0, 40, 5)], 8)
    orders.append([word for block in blocks for word in block])
    for order, found in zip(orders, by_sentence(_core.gold_states(orders)), strict=True):
        states, moves = copies(order, delayed_swap)
        assert found[-1] == moves
        assert_rows(found, states)


@pytest.mark.parametrize("own", [0.0, 0.3, 1.0])
def test_explored_states_are_those_of_the_reference(own: float) -> None:
    preorderer, draw = Preorderer(random_preorderer(5)), random.Random(4)
    orders = [draw.sample(range(size), size) for size in (0, 1, 2, 3, 9, 5, 17, 0, 30)]
    sentences = [[draw.choice("abcdef") + draw.choice("xyz") for _ in order] for order in orders]
    explored = preorderer._core.explored_states(sentences, orders, own=own, seed=7)
    for order, words, found in zip(orders, sentences, by_sentence(explored), strict=True):
        taken = moves_of(found[0])
        states = [replay(len(order), taken[:i]) for i in range(len(taken))]
        assert_rows(found, states)
        assert found[-1] == [delayed_swap(state, order) for state in states]  # gold, off its own path too
        end = replay(len(order), taken).order
        assert own != 0.0 or end == order
        assert own != 1.0 or end == preorderer.reorder(words).permutation


def test_explored_states_between_gold_and_network() -> None:
    preorderer, draw = Preorderer(random_preorderer(5)), random.Random(5)
    orders = [draw.sample(range(12), 12) for _ in range(30)]
    sentences = [[f"w{draw.randrange(9)}" for _ in order] for order in orders]

    def explored(own: float, seed: int) -> list[list[Any]]:
        return [part.tolist() for part in preorderer._core.explored_states(sentences, orders, own=own, seed=seed)]

    gold = [part.tolist() for part in _core.gold_states(orders)]
    assert explored(0.0, 1) == explored(0.0, 2) == gold
    assert explored(1.0, 1) == explored(1.0, 2) != gold
    assert explored(0.5, 1) == explored(0.5, 1)
    assert explored(0.5, 1) != explored(0.5, 2)
    assert gold != explored(0.5, 1) != explored(1.0, 1)


def test_the_network_chooses_its_own_moves() -> None:
    """Along its own path, each move is the best allowed one by the reference's scores."""
    model = random_preorderer(6)
    preorderer, network, draw = Preorderer(model), Network(model), random.Random(6)
    sentence = [draw.choice("abcd") + draw.choice("xyz") for _ in range(25)]
    explored = preorderer._core.explored_states([sentence], [list(range(25))], own=1.0, seed=1)
    ((corners, *_),) = by_sentence(explored)
    state, tags = State(25), network.tags(sentence)[0]
    for move in moves_of(corners):
        scores = network.scores(state, sentence, tags)
        assert scores[move] > max(scores[one] for one in state.allowed()) - 1e-3
        state.apply(move)
    assert state.swaps_left < SWAPS_A_WORD * 25


@pytest.mark.parametrize(
    ("liked", "moves"),
    [
        ((0, 0, 0), "SSSAA"),
        ((0, -1, 0), "SSSXSAXSA"),
        ((-1, 0, 0), "SSASA"),
        ((-1, 0, 1), "SSXSASXSA"),
        ((1, 0, 2), "SSXSSXXSSAA"),
    ],
)
def test_the_first_of_equal_moves(liked: tuple[int, int, int], moves: str) -> None:
    core = Preorderer(stubborn_preorderer(*liked))._core
    ((corners, *_),) = by_sentence(core.explored_states([["a", "b", "c"]], [[0, 1, 2]], own=1.0, seed=1))
    assert "".join("SAX"[move] for move in moves_of(corners)) == moves


# ---- limits ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [64, 65, 66, 67, 200])
def test_the_limit_of_swaps(words: int) -> None:
    """A network that always wants to SWAP turns a sentence round, if that takes no more than 32 swaps a word."""
    preorderer = Preorderer(stubborn_preorderer(shift=1, append=0, swap=2))
    sentence = [f"w{i}" for i in range(words)]
    state, steps = State(words), 0
    while not state.done:
        allowed = state.allowed()
        state.apply(next(move for move in (SWAP, SHIFT, APPEND) if move in allowed))
        steps += 1
    assert preorderer.reorder(sentence).permutation == state.order
    assert (state.order == list(range(words))[::-1]) is (words <= 65)
    explored = preorderer._core.explored_states([sentence], [list(range(words))], own=1.0, seed=1)
    swaps = min(words * (words - 1) // 2, 32 * words)
    assert len(explored[3]) == steps == 2 * words - 1 + 2 * swaps


@pytest.mark.parametrize("liked", [(1, 0, 2), (0, 1, 2), (2, 0, 1), (0, 2, 1)])
def test_a_long_line_takes_no_minutes(liked: tuple[int, int, int]) -> None:
    sentence = ["w"] * 10_000
    begin = time.process_time()
    for model in (stubborn_preorderer(*liked), random_preorderer(sum(liked) + liked[0], PLAIN_GROUPS)):
        order = Preorderer(model).reorder(sentence).permutation
        assert sorted(order) == list(range(10_000))
    assert time.process_time() - begin < 10


def test_gold_of_a_long_line() -> None:
    """Its swaps are limited too; so the order that comes out may be another."""
    for order in (list(range(3000))[::-1], [*range(1500, 3000), *range(1500)]):
        begin = time.process_time()
        moves = _core.gold_states([order])[3]
        assert time.process_time() - begin < 5
        assert len(moves) <= (2 * SWAPS_A_WORD + 2) * 3000
    ((*_, found),) = by_sentence(_core.gold_states([order]))
    assert replay(3000, found).order == order


@pytest.mark.parametrize("order", [[0, 0], [1], [2, 0], [0, 1, 3], [1, 2, 3], [2**32 - 1]])
def test_what_is_no_order(order: list[int]) -> None:
    preorderer = Preorderer(random_preorderer())
    with pytest.raises(ValueError, match="an order must have each word once"):
        _core.gold_states([[1, 0], order])
    with pytest.raises(ValueError, match="an order must have each word once"):
        preorderer._core.explored_states([["w"] * len(order)], [order], own=0.5, seed=1)


def test_orders_and_sentences_that_do_not_fit() -> None:
    core = Preorderer(random_preorderer())._core
    with pytest.raises(ValueError, match="an order must have each word once"):
        core.explored_states([["a", "b"]], [[0]], own=0.5, seed=1)
    with pytest.raises(ValueError, match="as many orders as sentences are needed"):
        core.explored_states([["a"], ["b"]], [[0]], own=0.5, seed=1)
    with pytest.raises(TypeError, match="a sentence must be a list of words, not one str"):
        core.explored_states(["a"], [[0]], own=0.5, seed=1)
    for wrong in ([[-1]], [["a"]], [0]):
        with pytest.raises(TypeError):
            _core.gold_states(wrong)  # type: ignore[arg-type]
