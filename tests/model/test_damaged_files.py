# SPDX-License-Identifier: Apache-2.0
"""Every file is hostile: one that is damaged gives a model or a ModelError, nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
import safetensors
from forging import BODY, FILE, HEADER_END, TEXT, configure, forge, join, put, seal
from hypothesis import given, settings
from hypothesis import strategies as st

from budgie.errors import ModelError
from budgie.model.file import Model


def test_every_truncation_is_refused() -> None:
    for end in range(len(FILE)):
        with pytest.raises(ModelError):
            Model.from_bytes(FILE[:end])


def refuse_flips(bits: Iterable[int]) -> None:
    for bit in bits:
        damaged = bytearray(FILE)
        damaged[bit // 8] ^= 1 << bit % 8
        with pytest.raises(ModelError):
            Model.from_bytes(damaged)


def test_every_flipped_bit_of_the_header_is_refused() -> None:
    refuse_flips(range(8 * HEADER_END))


def test_every_flipped_bit_of_the_tensors_is_refused() -> None:
    refuse_flips(range(8 * HEADER_END, 8 * len(FILE)))


@given(st.binary(max_size=300))
def test_any_bytes_give_a_model_error(data: bytes) -> None:
    for file in (data, join(data, b""), join(b"{" + data, data)):
        with pytest.raises(ModelError, match=r"^<bytes>: "):
            Model.from_bytes(file)


FRAGMENTS = st.sampled_from(
    [
        "",
        " ",
        "\n",
        "0",
        "-0",
        "1.0",
        "1e2",
        "01",
        "null",
        "true",
        "NaN",
        "[]",
        "{}",
        '"',
        "\\u0061",
        "\\ud800",
        "\x7f",
        "é",
        ",",
    ]
)


@given(st.integers(0, len(TEXT.decode())), st.integers(0, 3), FRAGMENTS)
@settings(max_examples=400)
def test_an_edited_header_gives_a_model_or_a_model_error(start: int, size: int, fragment: str) -> None:
    text = TEXT.decode()
    file = seal(text[:start] + fragment + text[start + size :], BODY)
    try:
        model = Model.from_bytes(file)
    except ModelError:
        return
    safetensors.deserialize(file)  # what safetensors refuses, we must refuse
    assert Model.from_bytes(model.to_bytes()) == model


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda values: st.lists(values, max_size=3) | st.dictionaries(st.text(max_size=4), values, max_size=3),
    max_leaves=5,
)


def places(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where something stands in JSON data."""
    if place:
        yield place
    if isinstance(value, (dict, list)):
        for step, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(inner, (*place, step))


HEADER_PLACES = list(places(json.loads(TEXT)))
CONFIG_PLACES = list(places(json.loads(json.loads(TEXT)["__metadata__"]["config"])))


@given(
    st.sampled_from([(put, place) for place in HEADER_PLACES] + [(configure, place) for place in CONFIG_PLACES]), JSON
)
@settings(max_examples=400)
def test_any_value_anywhere_gives_a_model_or_a_model_error(where: Any, value: Any) -> None:
    edit, place = where
    try:
        file = forge(edit(*place, value))
        Model.from_bytes(file)
    except ModelError:
        return
    safetensors.deserialize(file)
