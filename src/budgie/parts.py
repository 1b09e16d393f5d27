# SPDX-License-Identifier: Apache-2.0
"""The parts of a network as the core wants them, from a checked model: groups, embeddings, layers."""

from __future__ import annotations

from budgie import _core
from budgie.config import Config
from budgie.errors import ConfigError
from budgie.model import Model


def make_groups(config: Config) -> list[_core.Group]:
    """The feature groups; refuses a kind that a config may name but that the core does not compute yet."""
    for group in config.groups:
        if group.kind == "clusters":
            raise ConfigError(f"group {group.name}: this Budgie has no features of kind clusters; use a later release")
    return [
        _core.Group.make(group.kind, group.n, group.buckets, group.across, group.ends, list(group.positions))
        for group in config.groups
    ]


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
