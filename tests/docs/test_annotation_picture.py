# SPDX-License-Identifier: Apache-2.0
"""The picture of the README is what its command makes, and has all that the annotation has."""

from __future__ import annotations

import re
from html import unescape

from tools.draw_annotation import EXAMPLE, PICTURE, WIDTH, draw

import budgie


def test_the_picture_is_what_its_command_makes() -> None:
    document = budgie.annotate(EXAMPLE.read_text("utf-8"))
    assert PICTURE.read_text("utf-8") == draw(document), "python -m tools.draw_annotation"


def test_all_is_drawn_inside() -> None:
    document = budgie.annotate(EXAMPLE.read_text("utf-8") + "\n" + "many words, " * 50 + "don't <b>.")
    drawn = draw(document)
    words = [unescape(word) for word in re.findall(r"<text[^>]*>([^<]*)</text>", drawn)]
    for token in document.tokens:
        assert token.text in words
        for part in token.words or [token]:
            assert part.tag is None or part.tag in words
    assert all(0 <= float(x) <= WIDTH for x in re.findall(r' x="([^"]+)"', drawn))
    height = int(re.findall(r'viewBox="0 0 \d+ (\d+)"', drawn)[0])
    assert all(0 <= float(y) <= height for y in re.findall(r' y="([^"]+)"', drawn))
