# SPDX-License-Identifier: Apache-2.0
"""Features without a network: what training asks the core for, from a config and the resources it has so far."""

from __future__ import annotations

from collections.abc import Mapping

from budgie import _core
from budgie.errors import ModelError
from budgie.model.config import Config
from budgie.model.tensors import Tensor


def make_features(config: Config) -> _core.Features:
    """The features of running text."""
    return _core.Features(config.to_json())


def make_word_features(config: Config, tensors: Mapping[str, Tensor]) -> _core.WordFeatures:
    """The features of single words; of the tensors only those of the Bloom map matter."""
    return _core.WordFeatures(config.to_json(), _resources(tensors))


def make_unit_features(config: Config, tensors: Mapping[str, Tensor]) -> _core.UnitFeatures:
    """The features of units of text; of the tensors only those of the vocabularies and of the lexicon matter."""
    try:
        return _core.UnitFeatures(config.to_json(), _resources(tensors))
    except _core.Refused as error:
        raise ModelError(str(error)) from None


def make_state_features(config: Config) -> _core.StateFeatures:
    """The features of the states that a preorderer goes through: which words, and which rows of spans."""
    return _core.StateFeatures(config.to_json())


def _resources(tensors: Mapping[str, Tensor]) -> dict[str, bytes]:
    return {name: bytes(tensor.data) for name, tensor in tensors.items() if tensor.dtype == "U8"}
