# SPDX-License-Identifier: Apache-2.0
"""Languages of columns of every layout: the answers of the list API, and nulls where there is no text."""

from __future__ import annotations

from typing import Any

import pytest
from arrow_structs import INDICES, InOnePiece, array, chunks, read, schema, texts

import budgie
from budgie import LanguageIdentifier

TEXTS = [
    "Der Hund schläft unter dem Tisch.",
    None,
    "It rains. Let's go!",
    "",
    "研究生命的起源",
    None,
    "Où est la gare ?",
]
LAYOUTS = ["u", "U", "vu", "z", "Z", "vz", *INDICES]


@pytest.fixture(scope="module")
def identifier() -> LanguageIdentifier:
    return budgie.load("langid")


def expected(identifier: LanguageIdentifier, given: list[Any]) -> list[dict[str, Any]]:
    null = {"language": None, "probability": None, "reliable": None}
    return [null if text is None else identifier.identify(text)._asdict() for text in given]


def one_piece(layout: str, before: int = 0) -> InOnePiece:
    return InOnePiece(*texts(TEXTS, layout, before=before))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("before", [0, 3, 11])
def test_every_layout(identifier: LanguageIdentifier, layout: str, before: int) -> None:
    assert read(identifier.identify_column(one_piece(layout, before))) == expected(identifier, TEXTS)


def test_chunks_and_empty_ones(identifier: LanguageIdentifier) -> None:
    source = chunks([], TEXTS[:2], [], TEXTS[2:], [])
    assert read(identifier.identify_column(source)) == expected(identifier, TEXTS)
    assert read(identifier.identify_column(chunks())) == []
    assert read(identifier.identify_column(chunks([], []))) == []


def test_all_null(identifier: LanguageIdentifier) -> None:
    assert read(identifier.identify_column(chunks([None] * 20))) == expected(identifier, [None] * 20)
    nothing = InOnePiece(schema("n"), array(3, []))
    assert read(identifier.identify_column(nothing)) == expected(identifier, [None] * 3)
