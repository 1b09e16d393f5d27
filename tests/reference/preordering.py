# SPDX-License-Identifier: Apache-2.0
"""Preordering once more, on lists of lists and as plainly as possible: what the core has to agree with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from budgie.model.config import Group
from budgie.model.file import Model
from reference import tagging
from reference.bloom import cluster
from reference.langid import Floats, array, embeddings
from reference.tagging import word_ids

MOVES = SHIFT, APPEND, SWAP = range(3)
CORNERS = {"first": 0, "second": 1, "before_last": -2, "last": -1}
SPANS = ("s0", "s1", "s2", "s3", "b0", "b1", "b2", "b3")
SWAPS_A_WORD = 32
LONGEST = 1024  # words that are put into order at once; this here takes no longer lines

Words = Sequence[str] | Sequence[bytes] | Sequence[str | bytes]


# ---- the transition system -------------------------------------------------------------------------------------


class Span:
    def __init__(self, words: list[int], swapped: bool = False) -> None:
        self.words, self.swapped = words, swapped

    def corner(self, name: str) -> int | None:
        """Of a single word there is no second one, neither from the front nor from the end."""
        inner = name in ("second", "before_last")
        return None if inner and len(self.words) == 1 else self.words[CORNERS[name]]


class State:
    def __init__(self, words: int) -> None:
        self.stack: list[Span] = []  # its top is the last one
        self.buffer = [Span([word]) for word in range(words)]  # its front is the first one
        self.swaps_left = SWAPS_A_WORD * words

    @property
    def done(self) -> bool:
        return not self.buffer and len(self.stack) <= 1

    @property
    def order(self) -> list[int]:
        assert self.done
        return [word for span in self.stack for word in span.words]

    def allowed(self) -> list[int]:
        moves = [SHIFT] if self.buffer else []
        if len(self.stack) >= 2:
            i, j = self.stack[-2:]
            moves.append(APPEND)
            if i.words[0] < j.words[0] and self.swaps_left > 0:
                moves.append(SWAP)
        return moves

    def apply(self, move: int) -> None:
        assert move in self.allowed()
        if move == SHIFT:
            self.stack.append(self.buffer.pop(0))
            return
        j, i = self.stack.pop(), self.stack.pop()
        if move == APPEND:
            self.stack.append(Span(i.words + j.words, i.swapped or j.swapped))
        else:
            i.swapped = j.swapped = True
            self.stack.append(j)
            self.buffer.insert(0, i)
            self.swaps_left -= 1

    def seen(self, name: str) -> Span | None:
        """A span by its name: s0 is the top of the stack, b0 the front of the buffer."""
        pile = self.stack[::-1] if name[0] == "s" else self.buffer
        depth = int(name[1])
        return pile[depth] if depth < len(pile) else None


def replay(words: int, moves: Iterable[int]) -> State:
    """What moves lead to; each of them has to be allowed."""
    state = State(words)
    for move in moves:
        assert not state.done
        state.apply(int(move))
    return state


# ---- oracles ---------------------------------------------------------------------------------------------------

Oracle = Callable[[State, Sequence[int]], int]


def lazy(state: State, order: Sequence[int]) -> int:
    return SWAP if _inverted(state, order) else SHIFT if state.buffer else APPEND


def eager(state: State, order: Sequence[int]) -> int:
    return APPEND if _belong_together(state, order) else lazy(state, order)


def delayed_swap(state: State, order: Sequence[int]) -> int:
    if _belong_together(state, order):
        return APPEND
    waits = state.stack and state.buffer and _one_block(state.stack[-1].words[-1], state.buffer[0].words[0], order)
    return SWAP if _inverted(state, order) and not waits else SHIFT if state.buffer else APPEND


def _inverted(state: State, order: Sequence[int]) -> bool:
    return SWAP in state.allowed() and order.index(state.stack[-2].words[-1]) > order.index(state.stack[-1].words[0])


def _belong_together(state: State, order: Sequence[int]) -> bool:
    if len(state.stack) < 2:
        return False
    i, j = state.stack[-2:]
    return order.index(i.words[-1]) + 1 == order.index(j.words[0])


def _one_block(one: int, other: int, order: Sequence[int]) -> bool:
    """Whether SHIFT and APPEND alone would put two words into one span."""
    state = State(len(order))
    while state.buffer:
        state.apply(SHIFT)
        while _belong_together(state, order):
            state.apply(APPEND)
    return any(one in span.words and other in span.words for span in state.stack)


def follow(order: Sequence[int], oracle: Oracle) -> Iterator[tuple[State, int]]:
    """The states on the way to an order, each with the move that follows, and the last one with none (-1)."""
    state = State(len(order))
    while not state.done:
        move = oracle(state, order)
        yield state, move
        state.apply(move)
    yield state, -1


# ---- what the core says of a state -----------------------------------------------------------------------------


def row(state: State) -> tuple[list[int], list[int], list[int]]:
    """Corners of the spans that features look at, words of each, whether it was swapped."""
    spans = [state.seen(name) for name in SPANS]
    corners = [None if span is None else span.corner(name) for span in spans for name in CORNERS]
    return (
        [-1 if word is None else word for word in corners],
        [0 if span is None else len(span.words) for span in spans],
        [-1 if span is None else int(span.swapped) for span in spans],
    )


# ---- the network -----------------------------------------------------------------------------------------------


class Way(NamedTuple):
    log_probability: float  # of its moves, each among the allowed ones
    moves: tuple[int, ...]


class Network:
    def __init__(self, model: Model) -> None:
        self.config, self.model = model.config, model
        self.tables = {group.name: embeddings(model, group) for group in model.config.groups}
        self.layers = [array(model, f"{layer}.{what}") for layer in ("hidden", "output") for what in ("weight", "bias")]
        self._vectors: dict[tuple[str, str | bytes], Floats] = {}

    def tags(self, words: Words) -> tuple[list[int], float]:
        """The number of each word's tag, and how clear the least clear one is."""
        if not self.config.networks or not words:
            return [], np.inf
        inside = {name[7:]: tensor for name, tensor in self.model.tensors.items() if name.startswith("tagger.")}
        scores = tagging.scores(Model(self.config.networks["tagger"], inside), list(words))
        best, second = np.sort(scores, axis=1)[:, -1], np.sort(scores, axis=1)[:, -2]
        return scores.argmax(1).tolist(), float((best - second).min())

    def scores(self, state: State, words: Words, tags: Sequence[int]) -> Floats:
        """What the network says of SHIFT, APPEND and SWAP."""
        parts = [
            self._part(group, state.seen(place.partition(".")[0]), place.partition(".")[2], position, words, tags)
            for group in self.config.groups
            for place in group.places
            for position in group.positions
        ]
        hidden, hidden_bias, output, output_bias = self.layers
        result: Floats = output @ np.maximum(hidden @ np.concatenate(parts) + hidden_bias, 0) + output_bias
        return result

    def _part(
        self, group: Group, span: Span | None, corner: str, position: int, words: Words, tags: Sequence[int]
    ) -> Floats:
        table = self.tables[group.name]
        nothing = np.zeros(group.dim * (2 * group.n if group.kind == "bytes" else 1))
        if span is None:
            return nothing
        if group.kind == "swapped":
            return table[int(span.swapped)]
        if group.kind == "length":
            return table[min(len(span.words), group.buckets) - 1]
        word = span.corner(corner)
        if word is None or not 0 <= word + position < len(words):
            return nothing
        return table[tags[word + position]] if group.kind == "tags" else self._vector(group, words[word + position])

    def _vector(self, group: Group, word: str | bytes) -> Floats:
        if (group.name, word) not in self._vectors:
            table = self.tables[group.name]
            shares = (lambda ids: max(1, len(ids))) if group.combine == "mean" else lambda _: 1
            slots = [table[ids].sum(axis=0) / shares(ids) for ids in self._ids(group, word)]
            self._vectors[group.name, word] = np.concatenate(slots)
        return self._vectors[group.name, word]

    def _ids(self, group: Group, word: str | bytes) -> list[list[int]]:
        if group.kind != "clusters":
            return word_ids(word, group, self.config.text.fold_case)
        assert self.config.bloom
        found = cluster(word, self.config.bloom, self.model.tensors)
        return [[found] if found >= 0 else []]

    def reorder(self, words: Words, tags: Sequence[int] | None = None) -> tuple[list[int], float]:
        """The greedy order, and how clear the least clear decision on the way to it was; `tags` are its own if None."""
        state = State(len(words))
        tags, clear = self.tags(words) if tags is None else (tags, np.inf)
        while not state.done:
            scores = self.scores(state, words, tags)
            best, *others = sorted(state.allowed(), key=lambda move: -scores[move])  # stable: the first of equal ones
            clear = min([clear, *(scores[best] - scores[other] for other in others)])
            state.apply(best)
        return state.order, clear

    def ways(self, way: Way, words: Words, tags: Sequence[int]) -> list[Way]:
        """A way as it is, if it is at its end, else all ways that are a move longer."""
        state = replay(len(words), way.moves)
        if state.done:
            return [way]
        scores = self.scores(state, words, tags)[state.allowed()]
        every = way.log_probability + scores - np.log(np.exp(scores - scores.max()).sum()) - scores.max()
        return [Way(float(one), (*way.moves, move)) for one, move in zip(every, state.allowed(), strict=True)]

    def most_probable(self, words: Words) -> tuple[list[int], float]:
        """The order by the best of all ways, for a few words, and how much better than the others it is."""
        tags, clear = self.tags(words)
        ways, longer = [], [Way(0.0, ())]
        while longer:
            ways += [way for way in longer if replay(len(words), way.moves).done]
            every = [self.ways(way, words, tags) for way in longer if not replay(len(words), way.moves).done]
            longer = [way for some in every for way in some]
        best, *others = sorted(ways, reverse=True)
        gaps = (best.log_probability - other.log_probability for other in others[:1])
        return replay(len(words), best.moves).order, min([clear, *gaps])

    def beam(self, words: Words, width: int) -> tuple[list[int], float]:
        """The order by the best of so many ways side by side, and how clear the least clear decision was."""
        tags, clear = self.tags(words)
        ways = [Way(0.0, ())]
        while not replay(len(words), ways[0].moves).done:
            steps = [step for way in ways for step in self.ways(way, words, tags)]
            steps.sort(key=lambda step: -step.log_probability)
            ways = steps[:width]
            cuts = [len(ways)] if not replay(len(words), ways[0].moves).done else [1, len(ways)]
            gaps = (steps[cut - 1].log_probability - steps[cut].log_probability for cut in cuts if cut < len(steps))
            clear = min([clear, *gaps])
        return replay(len(words), ways[0].moves).order, clear
