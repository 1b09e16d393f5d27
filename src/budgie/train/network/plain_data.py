# SPDX-License-Identifier: Apache-2.0
"""Plain data, as JSON and TOML have it, into dataclasses; refused unless it fits their types."""

from __future__ import annotations

import dataclasses
import functools
import typing
from typing import Any, Literal

from budgie.errors import ConfigError


def check_range(what: str, value: float, low: float, high: float) -> None:
    """Refuse a number outside of a range."""
    # Written so that NaN fails too.
    if not low <= value <= high:
        raise ConfigError(f"{what} must be {f'between {low} and {high}' if low < high else low}, not {value}")


@functools.cache
def _type_hints(kind: Any) -> dict[str, Any]:
    return typing.get_type_hints(kind)  # slow: it evaluates every annotation anew


def build(kind: Any, data: Any, where: str) -> Any:
    """Check `data` against the type `kind` and build it: dataclasses, tuples, Literals, unions with None, scalars."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if dataclasses.is_dataclass(kind):
        return _build_dataclass(kind, data, where)
    if origin is tuple:
        if not isinstance(data, (list, tuple)):
            raise ConfigError(f"{where} must be a list")
        return tuple(build(arguments[0], value, f"{where}[{i}]") for i, value in enumerate(data))
    if origin is Literal:
        if not any(type(data) is type(choice) and data == choice for choice in arguments):
            raise ConfigError(f"{where} must be one of {', '.join(map(str, arguments))}, not {str(data)[:40]!r}")
        return data
    if type(None) in arguments:
        return None if data is None else build(arguments[0], data, where)
    if kind is float and type(data) is int:
        return float(data)
    if type(data) is not kind:
        raise ConfigError(f"{where} must be of type {kind.__name__}, not {type(data).__name__}")
    return data


def _build_dataclass(kind: Any, data: Any, where: str) -> Any:
    if not isinstance(data, dict):
        raise ConfigError(f"{where} must be a table of names and values")
    hints = _type_hints(kind)
    fields = {field.name: field for field in dataclasses.fields(kind)}
    if unknown := sorted(map(str, set(data) - set(fields))):
        raise ConfigError(f"{where} has an unknown name: {unknown[0][:40]!r}")
    for name, field in fields.items():
        if name not in data and field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
            raise ConfigError(f"{where} lacks {name}")
    return kind(**{name: build(hints[name], value, f"{where}.{name}") for name, value in data.items()})
