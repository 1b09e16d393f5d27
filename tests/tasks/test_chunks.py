# SPDX-License-Identifier: Apache-2.0
"""Chunks: joined they are the text, each fits, and they end at the best place there is."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import budgie
from budgie import Chunk, ConfigError, Document

TEXTS = {
    "en": 'Dr. Lee didn\'t ask why. "It rains," she said (twice).\n\nThe ferry leaves at 6:30, unless it rains.  Bye.',
    "de": "Der Zug nach Köln hat zwanzig Minuten Verspätung, sagte die Schaffnerin müde. Niemand antwortete ihr.",
    "zh": "我们昨天看了两部电影。第一部（法国的）很好看，第二部不太好看。\n\n小猫在窗台上睡觉，一点儿也不在乎。",
    "ja": "東京に行きました。とても楽しかったけれど、少し疲れました。「また行こう」と父が言った。",
    "th": "ภาษาไทยง่ายมาก วันนี้อากาศดีและเราไปโรงเรียน แม่ไปตลาดเพื่อซื้อผลไม้",
    "vi": "Tôi sống ở Hà Nội. Bạn khỏe không? Hôm nay trời đẹp nên chúng tôi đi dạo.",
    "ar": "القطة تنام على حافة النافذة. خرج الأولاد إلى الحديقة، ثم عادوا إلى البيت.",
    "mixed": "The old ferry leaves at seven. Der Zug nach Köln hat Verspätung. 小猫在窗台上睡觉，一点儿也不在乎。\n"
    "👩‍🚀👍🏽 \x00 x\ud800\udc00",
}
PIPELINE = budgie.Pipeline(tasks="tokens")
DOCUMENTS = {name: PIPELINE.annotate(text) for name, text in TEXTS.items()}
MEASURES: dict[str, Callable[[str], int]] = {
    "characters": len,
    "bytes": lambda text: len(text.encode("utf-8", "surrogatepass")),
}

any_str = st.text(st.characters(exclude_categories=[]), max_size=120)
wordy = st.lists(
    st.sampled_from([*" ".join(TEXTS.values()).split(" "), "\n\n", "", "(", "x" * 30, "\u200b", "\u3000"]), max_size=40
).map(" ".join)


def lies_end_to_end(chunks: list[Chunk], text: str | bytes) -> None:
    assert text[:0].join([chunk.text for chunk in chunks]) == text
    assert [chunk.start for chunk in chunks] == [0, *(chunk.end for chunk in chunks)][: len(chunks)]
    assert all(chunk.text == text[chunk.start : chunk.end] != text[:0] for chunk in chunks)


def cuts_no_word_that_fits(chunks: list[Chunk], document: Document, limit: int, measure: Callable[[Any], int]) -> None:
    ends = {chunk.end for chunk in chunks}
    for token in document.tokens:
        if measure(token.text) <= limit:
            assert ends.isdisjoint(range(token.start + 1, token.end)), token


@given(
    text=st.sampled_from([*TEXTS.values()]) | any_str | wordy,
    limit=st.integers(4, 90),
    unit=st.sampled_from([*MEASURES]),
)
@settings(max_examples=300, deadline=None)
def test_what_holds_of_any_text(text: str, limit: int, unit: Any) -> None:
    document, measure = PIPELINE.annotate(text), MEASURES[unit]
    chunks = document.chunks(limit, unit=unit)
    lies_end_to_end(chunks, text)
    assert all(measure(chunk.text) <= limit for chunk in chunks)
    cuts_no_word_that_fits(chunks, document, limit, measure)
    # The last two are not one only because they do not fit.
    assert all(measure(one.text + other.text) > limit for one, other in pairwise(chunks[-2:]))
    assert document.chunks(limit, unit=unit) == document.chunks(limit, length=measure) == chunks


@given(text=st.binary(max_size=80) | wordy.map(lambda text: text.encode("utf-8", "replace")), limit=st.integers(4, 60))
@settings(max_examples=200, deadline=None)
def test_bytes(text: bytes, limit: int) -> None:
    document = PIPELINE.annotate(text)
    chunks = document.chunks(limit, unit="bytes")
    lies_end_to_end(chunks, text)
    assert all(len(chunk.text) <= limit for chunk in chunks)
    cuts_no_word_that_fits(chunks, document, limit, len)
    for most in (1, limit):
        by_characters = document.chunks(most)
        lies_end_to_end(by_characters, text)
        assert all(len(chunk.text.decode("utf-8", "replace")) <= most for chunk in by_characters)
    parts = [chunk.text.decode("utf-8", "surrogateescape") for chunk in chunks]
    assert "".join(parts) == text.decode("utf-8", "surrogateescape")  # no character is cut


@given(text=wordy | st.text(max_size=120), limit=st.integers(4, 60), unit=st.sampled_from([*MEASURES]))
@settings(max_examples=100, deadline=None)
def test_a_str_is_cut_as_its_bytes_are(text: str, limit: int, unit: Any) -> None:
    text = text.encode("utf-8", "ignore").decode()
    found = budgie.chunks(text.encode(), limit, unit=unit)
    assert [one.text.decode() for one in found] == [one.text for one in budgie.chunks(text, limit, unit=unit)]


@pytest.mark.parametrize("name", TEXTS)
def test_all_that_fits_is_one_chunk(name: str) -> None:
    document = DOCUMENTS[name]
    assert document.chunks(10**9) == [Chunk(TEXTS[name], 0, len(TEXTS[name]), document.language)]
    assert PIPELINE.annotate("").chunks(1) == []
    assert [chunk.text for chunk in budgie.chunks(" \n\n ", 3)] == [" \n\n", " "]


# ---- where chunks end ------------------------------------------------------------------------------------------


def texts(text: str, limit: int, language: str, **options: Any) -> list[str]:
    return [chunk.text for chunk in budgie.chunks(text, limit, language, **options)]


def test_sentences() -> None:
    text = "Nobody asked her why. Nobody knew. She left the house at nine, as usual.  Nobody asked."
    assert texts(text, 40, "en") == [
        "Nobody asked her why. Nobody knew. ",
        "She left the house at nine, as usual.  ",
        "Nobody asked.",
    ]
    # White space that does not fit goes to the next chunk.
    assert texts(text, 34, "en")[:2] == ["Nobody asked her why. Nobody knew.", " She left the house at nine, as "]
    assert texts("我们昨天看了电影。很好看。小猫在睡觉。", 14, "zh") == ["我们昨天看了电影。很好看。", "小猫在睡觉。"]


def test_paragraphs() -> None:
    heading, first, second = "A heading\n\n", "Nobody asked her why. Nobody knew.\r\n\r\n", "She left. It rained."
    text = heading + first + second
    assert texts(text, 58, "en") == [heading + first, second]  # though "She left." would fit
    assert texts(text, 46, "en") == [heading + "Nobody asked her why. Nobody knew.", "\r\n\r\nShe left. It rained."]
    assert texts(text, 40, "en")[0] == heading + "Nobody asked her why. "  # a heading alone is less than half a chunk
    assert texts(text, 20, "en")[0] == heading


def test_words() -> None:
    for name, limit in (("en", 12), ("zh", 8), ("ja", 8), ("th", 12), ("vi", 12), ("ar", 12)):
        chunks = DOCUMENTS[name].chunks(limit)
        assert max(len(chunk.text) for chunk in chunks) <= limit
        cuts_no_word_that_fits(chunks, DOCUMENTS[name], limit, len)
        assert not any(chunk.text[0] in ",.)，。）」、" for chunk in chunks)  # they stay with the word before
        assert not any(chunk.text[-1] in "(（「" for chunk in chunks)  # and these with the word behind
    assert texts("x" * 25 + " y", 10, "en") == ["x" * 10, "x" * 10, "x" * 5 + " y"]
    assert texts("See https://example.org/" + "x" * 30, 30, "en")[0] == "See "


def test_languages() -> None:
    chunks = DOCUMENTS["mixed"].chunks(35)
    assert [chunk.language for chunk in chunks[:3]] == ["en", "de", "zh"]
    assert {chunk.language for chunk in budgie.chunks(TEXTS["mixed"], 35, "fr")} == {"fr"}
    assert budgie.chunks("12 + 3", 3)[0].language == "und"
    assert chunks[0].to_dict() == {"text": TEXTS["mixed"][:31], "start": 0, "end": 31, "language": "en"}
    assert budgie.chunks(b"Why\xff?", 9, "en")[0].to_dict()["text"] == "Why\ufffd?"


# ---- overlap ---------------------------------------------------------------------------------------------------


@given(text=st.sampled_from([*TEXTS.values()]) | wordy, limit=st.integers(20, 90), overlap=st.integers(0, 19))
@settings(max_examples=200, deadline=None)
def test_chunks_with_an_overlap(text: str, limit: int, overlap: int) -> None:
    document = PIPELINE.annotate(text)
    starts = {sentence.start for sentence in document.sentences}
    plain, found = document.chunks(limit - overlap), document.chunks(limit, overlap=overlap)
    assert [chunk.end for chunk in found] == [chunk.end for chunk in plain]
    for one, other in zip(plain, found, strict=True):
        assert other.text == text[other.start : other.end]
        assert len(other.text) <= limit
        assert other.start == one.start or (other.start in starts and one.start - other.start <= overlap)
    assert all(one.start <= other.start for one, other in pairwise(found))


def test_an_overlap() -> None:
    text = "Nobody knew. Nobody asked. She left. It rained. He slept. It was late."
    assert texts(text, 41, "en", overlap=14) == [
        "Nobody knew. Nobody asked. ",
        "Nobody asked. She left. It rained. ",
        "It rained. He slept. It was late.",
    ]


# ---- lengths of one's own --------------------------------------------------------------------------------------


class Counted:
    """A length function that knows how often it was called, and on how much text."""

    def __init__(self, length: Callable[[str], int]) -> None:
        self.length, self.calls, self.characters = length, 0, 0

    def __call__(self, text: str) -> int:
        self.calls += 1
        self.characters += len(text)
        return self.length(text)


def count_of_tokens(text: str) -> int:
    """As a tokeniser counts: four letters are a token, and it begins and ends every text with one."""
    return 2 + sum(-(-len(word) // 4) for word in text.split())


@pytest.mark.parametrize("times", [1, 10])
@pytest.mark.parametrize("limit", [100, 1000])
@pytest.mark.parametrize(
    "text",
    [
        (TEXTS["en"] + "\n\n") * 200,
        TEXTS["zh"] * 400,
        "x" * 20_000,
        "x " * 10_000,
        " " * 20_000,
        ". " * 10_000,
        "Yes. " + "no " * 7000,
        ("Yes. " + "no " * 700) * 10,
        "Yes.\n\n" * 3000,
    ],
    ids=["en", "zh", "a word", "a sentence", "white", "stops", "short and long", "again", "paragraphs"],
)
def test_length_functions_are_seldom_called(text: str, limit: int, times: int) -> None:
    document = PIPELINE.annotate(text * times, "en" if text.isascii() else "zh")
    for length in (len, count_of_tokens, lambda text: 7 * len(text)):
        counted = Counted(length)
        chunks = document.chunks(limit, length=counted)
        assert all(length(chunk.text) <= limit for chunk in chunks)
        assert counted.calls <= 15 * len(chunks) + 40
        assert counted.characters <= 30 * len(text) * times + 20 * limit


@given(text=st.sampled_from([*TEXTS.values()]) | any_str, limit=st.integers(20, 60), modulus=st.integers(2, 9))
@settings(max_examples=100, deadline=None)
def test_lengths_that_do_not_grow_with_the_text(text: str, limit: int, modulus: int) -> None:
    def length(piece: str) -> int:
        return len(piece) + len(piece) % modulus

    chunks = budgie.chunks(text, limit, length=length)
    lies_end_to_end(chunks, text)
    assert all(length(chunk.text) <= limit for chunk in chunks)


def test_errors() -> None:
    document = DOCUMENTS["en"]
    for limit in (0, -1):
        with pytest.raises(ConfigError, match=f"limit must be at least 1, not {limit}"):
            document.chunks(limit)
    with pytest.raises(TypeError, match="limit must be a whole number, not float"):
        document.chunks(10.5)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="a limit of 3 bytes has no room for some characters, which have 4"):
        document.chunks(3, unit="bytes")
    with pytest.raises(ConfigError, match="a limit of 3 bytes without the overlap has no room"):
        document.chunks(10, unit="bytes", overlap=7)
    with pytest.raises(ConfigError, match="unit must be 'characters' or 'bytes', not 'words'"):
        document.chunks(10, unit="words")  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="leave out one of them"):
        document.chunks(10, unit="bytes", length=len)
    with pytest.raises(TypeError, match="length must be a function"):
        document.chunks(10, length=5)  # type: ignore[arg-type]
    for overlap in (-1, 10):
        with pytest.raises(ConfigError, match=f"overlap must be from 0 to 9, less than the limit, not {overlap}"):
            document.chunks(10, overlap=overlap)
    with pytest.raises(ConfigError, match="'D' at 0, alone, is longer than 10 by the length that was given"):
        document.chunks(10, length=lambda text: 11)
    with pytest.raises(ConfigError, match=r"b'\\xc3\\xa9' at 1, alone, is longer than 1"):
        budgie.chunks("xé".encode(), 1, length=len)
    languages = budgie.Pipeline(tasks="language")
    with pytest.raises(ConfigError, match="the pipeline of this document was not asked for"):
        languages.annotate("Yes.").chunks(10)
    assert [chunk.text for chunk in languages.annotate(" \u200b").chunks(10)] == [" \u200b"]


def test_no_tagger_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(name: str) -> None:
        raise AssertionError(name)

    monkeypatch.setattr("budgie.shared.tagger", refuse)
    assert len(budgie.chunks("Egy kutya alszik. Le chien dort. De hond slaapt.", 20)) == 3
