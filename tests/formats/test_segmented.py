# SPDX-License-Identifier: Apache-2.0
"""Segmented text: which text was cut, and where its words are."""

from __future__ import annotations

import gzip
import lzma
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgie import DataError
from budgie.formats.segmented import Convention, Segmented, is_blank, join, read_segmented, words


@pytest.mark.parametrize(
    ("text", "blank"),
    [("", False), (" ", True), ("\u200b", True), (" \u200b\u3000", True), ("\u200ba", False), ("\u200c", False)],
)
def test_what_is_blank(text: str, blank: bool) -> None:
    assert is_blank(text) is blank


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("我们 在 北京 。", "我们在北京。"),
        ("  我们\t在  北京　。 ", "我们在北京。"),  # any white space separates words, also U+3000
        ("Steve Jobs 来 了", "SteveJobs来了"),
        ("▁ _", "▁_"),
        ("", ""),
    ],
)
def test_joined(line: str, text: str) -> None:
    sentence = join(line.split(), "joined")
    assert sentence.text == text
    assert words(sentence) == line.split()


def test_visible() -> None:
    sentence = join("▁ ไป ▁ บ้าน ▁ ▁ a▁b ▁".split(), "visible")
    assert sentence == Segmented(" ไป บ้าน  a▁b ", ((1, 3), (4, 8), (10, 13)))
    assert words(sentence) == ["ไป", "บ้าน", "a▁b"]
    assert join("▁".split(), "visible") == Segmented(" ", ())


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("Tôi là sinh_viên .", "Tôi là sinh viên."),
        ("nhà , cửa ; và ( xe ) … thế !", "nhà, cửa; và (xe)… thế!"),
        ("“ Có ” , [ 50 % ] ?", "“Có”, [50%]?"),
        ("Bà nói : “ ‘ ai ’ ” ...", "Bà nói: “‘ai’”..."),
        ('Anh nói : " Đi ! " - rồi đi .', 'Anh nói: "Đi!" - rồi đi.'),
        ('" a " " b "', '"a" "b"'),
        ('thế đấy " .', 'thế đấy".'),  # opened in a sentence before
        ('thế đấy "', 'thế đấy"'),
        ('" ... thế " .', '"... thế".'),
        ('"', '"'),
        ("_ __ _a b_ a__b", "_ __ _a b_ a__b"),  # no syllable on one side
        ("A ); b", "A); b"),
    ],
)
def test_underscore(line: str, text: str) -> None:
    sentence = join(line.split(), "underscore")
    assert sentence.text == text
    assert [word.replace(" ", "_") for word in words(sentence)] == line.split()


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("Steve Jobs 来 了", "Steve Jobs来了"),
        ("ＮＢＡ ｂａｓｋｅｔ", "ＮＢＡ ｂａｓｋｅｔ"),
        ("cafe\u0301 noir", "cafe\u0301 noir"),
        ("Москва и λόγος 2 3 ２ ３ ၁ ၂", "Москва и λόγος2 3 ２ ３ ၁ ၂"),
        ("iPhone 15 Pro", "iPhone15Pro"),
        ("ALL 9 99 へ", "ALL9 99へ"),
        ("カタカナ ひらがな 한국 말", "カタカナひらがな한국 말"),
        ("ไป บ้าน ភាសា ខ្មែរ မြန်မာ စာ", "ไปบ้านភាសាខ្មែរမြန်မာစာ"),
        ("x - y , z", "x-y,z"),
    ],
)
def test_spaced(line: str, text: str) -> None:
    for convention in ("joined", "visible"):
        sentence = join(line.split(), convention, spaced=True)
        assert sentence.text == text
        assert words(sentence) == line.split()
    assert join("New ▁ York".split(), "visible", spaced=True).text == "New York"


_TOKENS = st.lists(st.text(st.characters(exclude_categories=["Zs", "Cc", "Cs", "Zl", "Zp"]), min_size=1))


@given(_TOKENS, st.sampled_from(["joined", "visible", "underscore"]), st.booleans())
def test_spans_lie_in_order_and_leave_out_spaces_alone(tokens: list[str], convention: Convention, spaced: bool) -> None:
    sentence = join(tokens, convention, spaced)
    place = 0
    for start, end in sentence.spans:
        assert sentence.text[place:start].strip(" ") == ""
        assert start < end
        place = end
    assert sentence.text[place:].strip(" ") == ""
    assert sum(token != "▁" or convention != "visible" for token in tokens) == len(sentence.spans)


def test_files(tmp_path: Path) -> None:
    content = "\ufeff我们 在\r\n\r\n北京".encode()
    for name, packed in (("a", content), ("b.gz", gzip.compress(content)), ("c.xz", lzma.compress(content))):
        (tmp_path / name).write_bytes(packed)
    files = sorted(tmp_path.iterdir())
    assert [words(one) for one in read_segmented(*files, convention="joined")] == [["我们", "在"], ["北京"]] * 3
    (tmp_path / "d").write_bytes(b"a LBKT b_c RBKT\n")
    (sentence,) = read_segmented(tmp_path / "d", convention="underscore", aliases={"LBKT": "(", "RBKT": ")"})
    assert sentence.text == "a (b c)"


def test_errors_say_where(tmp_path: Path) -> None:
    path = tmp_path / "bad"
    for content, message in (
        (b"a b\n\xff\n", "line 2, byte 1 of the line: this is not UTF-8"),
        (b"\n \n", "holds no words"),
        ("▁ ▁\n".encode(), "holds no words"),
        (b"", "is empty"),
    ):
        path.write_bytes(content)
        with pytest.raises(DataError, match=message):
            list(read_segmented(path, convention="visible"))
    with pytest.raises(DataError, match="No such file"):
        list(read_segmented(tmp_path / "missing", convention="joined"))
