# SPDX-License-Identifier: Apache-2.0
"""Segmenters that have learnt nothing, of every kind, and texts for them."""

from __future__ import annotations

import itertools
import random
import re
import struct
from collections.abc import Collection, Sequence

import pytest
from conftest import random_segmenter
from hypothesis import strategies as st

from budgie import Model, Segmenter
from budgie.formats.segmented import is_blank
from budgie.model.config import Group, TextConfig
from budgie.model.tensors import Tensor
from reference import segmentation as reference
from reference.langid import decode

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


def some_keys(n: int, text: TextConfig, share: float) -> list[int]:
    """Some of the n-grams of the sentences."""
    runs, join = text.units == "runs", text.spaces == "join"
    every = sorted({key for sentence in SENTENCES for key in reference.keys_of(decode(sentence), n, runs, join)})
    return random.Random(n).sample(every, round(share * len(every)))


CHARACTERS, JOINED = TextConfig(units="characters"), TextConfig(spaces="join")
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
    return Model(model.config, {**model.tensors, "output.bias": tensor}, model.info)


def paper(seed: int) -> Model:
    keys = {"characters": some_keys(1, CHARACTERS, 0.8), "bigrams": some_keys(2, CHARACTERS, 0.5)}
    return random_segmenter(seed, PAPER, keys, CHARACTERS)


def ours(seed: int, hidden: int = 32) -> Model:
    keys = {"characters": some_keys(1, TextConfig(), 0.8)}
    return random_segmenter(seed, OURS, keys, standards=("one", "two", "three"), layer_bits=16, hidden=hidden)


def spaces_inside(seed: int) -> Model:
    return random_segmenter(seed, FLOATS, {"starts": some_keys(2, JOINED, 0.7)}, JOINED, hidden=17)


LISTED = (
    Group("lexicon", "lexicon", 1, 4, positions=(-1, 0, 1, 2), starts=(0,), bits=4, scale="table"),
    Group("far", "lexicon", 1, 3, positions=(-64, 64), bits=32),
    Group("characters", "ngrams", 200, 4, n=1, positions=(-1, 0)),
    Group("length", "length", 9, 2),
)


def parts_of_sentences(longest: int, text: TextConfig, share: float) -> list[str]:
    """Some of all that a word of a lexicon could be: from two to `longest` units of a sentence."""
    draw, found = random.Random(longest), []
    for sentence in map(decode, SENTENCES):
        fronts = reference.fronts(sentence, text.units == "runs", text.spaces == "join")
        for first, count in itertools.product(range(len(fronts)), range(2, longest + 1)):
            if first + count <= len(fronts) and draw.random() < share:
                found.append(sentence[fronts[first].start : fronts[first + count - 1].end])
    return found


def listed(seed: int, longest: int, text: TextConfig) -> Model:
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
        random_segmenter(
            6, [Group("length", "length", 5, 3)], text=TextConfig(units="characters", spaces="join"), hidden=3
        ),
        -2,
    ),
    "lexicon": listed(7, 5, TextConfig()),
    "lexicon of characters": listed(8, 2, CHARACTERS),
    "lexicon, spaces inside": listed(9, 8, JOINED),
    "lexicon of characters, spaces inside": listed(10, 3, TextConfig(units="characters", spaces="join")),
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
    spans = segmenter.spans(text, spaces=True)
    believed = {start for start, _ in spans}
    assert spans == reference.segment(segmenter.model, text, dictionary, standard, believed)


def made_up(draw: random.Random, count: int, characters: Sequence[str], lengths: Sequence[int]) -> list[str]:
    return ["".join(draw.choices(characters, k=draw.choice(lengths))) for _ in range(count)]


def check_text(segmenter: Segmenter, text: str | bytes) -> None:
    spans = segmenter.spans(text, spaces=True)
    borders = [0, *(end for _, end in spans)]
    assert [start for start, _ in spans] == borders[:-1]
    assert borders[-1] == len(text)
    assert all(start < end for start, end in spans)
    words = segmenter.segment(text, spaces=True)
    assert words == [text[start:end] for start, end in spans]
    assert type(text)().join(words) == text  # type: ignore[arg-type]
    assert segmenter.spans(text, spaces=True) == spans
    assert segmenter.segment_batch([text, text], spaces=True) == [words, words]
    assert segmenter.spans_batch([text], spaces=True) == [spans]
    solid = [(start, end) for start, end in spans if not is_blank(_str(text[start:end]))]
    assert segmenter.spans(text) == solid
    assert segmenter.segment(text) == [text[start:end] for start, end in solid]
    if isinstance(text, str):
        raw = text.encode("utf-8", "surrogatepass")
        if "\ufffd" not in decode(text):  # else one character may be three parts of ill-formed UTF-8
            assert segmenter.segment(raw, spaces=True) == [word.encode() for word in words]
    else:
        check_decoded(segmenter, text)


def _str(text: str | bytes) -> str:
    # Python counts four control characters as white space, Unicode does not.
    shown = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
    return re.sub("[\x1c-\x1f]", "x", shown)


def check_decoded(segmenter: Segmenter, text: bytes) -> None:
    places = reference.offsets(text)
    assert segmenter.spans(text, spaces=True) == [
        (places[start], places[end]) for start, end in segmenter.spans(decode(text), spaces=True)
    ]
