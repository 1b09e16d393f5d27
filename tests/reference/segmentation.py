# SPDX-License-Identifier: Apache-2.0
"""Segmentation once more, in NumPy and as plainly as possible: what the core has to agree with.

Units are found by regular expressions over the classes of characters, and all of a text is looked at at once; nothing
is shared with the core but the table of characters.
"""

from __future__ import annotations

import itertools
import math
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, reduce

import numpy as np
from numpy.typing import NDArray

from budgie.model.config import Group
from budgie.model.file import Model
from reference.langid import LETTER, MARK, SEED, SPACE, array, decode, embeddings, extend, extend_word, table
from reference.tagging import DIGIT_CLASS, finish

OUTSIDE, OUTSIDE_KIND, TOUCHES = 0x7FFFFFFF, 15, 16
HASHED = 0x80000000  # marks the id of a unit of several characters
LINE_ENDS = frozenset("\n\v\f\r\x85\u2028\u2029")
FORCED_SPLIT, FORCED_MERGE, OPEN = range(3)

# Scripts whose words stand beside each other without spaces.
SCRIPTS = {
    "h": ((0x3005, 0x3007), (0x3021, 0x3029), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF)),
    "i": ((0x3041, 0x309F),),
    "k": ((0x30A0, 0x30FF), (0x31F0, 0x31FF), (0xFF66, 0xFF9F)),
    "y": (
        *((0x0E00, 0x109F), (0x1780, 0x17FF), (0x1950, 0x19DF), (0x1A20, 0x1AAF)),
        *((0x3105, 0x312F), (0xA9E0, 0xA9FF), (0xAA60, 0xAADF)),
    ),
}
# A class is a kind: space, other, digits, alphabet, han, hiragana, katakana, syllabic, numbered in this order. Marks
# are capitals, c those below which the next letter stands; of kind other are also a point of a number p, a joiner j,
# one without a visible join n, a modifier of emoji m, and half a flag f.
KINDS = "sodahiky"
OTHERS = "opjnmf"
TAIL = rf"(?:j[{OTHERS}]?|m|[AHIKYc]|(?<=c)y)"
WORD = "[aA]+(?:[jn][aA]+)*"
HEAD = re.compile(rf"s+|d(?:p?d)*|{WORD}|.")
UNIT = re.compile(rf"s+|f{TAIL}*(?:f{TAIL}*)?|(?:d(?:p?d)*|{WORD}|.){TAIL}*")
TAILS = re.compile(f"{TAIL}*")
ADDRESS = re.compile(r"(?:www\.|[a-z0-9._+-]{2,63}://|[a-z0-9._+-]{1,63}@(?=[a-z0-9]))", re.ASCII | re.IGNORECASE)
REST_OF_ADDRESS = re.compile(r"""(?:(?![<>"'(),;])[!-~])*""")
# A character of well-formed UTF-8, or as much of one as there is (Unicode, table 3-7).
UTF8 = re.compile(
    rb"[\0-\x7f]|[\xc2-\xdf][\x80-\xbf]?"
    rb"|(?:\xe0(?=[^\x80-\x9f])|\xed(?=[^\xa0-\xbf])|[\xe1-\xec\xee\xef])[\x80-\xbf]{0,2}"
    rb"|(?:\xf0(?=[^\x80-\x8f])|\xf4(?=[^\x90-\xbf])|[\xf1-\xf3])[\x80-\xbf]{0,3}|.",
    re.DOTALL,
)

Numbers = NDArray[np.float32]


@dataclass(frozen=True)
class Unit:
    start: int  # in characters
    end: int
    id: int
    kind: int
    ends_line: bool


def fold(c: str) -> str:
    """Full-width forms as plain ones, half-width Katakana as full ones, capitals as small letters."""
    if "\uff66" <= c <= "\uff9f":
        return unicodedata.normalize("NFKC", c)
    code = ord(c) - 0xFEE0 if "\uff01" <= c <= "\uff5e" else ord(c)
    return chr(code + int(table()[1][code]))


@cache
def character_class(c: str) -> str:
    """The letter of a character in the expressions above."""
    kind = table()[0][ord(c)]
    if kind in (LETTER, MARK):
        scripts = (name for name, ranges in SCRIPTS.items() if any(low <= ord(c) <= high for low, high in ranges))
        script = next(scripts, "a")
        if kind == LETTER:
            return script
        return "c" if c in "\u17d2\u1039" else script.upper()
    if kind == DIGIT_CLASS:
        return "d"
    if kind == SPACE or c == "\u200b":
        return "s"
    if c == "\u3007":
        return "h"
    for name, (low, high) in {"m": (0x1F3FB, 0x1F3FF), "f": (0x1F1E6, 0x1F1FF)}.items():
        if low <= ord(c) <= high:
            return name
    return {"\u200c": "n", "\u200d": "j", ".": "p", ",": "p"}.get(c, "m" if 0xE0020 <= ord(c) <= 0xE007F else "o")


def kind_number(letter: str) -> int:
    return KINDS.index("o" if letter in OTHERS else "y" if letter == "c" else letter.lower())


def units(text: str, runs: bool) -> list[Unit]:
    """The units of a text without lone surrogates."""
    folded = "".join(map(fold, text))
    classes = "".join(map(character_class, folded))
    if not runs:
        kinds = list(map(kind_number, classes))
        return [Unit(i, i + 1, ord(c), kinds[i], c in LINE_ENDS) for i, c in enumerate(folded)]
    found, at = [], 0
    while at < len(text):
        head, end = _match(HEAD, classes, at), _match(UNIT, classes, at)
        if classes[at] == "a" and (begun := ADDRESS.match(text, at)):
            whole = text[begun.end() : _match(REST_OF_ADDRESS, text, begun.end())]
            head = begun.end() + len(whole.rstrip(".!?:"))
            end, number = _match(TAILS, classes, head), HASHED
        else:
            number = _id(folded[at:head], classes[at])
        if classes[at] != "s":
            number = reduce(_attached, folded[head:end], number)
        line_end = classes[at] == "s" and not LINE_ENDS.isdisjoint(text[at:end])
        found.append(Unit(at, end, number, kind_number(classes[at]), line_end))
        at = end
    return found


def _attached(number: int, c: str) -> int:
    """The id of a unit that goes on with a mark or the like: a Kana with a voicing mark is one character."""
    if c in "\u3099\u309a" and number < HASHED:
        whole = unicodedata.normalize("NFC", chr(number) + c)
        if len(whole) == 1:
            return ord(whole)
    return extend(number, c) | HASHED


def _match(pattern: re.Pattern[str], text: str, at: int) -> int:
    """Where what matches ends."""
    match = pattern.match(text, at)
    assert match
    return match.end()


def _id(head: str, letter: str) -> int:
    if letter == "s":
        return ord(" ")
    if letter == "d":  # 0 for each of the first five digits, and all points
        digits = itertools.count()
        shown = ("." if c in ".," else "0" if next(digits) < 5 else "" for c in head)
        return reduce(extend, "".join(shown), SEED) | HASHED
    if letter in "aA":
        hashed = reduce(extend_word, head, SEED) * 0x85EBCA6B % 2**32
        return hashed ^ hashed >> 13 | HASHED
    return ord(head)


# ---- rules -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Front:
    """A unit that something is decided of."""

    start: int
    end: int
    id: int
    kind: int
    rule: int


def fronts(text: str, runs: bool, join: bool, dictionary: Collection[str] = ()) -> list[Front]:
    """The units with what may be done at each; where words may have spaces inside, spaces are no units."""
    found: list[Front] = []
    skipped: list[Unit] = []
    before = None
    for unit in units(text, runs):
        if join and unit.kind == 0:
            skipped.append(unit)
            continue
        rule = OPEN
        if before is None or any(space.ends_line for space in skipped):
            rule = FORCED_SPLIT
        elif not join and 0 in (unit.kind, before):
            rule = FORCED_MERGE if unit.kind == before else FORCED_SPLIT
        touches = TOUCHES if join and not skipped else 0
        found.append(Front(unit.start, unit.end, unit.id, unit.kind + touches, rule))
        before, skipped = unit.kind, []
    rules = [front.rule for front in found]
    ends = {front.end: i + 1 for i, front in enumerate(found)}
    at = 0
    while at < len(found) and dictionary:
        start = found[at].start
        lengths = (len(word) for word in dictionary if text.startswith(word, start) and start + len(word) in ends)
        if longest := max(lengths, default=0):
            behind = ends[start + longest]
            rules[at:behind] = [FORCED_SPLIT] + [FORCED_MERGE] * (behind - at - 1)
            rules[behind : behind + 1] = [FORCED_SPLIT] * (behind < len(found))
            at = behind
        else:
            at += 1
    return [Front(f.start, f.end, f.id, f.kind, rule) for f, rule in zip(found, rules, strict=True)]


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


def offsets(text: str | bytes) -> list[int]:
    """Where each character begins and the last one ends: characters of a str, bytes of bytes."""
    if isinstance(text, str):
        return list(range(len(text) + 1))
    return [0, *(part.end() for part in UTF8.finditer(text))]


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
