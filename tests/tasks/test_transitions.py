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
from conftest import PLAIN_GROUPS, TAGS, random_preorderer, stubborn_preorderer
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from reference.preordering import (
    APPEND,
    LONGEST,
    MOVES,
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

from budgie import Preorderer
from budgie.model import config
from budgie.model.config import Config, Group
from budgie.model.features import make_state_features

Arrays = Sequence[NDArray[np.int32]]
# All that there is to see of a state.
ALL_SEEN = (
    Group("words", "words", 2, 1, places=config.PLACES),
    Group("length", "length", 64, 1, places=config.SPANS),
    Group("swapped", "swapped", 2, 1, places=config.SPANS),
)
FEATURES = make_state_features(Config("preorder", ALL_SEEN, 1, config.MOVES))
ALL_ORDERS = [list(order) for size in range(7) for order in itertools.permutations(range(size))]


def gold_states(orders: Sequence[Sequence[int]]) -> Arrays:
    """Corners, lengths, swapped, moves and ends of the states that gold goes through."""
    words, rows, moves, ends = FEATURES.states(orders)
    _, lengths, swapped = (rows[:, columns] for columns in FEATURES.spans)
    return words[:, FEATURES.words[0]], lengths + 1, swapped, moves, ends


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


def copies(order: Sequence[int], oracle: Oracle) -> tuple[list[State], list[int]]:
    """The states on the way to an order and its moves."""
    moves = [move for _, move in follow(order, oracle)][:-1]
    return [replay(len(order), moves[:i]) for i in range(len(moves))], moves


# ---- oracles ---------------------------------------------------------------------------------------------------


def test_gold_reaches_every_order_by_allowed_moves() -> None:
    assert len(ALL_ORDERS) == 1 + 1 + 2 + 6 + 24 + 120 + 720
    for order, (*_, moves) in zip(ALL_ORDERS, by_sentence(gold_states(ALL_ORDERS)), strict=True):
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
        ends = gold_states([list(order) for order in itertools.permutations(range(6))])[4]
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
    assert (np.diff(gold_states(orders)[4][:, 0], prepend=0) >= needed).all()


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
    ((*_, found),) = by_sentence(gold_states([order]))
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
    for order, found in zip(orders, by_sentence(gold_states(orders)), strict=True):
        states, moves = copies(order, delayed_swap)
        assert found[-1] == moves
        assert_rows(found, states)


def test_the_network_chooses_its_own_moves() -> None:
    """Where they are clear, they lead to where the best allowed ones by the reference's scores lead."""
    model, draw, compared = random_preorderer(6), random.Random(6), 0
    preorderer, network = Preorderer(model), Network(model)
    for words in (1, 2, 3, 9, 25, 40, 60):
        sentence = [draw.choice("abcdef") + draw.choice("xyz") for _ in range(words)]
        order, clear = network.reorder(sentence)
        if clear > 1e-4:
            compared += 1
            assert preorderer.reorder(sentence).permutation == order
    assert compared >= 5
    assert order != sorted(order)


def preferred(words: int, moves: Sequence[int]) -> tuple[list[int], int]:
    """The order by the first of these moves that is allowed, and how many moves it takes."""
    state = State(words)
    for steps in itertools.count():
        if state.done:
            return state.order, steps
        allowed = state.allowed()
        state.apply(next(move for move in moves if move in allowed))
    raise AssertionError


# Those that like SWAP better than APPEND run out of swaps, else each of them would turn a sentence round.
@pytest.mark.parametrize("liked", [(0, 0, 0), (-1, 0, 0), (1, 0, 0), (0, -1, 0), (0, 0, 1)])
def test_the_first_of_equal_moves(liked: tuple[int, int, int]) -> None:
    order, other = (preferred(100, sorted(moves, key=lambda move: -liked[move]))[0] for moves in (MOVES, MOVES[::-1]))
    assert Preorderer(stubborn_preorderer(*liked)).reorder([f"w{i}" for i in range(100)]).permutation == order != other


# ---- limits ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [64, 65, 66, 67, 200])
def test_the_limit_of_swaps(words: int) -> None:
    """A network that always wants to SWAP turns a sentence round, if that takes no more than 32 swaps a word."""
    preorderer = Preorderer(stubborn_preorderer(shift=1, append=0, swap=2))
    sentence = [f"w{i}" for i in range(words)]
    order, steps = preferred(words, (SWAP, SHIFT, APPEND))
    assert preorderer.reorder(sentence).permutation == order
    assert (order == list(range(words))[::-1]) is (words <= 65)
    assert steps == 2 * words - 1 + 2 * min(words * (words - 1) // 2, 32 * words)


@pytest.mark.parametrize("liked", [(1, 0, 2), (0, 1, 2), (2, 0, 1), (0, 2, 1)])
def test_a_long_line_takes_no_minutes(liked: tuple[int, int, int]) -> None:
    sentence = ["w"] * 10_000
    begin = time.process_time()
    for model in (stubborn_preorderer(*liked), random_preorderer(sum(liked) + liked[0], PLAIN_GROUPS)):
        order = Preorderer(model).reorder(sentence).permutation
        assert sorted(order) == list(range(10_000))
    assert time.process_time() - begin < 10


@pytest.mark.parametrize("words", [LONGEST - 1, LONGEST, LONGEST + 1, 2 * LONGEST, 2 * LONGEST + 300])
@pytest.mark.parametrize("beam", [1, 2])
def test_a_long_line_is_put_into_order_piece_by_piece(words: int, beam: int) -> None:
    draw = random.Random(words)
    line = [f"w{draw.randrange(500)}" for _ in range(words)]
    for model in (random_preorderer(8, PLAIN_GROUPS), stubborn_preorderer(shift=1, append=0, swap=2)):
        preorderer, expected = Preorderer(model, beam), []
        for begin in range(0, words, LONGEST):
            order = preorderer.reorder(line[begin : begin + LONGEST]).permutation
            assert order != sorted(order) or len(order) == 1
            expected += [begin + word for word in order]
        assert preorderer.reorder(line).permutation == expected
        assert preorderer.permutations([line[:7], line, []], 2)[1] == expected


def test_the_tags_of_a_piece_are_those_of_the_whole_line() -> None:
    model, draw, compared, others = random_preorderer(9), random.Random(9), 0, 0
    preorderer, network = Preorderer(model), Network(model)
    assert preorderer.tagger
    for _ in range(40):
        line = [draw.choice("abcdef") + draw.choice("xyz") for _ in range(LONGEST + 5)]
        piece, tags = line[LONGEST:], [TAGS.index(tag) for tag in preorderer.tagger.tag(line)[LONGEST:]]
        expected, clear = network.reorder(piece, tags)
        if clear > 1e-4:
            compared += 1
            others += preorderer.reorder(piece).permutation != expected
            assert preorderer.reorder(line).permutation[LONGEST:] == [LONGEST + word for word in expected]
    assert compared > 30
    assert others > 0  # with the tags that its words have alone it is another order


def test_gold_of_a_long_line() -> None:
    """Its swaps are limited too; so the order that comes out may be another."""
    for order in (list(range(3000))[::-1], [*range(1500, 3000), *range(1500)]):
        begin = time.process_time()
        moves = gold_states([order])[3]
        assert time.process_time() - begin < 5
        assert len(moves) <= (2 * SWAPS_A_WORD + 2) * 3000
    ((*_, found),) = by_sentence(gold_states([order]))
    assert replay(3000, found).order == order


@pytest.mark.parametrize("order", [[0, 0], [1], [2, 0], [0, 1, 3], [1, 2, 3], [2**32 - 1]])
def test_what_is_no_order(order: list[int]) -> None:
    with pytest.raises(ValueError, match="an order must have each word once"):
        gold_states([[1, 0], order])


@pytest.mark.parametrize("wrong", [[[-1]], [["a"]], [0]])
def test_orders_are_lists_of_numbers(wrong: Any) -> None:
    with pytest.raises(TypeError):
        gold_states(wrong)
