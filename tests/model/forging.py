# SPDX-License-Identifier: Apache-2.0
"""Small models, their files, and what an attacker does to them."""

from __future__ import annotations

import copy
import dataclasses
import hashlib
import json
import math
import random
import re
import struct
from collections.abc import Callable
from typing import Any

from budgie.model.config import BloomMap, Config, Group, Lexicon, Multiword
from budgie.model.file import Model
from budgie.model.tensors import Tensor, expected_tensors

LANGID = Config(
    "langid",
    (
        Group("3-grams", "ngrams", 5, 2, n=3),
        Group("words", "words", 3, 3, scale="table"),
        Group("4-grams", "ngrams", 2, 3, n=4, bits=32),
    ),
    hidden=3,
    labels=("deu", "eng", "ελληνικά"),
    layer_bits=16,
)
TAGGER = Config(
    "pos",
    (Group("bytes", "bytes", 256, 1, n=1, positions=(-1, 0)), Group("clusters", "clusters", 4, 2)),
    hidden=2,
    labels=("NOUN", "VERB"),
    bloom=BloomMap(10, (80,)),
)
SEGMENTER = Config(
    "seg",
    (
        Group("characters", "vocabulary", 4, 2, n=1, positions=(-1, 0), starts=(0,), keys=5),
        Group("standard", "standard", 2, 1),
        Group("lexicon", "lexicon", 8, 1),
    ),
    hidden=2,
    labels=("SPLIT", "MERGE"),
    standards=("pku", "msr"),
    lexicon=Lexicon(words=3, longest=2, size=16),
)
RULES = b"pku\tend\ndu\tdu\tde le\n aux\taux\t\nmsr\tbeginning\nl'\tl'\tle \n"
SPLITTER = dataclasses.replace(SEGMENTER, multiword=Multiword(rules=3, size=len(RULES)))
KEYS = b"\x41\x80\x01\xff\x7f"  # 65, 128 more, 16,383 more


def random_tensor(name: str, dtype: Any, shape: tuple[int, ...], random_state: random.Random) -> Tensor:
    count = math.prod(shape)
    if name == "calibration":
        return Tensor(dtype, shape, struct.pack("<2f", 0.5, 2.0))
    if name == "bloom.lengths":
        return Tensor(dtype, shape, bytes([2] * count))
    if name.endswith(".keys"):
        return Tensor(dtype, shape, KEYS)
    if name == "multiword.rules":
        return Tensor(dtype, shape, RULES)
    if dtype == "U8":
        return Tensor(dtype, shape, random_state.randbytes(count))
    least = 0.0 if name.endswith(".scales") else -60_000.0
    numbers = (random_state.uniform(least, 60_000.0) for _ in range(count))
    return Tensor(dtype, shape, struct.pack(f"<{count}{'e' if dtype == 'F16' else 'f'}", *numbers))


def random_model(config: Config, seed: int = 0, **info: str) -> Model:
    state = random.Random(seed)
    return Model(
        config, {name: random_tensor(name, *form, state) for name, form in expected_tensors(config).items()}, info
    )


MODEL = random_model(LANGID, licence="CC0-1.0", trained_on='\x00 «любой» text, "quoted" \\ 🦜', scores='{"f1": 0.99}')
FILE = MODEL.to_bytes()
HEADER_END = 8 + int.from_bytes(FILE[:8], "little")
TEXT, BODY = FILE[8:HEADER_END], FILE[HEADER_END:]
DIGEST = TEXT[27:91]  # after {"__metadata__":{"sha256":"


Edit = Callable[[Any, Any, bytearray], object]  # changes the header, the config or the body of a file


# What an attacker does: change anything, then make the lengths and the checksum right again.


def join(text: bytes, body: bytes) -> bytes:
    """A file of this header and this body."""
    text += b" " * (-len(text) % 8)
    return length(len(text)) + text + body


def seal(text: str | bytes, body: bytes) -> bytes:
    """The same with its true checksum, where the header still has a place for one."""
    text = text.encode() if isinstance(text, str) else text
    zeros = b'"sha256":"' + b"0" * 64
    file = join(re.sub(rb'"sha256":"[0-9a-f]{64}', zeros, text, count=1), body)
    return file.replace(zeros, b'"sha256":"' + hashlib.sha256(file).hexdigest().encode(), 1)


def length(value: int) -> bytes:
    return value.to_bytes(8, "little")


def forge(edit: Edit, file: bytes = FILE) -> bytes:
    """A file whose header, config and body `edit` has changed."""
    end = 8 + int.from_bytes(file[:8], "little")
    header, body = json.loads(file[8:end]), bytearray(file[end:])
    config = json.loads(header["__metadata__"]["config"])
    untouched = copy.deepcopy(config)
    edit(header, config, body)
    if config != untouched:
        header["__metadata__"]["config"] = json.dumps(config)
    return seal(json.dumps(header, separators=(",", ":")), bytes(body))


def put(*place: Any) -> Edit:
    """An edit: the last of `place` becomes the value at the names before it, in the header."""

    def edit(header: Any, _config: Any, _body: bytearray) -> None:
        *path, last, value = place
        for step in path:
            header = header[step]
        header[last] = value

    return edit


def configure(*place: Any) -> Edit:
    """The same in the config."""
    return lambda _header, config, body: put(*place)(config, None, body)


def meta(name: str, value: object) -> Edit:
    return put("__metadata__", name, value)


def number(tensor: str, index: int, packed: bytes) -> Edit:
    """An edit: overwrite one number of a tensor."""

    def edit(header: Any, _config: Any, body: bytearray) -> None:
        place = header[tensor]["data_offsets"][0] + index * len(packed)
        body[place : place + len(packed)] = packed

    return edit


def remove(tensor: str) -> Edit:
    """An edit: take a tensor out and close the gap."""

    def edit(header: Any, _config: Any, body: bytearray) -> None:
        begin, end = header.pop(tensor)["data_offsets"]
        del body[begin:end]
        for name in header.keys() - {"__metadata__"}:
            header[name]["data_offsets"] = [o - (end - begin) * (o >= end) for o in header[name]["data_offsets"]]

    return edit


def shift(*tensors: str, by: int) -> Edit:
    """An edit: these tensors, or all, begin later."""

    def edit(header: Any, _config: Any, body: bytearray) -> None:
        for name in tensors or header.keys() - {"__metadata__"}:
            header[name]["data_offsets"] = [offset + by for offset in header[name]["data_offsets"]]
        body += bytes(by)

    return edit


def move_last(tensor: str) -> Edit:
    """An edit: this tensor becomes the last one."""

    def edit(header: Any, config: Any, body: bytearray) -> None:
        entry = header[tensor]
        data = bytes(body[slice(*entry["data_offsets"])])
        remove(tensor)(header, config, body)
        append(tensor, entry, data)(header, config, body)

    return edit


def append(tensor: str, entry: dict[str, Any], data: bytes) -> Edit:
    """An edit: one more tensor at the end."""

    def edit(header: Any, _config: Any, body: bytearray) -> None:
        header[tensor] = {**entry, "data_offsets": [len(body), len(body) + len(data)]}
        body += data

    return edit


def swap_text(old: str, new: str) -> bytes:
    """A file with another text of its header."""
    assert old in TEXT.decode()
    return seal(TEXT.decode().replace(old, new, 1), BODY)


ROWS = "3-grams.rows"  # U8 [5, 2]
HALF = {name: struct.pack("<e", value) for name, value in {"nan": math.nan, "inf": math.inf, "minus": -1.0}.items()}
FLOAT = {
    name: struct.pack("<f", value)
    for name, value in {"nan": math.nan, "inf": -math.inf, "huge": 2.0**17, "tiny": 1e-9}.items()
}
