# SPDX-License-Identifier: Apache-2.0
"""Documents as HTML: the text stays, nothing of it becomes markup, and people can read it."""

from __future__ import annotations

import itertools
import re
import time
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import budgie
from budgie import Sentence, Span, Token, Word
from budgie.formats.document_html import TAGS, fragment, page, pieces


class Document(NamedTuple):
    text: Any
    language: str
    spans: list[Span]
    sentences: list[Sentence]


def sentence(tokens: list[Token]) -> Sentence:
    return Sentence("", tokens[0].start, tokens[-1].end, "en", tokens)


def document(text: Any, language: str = "en", tag: str | None = "NOUN", spans: list[Span] | None = None) -> Document:
    """A document of one sentence for each line, and one token for each part between spaces."""
    end_of_line, word = (rb"[^\n]+", rb"\S+") if isinstance(text, bytes) else (r"[^\n]+", r"\S+")
    sentences = []
    for line in re.finditer(end_of_line, text):
        tokens = [
            Token(found[0], line.start() + found.start(), line.start() + found.end(), True, tag, (), None)
            for found in re.finditer(word, line[0])
        ]
        if tokens:
            sentences.append(sentence(tokens))
    return Document(text, language, spans or [Span(0, len(text), language, 0.987, True)], sentences)


class Reader(HTMLParser):
    """Text outside of annotations, and all elements with their attributes."""

    EMPTY = ("meta",)
    NO_TEXT = ("rt", "b", "style", "title", "h1", "details", "p")

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.text: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "article" in self.open and not set(self.open) & set(self.NO_TEXT):
            self.text.append(data)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


def shown(html: str) -> str:
    return "".join(Reader(html).text)


MANY = st.text(st.sampled_from("ab \n\r\t<>&\"'☃é\u2028שם😀")) | st.text()


@given(MANY, MANY, st.integers(0, 20))
def test_the_text_stays(first: str, second: str, place: int) -> None:
    text = (first + second).replace("\0", "")
    text = re.sub("[\ud800-\udfff]", "", text)
    cut = min(place, len(text))
    spans = [Span(0, cut, "en", 0.9, True), Span(cut, len(text), "he", 0.4, False)]
    found = document(text, spans=spans)
    assert shown(page([found])) == shown(fragment(found)) == text


@pytest.mark.parametrize("text", ["", " ", "\n", "a", "a\r\nb\n\n", "\ta  b ", "«Qu'est-ce?» 我们 <b>x</b> &amp; &lt;"])
def test_white_space_and_marks_stay(text: str) -> None:
    assert shown(fragment(document(text))) == text
    assert shown(fragment(document(text.encode()))) == text


def test_what_html_cannot_hold_is_replaced() -> None:
    html = page([document("a\0b \ud800")])
    html.encode("utf-8")
    assert shown(html) == "a\ufffdb \ufffd"
    assert shown(fragment(document(b"a\xff"))) == "a\ufffd"


def test_nothing_becomes_markup() -> None:
    evil = "<script>alert(1)</script><img src=x onerror=alert(1)>"
    words = (Word(evil, evil, 0.5), Word('"><b>', None, None))
    token = Token(evil, 0, len(evil), False, evil, words, 0.5)
    bad = Document(evil, evil, [Span(0, len(evil), '"><i>', 0.5, True)], [sentence([token])])
    html = page([bad, document(evil, tag=evil)], title=evil)
    elements = {name for name, _ in Reader(html).elements}
    assert elements <= {*"html head meta title style body h1 details summary article ruby rt span b i".split()}
    assert "default-src 'none'" in html
    assert not re.search(r"https?:|url\(|@import|<link|\bsrc=", page([document("A text.")]))  # opens without a network


def test_tokens_stand_over_their_tags() -> None:
    text = "Le chat du voisin"
    tokens = [
        Token("Le", 0, 2, True, "DET", (), 0.9951),
        Token("chat", 3, 7, True, None, (), None),
        Token("du", 8, 10, True, "ADP+DET", (Word("de", "ADP", 0.8), Word("le", "DET", None)), None),
        Token("voisin", 11, 17, False, "XYZ", (), None),
    ]
    found = Document(text, "fr", [Span(0, 17, "fr", 0.91, True)], [sentence(tokens)])
    html = fragment(found)
    assert '<ruby>Le<rt><span class="tag DET" title="determiner, probability 1.00">DET</span></rt></ruby>' in html
    assert "<ruby>chat</ruby>" in html
    de = '<ruby>de<rt><span class="tag ADP" title="adposition, probability 0.80">ADP</span></rt></ruby>'
    le = '<ruby>le<rt><span class="tag DET" title="determiner">DET</span></rt></ruby>'
    assert f"<ruby>du<rt>{de} {le}</rt></ruby>" in html
    assert '<span class="tag" title="XYZ">XYZ</span>' in html  # a tagger may have tags of its own
    assert 'title="French (fr), probability 0.91">French</b>' in html
    assert shown(html) == text


def test_languages_and_directions() -> None:
    text = "Hello there\nنلتقي غدا\n1 שלום"
    spans = [Span(0, 12, "en", 0.9, True), Span(12, 22, "ar", 0.9, True), Span(22, len(text), "und", 0.0, False)]
    reader = Reader(fragment(document(text, spans=spans)))
    parts = [one for one in reader.all("span") if "language" in str(one.get("class")).split()]
    assert [(one["lang"], one["dir"]) for one in parts] == [("en", "ltr"), ("ar", "rtl"), ("und", "rtl")]
    assert all("lines" in str(one["class"]) for one in parts)  # each a block, with the direction of its letters
    assert [one["title"] for one in reader.all("b")][2] == "language unknown"
    inline = [Span(0, 6, "en", 0.9, True), Span(6, len(text), "sr-Latn", 0.9, True)]
    reader = Reader(fragment(document(text, spans=inline)))
    assert "lines" not in str(reader.all("span")[0]["class"])
    assert "Serbian in Latin script (sr-Latn), probability 0.90" in [one["title"] for one in reader.all("b")]


def test_a_sentence_is_shown_once_where_it_begins() -> None:
    text = "one two three"
    spans = [Span(0, 6, "en", 0.9, True), Span(6, 13, "fr", 0.9, True)]  # cuts a token and the sentence
    html = fragment(document(text, spans=spans))
    assert shown(html) == text and html.count('class="sentence"') == 1
    assert html.index(">three<") < html.index(">French<")


def test_documents_of_the_pipeline() -> None:
    text = "Dr. Lee left.\r\n\r\nLe chat dort. 我们在图书馆看书。 <i>شكرا</i>"
    for raw in (text, text.encode()):
        found = budgie.annotate(raw)
        assert shown(found.to_html()) == shown(found._repr_html_()) == text
        assert found._repr_html_().count("<ruby>") >= len(found.tokens)
    assert found.to_html().startswith("<!DOCTYPE html>") and "<html" not in found._repr_html_()


def test_documents_without_spans_or_sentences() -> None:
    assert shown(fragment(Document("a b", "en", [], []))) == "a b"
    assert shown(fragment(Document("a b", "und", [], document("a b").sentences))) == "a b"


def test_a_page_is_made_as_documents_come() -> None:
    asked = []

    def documents() -> Iterator[Document]:
        for number in itertools.count():
            asked.append(number)
            yield document(f"text {number}")

    seen = ""
    for piece in pieces(documents()):
        seen += piece
        if "</article>" in seen:
            break
    assert asked == [0]
    both = [document("one"), document("two")]
    assert "".join(pieces(both, "Two")) == page(both, "Two")
    assert len(Reader(page(both)).all("article")) == 2


def test_a_fragment_shows_the_beginning_of_a_long_document() -> None:
    lines = ["a b c\n"] * 4000
    html = fragment(document("".join(lines)))
    assert "and 2,333 more sentences" in html and len(html) < 600_000
    assert shown(html) == "".join(lines[:1667])
    assert "more sentences" not in fragment(document("".join(lines[:1667])))


def test_a_fragment_shows_the_beginning_of_a_long_sentence() -> None:
    text = "a " * 20_000
    html = budgie.annotate(text)._repr_html_()
    assert html.count("<ruby>") == 5000
    assert "<p>… and 15,000 more tokens of this sentence</p>" in html
    assert shown(html) == text[:10_000]
    several = "a b c\n" * 1666 + text + "\n" + "a b c\n" * 10
    html = fragment(document(several))
    assert html.count("<ruby>") == 4998 + 500
    assert "<p>… and 19,500 more tokens of this sentence, 10 more sentences</p>" in html
    assert shown(html) == several[: 6 * 1666 + 2 * 500]


def test_a_page_takes_linear_time() -> None:
    def seconds(times: int) -> float:
        text = "The <house> is big and red. Das Haus ist gross & rot. 1 2 3 4\r\n" * times
        found = budgie.annotate(text)
        assert len(found.spans) >= times
        begin = time.perf_counter()
        assert len(found.to_html()) > len(text)
        return time.perf_counter() - begin

    seconds(10)
    assert seconds(8000) < 4 * 8 * min(seconds(1000) for _ in range(2))


# ---- colours ----------------------------------------------------------------------------------------------------

# What eyes without one kind of cone see of linear RGB (Machado et al. 2009), and what all others do.
EYES = {
    "usual": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}
# Linear RGB to cones and on to OKLab, where distances are what people see (Ottosson 2020).
CONES = [[0.4122215, 0.5363325, 0.0514460], [0.2119035, 0.6806995, 0.1073970], [0.0883025, 0.2817188, 0.6299787]]
OKLAB = [[0.2104543, 0.7936178, -0.0040720], [1.9779985, -2.4285922, 0.4505937], [0.0259040, 0.7827718, -0.8086758]]


def linear(colour: str) -> np.ndarray:
    digits = colour[1:] if len(colour) == 7 else "".join(digit * 2 for digit in colour[1:])
    parts = np.array([int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4)])
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def test_all_universal_tags_have_a_colour() -> None:
    universal = "ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X".split()
    assert sorted(TAGS) == universal
    legend = page([])
    assert all(f'<i class="tag {tag}">{tag}</i>{TAGS[tag].name}<' in legend for tag in universal)


@pytest.mark.parametrize("tag", TAGS)
def test_tags_can_be_read(tag: str) -> None:
    shades = sorted(linear(colour) @ [0.2126, 0.7152, 0.0722] + 0.05 for colour in TAGS[tag][1:])
    assert shades[1] / shades[0] >= 4.5  # WCAG 2, level AA


@pytest.mark.parametrize("eyes", EYES)
def test_colours_can_be_told_apart(eyes: str) -> None:
    seen = [np.clip(np.array(EYES[eyes]) @ linear(one.background), 0, 1) for one in TAGS.values()]
    places = [np.array(OKLAB) @ np.cbrt(np.array(CONES) @ colour) for colour in seen]
    nearest = min(float(np.linalg.norm(one - other)) for one, other in itertools.combinations(places, 2))
    assert nearest > 0.08  # about 0.02 is the least that people see
