# SPDX-License-Identifier: Apache-2.0
"""Answers are tuples with names: those that the core makes and those that Python makes are the same."""

from __future__ import annotations

import copy
import gc
import json
import pickle
from typing import Any

import pytest
from conftest import random_model, random_preorderer, random_tagger

import budgie
from budgie import Identification, Reordering, Span, Tag, TokenSpan, _core

MADE_HERE = {
    "Identification(language='en', probability=0.5, reliable=False)": Identification("en", 0.5, False),
    "Span(start=1, end=2, language='en', probability=0.5, reliable=False)": Span(1, 2, "en", 0.5, False),
    "Tag(tag='NOUN', probability=0.25)": Tag("NOUN", 0.25),
    "Reordering(permutation=[1, 0], words=['a', 'b'])": Reordering([1, 0], ["a", "b"]),
    "TokenSpan(start=3, end=4)": TokenSpan(3, 4),
}
TEXT = "Some words, ein paar Worte"


def made_by_the_core() -> list[Any]:
    """One of each."""
    identifier, segmenter = budgie.LanguageIdentifier(random_model()), budgie.load("seg-ja")
    preorderer, words = budgie.Preorderer(random_preorderer()), TEXT.split()
    return [
        identifier.identify(TEXT),
        identifier.identify_batch([TEXT, ""])[1],
        *identifier.rank(TEXT),
        *identifier.spans(TEXT),
        *budgie.Tagger(random_tagger()).rank(words)[0],
        preorderer.reorder(words),
        *preorderer.reorder_batch([words]),
        *segmenter.spans(TEXT),
        *segmenter.spans_batch([TEXT])[0],
    ]


@pytest.mark.parametrize(("text", "record"), MADE_HERE.items())
def test_records_are_values(text: str, record: Any) -> None:
    assert repr(record) == text
    assert record == tuple(record) == type(record)(**record._asdict())
    assert record != record._replace(**{record._fields[0]: None})
    assert record not in ("en", None)
    with pytest.raises(AttributeError):
        setattr(record, record._fields[0], "de")
    with pytest.raises(AttributeError):
        record.other = 1


def test_the_core_makes_the_same() -> None:
    records = made_by_the_core()
    assert {type(record) for record in records} == {type(record) for record in MADE_HERE.values()}
    for record in records:
        twin = type(record)(*record)
        assert record == twin == copy.deepcopy(record) == pickle.loads(pickle.dumps(record))
        assert repr(record) == repr(twin)
        assert list(record) == [getattr(record, field) for field in record._fields]
        if not isinstance(record, Reordering):  # which has lists
            assert hash(record) == hash(twin) == hash(tuple(record))
        assert sorted([record, twin]) == [record, twin]
        assert json.loads(json.dumps(record.to_dict())) == record._asdict()


def test_bytes_become_text_in_json() -> None:
    found = Reordering([1, 0], [b"caf\xc3\xa9", b"\xff"])
    assert json.loads(json.dumps(found.to_dict())) == {"permutation": [1, 0], "words": ["café", "\ufffd"]}


def test_cycles_through_records_are_found() -> None:
    found = budgie.Preorderer(random_preorderer()).reorder(["some", "words"])
    found.words.append(found)  # type: ignore[arg-type]
    assert gc.is_tracked(found)
    gc.collect()
    del found
    assert gc.collect() >= 2


@pytest.mark.parametrize("wrong", [(), (int,) * 5, (tuple,) * 5, (Tag,) * 5, [1] * 5, (type("T", (Tag,), {}),) * 5])
def test_the_core_takes_no_other_types(wrong: Any) -> None:
    with pytest.raises((TypeError, ValueError, AttributeError)):
        _core.set_records(*wrong)
    assert type(made_by_the_core()[0]) is Identification
