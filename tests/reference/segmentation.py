# SPDX-License-Identifier: Apache-2.0
"""Segmentation once more, in NumPy and as plainly as possible: what the core has to agree with."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, reduce

import numpy as np
from numpy.typing import NDArray

from budgie.model.config import Group
from budgie.model.file import Model
from reference.langid import SEED, array, decode, embeddings
from reference.tagging import finish
from reference.units import FORCED_SPLIT, OPEN, OUTSIDE, OUTSIDE_KIND, Front, fronts, offsets

Numbers = NDArray[np.float32]


# ---- features --------------------------------------------------------------------------------------------------


def read_keys(data: bytes) -> dict[int, int]:
    """Row of each n-gram of a vocabulary."""
    rows: dict[int, int] = {}
    key = number = shift = 0
    for byte in data:
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            key += number
            rows[key] = len(rows) + 1
            number = shift = 0
    return rows


def keys_of(text: str, n: int, runs: bool, join: bool) -> list[int]:
    """The n-grams of a text as numbers, with what stands around it."""
    ids = [OUTSIDE, *(front.id for front in fronts(text, runs, join)), OUTSIDE]
    return ids if n == 1 else [one << 32 | other for one, other in itertools.pairwise(ids)]


# A lexicon is a Bloom filter of blocks of 64 bits; a word, which is the numbers of its units, sets four bits of one.


def place_in_lexicon(word: Sequence[int], blocks: int) -> tuple[int, int]:
    """The block of a word and its bits in there."""
    hashed = reduce(_extend, word, SEED)
    mixed = (hashed + 1) * 0xD6E8FEB86659FD93 % 2**64
    return finish(hashed, blocks), reduce(int.__or__, (1 << (mixed >> shift) % 64 for shift in (34, 40, 46, 52)))


def build_lexicon(words: Iterable[str], longest: int, runs: bool, join: bool, bits_a_word: int) -> bytes:
    """The filter of those words that have from two to so many units."""
    listed = [[front.id for front in fronts(word, runs, join)] for word in words]
    listed = [word for word in listed if 2 <= len(word) <= longest]
    blocks = [0] * max(1, math.ceil(len(listed) * bits_a_word / 64))
    for word in listed:
        block, bits = place_in_lexicon(word, len(blocks))
        blocks[block] |= bits
    return b"".join(block.to_bytes(8, "little") for block in blocks)


@cache
def in_lexicon(data: bytes, word: tuple[int, ...]) -> bool:
    block, bits = place_in_lexicon(word, len(data) // 8)
    return int.from_bytes(data[8 * block : 8 * block + 8], "little") & bits == bits


def lexicon_row(model: Model, boundary: int, at: Callable[[int], tuple[int, int]]) -> int:
    """The longest words that end at the boundary before a unit, begin there and go over it, as one number."""
    assert model.config.lexicon
    longest, data = model.config.lexicon.longest, bytes(model.tensors["lexicon.bits"].data)
    found = [
        (start, start + length)
        for start in range(boundary - longest, boundary + 1)
        for length in range(2, longest + 1)
        if in_lexicon(data, tuple(at(i)[0] for i in range(start, start + length)))
    ]
    ending = (end - start for start, end in found if end == boundary)
    beginning = (end - start for start, end in found if start == boundary)
    over = (end - start for start, end in found if start < boundary < end)
    lengths = [max(some, default=1) - 1 for some in (ending, beginning, over)]
    return lengths[0] * longest**2 + lengths[1] * longest + lengths[2]


@dataclass(frozen=True)
class State:
    """Where one is: the unit at the front of the buffer, and where the current word and the one before it begin."""

    front: int
    start: int
    before: int


def row(model: Model, group: Group, place: int, state: State, text: Sequence[Front], standard: int) -> int:
    """The row of a group at a place: of a unit, or of the words that kind words names."""

    def at(index: int) -> tuple[int, int]:
        return (text[index].id, text[index].kind) if 0 <= index < len(text) else (OUTSIDE, OUTSIDE_KIND)

    if group.kind == "length":
        return min(state.front - state.start, group.buckets - 1)
    if group.kind == "standard":
        return standard
    if group.kind == "words":
        first, behind = {-1: (state.before, state.start), 0: (state.start, state.front)}.get(
            place, (state.start, state.front + 1)
        )
        return finish(reduce(_extend_word, (at(i)[0] for i in range(first, behind)), SEED), group.buckets)
    if group.kind == "lexicon":
        return lexicon_row(model, place, at)
    grams = [at(i) for i in range(place, place + group.n)]
    if group.kind == "vocabulary":
        key = reduce(lambda so_far, one: so_far << 32 | one[0], grams, 0)
        return _rows(bytes(model.tensors[f"{group.name}.keys"].data)).get(key, 0)
    return finish(reduce(_extend, (gram[group.kind == "kinds"] for gram in grams), SEED), group.buckets)


_rows = cache(read_keys)


def _extend(hashed: int, number: int) -> int:
    hashed = (hashed ^ number) * 0x9E3779B1 % 2**32
    return hashed ^ hashed >> 15


def _extend_word(hashed: int, number: int) -> int:
    return ((hashed << 5 | hashed >> 27) + _extend(SEED, number)) % 2**32


def rows(model: Model, state: State, text: Sequence[Front], standard: int) -> list[list[int]]:
    """The rows of every group for one decision, slot after slot."""
    found = []
    for group in model.config.groups:
        places = [position + (0 if group.kind == "words" else state.front) for position in group.positions]
        places += [state.start + position for position in group.starts]
        found.append([row(model, group, place, state, text, standard) for place in places])
    return found


# ---- the greedy loop -------------------------------------------------------------------------------------------


def _table_scale(model: Model, group: Group) -> float:
    return float(array(model, f"{group.name}.scales")[0]) if group.bits < 8 else 1.0


class Network:
    """The weights as float32."""

    def __init__(self, model: Model) -> None:
        self.tables = [embeddings(model, group).astype(np.float32) for group in model.config.groups]
        self.hidden, self.hidden_bias, self.output, self.output_bias = (
            array(model, name).astype(np.float32)
            for name in ("hidden.weight", "hidden.bias", "output.weight", "output.bias")
        )
        parts: dict[str, list[int]] = {}  # columns of h0 whose weights are rounded together
        column = 0
        for group in model.config.groups:
            small = group.bits < 8 and group.dim % 4 == 0 and group.kind not in ("standard", "length")
            few = group.kind == "words" and group.buckets <= 1024
            for slot in range(group.slots):
                of = "word" if group.kind == "words" else "front" if slot < len(group.positions) else "start"
                if small and not few:
                    parts.setdefault(of, []).extend(range(column, column + group.dim))
                column += group.dim
        sizes = np.concatenate(
            [np.repeat(_table_scale(model, group), group.slots * group.dim) for group in model.config.groups]
        )
        for columns in parts.values():
            weights = self.hidden[:, columns] * sizes[columns]
            steps = np.abs(weights).max(axis=1, keepdims=True) / 127
            rounded = np.floor(weights / np.where(steps > 0, steps, 1) + 0.5) * steps
            self.hidden[:, columns] = rounded / np.where(sizes[columns] > 0, sizes[columns], 1)

    def scores(self, found: Sequence[Sequence[int]]) -> Numbers:
        """Of SPLIT and MERGE."""
        h0 = np.concatenate([table[slots].ravel() for table, slots in zip(self.tables, found, strict=True)])
        scores: Numbers = self.output @ np.maximum(self.hidden @ h0 + self.hidden_bias, 0) + self.output_bias
        return scores


def states(count: int, starts: Collection[int]) -> Iterator[State]:
    """The state at each of some units, if words begin at the units `starts`."""
    start = before = 0
    for front in range(count):
        yield State(front, start, before)
        if front in starts:
            start, before = front, start


def segment(
    model: Model,
    text: str | bytes,
    dictionary: Iterable[str] = (),
    standard: int = 0,
    believed: Collection[int] = (),
    doubt: float = 1e-4,
) -> list[tuple[int, int]]:
    """Begin and end of every word and of the white space between words, in the measure of the text.

    Where both actions score as good as the same, rounding decides: then words begin at the offsets `believed`.
    """
    how, places = model.config.text, offsets(text)
    found = fronts(decode(text), how.units == "runs", how.spaces == "join", tuple(dictionary))
    network = Network(model)
    start = before = 0
    starts = []
    for front, unit in enumerate(found):
        split = unit.rule == FORCED_SPLIT
        if unit.rule == OPEN:
            scores = network.scores(rows(model, State(front, start, before), found, standard))
            margin = float(scores[0] - scores[1])
            split = (
                margin > 0 if abs(margin) > doubt * float(np.abs(scores).sum() + 1) else places[unit.start] in believed
            )
        if split:
            start, before = front, start
            starts.append(front)
    spans, reached = [], 0
    for first, behind in itertools.pairwise([*starts, len(found)]):
        start, end = found[first].start, found[behind - 1].end
        spans += [(reached, start), (start, end)]
        reached = end
    spans.append((reached, len(places) - 1))
    return [(places[start], places[end]) for start, end in spans if start < end]
