# SPDX-License-Identifier: Apache-2.0
"""What a network looks like: its feature groups, layers and labels, as plain data.

The same description drives feature extraction in training and in inference (the core reads it), the model
file (it is stored there as JSON) and the accounting. An ablation is a changed description, never a changed program.
"""

from __future__ import annotations

import dataclasses
import typing
from dataclasses import dataclass
from typing import Any, Literal

from budgie.errors import ConfigError

Task = Literal["langid", "pos", "seg", "preorder"]
Kind = Literal["ngrams", "words", "bytes", "clusters"]


@dataclass(frozen=True)
class Group:
    """One feature group: an embedding matrix of `buckets` rows and the features that look rows up in it."""

    name: str
    kind: Kind
    buckets: int  # V_g of the paper: rows of the matrix
    dim: int  # D_g of the paper
    n: int = 0  # ngrams: length in characters; bytes: how many from each end of a word
    positions: tuple[int, ...] = (0,)  # words relative to the focus; each one adds its own part of h0
    combine: Literal["mean", "sum"] = "mean"  # how several ids of one position become one vector
    across: bool = True  # ngrams: may a space stand inside (True) or only at the ends (False)
    bits: Literal[8, 32] = 8  # 8: uint8 rows with float16 scales; 32: float32 rows
    scale: Literal["row", "table"] = "row"  # one scale for each row (the paper), or one for the whole matrix
    keyed: bool = False  # each row also keeps 8 bits of the hash of the one feature it belongs to

    @property
    def slots(self) -> int:
        """How many vectors of `dim` this group contributes to h0."""
        return len(self.positions) * (2 * self.n if self.kind == "bytes" else 1)


@dataclass(frozen=True)
class Text:
    """How raw text becomes the characters that features see."""

    fold_case: bool = True  # simple lower case, so that UPPERCASE text looks the same
    drop_markup: bool = False  # leave out what stands between < and >
    drop_urls: bool = True  # leave out addresses: from :// or @ to the next space


@dataclass(frozen=True)
class BloomMap:
    """The static map from words to clusters (the paper's appendix C)."""

    words: int
    bits_per_word: float


@dataclass(frozen=True)
class Config:
    """A whole network, without its weights."""

    task: Task
    groups: tuple[Group, ...]
    hidden: int  # M of the paper
    labels: tuple[str, ...]
    text: Text = Text()
    layer_bits: Literal[16, 32] = 32  # float width of the hidden and the output layer
    bloom: BloomMap | None = None

    @property
    def h0(self) -> int:
        """Width of the embedding layer."""
        return sum(group.slots * group.dim for group in self.groups)

    def to_dict(self) -> dict[str, Any]:
        """The description as JSON-ready data."""
        return dataclasses.asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Config:
        """The inverse of `to_dict`; refuses unknown names, missing names and wrong types."""
        return typing.cast(Config, _build(cls, data, "config"))


def _build(kind: Any, data: Any, where: str) -> Any:
    """Check `data` against the type `kind` and build it: dataclasses, tuples, Literals, unions with None, scalars."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if dataclasses.is_dataclass(kind):
        if not isinstance(data, dict):
            raise ConfigError(f"{where} must be a table of names and values")
        hints = typing.get_type_hints(kind)
        fields = {field.name: field for field in dataclasses.fields(kind)}
        if unknown := sorted(map(str, set(data) - set(fields))):
            raise ConfigError(f"{where} has an unknown name: {unknown[0]}")
        for name, field in fields.items():
            if name not in data and field.default is dataclasses.MISSING:
                raise ConfigError(f"{where} lacks {name}")
        return kind(**{name: _build(hints[name], value, f"{where}.{name}") for name, value in data.items()})  # type: ignore[operator]
    if origin is tuple:
        if not isinstance(data, (list, tuple)):
            raise ConfigError(f"{where} must be a list")
        return tuple(_build(arguments[0], value, f"{where}[{i}]") for i, value in enumerate(data))
    if origin is Literal:
        if not any(type(data) is type(choice) and data == choice for choice in arguments):
            raise ConfigError(f"{where} must be one of {', '.join(map(str, arguments))}, not {str(data)[:40]!r}")
        return data
    if type(None) in arguments:
        return None if data is None else _build(arguments[0], data, where)
    if kind is float and type(data) is int:
        return float(data)
    if type(data) is not kind:
        raise ConfigError(f"{where} must be of type {kind.__name__}, not {type(data).__name__}")
    return data
