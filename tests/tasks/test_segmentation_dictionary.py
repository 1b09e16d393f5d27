# SPDX-License-Identifier: Apache-2.0
"""The words of a user: they stay whole, and nothing else changes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from conftest import plain_units
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.langid import decode
from reference.segmenters import (
    MIXED,
    MODELS,
    SEGMENTERS,
    any_segmenter,
    biased,
    check_against_the_reference,
    ours,
    spaces_inside,
    texts,
)
from reference.units import character_class

from budgie import DataError, Segmenter

EDGES = "".join(c for c in map(chr, range(0x10000)) if c.isspace()) + "\u200b\ufeff"  # no word of a dictionary has them
REFUSED = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]| \\d")  # control characters, and what looks like a frequency


def whole_words(segmenter: Segmenter, text: str, dictionary: Sequence[str]) -> list[tuple[int, int]]:
    """Where words of the dictionary must stay whole: from left to right the longest one, from unit to unit."""
    units = plain_units(segmenter.model.config.text.units == "runs", False).units(text)
    begins, ends = {start for start, *_ in units}, {end for _, end, *_ in units}
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
    dictionary = [word for part in parts if (word := part.strip(EDGES)) and not REFUSED.search(word)]
    informed = Segmenter(segmenter.model, dictionary)
    spans, plain = informed.spans(text, spaces=True), segmenter.spans(text, spaces=True)
    whole = whole_words(segmenter, text, dictionary)
    assert set(whole) <= set(spans)
    check_against_the_reference(informed, text, dictionary=dictionary)
    first = min(whole, default=(len(text), 0))[0]
    before, expected = (
        [start for start, _ in found if start < first and character_class(text[start]) != "s"]
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
