# SPDX-License-Identifier: Apache-2.0
"""The tensors of a model: what they are, and which ones a config asks for. The core checks them (core/model/)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from budgie import _core
from budgie.errors import ModelError

if TYPE_CHECKING:
    from budgie.model.config import Config

Dtype = Literal["U8", "F16", "F32"]

WIDTHS: dict[Dtype, int] = {"U8": 1, "F16": 2, "F32": 4}  # bytes of one element


@dataclass(frozen=True)
class Tensor:
    """One named array of the file: little-endian, row after row."""

    dtype: Dtype
    shape: tuple[int, ...]
    data: bytes | memoryview

    def __post_init__(self) -> None:
        if self.dtype not in WIDTHS:
            raise ModelError(f"a tensor has dtype {quote(str(self.dtype))}, not one of {', '.join(WIDTHS)}")
        size = math.prod(self.shape) * WIDTHS[self.dtype]
        view = memoryview(self.data)
        if not (isinstance(view.obj, bytes) and view.contiguous):
            object.__setattr__(self, "data", bytes(view))  # a model never changes: keep no view of what may
        if len(self.data) != size:
            raise ModelError(f"a tensor {self.dtype} {list(self.shape)} needs {size} bytes, not {len(self.data)}")


def expected_tensors(config: Config) -> dict[str, tuple[Dtype, tuple[int, ...]]]:
    """Name, dtype and shape of every tensor that a model of this config has: no more, no fewer."""
    return {name: (dtype, shape) for name, dtype, shape in _core.expected_tensors(config.to_json())}


def quote(name: str) -> str:
    """A name out of a file, for a message: it may be long and hold anything."""
    return ascii(name if len(name) <= 40 else name[:40] + "...")
