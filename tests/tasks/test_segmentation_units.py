# SPDX-License-Identifier: Apache-2.0
"""What a segmenter sees of a text: its units, and the words of a lexicon around a boundary."""

from __future__ import annotations

import json
import random

import pytest
from conftest import plain_units, random_segmenter
from reference import segmentation as reference
from reference.segmenters import (
    every_way,
    made_up,
    parts_of_sentences,
)
from reference.units import fold

from budgie import _core
from budgie.model.config import Group, TextConfig
from budgie.model.features import make_unit_features

# ---- units -----------------------------------------------------------------------------------------------------

# What no model can cut, between bars: numbers, words of an alphabet, addresses, emoji, letters with their marks.
GOLDEN = {
    "numbers": "圆|周|率|是|3.14|，|约|1,000,000|元|，|第|2|.| |完|。|２０２４|年|５|％",
    "points of numbers": "v|1.2.3| |3|.|.|5| |,|5| |5|,| |１．５| |3|D",
    "web addresses": "见|https://example.org/a?b=c_d%20e|。|好| |www.a-b.net|.|（|x|）|HTTP://X.Y/|,| |ab://c|'|d|'|a|:|/|/|b",
    "mail addresses": "给|Me.you+tag@Example.ORG|。|a@b|,| |@|all| |a|@| |中|@|b| |1|a@b",
    "lists of addresses": "a@b|,|c@d|;|e@f.g|;| |http://h.i/j|,|www.k|,|,|l@m",
    "full width": "ｗｗｗ|．|ｘ|．|ｃｏｍ| |ＡＢＣ|１２３| |a|＠|b| |ab|:|／|／|c",
    "letters that are small as ASCII": "K|:|/|/|x| |İ|@|x",
    "emoji": "👨‍👩‍👧‍👦|👍🏽|❤️|🏳️‍🌈|🏃🏿‍♀️|ok|1️⃣|🙂|🙂",
    "flags": "🇩🇪|🇫🇷|🇺| |🏴󠁧󠁢󠁥󠁮󠁧󠁿",
    "Thai": "ป|ร|ะ|เ|ท|ศ|ไ|ท|ย|น้|ำ|เ|ก้|า|อี้| |๗๐",
    "Lao and Tibetan": "ລ|າ|ວ| |བོ|ད|་|ཡི|ག",
    "Khmer": "ភា|សា|ខ្មែ|រ|\u200b|ស្ត្រី|១២",
    "Burmese": "မြ|န်|မာ| |အ|င်္ဂ|လိ|ပ်|၊",
    "Japanese": "カ\u3099|ン|バ|ｶﾞ|ﾊﾟ|が|々|〇|漢\ufe00|字\U000e0100",
    "alphabets": "don|'|t| |e\u0301té| |Việt|-|Nam| |iPhone|15| |한국어|と|Быстрая| |C|+|+",
    "joiners": "ශ්\u200dරී|‌|.| |می\u200cخواهم| |نامه\u200cای\u200cها|،| |क्\u200dष|\u200c| |\u200c|a|\u200c|中",
    "joiners that join nothing": "a\u200d| |\u200d|a\u200d|中| |a\u200d\u200d|b| |1\u200d|b| |b|\u200c|1",
    "spaces": "a| \t\u3000\r\n\u200b|b|\n|中",
}


@pytest.mark.parametrize("sentence", GOLDEN.values(), ids=GOLDEN)
def test_what_stays_whole(sentence: str) -> None:
    text = sentence.replace("|", "")
    features = plain_units()
    assert "|".join(text[start:end] for start, end, *_ in features.units(text)) == sentence
    raw = text.encode()
    assert b"|".join(raw[start:end] for start, end, *_ in features.units(raw)).decode() == sentence
    single = plain_units(False, False).units(text)
    assert [(start, end, number) for start, end, number, _ in single] == [
        (place, place + 1, ord(fold(c))) for place, c in enumerate(text)
    ]


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("ABC", "ａｂｃ", True),
        ("12345678", "99999", True),
        ("1,234.5", "9.999,9", True),
        ("12", "123", False),
        ("1.23", "12.3", False),
        ("https://a.b/c", "me@example.org", True),
        ("👍🏽", "👍", False),
        ("\t\n", " ", True),
        ("中", "国", False),
    ],
)
def test_units_that_look_alike(one: str, other: str, alike: bool) -> None:
    ((*_, first, _),), ((*_, second, _),) = map(plain_units().units, (one, other))
    assert (first == second) is alike


# ---- lexicons --------------------------------------------------------------------------------------------------

HAN = [chr(code) for code in range(0x4E00, 0x9FFF)]


def build_lexicon(words: list[str], longest: int, runs: bool, join: bool, bits_a_word: int) -> bytes:
    return _core.build_lexicon(words, longest, plain_units(runs, join), bits_a_word)[1]


def lexicon_features(words: list[str], longest: int, bits_a_word: int = 10) -> _core.UnitFeatures:
    """Of one group, which sees the boundary before each unit."""
    bits = build_lexicon(words, longest, True, False, bits_a_word)
    model = random_segmenter(1, [Group("lexicon", "lexicon", 1, 1)], lexicon=(longest, bits))
    return make_unit_features(model.config, model.tensors)


def around(features: _core.UnitFeatures, longest: int, text: str, unit: int) -> tuple[int, int, int]:
    """The lengths of the longest words that end before a unit of a text, begin there, and go over; 1 if there is none.

    All units are characters that something is decided of, the first one apart.
    """
    row = int(features.decisions([text], [[0]], [[]], [0])[0][0][unit - 1, 0])
    return row // longest**2 + 1, row // longest % longest + 1, row % longest + 1


@every_way
@pytest.mark.parametrize(("longest", "bits_a_word"), [(2, 1), (5, 10), (8, 64)])
def test_a_lexicon_has_the_bits_of_the_reference(runs: bool, join: bool, longest: int, bits_a_word: int) -> None:
    how = TextConfig(units="runs" if runs else "characters", spaces="join" if join else "break")
    words = [*parts_of_sentences(9, how, 0.2), "", "中", " ", "x y", "字" * longest, "字" * (longest + 1)]
    expected = reference.build_lexicon(words, longest, runs, join, bits_a_word)
    assert len(expected) % 8 == 0
    assert build_lexicon(words, longest, runs, join, bits_a_word) == expected
    for nothing in ([], ["", "中", "字" * 9]):
        assert build_lexicon(nothing, longest, runs, join, bits_a_word) == bytes(8)


def test_words_around_a_boundary() -> None:
    features = lexicon_features(["中国", "国人", "中国人", "人民银行", "民银", "行"], 4, 64)
    expected = [(1, 1, 1), (1, 3, 1), (1, 2, 3), (2, 4, 3), (3, 2, 4), (1, 1, 4), (2, 1, 4), (4, 1, 1)]
    text = "在中国人民银行了"
    for unit in range(1, len(text)):
        assert around(features, 4, text, unit) == expected[unit], text[unit]


@pytest.mark.parametrize("longest", [2, 5, 8])
def test_no_word_of_a_lexicon_is_missed(longest: int) -> None:
    words = made_up(random.Random(longest), 3000, HAN, range(2, longest + 1))
    features = lexicon_features(words, longest)
    for word in words:
        size = len(word)
        text = f"。{word}。"
        assert around(features, longest, text, 1)[1] >= size
        assert around(features, longest, text, size + 1)[0] >= size
        assert all(around(features, longest, text, unit)[2] >= size for unit in range(2, size + 1))


def test_few_strings_are_taken_for_words() -> None:
    """At ten bits a word, somewhat less than two in a hundred."""
    draw = random.Random(1)
    words = made_up(draw, 20_000, HAN[:10_000], [2])
    features = lexicon_features(words, 2)
    others = made_up(draw, 20_000, HAN[10_000:], [2])  # none of them is a word
    wrong = sum(around(features, 2, f"。{other}", 1)[1] == 2 for other in others)
    assert 0.005 < wrong / len(others) < 0.03


@pytest.mark.parametrize(
    ("bits", "longest", "buckets", "message"),
    [
        (b"", 2, 8, "lexicon.size must be between 8 and"),
        (bytes(12), 2, 8, "lexicon.size must be a multiple of 8, not 12"),
        (bytes(8), 9, 729, "lexicon.longest must be between 2 and 8, not 9"),
        (bytes(8), 3, 26, "group lexicon must have 27 rows, as many as it has features"),
        (bytes(8), 0, 8, "lexicon.longest must be between 2 and 8, not 0"),
        (bytes(16), 2, 8, r"tensor 'lexicon.bits' is U8 .16., the config asks for U8 .8."),
    ],
)
def test_lexicons_that_make_no_sense(bits: bytes, longest: int, buckets: int, message: str) -> None:
    """The core must not read what is not there."""
    group = {"name": "lexicon", "kind": "lexicon", "buckets": buckets, "dim": 1}
    lexicon = {"words": 1, "longest": longest, "size": 8 if len(bits) == 16 else len(bits)}
    config = {"task": "seg", "groups": [group], "hidden": 1, "labels": _core.ACTIONS[:2], "lexicon": lexicon}
    with pytest.raises(_core.Refused, match=message):
        _core.UnitFeatures(json.dumps(config), {"lexicon.bits": bits})
