# SPDX-License-Identifier: Apache-2.0
"""The model file: read, write, check. The format is docs/model-format.md; nothing here needs NumPy.

Every file is hostile. It is read whole (a mapped file that shrinks kills the process) and checked whole before
anything reaches the core: first the container (safetensors layout), then the checksum, then the tensors against
the config, then the numbers (both in tensors.py). A `Model` that exists is sound, so a prediction never checks and
never fails.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import re
import stat
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from budgie._core import HASH, UNICODE
from budgie.errors import ConfigError, ModelError
from budgie.model.config import Config
from budgie.model.tensors import MAX_TENSORS, WIDTHS, Tensor, check_tensors, expected_tensors, of_tagger, quote, size_of

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
ALIGNMENT = 8  # of the first tensor, from the start of the file

PathLike = str | bytes | os.PathLike[str] | os.PathLike[bytes]

_RESERVED = ("sha256", "format", "version", "task", "config", "hash", "unicode")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_ZEROS = b"0" * 64  # stands for the digest while the digest is made


@dataclass(frozen=True)
class Model:
    """A config, the tensors it asks for, and free information about them (licence, scores, origin)."""

    config: Config
    tensors: Mapping[str, Tensor] = field(repr=False)
    info: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _check_info(self.info)
        check_tensors(self.config, self.tensors)
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

    def tagger(self) -> Model | None:
        """The tagger that this model carries inside, if it does."""
        tagger = self.config.tagger
        return Model(tagger, of_tagger(tagger, self.tensors)) if tagger else None

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

        from budgie.formats.files import replace_file

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
            raise ModelError(f"made with {name} {quote(metadata[name])}; this Budgie has {name} {supported!r}")
    config = Config.from_dict(_load(metadata["config"].encode(), "the config"))
    if metadata["task"] != config.task:
        raise ModelError(f"task is {quote(metadata['task'])}, but the config says {config.task!r}")
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
            raise ValueError(f"the name {quote(name)} occurs twice")
        table[name] = value
    return table


def _parse_int(text: str) -> int:
    if len(text) > 19 or text.startswith("-0"):  # past 64 bits; a minus zero is no integer to safetensors
        raise ValueError(f"the number {quote(text)} is out of range")
    return int(text)


def _parse_float(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"the number {quote(text)} is not finite")
    return value


def _check_metadata(metadata: Any) -> dict[str, str]:
    if metadata is None:
        raise ModelError("this is a safetensors file without metadata, not a Budgie model")
    if not isinstance(metadata, dict) or not all(isinstance(value, str) for value in metadata.values()):
        raise ModelError("the metadata are not all strings")
    if metadata.get("format") != FORMAT:
        raise ModelError("this is a safetensors file, but its metadata do not say that it is a Budgie model")
    if metadata.get("version") != VERSION:
        version = quote(metadata.get("version", "unknown"))
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
            raise ModelError(f"tensor {quote(name)} {problem}: it begins at {begin}, not at {reached}")
        if end > len(view):
            raise ModelError(f"cut short: tensor {quote(name)} ends at {start + end} of {len(data)} bytes")
        tensors[name] = Tensor(header[name]["dtype"], tuple(header[name]["shape"]), view[begin:end])
        reached = end
    if reached < len(view):
        raise ModelError(f"{len(view) - reached} bytes too many after the last tensor")
    return tensors


def _check_offsets(name: str, entry: Any) -> tuple[int, int]:
    """Where a tensor begins and ends, once its description is sound in itself."""
    what = f"tensor {quote(name)}"
    if not isinstance(entry, dict) or entry.keys() != {"dtype", "shape", "data_offsets"}:
        raise ModelError(f"{what} is not described by exactly dtype, shape and data_offsets")
    offsets = entry["data_offsets"]
    if not isinstance(offsets, list) or len(offsets) != 2 or not all(type(o) is int and o >= 0 for o in offsets):
        raise ModelError(f"data_offsets of {what} are not two whole numbers")
    size = size_of(what, entry["dtype"], entry["shape"])
    begin, end = offsets
    if end - begin != size:
        raise ModelError(f"{what} has {end - begin} bytes, its dtype and shape need {size}")
    if begin % WIDTHS[entry["dtype"]]:
        raise ModelError(f"{what} is not aligned: it begins at {begin}")
    return begin, end


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
            raise ModelError(f"information {quote(name)} is not valid Unicode") from None
