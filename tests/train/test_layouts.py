# SPDX-License-Identifier: Apache-2.0
"""Raw text to learn from: whatever is done to sentences, their tokens and ends stay known."""

from __future__ import annotations

import random
import re
from dataclasses import fields, replace

import pytest

from budgie.formats.treebank import TreebankSentence, TreebankToken, TreebankWord
from budgie.train.network.layout_settings import LayoutSettings
from budgie.train.segmentation.layouts import UNNAMED, LaidOut, lay_out, unspaced
from budgie.train.segmentation.single_lines import lay_out_lines, single_sentences

SHARES = [
    one.name
    for one in fields(LayoutSettings)
    if one.type == "float" and "unnamed" not in one.name and one.name not in ("lower", "upper", "foreign")
]
LINES = [name for name in SHARES if name.startswith("single_lines")]
NOTHING = LayoutSettings(
    **{name: 0.0 for name in SHARES}, lower=0, upper=0, foreign=0, unnamed=0, broken_unnamed=0, single_lines_unnamed=0
)


def sentence(words: str, begins: bool = False) -> TreebankSentence:
    """Words with spaces between them, but none before the last one."""
    forms = words.split()
    tokens = [
        TreebankToken(form, "" if i == len(forms) - 2 else " ", (TreebankWord(form, "X"),))
        for i, form in enumerate(forms)
    ]
    return TreebankSentence(tuple(tokens), begins)


SENTENCES = [
    sentence(f"Word {number} of several words « Dr. B » here ." if number % 3 else f"Heading {number}")
    for number in range(60)
]


def check(texts: list[LaidOut]) -> None:
    for one in texts:
        end = 0
        for start, stop in one.text.tokens:
            assert end <= start < stop
            assert not one.text.text[end:start].strip()
            end = stop
        assert not one.text.text[end:].strip()
        assert one.text.sentences[0][0] == 0
        assert one.text.sentences[-1][1] == len(one.text.tokens)
        assert all(first < last for first, last in one.text.sentences)
        assert all(a[1] == b[0] for a, b in zip(one.text.sentences, one.text.sentences[1:], strict=False))


@pytest.mark.parametrize("share", [name for name in SHARES if name not in LINES])
def test_every_layout_keeps_tokens_and_sentences(share: str) -> None:
    settings = replace(NOTHING, **{share: 1.0}, least_tokens=300)
    texts = lay_out(SENTENCES, settings, 1, "de", seed=1)
    check(texts)
    plain = lay_out(SENTENCES, replace(NOTHING, least_tokens=300), 1, "de", seed=1)
    assert {one.text.text for one in texts} != {one.text.text for one in plain}


def test_what_layouts_look_like() -> None:
    some = [sentence("Come in ."), sentence("Sit down .")] * 20

    def texts(**shares: float) -> str:
        settings = replace(NOTHING, **shares, least_tokens=400)  # type: ignore[arg-type]
        return "␞".join(one.text.text for one in lay_out(some, settings, 1, "de", seed=3))

    assert "Come in. Sit down. " in texts()
    assert "Come in.Sit down." in texts(glued=1)
    assert "Come in.  Sit down.  " in texts(wide=1)
    assert "Come in.\nSit down.\n" in texts(lines=1)
    assert "Come in\nSit down. " in texts(headed=1)
    assert "COME IN. SIT DOWN. " in texts(upper=1)
    assert "come in. sit down. " in texts(lower=1)
    assert "Come in Sit down " in texts(unstopped=1)
    assert "Come in. Sit down " in texts(unended=1)
    assert "।" not in texts(foreign=1)  # only where nobody knows the language
    assert "।" in texts(foreign=1, unnamed=1)


def test_lines_that_run_on() -> None:
    some = [sentence(f"Heading {number}") if number % 7 == 0 else sentence("Come in .") for number in range(500)]
    named = lay_out(some, replace(NOTHING, run_on=1, broken=1), 1, "de", seed=1)
    check(named)
    assert max(len(one.text.sentences) for one in named) > 50
    assert any("in. Heading350 Come" in one.text.text for one in named)
    # Where the language is not told, nothing but line ends would say that a heading ends.
    unnamed = lay_out(some, replace(NOTHING, run_on=1, broken_unnamed=1, unnamed=1), 1, "de", seed=1)
    assert not any("Heading350 Come" in one.text.text for one in unnamed)


def test_the_language_is_not_always_told() -> None:
    texts = lay_out(SENTENCES, LayoutSettings(unnamed=0.5, least_tokens=3000), 7, "de", seed=1)
    check(texts)
    assert {one.standard for one in texts} == {UNNAMED, 7}
    assert lay_out(SENTENCES, LayoutSettings(), 7, "de", seed=1) == lay_out(
        SENTENCES, LayoutSettings(), 7, "de", seed=1
    )
    assert lay_out(SENTENCES, LayoutSettings(), 7, "de", seed=1) != lay_out(
        SENTENCES, LayoutSettings(), 7, "de", seed=2
    )


def test_no_space_between_sentences() -> None:
    texts = lay_out(
        unspaced([sentence("好 。"), sentence("来 。")] * 20), replace(NOTHING, least_tokens=100), 1, "zh", seed=3
    )
    assert any("好。来。" in one.text.text for one in texts)


def test_lines_of_one_sentence() -> None:
    draw = random.Random(1)
    plain = [f"The {draw.randint(0, 9999)} birds sing." for _ in range(300)]
    titled = [f"Ask Dr. Smith about number {number}." for number in range(20)]
    plain += [f"At {number} they all went in." for number in range(40)]  # not an abbreviation
    several = [f"He came in. He sat down {number}." for number in range(50)]
    found = single_sentences([*plain, *titled, *several, "Hm", "no end", "x" * 500 + "."], 1000, "en")
    assert set(titled) <= set(found)
    assert not set(several) & set(found)
    assert set(found) <= {*plain, *titled}
    assert single_sentences(plain[:50], 1000, "en") == []  # too few to tell
    assert len(single_sentences(plain, 210, "en")) == 210
    texts = lay_out_lines(found, LayoutSettings(), 3, "en", " ")
    check(texts)
    assert not any(one.tokens_known for one in texts)
    assert sum(len(one.text.sentences) for one in texts) == len(found)
    assert {one.standard for one in texts} == {UNNAMED, 3}


def test_lines_with_numbers_and_without_ends() -> None:
    lines = [f"Bird {letter} sings." for letter in "abcdefghijklmnop"] * 20
    numbered = lay_out_lines(lines, replace(NOTHING, single_lines_numbered=1), 3, "en", " ")
    check(numbered)
    assert all(one.text.text[0].isdigit() for one in numbered)
    assert sum(len(one.text.sentences) for one in numbered) == len(lines)  # the number belongs to its sentence
    run_on = lay_out_lines(lines, replace(NOTHING, single_lines_run_on=1), 3, "en", " ")
    check(run_on)
    assert max(len(one.text.sentences) for one in run_on) > 50
    assert not any("\n" in one.text.text for one in run_on)


def test_prices_before_full_stops() -> None:
    texts = lay_out([one for one in SENTENCES if len(one.tokens) > 2], replace(NOTHING, priced=1), 1, "de", seed=4)
    check(texts)
    for text, tokens, sentences in (one.text for one in texts):
        for _, last in sentences:
            amount, unit, stop = (text[start:end] for start, end in tokens[last - 3 : last])
            assert amount[0].isdigit()
            assert not unit.isalpha()
            assert stop == "."


def texts_of(sentences: list[TreebankSentence], language: str, **shares: float) -> list[str]:
    texts = lay_out(sentences, replace(NOTHING, **shares, least_tokens=3000), 1, language, seed=5)
    check(texts)
    return [one.text.text for one in texts]


def test_abbreviations_before_names() -> None:
    named = [sentence(f"Yesterday {number} birds saw Anna and little Peter in there .") for number in range(60)]
    german = " ".join(texts_of(named, "de", titled=1.0))
    assert re.search(r"\d\. (Mai|Juni|Oktober) ", german)
    assert re.search(r"\d\.\d+\. ", german)
    assert "bzw. Anna" in german
    croatian = " ".join(texts_of(named, "hr", titled=1.0))
    assert not re.search(r"\d\. [A-Z]", croatian)
    assert re.search(r"\d\. [a-z]", croatian)
    czech = lay_out(named, replace(NOTHING, titled=1.0, least_tokens=3000), 1, "cs", seed=5)
    tokens = {one.text.text[start:end] for one in czech for start, end in one.text.tokens}
    assert "prof" in tokens  # the full stop is a token of its own there
    assert "prof." not in tokens
    assert texts_of(named, "xx", titled=1.0) == texts_of(named, "xx")


def test_abbreviations_inside_of_lines() -> None:
    lines = [f"Wir haben {name} gesehen." for name in ("Anna", "Peter", "Vögel")] * 100
    settings = replace(NOTHING, single_lines_titled=1)
    texts = lay_out_lines(lines, settings, 3, "de", " ")
    check(texts)
    assert sum(len(one.text.sentences) for one in texts) == len(lines)
    joined = " ".join(one.text.text for one in texts)
    assert re.search(r"[a-z]\. (Anna|Peter)", joined)
    assert re.search(r"\d\. (Mai|Juni|Oktober) ", joined)
    assert lay_out_lines(lines, settings, 3, "xx", " ") == lay_out_lines(lines, NOTHING, 3, "xx", " ")


def test_sentences_of_one_word() -> None:
    lines = ["Wir haben Anna gesehen.", "Schön ist das!", "»Nein«, sagte er."] * 100
    texts = lay_out_lines(lines, replace(NOTHING, single_lines_clipped=1), 3, "de", " ")
    check(texts)
    assert sum(len(one.text.sentences) for one in texts) == len(lines)
    assert {"Wir.", "Schön!", "»Nein«,"} <= set(" ".join(one.text.text for one in texts).split())


def test_chats() -> None:
    lines = "\n".join(texts_of(SENTENCES, "en", chatted=1.0)).splitlines()
    assert any(line.islower() and not line.endswith(".") for line in lines)
    assert any(line.endswith("😂") for line in lines)


def test_lines_with_ordinals_and_brackets() -> None:
    draw = random.Random(2)
    plain = [f"Wir haben {draw.randint(100, 9999)} Vögel gesehen." for _ in range(300)]
    dates = [f"Er kam am {day}. Mai nach Hause." for day in range(1, 20)]
    several = [f"Es waren {number}. Wir gingen." for number in range(10, 30)] + ["Ich sah Dr. Schulz. Er ging."]
    found = single_sentences([*plain, *dates, *several], 1000, "de")
    assert set(dates) <= set(found)
    assert not set(several) & set(found)
    japanese = [f"「はい。」と{number}人が言った。" for number in range(300)]
    found = single_sentences([*japanese, "行きました。帰りました。"], 1000, "ja")
    assert set(found) == set(japanese)
