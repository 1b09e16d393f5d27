# SPDX-License-Identifier: Apache-2.0
"""The text of HTML: what people read of it, for any page, in linear time."""

from __future__ import annotations

import itertools
import time
from html import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgie.formats.html_text import plain_text

PAGE = """<!DOCTYPE html>
<html><head><title>Fish &amp; chips</title><style>p > b {color: red}</style>
<SCRIPT>if (a<b) write("<p>no</p>")</script ></head>
<body><h1>Hello <b>wor</b>ld</h1>
<p title = "a > b" x=don't y="">One
line,<br/>another.<!-- no > --> &#8364;5 &lt; &#x20ac;&nbsp;6 </p><ul><li>one<li>two</ul></body></html>
"""


def test_a_page() -> None:
    blocks = ["Fish & chips", "Hello world", "One line,\nanother. €5 < € 6", "one", "two"]
    assert plain_text(PAGE) == "\n\n".join(blocks)


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("", ""),
        ("  \n ", ""),
        ("<p>Hello <b>world</b></p>", "Hello world"),
        ("a<br><br>b<BR />c", "a\n\nb\nc"),
        ("1 < 2 and 3<4, <3 > x", "1 < 2 and 3<4, <3 > x"),
        ("AT&T &copy &notanentity; &amp;lt;", "AT&T © ¬anentity; &lt;"),
        ("a<!-- b <p> -- > --><!-->c<!-- for ever <p>d", "ac"),
        ("a<![CDATA[b]]>c<![x>d<?php e ?>f</ g>h", "acdfh"),
        ("a<script>b</script>c<style>d</style >e<script>f", "ace"),
        ("a<scripture>b</scripture>", "ab"),
        ("""a<x y='>' z=">">b<i c="d"">e<i f=g'>h""", "abeh"),
        ("a <b", "a <b"),
        ("<td>1</td><td>2</td>", "1\n\n2"),
        ("<pre>a\n  b</pre>", "a b"),
        ("&#0;&#xD800;&#99999999;" + "&#" + "9" * 5000, "\ufffd" * 4),
    ],
)  # fmt: skip
def test_what_people_read(page: str, text: str) -> None:
    assert plain_text(page) == text


@given(st.lists(st.sampled_from([*"<>\"'=&;/!-? \n", "<!--", "-->", "<p>", "<br", "<script>", "</script>", "&#", "a"])))
def test_any_page(pieces: list[str]) -> None:
    found = plain_text("".join(pieces))
    assert "\n\n\n" not in found
    assert found == "\n".join(" ".join(line.split()) for line in found.split("\n")).strip("\n")


@given(st.text())
def test_text_in_a_page_stays(text: str) -> None:
    shown = " ".join(text.replace("\0", "").split())
    assert plain_text(f"<p>{escape(shown)}</p>") == shown


def test_any_page_takes_linear_time() -> None:
    """A few milliseconds each; what is quadratic would take minutes."""
    begin = time.process_time()
    for pieces in itertools.product(["<a", '="', "'>", "<!--", "&#1"], repeat=3):
        plain_text("".join(pieces) * 10_000)
    assert time.process_time() - begin < 30
