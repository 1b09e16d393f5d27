# SPDX-License-Identifier: Apache-2.0
"""The segmenter: it agrees with the plain reference, and its words depend on the text and on nothing else."""

from __future__ import annotations

import copy
import itertools
import pickle
import random
import re
import struct
import time
from collections.abc import Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import plain_units, random_segmenter, random_tagger
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import segmentation as reference
from reference.langid import decode
from test_any_text import TEXTS, check_linear, to_size

from budgie import ConfigError, DataError, Model, ModelError, Segmenter, Tagger, _core
from budgie.model.config import Group, Text
from budgie.model.parts import make_unit_features
from budgie.model.tensors import Tensor

SENTENCES = (
    "我们在２０２４年用iPhone 15 Pro拍了3,000张照片，花了￥1.5万元！",
    "臺灣的「珍珠奶茶」很好喝；你食咗飯未呀？佢哋喺度傾偈。",
    "東京スカイツリーの高さは634mです。ｶﾞﾝﾊﾞﾚとカ\u3099ンバレ、々と〇。",
    "ประเทศไทยมีประชากรประมาณ ๗๐ ล้านคน น้ำใจและเก้าอี้",
    "ភាសាខ្មែរ\u200bជា\u200bភាសា\u200bផ្លូវការ។ ស្ត្រី ១២៣",
    "မြန်မာဘာသာစကား၊ အင်္ဂလိပ် ၂၀၂၄ ခုနှစ်။",
    "Hà Nội là thủ đô của Việt Nam.\nThành phố Hồ Chí Minh, U.S.A., 1.234,5 km²",
    "See https://example.org/a?b=c(d), www.budgie.net. or Me+you@Example.ORG; ｗｗｗ.x.com a@ b＠c",
    "👨‍👩‍👧‍👦👍🏽🇩🇪🇫🇷🏴󠁧󠁢󠁥󠁮󠁧󠁿❤️1️⃣🏳️‍🌈 ok🙂🙂",
    "e\u0301té naïve ﬃ İSTANBUL ß ΟΔΟΣ Быстрая ශ්\u200dරී می\u200cخواهم한국어",
    " \t\u3000\u00a0leading\r\n\r\nlines\u2028and\u200b\u200b spaces \n",
    "\0NUL\0\ufeff\ufffe\U0010ffff\ud800中\udfff文\ue000",
)
MIXED = "".join(SENTENCES)
ODD_BYTES = (
    b"", b"\xff\xfe", b"\xe2\x82", b"\xe4\xb8\xad\xe6\x96", b"a\xc0\x80b", b"\xed\xa0\x80\xed\xb0\x80", b"\x80" * 9,
    b"\xf0\x9f\x91", b"\xe4\xb8\xad\xf0\x9f\x91\xa8\xe2\x80\x8d\xff\xe4\xba", b"\xf4\x90\x80\x80", b"www.\xff.com",
    b"3.\xbf14", b"\xe1\x9e\x98\xe1\x9f\x92\xe1\x9e", b"a@\xc3b", MIXED.encode("utf-8", "surrogatepass"),
)  # fmt: skip

# ---- models ----------------------------------------------------------------------------------------------------


def some_keys(n: int, text: Text, share: float) -> list[int]:
    """Some of the n-grams of the sentences."""
    runs, join = text.units == "runs", text.spaces == "join"
    every = sorted({key for sentence in SENTENCES for key in reference.keys_of(decode(sentence), n, runs, join)})
    return random.Random(n).sample(every, round(share * len(every)))


CHARACTERS, JOINED = Text(units="characters"), Text(spaces="join")
NEAR, STARTS = (-2, -1, 0, 1, 2), (-1, 0, 1)
PAPER = (
    Group("characters", "vocabulary", 1, 8, n=1, positions=NEAR, starts=STARTS),
    Group("bigrams", "vocabulary", 1, 4, n=2, positions=(-1, 0, 1), starts=STARTS),
    Group("length", "length", 101, 6),
)
OURS = (
    Group("characters", "vocabulary", 1, 16, n=1, positions=(-3, *NEAR), bits=4, scale="table"),
    Group("bigrams", "ngrams", 3000, 8, n=2, positions=(-3, -2, -1, 0, 1), bits=4, scale="table"),
    Group("fourgrams", "ngrams", 2000, 8, n=4, positions=(-4, -3, -2, -1, 0), bits=4, scale="table"),
    Group("words", "words", 5000, 8, positions=(-1, 0, 1), bits=4, scale="table"),
    Group("kinds", "kinds", 512, 4, n=5, positions=(-3,)),
    Group("length", "length", 16, 4, bits=32),
    Group("standard", "standard", 3, 4, bits=32),
)
FLOATS = (
    Group("far", "ngrams", 300, 3, n=8, positions=(-64, 64), starts=(-64, 64), bits=32),
    Group("words", "words", 1500, 5, positions=(1, -1), bits=32),
    Group("few-words", "words", 90, 5, positions=(0,), bits=32),
    Group("kinds", "kinds", 70, 4, n=1, positions=(0, -1), starts=(0,), bits=32),
    Group("starts", "vocabulary", 1, 7, n=2, positions=(), starts=(-2, 0), bits=32),
)


def biased(model: Model, split: float) -> Model:
    """The same model with more or less love of SPLIT."""
    bias = struct.unpack("<2f", model.tensors["output.bias"].data)
    tensor = Tensor("F32", (2,), struct.pack("<2f", bias[0] + split, bias[1]))
    return replace(model, tensors={**model.tensors, "output.bias": tensor})


def paper(seed: int) -> Model:
    keys = {"characters": some_keys(1, CHARACTERS, 0.8), "bigrams": some_keys(2, CHARACTERS, 0.5)}
    return random_segmenter(seed, PAPER, keys, CHARACTERS)


def ours(seed: int, hidden: int = 32) -> Model:
    keys = {"characters": some_keys(1, Text(), 0.8)}
    return random_segmenter(seed, OURS, keys, standards=("one", "two", "three"), layer_bits=16, hidden=hidden)


def spaces_inside(seed: int) -> Model:
    return random_segmenter(seed, FLOATS, {"starts": some_keys(2, JOINED, 0.7)}, JOINED, hidden=17)


LISTED = (
    Group("lexicon", "lexicon", 1, 4, positions=(-1, 0, 1, 2), starts=(0,), bits=4, scale="table"),
    Group("far", "lexicon", 1, 3, positions=(-64, 64), bits=32),
    Group("characters", "ngrams", 200, 4, n=1, positions=(-1, 0)),
    Group("length", "length", 9, 2),
)


def parts_of_sentences(longest: int, text: Text, share: float) -> list[str]:
    """Some of all that a word of a lexicon could be: from two to `longest` units of a sentence."""
    draw, found = random.Random(longest), []
    for sentence in map(decode, SENTENCES):
        fronts = reference.fronts(sentence, text.units == "runs", text.spaces == "join")
        for first, count in itertools.product(range(len(fronts)), range(2, longest + 1)):
            if first + count <= len(fronts) and draw.random() < share:
                found.append(sentence[fronts[first].begin : fronts[first + count - 1].end])
    return found


def listed(seed: int, longest: int, text: Text) -> Model:
    words = parts_of_sentences(longest, text, 0.15)
    bits = reference.build_lexicon(words, longest, text.units == "runs", text.spaces == "join", 10)
    return random_segmenter(seed, LISTED, text=text, lexicon=(longest, bits), hidden=9)


WORDS = Group("words", "words", 1025, 4, positions=(-1, 0, 1))
MODELS = {
    "the paper's": biased(paper(3), -4),
    "ours": biased(ours(1), -4),
    "spaces inside": spaces_inside(4),
    "words alone": biased(random_segmenter(5, [WORDS], hidden=5), -1),
    "lengths alone": biased(
        random_segmenter(6, [Group("length", "length", 5, 3)], text=Text(units="characters", spaces="join"), hidden=3),
        -2,
    ),
    "lexicon": listed(7, 5, Text()),
    "lexicon of characters": listed(8, 2, CHARACTERS),
    "lexicon, spaces inside": listed(9, 8, JOINED),
    "lexicon of characters, spaces inside": listed(10, 3, Text(units="characters", spaces="join")),
}
SEGMENTERS = {name: Segmenter(model) for name, model in MODELS.items()}
every_segmenter = pytest.mark.parametrize("segmenter", SEGMENTERS.values(), ids=SEGMENTERS)
every_way = pytest.mark.parametrize(("runs", "join"), [(True, False), (True, True), (False, False), (False, True)])

pieces = st.sampled_from(
    [
        *MIXED,
        *SENTENCES,
        *"aA1.,:;/@w ．＠ｗ中あカท้ក្မိ်္\u200c\u200d👨🏽🇩🇪\u200b\n\u3000\u0301'<_-+é",
        "www.",
        "http://",
        "b@c",
        "3.14",
    ]
)
texts = st.lists(pieces, max_size=40).map("".join) | st.text(st.characters(exclude_categories=[]), max_size=60)
any_segmenter = st.sampled_from([*SEGMENTERS.values()])


def check_against_the_reference(
    segmenter: Segmenter, text: str | bytes, standard: int = 0, dictionary: Collection[str] = ()
) -> None:
    spans = segmenter.spans(text)
    believed = {begin for begin, _ in spans}
    assert spans == reference.segment(segmenter.model, text, dictionary, standard, believed)


# ---- the reference ---------------------------------------------------------------------------------------------


@every_way
@given(text=texts | st.binary(max_size=60))
@settings(max_examples=300, deadline=None)
def test_units_are_those_of_the_reference(runs: bool, join: bool, text: str | bytes) -> None:
    places = reference.offsets(text)
    assert plain_units(runs, join).units(text) == [
        (places[unit.begin], places[unit.end], unit.id, unit.rule == reference.OPEN)
        for unit in reference.fronts(decode(text), runs, join)
    ]


@every_segmenter
def test_rows_are_those_of_the_reference(segmenter: Segmenter) -> None:
    config, draw = segmenter.model.config, random.Random(1)
    chosen = [*SENTENCES, MIXED[::-1], *ODD_BYTES]
    starts, standards = [], []
    expected: list[list[list[int]]] = [[] for _ in config.groups]
    for text in chosen:
        fronts = reference.fronts(decode(text), config.text.units == "runs", config.text.spaces == "join")
        wanted = {i for i in range(len(fronts)) if draw.random() < 0.4}  # whatever the rules say
        forced = {i for i, front in enumerate(fronts) if front.rule == reference.FORCED_SPLIT}
        split = forced | {i for i in wanted if fronts[i].rule == reference.OPEN}
        starts.append([reference.offsets(text)[fronts[i].begin] for i in sorted(wanted)])
        standards.append(draw.randrange(3))
        for state in reference.states(len(fronts), split):
            if fronts[state.front].rule == reference.OPEN:
                rows = reference.rows(segmenter.model, state, fronts, standards[-1])
                for group, slots in zip(expected, rows, strict=True):
                    group.append(slots)
    found = make_unit_features(config, segmenter.model.tensors).ids(chosen, starts, standards)
    for group, ids, slots in zip(config.groups, found, expected, strict=True):
        assert ids.tolist() == slots, group.name


@every_segmenter
def test_words_are_those_of_the_reference(segmenter: Segmenter) -> None:
    words = [word for sentence in SENTENCES for word in segmenter.segment(sentence)]
    units = plain_units(segmenter.model.config.text.units == "runs", False)
    most = sum(len(units.units(sentence)) for sentence in SENTENCES)
    assert 0.1 * most < len(words) < 0.9 * most  # else this would test little
    for text in (*SENTENCES, *ODD_BYTES, MIXED):
        check_against_the_reference(segmenter, text)


@given(segmenter=any_segmenter, text=texts | st.binary(max_size=40))
@settings(max_examples=300, deadline=None)
def test_any_text_has_the_words_of_the_reference(segmenter: Segmenter, text: str | bytes) -> None:
    check_against_the_reference(segmenter, text)


@every_segmenter
@pytest.mark.parametrize("bias", [0, -6])
def test_long_texts_have_the_words_of_the_reference(segmenter: Segmenter, bias: float) -> None:
    """Runs are 256 units long; with `bias`, some words are longer."""
    segmenter = Segmenter(biased(segmenter.model, bias))
    draw = random.Random(2)
    text = "".join(draw.choices([*MIXED, *"中国人民的一是在不了"], k=1100))
    check_against_the_reference(segmenter, text)


@pytest.mark.parametrize("units", [*range(250, 262), 511, 512, 513, 768])
def test_texts_that_end_near_the_edge_of_a_run(units: int) -> None:
    draw = random.Random(units)
    for segmenter in SEGMENTERS.values():
        check_against_the_reference(segmenter, "".join(draw.choices("中国人民的一是在不了。", k=units)))


@pytest.mark.parametrize("position", [-64, -1, 0, 64])
def test_words_of_a_lexicon_at_the_edge_of_a_run(position: int) -> None:
    """Nothing counts but words that begin before the run, or end behind it, as seen from afar."""
    draw = random.Random(position)
    group = Group("lexicon", "lexicon", 1, 8, positions=(position,), bits=32)
    words = made_up(draw, 60, "中国人民的一是在不了", range(2, 9))
    bits = reference.build_lexicon(words, 8, True, False, 20)
    text = "".join(draw.choices(words, k=400))
    for seed in range(5):
        check_against_the_reference(Segmenter(random_segmenter(seed, [group], lexicon=(8, bits))), text)


@pytest.mark.parametrize("length", [255, 256, 257, 700, 1000])
def test_words_longer_than_a_run(length: int) -> None:
    draw = random.Random(length)
    word, rest = ("".join(draw.choices("中国人民的一是在不了。", k=k)) for k in (length, 100))
    for model in MODELS.values():
        segmenter = Segmenter(model, [word])
        for text in (word, rest + word + rest, word + word[:-1], rest[0] + word + word + rest[0]):
            check_against_the_reference(segmenter, text, dictionary=[word])
            assert segmenter.segment(text).count(word) == text.count(word)


@pytest.mark.parametrize("standard", range(3))
def test_standards_have_the_words_of_the_reference(standard: int) -> None:
    name = MODELS["ours"].config.standards[standard]
    check_against_the_reference(Segmenter(MODELS["ours"], standard=name), MIXED, standard)


# ---- what everybody may rely on ----------------------------------------------------------------------------------


def check_text(segmenter: Segmenter, text: str | bytes) -> None:
    spans = segmenter.spans(text)
    borders = [0, *(end for _, end in spans)]
    assert [begin for begin, _ in spans] == borders[:-1]
    assert borders[-1] == len(text)
    assert all(begin < end for begin, end in spans)
    words = segmenter.segment(text)
    assert words == [text[begin:end] for begin, end in spans]
    assert type(text)().join(words) == text  # type: ignore[arg-type]
    assert segmenter.spans(text) == spans
    assert segmenter.segment_batch([text, text]) == [words, words]
    assert segmenter.spans_batch([text]) == [spans]
    if isinstance(text, str):
        raw = text.encode("utf-8", "surrogatepass")
        if "\ufffd" not in decode(text):  # else one character may be three parts of ill-formed UTF-8
            assert segmenter.segment(raw) == [word.encode() for word in words]
    else:
        check_decoded(segmenter, text)


def check_decoded(segmenter: Segmenter, text: bytes) -> None:
    places = reference.offsets(text)
    assert segmenter.spans(text) == [(places[begin], places[end]) for begin, end in segmenter.spans(decode(text))]


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_text_of_the_catalogue(text: str) -> None:
    for segmenter in [*SEGMENTERS.values()][:3]:
        check_text(segmenter, text)
        check_decoded(segmenter, text.encode("utf-8", "surrogatepass"))


@given(segmenter=any_segmenter, text=texts | st.binary(max_size=60))
@settings(max_examples=300, deadline=None)
def test_words_are_the_text(segmenter: Segmenter, text: str | bytes) -> None:
    check_text(segmenter, text)


@given(segmenter=any_segmenter, batch=st.lists(texts | st.binary(max_size=30), max_size=30), seed=st.integers())
@settings(max_examples=150, deadline=None)
def test_a_batch_is_a_loop(segmenter: Segmenter, batch: list[Any], seed: int) -> None:
    spans, words = list(map(segmenter.spans, batch)), list(map(segmenter.segment, batch))
    order = random.Random(seed).sample(range(len(batch)), len(batch))
    for threads in (1, 2, 5):
        assert segmenter.spans_batch(iter(batch), threads=threads) == spans
        assert segmenter.segment_batch([batch[i] for i in order], threads) == [words[i] for i in order]


def test_several_threads_use_one_segmenter() -> None:
    texts = [MIXED[i:] + MIXED[:i] for i in range(0, len(MIXED), 5)]
    for segmenter in SEGMENTERS.values():
        expected = list(map(segmenter.segment, texts))
        with ThreadPoolExecutor(4) as pool:
            assert list(pool.map(segmenter.segment_batch, [texts] * 4, [1, 2, 3, 1])) == [expected] * 4
            assert list(pool.map(segmenter.segment, texts)) == expected


def test_the_list_may_change_while_others_segment() -> None:
    segmenter = SEGMENTERS["ours"]
    batch = [MIXED * 20 + str(i) for i in range(40)]
    expected = segmenter.segment_batch(batch)
    given_away = [text + "" for text in batch]
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(segmenter.segment_batch, given_away)
        given_away.clear()
        assert running.result() == expected


def test_spaces_stand_alone_or_inside_of_words() -> None:
    for name in ("the paper's", "ours"):
        for text in SENTENCES:
            for word in SEGMENTERS[name].segment(text):
                kinds = {reference.character_class(c) == "s" for c in decode(word)}
                assert len(kinds) == 1, word
    always = Segmenter(biased(MODELS["spaces inside"], -1e4))
    text = "  Việt  Nam \n \u3000Hà\u00a0Nội \t"
    assert always.segment(text) == ["  ", "Việt  Nam", " \n \u3000", "Hà\u00a0Nội", " \t"]
    assert Segmenter(biased(MODELS["ours"], -1e4)).segment(text + "x") == [
        *("  ", "Việt", "  ", "Nam", " \n \u3000", "Hà", "\u00a0", "Nội", " \t", "x")
    ]


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
    assert "|".join(text[begin:end] for begin, end, *_ in features.units(text)) == sentence
    raw = text.encode()
    assert b"|".join(raw[begin:end] for begin, end, *_ in features.units(raw)).decode() == sentence
    single = plain_units(False, False).units(text)
    assert [(begin, end, number) for begin, end, number, _ in single] == [
        (place, place + 1, ord(reference.fold(c))) for place, c in enumerate(text)
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


def made_up(draw: random.Random, count: int, characters: Sequence[str], lengths: Sequence[int]) -> list[str]:
    return ["".join(draw.choices(characters, k=draw.choice(lengths))) for _ in range(count)]


def build_lexicon(words: list[str], longest: int, runs: bool, join: bool, bits_a_word: int) -> bytes:
    return _core.build_lexicon(words, longest, runs, join, bits_a_word)[1]


def lexicon_features(words: list[str], longest: int, bits_a_word: int = 10) -> _core.UnitFeatures:
    """Of one group, which sees the boundary before each unit."""
    bits = build_lexicon(words, longest, True, False, bits_a_word)
    model = random_segmenter(1, [Group("lexicon", "lexicon", 1, 1)], lexicon=(longest, bits))
    return make_unit_features(model.config, model.tensors)


def around(features: _core.UnitFeatures, longest: int, text: str, unit: int) -> tuple[int, int, int]:
    """The lengths of the longest words that end before a unit of a text, begin there, and go over; 1 if there is none.

    All units are characters that something is decided of, the first one apart.
    """
    row = int(features.ids([text], [[0]], [0])[0][unit - 1, 0])
    return row // longest**2 + 1, row // longest % longest + 1, row % longest + 1


@every_way
@pytest.mark.parametrize(("longest", "bits_a_word"), [(2, 1), (5, 10), (8, 64)])
def test_a_lexicon_has_the_bits_of_the_reference(runs: bool, join: bool, longest: int, bits_a_word: int) -> None:
    how = Text(units="runs" if runs else "characters", spaces="join" if join else "break")
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
        (b"", 2, 8, "a lexicon does not make sense"),
        (bytes(7), 2, 8, "a lexicon does not make sense"),
        (bytes(12), 2, 8, "a lexicon does not make sense"),
        (bytes(8), 9, 729, "a lexicon does not make sense"),
        (bytes(8), 3, 26, "a group has fewer rows than its lexicon needs"),
        (bytes(8), 0, 8, "a group has fewer rows than its lexicon needs"),
    ],
)
def test_lexicons_that_make_no_sense(bits: bytes, longest: int, buckets: int, message: str) -> None:
    """Models are checked before; the core must not read what is not there even so."""
    group = _core.Group.make("lexicon", 0, buckets, True, True, [0], [], [])
    with pytest.raises(ValueError, match=message):
        _core.UnitFeatures([group], [b""], bits, longest, True, False)


# ---- dictionaries ----------------------------------------------------------------------------------------------


EDGES = "".join(c for c in map(chr, range(0x10000)) if c.isspace()) + "\u200b\ufeff"  # no word of a dictionary has them
CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def whole_words(segmenter: Segmenter, text: str, dictionary: Sequence[str]) -> list[tuple[int, int]]:
    """Where words of the dictionary must stay whole: from left to right the longest one, from unit to unit."""
    units = plain_units(segmenter.model.config.text.units == "runs", False).units(text)
    begins, ends = {begin for begin, *_ in units}, {end for _, end, *_ in units}
    found, at = [], 0
    while at < len(text):
        fitting = [at + len(w) for w in dictionary if text.startswith(w, at) and at + len(w) in ends]
        if at in begins and fitting and not text[at].isspace():
            found.append((at, max(fitting)))
            at = max(fitting)
        else:
            at += 1
    return found


@given(segmenter=any_segmenter, text=texts, data=st.data())
@settings(max_examples=300, deadline=None)
def test_words_of_a_dictionary_stay_whole(segmenter: Segmenter, text: str, data: st.DataObject) -> None:
    text = decode(text)
    places = st.tuples(*2 * [st.integers(0, len(text))])
    parts = [text[min(cut) : max(cut)] for cut in data.draw(st.lists(places, max_size=6))]
    dictionary = [word for part in parts if (word := part.strip(EDGES)) and not CONTROL.search(word)]
    informed = Segmenter(segmenter.model, dictionary)
    spans, plain = informed.spans(text), segmenter.spans(text)
    whole = whole_words(segmenter, text, dictionary)
    assert set(whole) <= set(spans)
    check_against_the_reference(informed, text, dictionary=dictionary)
    first = min(whole, default=(len(text), 0))[0]
    before, expected = (
        [begin for begin, _ in found if begin < first and reference.character_class(text[begin]) != "s"]
        for found in (spans, plain)
    )
    assert before == expected


@pytest.mark.parametrize(
    ("dictionary", "text", "expected"),
    [
        (["中国人民"], "在中国人民中", ["中国人民"]),
        (["中国", "中国人民"], "中国人民中国人", ["中国人民", "中国"]),
        (["中国人", "人民"], "中国人民", ["中国人"]),  # the leftmost one wins, whatever comes behind it
        (["国人", "中国人民银行"], "中国人民", ["国人"]),
        (["New York"], "去New York吧 New  York", ["New York"]),
        (["C++", "C#"], "学C++和C#吧", ["C++", "C#"]),
        (["3.14"], "是3.14或3.145", ["3.14"]),  # no word ends inside of a number
        (["e-mail"], "E-mail e-mail", ["e-mail"]),  # words are taken as they are written
        (["iPhone"], "iPhone15 iPhones", ["iPhone"]),
        (["👨‍👩‍👧"], "👨‍👩‍👧👨‍👩‍👧‍👦", ["👨‍👩‍👧"]),
        (["中 国"], "中 国 中国", ["中 国"]),
        (["人"], "人人", ["人", "人"]),
    ],
)
def test_examples_of_dictionaries(dictionary: list[str], text: str, expected: list[str]) -> None:
    for model in (biased(ours(2), -1e4), biased(ours(2), 1e4), biased(spaces_inside(2), -1e4)):
        segmenter = Segmenter(model, dictionary)
        assert [word for word in segmenter.segment(text) if word in dictionary] == expected
        raw = [word.decode() for word in segmenter.segment(text.encode())]
        assert raw == segmenter.segment(text)


def test_a_dictionary_changes_nothing_else() -> None:
    for name, segmenter in SEGMENTERS.items():
        expected = segmenter.segment(MIXED)
        inside = ["sia", "01", "xampl"] if segmenter.model.config.text.units == "runs" else []
        useless = Segmenter(segmenter.model, ["不在这里", "nowhere", "zz z", *inside])
        assert useless.segment(MIXED) == expected, name
        keeping = Segmenter(segmenter.model, [word.strip() for word in expected if word.isprintable()][:40])
        before = keeping.segment(MIXED)
        Segmenter(segmenter.model, ["珍珠奶茶很好", "年用"]).segment(MIXED)
        assert segmenter.segment(MIXED) == expected, name
        assert keeping.segment(MIXED) == before, name


def test_a_dictionary_is_a_list_or_a_file(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_bytes("\ufeff中国人民\r\n\r\nNew York\n".encode())
    expected = Segmenter(MODELS["ours"], ["中国人民", "New York"])
    for source in (path, str(path), iter(["中国人民", "New York"])):
        segmenter = Segmenter(MODELS["ours"], source)
        assert segmenter.dictionary == expected.dictionary == ("中国人民", "New York")
        assert segmenter.segment("中国人民去New York") == expected.segment("中国人民去New York")
    path.write_text("好\na\tb\n")
    with pytest.raises(DataError, match=r"words.txt, line 2: a tab"):
        Segmenter(MODELS["ours"], path)


# ---- standards, copies, messages -------------------------------------------------------------------------------


def test_standards() -> None:
    model = MODELS["ours"]
    by_name = {name: Segmenter(model, standard=name).segment(MIXED) for name in ("one", "two", "three")}
    assert Segmenter(model).standards == ("one", "two", "three")
    assert Segmenter(model).standard == "one"
    assert Segmenter(model).segment(MIXED) == by_name["one"]
    assert len(set(map(tuple, by_name.values()))) == 3
    assert Segmenter(MODELS["the paper's"]).standards == ()
    assert Segmenter(MODELS["the paper's"]).standard is None
    with pytest.raises(ConfigError, match="the model has no standard 'pku': it knows one, two, three"):
        Segmenter(model, standard="pku")
    with pytest.raises(
        ConfigError, match="the model has no standard 'pku': it knows one definition of a word, without a name"
    ):
        Segmenter(MODELS["the paper's"], standard="pku")


@pytest.mark.parametrize("twin", [lambda s: pickle.loads(pickle.dumps(s)), copy.copy, copy.deepcopy])
def test_copies_have_the_dictionary_and_the_standard(twin: Any) -> None:
    for name, segmenter in SEGMENTERS.items():
        assert twin(segmenter).segment(MIXED) == segmenter.segment(MIXED), name
    chosen = Segmenter(MODELS["ours"], ["奶茶很好", "New York"], "two")
    again = twin(chosen)
    assert (again.dictionary, again.standard) == (("奶茶很好", "New York"), "two")
    assert again.segment(MIXED) == chosen.segment(MIXED) != SEGMENTERS["ours"].segment(MIXED)
    assert repr(again) == repr(chosen) == "<Segmenter of standard two with 2 words of a user>"
    assert repr(SEGMENTERS["words alone"]) == "<Segmenter>"


def test_copies_have_the_words_as_they_were_read(tmp_path: Path) -> None:
    """Only the byte order mark of a file is none of its first word."""
    path = tmp_path / "words.txt"
    path.write_bytes("\ufeff\ufeff中国\n\ufeff人民\n".encode())
    words = ("\ufeff中国", "\ufeff人民")
    for source in (path, words, ["", " ", *words]):
        segmenter = Segmenter(MODELS["ours"], source)
        again = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(segmenter))))
        assert again.dictionary == segmenter.dictionary == words
        text = "在\ufeff中国\ufeff人民中国人民"
        assert again.segment(text) == segmenter.segment(text)
        assert set(words) < set(again.segment(text))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda s: s.segment(None), r"a text must be str or bytes \(UTF-8\), not NoneType"),
        (lambda s: s.segment(["中国"]), "a text must be str or bytes .*, not list"),
        (lambda s: s.spans(float("nan")), "a text must be str or bytes .*, not float"),
        (lambda s: s.spans(bytearray(b"a")), "a text must be str or bytes .*, not bytearray"),
        (lambda s: s.segment_batch("中国"), "several texts, not one str or bytes"),
        (lambda s: s.spans_batch(b"a"), "several texts, not one str or bytes"),
        (lambda s: s.segment_batch(["中国", None]), "text 1 of the batch must be str or bytes .*, not NoneType"),
        (lambda s: s.spans_batch(["中国", ["人"]]), "text 1 of the batch must be str or bytes .*, not list"),
        (lambda s: s.segment_batch(None), "not iterable"),
        (lambda s: Segmenter(s.model, b"words.txt"), "a dictionary is the path of a file.*this is bytes"),
        (lambda s: Segmenter(s.model, ["中国", b"a"]), "word 2 of the dictionary is bytes, not str"),
    ],
)
def test_what_is_no_text(call: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        call(SEGMENTERS["ours"])


def test_settings_that_make_no_sense() -> None:
    for threads in (0, -1):
        with pytest.raises(ConfigError, match=f"threads must be at least 1, not {threads}"):
            SEGMENTERS["ours"].segment_batch([], threads=threads)
    with pytest.raises(ModelError, match="this is a model for pos, not for segmentation"):
        Segmenter(random_tagger())
    with pytest.raises(ModelError, match="this is a model for seg, not for tagging"):
        Tagger(MODELS["ours"])


def test_subclasses_of_str_are_texts() -> None:
    class Text(str):
        pass

    for segmenter in SEGMENTERS.values():
        for kind in (Text, np.str_):
            assert segmenter.segment(kind(MIXED)) == segmenter.segment(MIXED)


# ---- size and time ---------------------------------------------------------------------------------------------

PATTERNS = {
    "prose": MIXED.replace("\ud800", "").replace("\udfff", "") * 40,
    "one character": "中" * 10_000,
    "one word": "a" * 20_000,
    "spaces": " \n" * 10_000,
    "short words": "a " * 10_000,
    "names": "a." * 10_000,
    "boxes": "a@" * 10_000,
    "addresses": "www.x ab://c a@b " * 1_000,
    "ends of addresses": "www." + "." * 20_000,
    "numbers": "1," * 10_000,
    "marks": "\u0301" * 10_000,
    "Khmer": "ក្" * 4_000,
    "joiners": "\u200d" * 7_000,
    "words with joiners": "می\u200c" * 5_000,
    "addresses with commas": "a@b," * 5_000,
    "flags": "🇩" * 5_000,
}


@pytest.mark.parametrize("pattern", PATTERNS.values(), ids=PATTERNS)
def test_time_is_linear(pattern: str) -> None:
    for name in ("the paper's", "ours", "spaces inside"):
        check_linear(SEGMENTERS[name].spans, pattern, 20_000, times=10)


def test_time_is_linear_up_to_three_megabytes() -> None:
    check_linear(SEGMENTERS["ours"].spans, PATTERNS["prose"], 300_000, times=10)


@pytest.mark.parametrize(
    "text", ["中" * 10_000, "中国" * 5_000, ("中" * 99 + "国") * 100], ids=["one", "two", "nearly"]
)
def test_time_is_linear_with_any_dictionary(text: str) -> None:
    """All words begin alike, none or few of them are there."""
    words = ["中" * length + end for length in range(1, 100) for end in ("人", "民")] + ["中" * 1000]
    for name in ("the paper's", "ours"):
        check_linear(Segmenter(MODELS[name], words).spans, text, 10_000, times=10)


def test_keys_that_all_fall_into_one_place() -> None:
    """The table of n-grams is open: without a limit, loading these would take time quadratic in their number."""
    inverse = pow(0x9E3779B97F4A7C15, -1, 2**64)
    keys = [(place << 32 | place) * inverse % 2**64 for place in range(1, 50_001)]
    group = Group("bigrams", "vocabulary", 1, 1, n=2)
    few, many = (random_segmenter(1, [group], {"bigrams": some}) for some in (keys[:900], keys))
    check_text(Segmenter(few), MIXED)
    start = time.process_time()
    with pytest.raises(ModelError, match="a vocabulary was made to be slow"):
        Segmenter(many)
    assert time.process_time() - start < 0.5


def test_a_line_of_five_megabytes() -> None:
    segmenter = Segmenter(MODELS["words alone"], ["珍珠奶茶", "New York"])
    text = to_size(PATTERNS["prose"], 5_000_000)
    spans = segmenter.spans(text)
    assert (spans[0][0], spans[-1][1]) == (0, len(text))
    assert all(one[1] == other[0] for one, other in itertools.pairwise(spans))
