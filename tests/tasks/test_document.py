# SPDX-License-Identifier: Apache-2.0
"""Documents as values: they compare, and go to other processes by pickle, without models."""

from __future__ import annotations

import contextlib
import pickle
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import budgie
from budgie import _core

TEXT = "Dr. Lee didn't ask why. Le chat du voisin dort au soleil.\n小猫在窗台上睡觉。 12 \U0001f600"
SEEN = ("text", "language", "probability", "reliable", "spans", "sentences", "tokens")
WRITERS = ("to_dict", "to_json", "to_conllu", "to_tsv", "to_html")


def again(document: budgie.Document) -> budgie.Document:
    copy: budgie.Document = pickle.loads(pickle.dumps(document))
    return copy


def all_of(document: budgie.Document) -> list[Any]:
    return [getattr(document, name) for name in SEEN] + [getattr(document, name)() for name in WRITERS]


@pytest.mark.parametrize("probabilities", [False, True])
@pytest.mark.parametrize("tasks", ["language", "tokens", "tags"])
@pytest.mark.parametrize("text", [TEXT, TEXT.encode(), "", b"", "ᏣᎳᎩ", "a\ud800b \0", b"\xff \xc3"])
def test_a_pickle_is_the_same_document(text: str | bytes, tasks: str, probabilities: bool) -> None:
    pipeline = budgie.Pipeline(tasks=tasks, probabilities=probabilities)
    for document in (pipeline.annotate(text), pipeline.annotate(text, "fr")):
        assert all_of(again(document)) == all_of(document)
        assert again(document) == document == again(again(document))
        assert repr(again(document)) == repr(document)


@given(st.text(max_size=100) | st.binary(max_size=100))
@settings(max_examples=100, deadline=None)
def test_any_document(text: str | bytes) -> None:
    document = budgie.annotate(text)
    assert all_of(again(document)) == all_of(document)


def test_what_is_shown_of_a_long_document() -> None:
    assert repr(budgie.annotate("It rains.", "en")) == "<Document in en: 'It rains.'>\nIt/PRON rains/VERB ./PUNCT"
    sentence = "The cat sleeps under the table.\n"
    for text in (sentence * 1000, "a " * 10_000, b"x" * 10_000, ("x" * 1000 + " ") * 100, "𐐨𐐨 ".encode() * 1000):
        shown = repr(budgie.annotate(text, "en"))
        assert len(shown) < 600
        assert "…" in shown


def test_what_is_equal() -> None:
    document = budgie.annotate(TEXT)
    other = budgie.Pipeline()
    other.annotate("Der Hund. Kissa nukkuu ikkunalaudalla.")  # its languages and tags have other numbers
    assert other.annotate(TEXT) == document
    assert len({other.annotate(TEXT), document, again(document)}) == 1
    assert document not in (budgie.annotate(TEXT, "en"), budgie.annotate(TEXT.encode()), budgie.annotate(TEXT + " "))
    assert document != budgie.annotate(TEXT, probabilities=True)
    assert document != TEXT


def test_pickles_are_small_and_need_no_models() -> None:
    document = budgie.annotate(TEXT * 1000)
    assert len(pickle.dumps(document)) < 3 * len(TEXT.encode()) * 1000 < len(document.to_json())
    program = (
        "import pickle, sys; one = pickle.load(sys.stdin.buffer); print(one.to_json()); "
        "assert not {'budgie.shared', 'budgie.pipeline'} & set(sys.modules)"
    )
    found = subprocess.run(
        [sys.executable, "-c", program], input=pickle.dumps(document), capture_output=True, check=True
    )
    assert found.stdout.decode("utf-8").rstrip() == document.to_json()


def test_damaged_pickles_are_refused_or_harmless() -> None:
    document = budgie.annotate(TEXT, probabilities=True)
    make, (text, packed) = document.__reduce__()
    assert make(text, packed) == document
    for place in range(len(packed)):
        with pytest.raises(budgie.DataError, match="cannot be unpickled: a packed document is damaged"):
            make(text, packed[:place] or packed + b"\0")
        for change in (1, 0x7F, 0xFF):
            damaged = packed[:place] + bytes([packed[place] ^ change]) + packed[place + 1 :]
            with contextlib.suppress(budgie.DataError):
                all_of(make(text, damaged))
    with pytest.raises(budgie.DataError, match="another version of Budgie"):
        make(text, b"\xfe" + packed[1:])
    with pytest.raises(budgie.DataError, match="damaged"):
        make(text[:-1], packed)
    with pytest.raises(TypeError, match="must be str or bytes"):
        make(3, packed)
    with pytest.raises(TypeError):
        _core.document_of(text, "no bytes")  # type: ignore[arg-type]
