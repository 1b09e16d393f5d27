# SPDX-License-Identifier: Apache-2.0
"""The parts of a network as the core wants them, from a checked model: groups, embeddings, layers."""

from __future__ import annotations

from collections.abc import Mapping

from budgie import _core
from budgie.errors import ModelError
from budgie.model.config import PLACES, BloomMap, Config, Group
from budgie.model.file import Model
from budgie.model.tensors import Tensor


def make_groups(config: Config) -> list[_core.Group]:
    """The feature groups."""
    return [
        _core.Group.make(
            group.kind,
            group.n,
            group.buckets,
            group.across,
            group.ends,
            list(group.positions),
            list(group.starts),
            place_numbers(group),
        )
        for group in config.groups
    ]


def place_numbers(group: Group) -> list[int]:
    """The words of spans that a group looks at, as the core numbers them; a whole span is its first word."""
    return [PLACES.index(place if "." in place else f"{place}.first") for place in group.places]


def make_word_features(config: Config, tensors: Mapping[str, Tensor]) -> _core.WordFeatures:
    """The features of single words; of the tensors only those of the Bloom map matter."""
    return _core.WordFeatures(make_groups(config), config.text.fold_case, make_bloom_map(config.bloom, tensors))


def make_unit_features(config: Config, tensors: Mapping[str, Tensor]) -> _core.UnitFeatures:
    """The features of units of text; of the tensors only those of the vocabularies and of the lexicon matter."""
    keys = [bytes(tensors[f"{group.name}.keys"].data) if group.kind == "vocabulary" else b"" for group in config.groups]
    words = bytes(tensors["lexicon.bits"].data) if config.lexicon else b""
    longest = config.lexicon.longest if config.lexicon else 0
    runs, join = config.text.units == "runs", config.text.spaces == "join"
    try:
        return _core.UnitFeatures(make_groups(config), keys, words, longest, runs, join)
    except ValueError as error:
        raise ModelError(str(error)) from None


def make_bloom_map(bloom: BloomMap | None, tensors: Mapping[str, Tensor]) -> _core.BloomMap | None:
    """The map from words to clusters, if there is one."""
    if bloom is None:
        return None
    lengths, bits = (bytes(tensors[f"bloom.{name}"].data) for name in ("lengths", "bits"))
    return _core.BloomMap.make(lengths, list(bloom.slots), bloom.error_bits, bloom.fold_case, bloom.fold_digits, bits)


def make_embeddings(model: Model) -> list[_core.Embedding]:
    """The embedding matrix of each group."""
    return [
        _core.Embedding.make(
            group.dim,
            group.combine == "mean",
            group.bits,
            _data(model, f"{group.name}.rows"),
            _data(model, f"{group.name}.scales") if group.bits < 32 else b"",
        )
        for group in model.config.groups
    ]


def make_layers(model: Model) -> tuple[_core.Layer, _core.Layer]:
    """The hidden and the output layer."""
    hidden, output = (
        _core.Layer.make(
            _data(model, f"{name}.weight"), model.tensors[f"{name}.weight"].dtype, _data(model, f"{name}.bias")
        )
        for name in ("hidden", "output")
    )
    return hidden, output


def _data(model: Model, name: str) -> bytes:
    return bytes(model.tensors[name].data)
