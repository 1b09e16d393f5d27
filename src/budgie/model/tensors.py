# SPDX-License-Identifier: Apache-2.0
"""The tensors of a model: which ones a config asks for, and whether those of a file are sound."""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from budgie._core import LONGEST_CODE
from budgie.errors import ModelError
from budgie.model.config import MAX_EXTENT, Config

MAX_TENSORS = 64
MAX_RANK = 2
TAGGER = "tagger."  # before the names of the tensors of a tagger inside of another model
LEAST_TEMPERATURE, GREATEST_TEMPERATURE = 1 / 1024, 1024.0

Dtype = Literal["U8", "F16", "F32"]

WIDTHS: dict[Dtype, int] = {"U8": 1, "F16": 2, "F32": 4}  # bytes of one element

_PIECE = 2**16  # bytes checked at a time: memory stays that of the file

# The last byte of a little-endian float holds its sign and its upper exponent bits. Looking at that byte alone tells
# NaN, infinity and huge numbers from the rest, and bytes.translate looks at a million of them in a millisecond.
_SOUND_LAST_BYTE = {
    "F32": bytes(byte for byte in range(256) if byte & 0x7F < 0x48),  # below 2 ** 17: no sum of products overflows
    "F16": bytes(byte for byte in range(256) if byte & 0x7C < 0x7C),  # finite
    "scales": bytes(range(0x7C)),  # float16, finite and not negative
}
_SOUND_NUMBER = {
    "F32": "a finite number below 131072 in magnitude",
    "F16": "a finite number",
    "scales": "a finite number of zero or more",
}


@dataclass(frozen=True)
class Tensor:
    """One named array of the file: little-endian, row after row."""

    dtype: Dtype
    shape: tuple[int, ...]
    data: bytes | memoryview

    def __post_init__(self) -> None:
        size = size_of("a tensor", self.dtype, self.shape)
        view = memoryview(self.data)
        if not (isinstance(view.obj, bytes) and view.contiguous):
            object.__setattr__(self, "data", bytes(view))  # a model never changes: keep no view of what may
        if len(self.data) != size:
            raise ModelError(f"a tensor {self.dtype} {list(self.shape)} needs {size} bytes, not {len(self.data)}")


def expected_tensors(config: Config) -> dict[str, tuple[Dtype, tuple[int, ...]]]:
    """Name, dtype and shape of every tensor that a model of this config has: no more, no fewer."""
    tensors: dict[str, tuple[Dtype, tuple[int, ...]]] = {}
    for group in config.groups:
        width = group.dim * group.bits // 8 if group.bits < 8 else group.dim  # small weights share a byte
        tensors[f"{group.name}.rows"] = ("F32" if group.bits == 32 else "U8", (group.buckets, width))
        if group.bits != 32:
            tensors[f"{group.name}.scales"] = ("F16", (group.buckets if group.scale == "row" else 1,))
        if group.kind == "vocabulary":
            tensors[f"{group.name}.keys"] = ("U8", (group.keys,))
    layer: Dtype = "F16" if config.layer_bits == 16 else "F32"
    tensors["hidden.weight"] = (layer, (config.hidden, config.h0))
    tensors["hidden.bias"] = ("F32", (config.hidden,))
    tensors["output.weight"] = (layer, (len(config.labels), config.hidden))
    tensors["output.bias"] = ("F32", (len(config.labels),))
    if config.task == "langid":
        tensors["calibration"] = ("F32", (2,))
    if config.lexicon:
        tensors["lexicon.bits"] = ("U8", (config.lexicon.size,))
    if config.bloom:
        tensors["bloom.lengths"] = ("U8", (config.classes,))
        tensors["bloom.bits"] = ("U8", (config.bloom.size,))
    if config.tagger:
        tensors |= {TAGGER + name: expected for name, expected in expected_tensors(config.tagger).items()}
    return tensors


def of_tagger(tagger: Config, tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The tensors of the tagger inside of a model, by the names they have in a model of their own."""
    return {name: tensors[TAGGER + name] for name in expected_tensors(tagger)}


def size_of(what: str, dtype: object, shape: object) -> int:
    """Bytes of a tensor; refuses what is no tensor of ours, whatever its types."""
    if not isinstance(dtype, str) or dtype not in WIDTHS:
        raise ModelError(f"{what} has dtype {quote(str(dtype))}, not one of {', '.join(WIDTHS)}")
    if not isinstance(shape, (list, tuple)) or not 1 <= len(shape) <= MAX_RANK:
        raise ModelError(f"the shape of {what} is not a list of 1 to {MAX_RANK} numbers")
    if not all(type(extent) is int and 1 <= extent <= MAX_EXTENT for extent in shape):
        raise ModelError(f"the shape of {what} has an extent that is not a whole number from 1 to {MAX_EXTENT}")
    return math.prod(shape) * WIDTHS[dtype]


def quote(name: str) -> str:
    """A name out of a file, for a message: it may be long and hold anything."""
    return ascii(name if len(name) <= 40 else name[:40] + "...")


def check_tensors(config: Config, tensors: Mapping[str, Tensor]) -> None:
    """Refuse tensors that are not exactly those of the config, or whose numbers no network can have."""
    expected = expected_tensors(config)
    if len(expected) > MAX_TENSORS:
        raise ModelError(f"the config asks for {len(expected)} tensors, over the limit of {MAX_TENSORS}")
    if extra := sorted(tensors.keys() - expected.keys()):
        raise ModelError(f"tensor {quote(extra[0])} is not one that the config asks for")
    for name, (dtype, shape) in expected.items():
        if name not in tensors:
            raise ModelError(f"tensor {name!r} is missing")
        tensor = tensors[name]
        if (tensor.dtype, tensor.shape) != (dtype, shape):
            found = f"{tensor.dtype} {list(tensor.shape)}"
            raise ModelError(f"tensor {name!r} is {found}, the config asks for {dtype} {list(shape)}")
        _check_numbers(name, tensor)
    _check_meaning(config, tensors)
    if config.tagger:
        _check_meaning(config.tagger, of_tagger(config.tagger, tensors))


def _check_meaning(config: Config, tensors: Mapping[str, Tensor]) -> None:
    if "calibration" in tensors:
        _check_calibration(*struct.unpack("<2f", tensors["calibration"].data))
    if "bloom.lengths" in tensors:
        _check_codes(bytes(tensors["bloom.lengths"].data))
    for group in config.groups:
        if group.kind == "vocabulary":
            _check_keys(group.name, bytes(tensors[f"{group.name}.keys"].data), group.buckets)


def _check_numbers(name: str, tensor: Tensor) -> None:
    if tensor.dtype == "U8":
        return  # any byte is a number
    width = WIDTHS[tensor.dtype]
    kind = "scales" if name.endswith(".scales") else tensor.dtype
    sound = _SOUND_LAST_BYTE[kind]
    for start in range(0, len(tensor.data), _PIECE):
        last_bytes = bytes(tensor.data[start : start + _PIECE])[width - 1 :: width]
        if last_bytes.translate(None, delete=sound):
            index = start // width + len(last_bytes) - len(last_bytes.lstrip(sound))
            raise ModelError(f"number {index} of tensor {name!r} is not {_SOUND_NUMBER[kind]}")


def _check_calibration(a: float, b: float) -> None:
    # The temperature a + b / sqrt(letters) lies between its values for one letter and for endless text.
    if not all(LEAST_TEMPERATURE <= temperature <= GREATEST_TEMPERATURE for temperature in (a, a + b)):
        limits = f"{LEAST_TEMPERATURE} to {GREATEST_TEMPERATURE}"
        raise ModelError(f"the calibration {a:.6g} + {b:.6g} / sqrt(letters) leaves the range {limits}")


def _check_codes(lengths: bytes) -> None:
    """Refuse what no prefix code can have."""
    longest = max(lengths)
    if not 1 <= longest <= LONGEST_CODE:
        raise ModelError(f"the longest code of a cluster has {longest} bits, not 1 to {LONGEST_CODE}")
    if sum(lengths.count(length) << (longest - length) for length in range(1, longest + 1)) > 1 << longest:
        raise ModelError("the codes of the clusters are too short for so many clusters")


def _check_keys(name: str, keys: bytes, buckets: int) -> None:
    """Refuse a vocabulary that does not fill its matrix: each key ends with a byte below 128, and row 0 has none."""
    count = len(keys.translate(None, delete=bytes(range(128, 256))))
    if count + 1 != buckets:
        raise ModelError(f"{name}.keys holds {count} n-grams, but {name}.rows has {buckets} rows, not one more")
    if keys[-1] >= 128:
        raise ModelError(f"{name}.keys ends inside of an n-gram")
