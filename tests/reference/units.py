# SPDX-License-Identifier: Apache-2.0
"""Units of text once more, and the rules between them: found by regular expressions over the classes of characters.

All of a text is looked at at once; nothing is shared with the core but the table of characters.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache, reduce

from reference.langid import LETTER, MARK, SEED, SPACE, extend, extend_word, table
from reference.tagging import DIGIT_CLASS

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


def offsets(text: str | bytes) -> list[int]:
    """Where each character begins and the last one ends: characters of a str, bytes of bytes."""
    if isinstance(text, str):
        return list(range(len(text) + 1))
    return [0, *(part.end() for part in UTF8.finditer(text))]


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
