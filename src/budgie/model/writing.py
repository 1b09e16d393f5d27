# SPDX-License-Identifier: Apache-2.0
"""From a config, its tensors and free information to the bytes of a model file; the core checks them afterwards."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from budgie import _core
from budgie.errors import ModelError
from budgie.model.config import Config
from budgie.model.tensors import WIDTHS, Tensor, expected_tensors, quote

FORMAT = "budgie"
VERSION = "1"
ALIGNMENT = 8  # of the first tensor, from the start of the file

_RESERVED = ("sha256", "format", "version", "task", "config", "hash", "unicode")
_ZEROS = b"0" * 64  # stands for the digest while the digest is made


def file_of(config: Config, tensors: Mapping[str, Tensor], info: Mapping[str, str]) -> bytes:
    """The contents of the file. Equal parts give equal files."""
    _check_info(info)
    # In the order of the config, but wide types first: then every tensor is aligned without holes, which safetensors
    # does not allow. What the config does not ask for comes last, for the core to refuse.
    order = [name for name in expected_tensors(config) if name in tensors]
    order += [name for name in tensors if name not in order]
    order.sort(key=lambda name: -WIDTHS[tensors[name].dtype])
    metadata = {
        "sha256": _ZEROS.decode(),
        "format": FORMAT,
        "version": VERSION,
        "task": config.task,
        # Without defaults: a file that needs nothing new stays readable for releases that know nothing of it.
        "config": _dump(config.to_short_dict()),
        "hash": _core.HASH,
        "unicode": _core.UNICODE,
        **dict(sorted(info.items())),
    }
    header: dict[str, Any] = {"__metadata__": metadata}
    end = 0
    for name in order:
        begin, end = end, end + len(tensors[name].data)
        header[name] = {
            "dtype": tensors[name].dtype,
            "shape": tensors[name].shape,
            "data_offsets": (begin, end),
        }
    text = _dump(header).encode()
    text += b" " * (-len(text) % ALIGNMENT)
    if len(text) > _core.MAX_HEADER:
        raise ModelError(f"labels and information take {len(text)} bytes, more than the {_core.MAX_HEADER} of a header")
    if 8 + len(text) + end > _core.MAX_FILE:
        raise ModelError(f"a model of {8 + len(text) + end} bytes is over the limit of {_core.MAX_FILE}")
    file = bytearray().join([len(text).to_bytes(8, "little"), text, *(tensors[name].data for name in order)])
    place = file.index(_ZEROS)  # the first name of the metadata is sha256, so nothing else can come before it
    file[place : place + len(_ZEROS)] = sha256(file).hexdigest().encode()
    return bytes(file)


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


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
