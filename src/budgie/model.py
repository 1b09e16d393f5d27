# SPDX-License-Identifier: Apache-2.0
"""The model file: read, write, check. The format is docs/model-format.md; nothing here needs NumPy.

Every file is hostile. It is read whole (a mapped file that shrinks kills the process) and checked whole before
anything reaches the core: first the container (safetensors layout), then the checksum, then the tensors against
the config, then the numbers. A `Model` that exists is sound, so a prediction never checks and never fails.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import re
import stat
import struct
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

from budgie._core import HASH, LONGEST_CODE, UNICODE
from budgie.config import MAX_EXTENT, Config
from budgie.errors import ConfigError, ModelError

try:  # Python's own SHA-256: hashlib would load OpenSSL, 4 MB of memory and 5 ms, for one checksum
    from _sha2 import sha256
except ImportError:
    try:
        from _sha256 import sha256  # its name before Python 3.12
    except ImportError:
        from hashlib import sha256

FORMAT = "budgie"
VERSION = "1"

MAX_HEADER = 2**20
MAX_FILE = 2**26
MAX_TENSORS = 64
MAX_RANK = 2
ALIGNMENT = 8  # of the first tensor, from the start of the file
LEAST_TEMPERATURE, GREATEST_TEMPERATURE = 1 / 1024, 1024.0

Dtype = Literal["U8", "F16", "F32"]
PathLike = str | bytes | os.PathLike[str] | os.PathLike[bytes]

WIDTHS: dict[Dtype, int] = {"U8": 1, "F16": 2, "F32": 4}  # bytes of one element
_RESERVED = ("sha256", "format", "version", "task", "config", "hash", "unicode")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_ZEROS = b"0" * 64  # stands for the digest while the digest is made

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
        size = _size("a tensor", self.dtype, self.shape)
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
    return tensors


@dataclass(frozen=True)
class Model:
    """A config, the tensors it asks for, and free information about them (licence, scores, origin)."""

    config: Config
    tensors: Mapping[str, Tensor] = field(repr=False)
    info: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _check_info(self.info)
        _check_tensors(self.config, self.tensors)
        # One order and no way to change: equal models give equal files.
        tensors = {name: self.tensors[name] for name in expected_tensors(self.config)}
        object.__setattr__(self, "tensors", MappingProxyType(tensors))
        object.__setattr__(self, "info", MappingProxyType(dict(sorted(self.info.items()))))

    def __reduce__(self) -> tuple[Callable[[bytes], Model], tuple[bytes]]:
        return Model.from_bytes, (self.to_bytes(),)

    @classmethod
    def read(cls, path: PathLike) -> Model:
        """Read a model file and check all of it; OSError where it cannot be read, ModelError where it is wrong."""
        with _naming(os.fsdecode(path)):
            return _parse(_read_file(path))

    @classmethod
    def from_bytes(cls, data: bytes | bytearray | memoryview, name: str = "<bytes>") -> Model:
        """The same for the contents of a file; `name` is for messages."""
        with _naming(name):
            return _parse(bytes(data))

    def to_bytes(self) -> bytes:
        """The contents of the model's file."""
        # Wide types first: then every tensor is aligned without holes, which safetensors does not allow.
        tensors = sorted(self.tensors.items(), key=lambda item: -WIDTHS[item[1].dtype])
        header: dict[str, Any] = {"__metadata__": self._metadata()}
        end = 0
        for name, tensor in tensors:
            begin, end = end, end + len(tensor.data)
            header[name] = {"dtype": tensor.dtype, "shape": tensor.shape, "data_offsets": (begin, end)}
        text = _dump(header).encode()
        text += b" " * (-len(text) % ALIGNMENT)
        if len(text) > MAX_HEADER:
            raise ModelError(f"labels and information take {len(text)} bytes, more than the {MAX_HEADER} of a header")
        if 8 + len(text) + end > MAX_FILE:
            raise ModelError(f"a model of {8 + len(text) + end} bytes is over the limit of {MAX_FILE}")
        file = bytearray().join([len(text).to_bytes(8, "little"), text, *(tensor.data for _, tensor in tensors)])
        place = file.index(_ZEROS)  # the first name of the metadata is sha256, so nothing else can come before it
        file[place : place + len(_ZEROS)] = sha256(file).hexdigest().encode()
        return bytes(file)

    def write(self, path: PathLike) -> None:
        """Write the file all at once: whatever happens, `path` holds the old contents or the new, never a part."""
        from pathlib import Path  # here, so that reading a model does not pay for it

        from budgie.files import replace_file

        data = self.to_bytes()
        target = Path(os.fsdecode(path))
        if target.exists() and not target.is_file():  # a rename would replace the device itself
            raise ModelError(f"{_printable(str(target))}: is there already and is not a regular file")
        replace_file(target, data)

    def _metadata(self) -> dict[str, str]:
        return {
            "sha256": _ZEROS.decode(),
            "format": FORMAT,
            "version": VERSION,
            "task": self.config.task,
            "config": _dump(self.config.to_dict()),
            "hash": HASH,
            "unicode": UNICODE,
            **self.info,
        }


@contextlib.contextmanager
def _naming(name: str) -> Iterator[None]:
    """Put the name of the file before every message."""
    try:
        yield
    except (ModelError, ConfigError) as error:
        raise ModelError(f"{_printable(name)}: {error}") from None
    except RecursionError:
        raise ModelError(f"{_printable(name)}: the header is nested too deeply") from None


def _printable(text: str) -> str:
    return text if text.isprintable() else ascii(text)


def _quote(name: str) -> str:
    """A name out of a file, for a message: it may be long and hold anything."""
    return ascii(name if len(name) <= 40 else name[:40] + "...")


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _read_file(path: PathLike) -> bytes:
    # Without O_NONBLOCK, opening a FIFO waits for a writer that may never come.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        descriptor = os.open(path, flags)
    except ValueError:  # a NUL or a lone surrogate
        raise ModelError("this cannot be the name of a file") from None
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise ModelError("not a regular file, but a directory, a device or a pipe")
        if status.st_size > MAX_FILE:
            raise ModelError(f"{status.st_size} bytes are over the limit of {MAX_FILE} for a model")
        with open(descriptor, "rb", closefd=False) as file:
            return file.read(status.st_size + 1)  # one more: a file that grew must not look complete
    finally:
        os.close(descriptor)


def _parse(data: bytes) -> Model:
    if len(data) > MAX_FILE:
        raise ModelError(f"{len(data)} bytes are over the limit of {MAX_FILE} for a model")
    text = _header_text(data)
    header = _load(text, "the header")
    # Before anything else: another version may have other rules for all that follows.
    metadata = _check_metadata(header.pop("__metadata__", None))
    tensors = _slice(header, data, start=8 + len(text))
    _check_digest(metadata["sha256"], text, data)
    for name, supported in (("hash", HASH), ("unicode", UNICODE)):
        if metadata[name] != supported:
            raise ModelError(f"made with {name} {_quote(metadata[name])}; this Budgie has {name} {supported!r}")
    config = Config.from_dict(_load(metadata["config"].encode(), "the config"))
    if metadata["task"] != config.task:
        raise ModelError(f"task is {_quote(metadata['task'])}, but the config says {config.task!r}")
    return Model(config, tensors, {name: text for name, text in metadata.items() if name not in _RESERVED})


def _header_text(data: bytes) -> bytes:
    if len(data) < 8:
        raise ModelError(f"{len(data)} bytes are too few: this is not a Budgie model, or it is cut short")
    length = int.from_bytes(data[:8], "little")
    if length > MAX_HEADER:
        raise ModelError(f"a header of {length} bytes is over the limit of {MAX_HEADER}: this is not a Budgie model")
    if length > len(data) - 8:
        raise ModelError(f"cut short in the header: {len(data)} bytes of at least {8 + length}")
    if length % ALIGNMENT:
        raise ModelError(f"the length of the header, {length}, is not a multiple of {ALIGNMENT}")
    text = data[8 : 8 + length]
    if not text.startswith(b"{"):
        raise ModelError("the header does not begin with {: this is not a Budgie model")
    return text


def _load(text: bytes, what: str) -> dict[str, Any]:
    """JSON as strict as the parser of safetensors, and stricter: no name may occur twice."""
    try:
        value = json.loads(
            text.decode(),
            object_pairs_hook=_names_once,
            parse_int=_parse_int,
            parse_float=_parse_float,
            parse_constant=_parse_float,
        )
        _dump(value).encode()  # fails on lone surrogates, which JSON can write but UTF-8 cannot
    except ValueError as error:
        raise ModelError(f"{what} is not valid JSON: {error}") from None
    if not isinstance(value, dict):
        raise ModelError(f"{what} is not a JSON object")
    return value


def _names_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table: dict[str, Any] = {}
    for name, value in pairs:
        if name in table:
            raise ValueError(f"the name {_quote(name)} occurs twice")
        table[name] = value
    return table


def _parse_int(text: str) -> int:
    if len(text) > 19 or text.startswith("-0"):  # past 64 bits; a minus zero is no integer to safetensors
        raise ValueError(f"the number {_quote(text)} is out of range")
    return int(text)


def _parse_float(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"the number {_quote(text)} is not finite")
    return value


def _check_metadata(metadata: Any) -> dict[str, str]:
    if metadata is None:
        raise ModelError("this is a safetensors file without metadata, not a Budgie model")
    if not isinstance(metadata, dict) or not all(isinstance(value, str) for value in metadata.values()):
        raise ModelError("the metadata are not all strings")
    if metadata.get("format") != FORMAT:
        raise ModelError("this is a safetensors file, but its metadata do not say that it is a Budgie model")
    if metadata.get("version") != VERSION:
        version = _quote(metadata.get("version", "unknown"))
        raise ModelError(f"format version {version}; this Budgie reads version {VERSION!r}: use another release of it")
    for name in _RESERVED:
        if name not in metadata:
            raise ModelError(f"the metadata lack {name}")
    return metadata


def _slice(header: dict[str, Any], data: bytes, start: int) -> dict[str, Tensor]:
    """Tensors as the header describes them: end to end, from the end of the header to the end of the file."""
    if len(header) > MAX_TENSORS:
        raise ModelError(f"{len(header)} tensors are over the limit of {MAX_TENSORS}")
    tensors, reached = {}, 0
    view = memoryview(data)[start:]
    entries = [(*_check_offsets(name, entry), name) for name, entry in header.items()]
    for begin, end, name in sorted(entries):
        if begin != reached:
            problem = "overlaps the tensor before it" if begin < reached else "leaves a hole before it"
            raise ModelError(f"tensor {_quote(name)} {problem}: it begins at {begin}, not at {reached}")
        if end > len(view):
            raise ModelError(f"cut short: tensor {_quote(name)} ends at {start + end} of {len(data)} bytes")
        tensors[name] = Tensor(header[name]["dtype"], tuple(header[name]["shape"]), view[begin:end])
        reached = end
    if reached < len(view):
        raise ModelError(f"{len(view) - reached} bytes too many after the last tensor")
    return tensors


def _check_offsets(name: str, entry: Any) -> tuple[int, int]:
    """Where a tensor begins and ends, once its description is sound in itself."""
    what = f"tensor {_quote(name)}"
    if not isinstance(entry, dict) or entry.keys() != {"dtype", "shape", "data_offsets"}:
        raise ModelError(f"{what} is not described by exactly dtype, shape and data_offsets")
    offsets = entry["data_offsets"]
    if not isinstance(offsets, list) or len(offsets) != 2 or not all(type(o) is int and o >= 0 for o in offsets):
        raise ModelError(f"data_offsets of {what} are not two whole numbers")
    size = _size(what, entry["dtype"], entry["shape"])
    begin, end = offsets
    if end - begin != size:
        raise ModelError(f"{what} has {end - begin} bytes, its dtype and shape need {size}")
    if begin % WIDTHS[entry["dtype"]]:
        raise ModelError(f"{what} is not aligned: it begins at {begin}")
    return begin, end


def _size(what: str, dtype: object, shape: object) -> int:
    """Bytes of a tensor; refuses what is no tensor of ours, whatever its types."""
    if not isinstance(dtype, str) or dtype not in WIDTHS:
        raise ModelError(f"{what} has dtype {_quote(str(dtype))}, not one of {', '.join(WIDTHS)}")
    if not isinstance(shape, (list, tuple)) or not 1 <= len(shape) <= MAX_RANK:
        raise ModelError(f"the shape of {what} is not a list of 1 to {MAX_RANK} numbers")
    if not all(type(extent) is int and 1 <= extent <= MAX_EXTENT for extent in shape):
        raise ModelError(f"the shape of {what} has an extent that is not a whole number from 1 to {MAX_EXTENT}")
    return math.prod(shape) * WIDTHS[dtype]


def _check_digest(digest: str, text: bytes, data: bytes) -> None:
    # The digest stands in the file that it covers, so it counts as zeros there; its place must be beyond doubt.
    if not _DIGEST.fullmatch(digest) or text.count(digest.encode()) != 1:
        raise ModelError("sha256 is not 64 hexadecimal digits that occur once in the header")
    place = 8 + text.index(digest.encode())
    view = memoryview(data)
    checksum = sha256(view[:place])
    checksum.update(_ZEROS)
    checksum.update(view[place + len(_ZEROS) :])
    if checksum.hexdigest() != digest:
        raise ModelError("damaged: the checksum does not match; get the file again")


def _check_info(info: Mapping[str, str]) -> None:
    for name, text in info.items():
        if not (isinstance(name, str) and isinstance(text, str)):
            raise ModelError("information about a model must be strings with names")
        if name in _RESERVED:
            raise ModelError(f"information about a model cannot have the name {name}: the format uses it")
        try:
            (name + text).encode()
        except UnicodeEncodeError:
            raise ModelError(f"information {_quote(name)} is not valid Unicode") from None


def _check_tensors(config: Config, tensors: Mapping[str, Tensor]) -> None:
    expected = expected_tensors(config)
    if len(expected) > MAX_TENSORS:
        raise ModelError(f"the config asks for {len(expected)} tensors, over the limit of {MAX_TENSORS}")
    if extra := sorted(tensors.keys() - expected.keys()):
        raise ModelError(f"tensor {_quote(extra[0])} is not one that the config asks for")
    for name, (dtype, shape) in expected.items():
        if name not in tensors:
            raise ModelError(f"tensor {name!r} is missing")
        tensor = tensors[name]
        if (tensor.dtype, tensor.shape) != (dtype, shape):
            found = f"{tensor.dtype} {list(tensor.shape)}"
            raise ModelError(f"tensor {name!r} is {found}, the config asks for {dtype} {list(shape)}")
        _check_numbers(name, tensor)
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
