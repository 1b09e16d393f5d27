# SPDX-License-Identifier: Apache-2.0
"""Every file is hostile: a file gives the model that was saved, or a ModelError with the reason, nothing else."""

from __future__ import annotations

import copy
import dataclasses
import errno
import hashlib
import json
import math
import os
import pickle
import random
import re
import resource
import struct
import threading
import tracemalloc
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
import safetensors
from hypothesis import given, settings
from hypothesis import strategies as st

from budgie.errors import ModelError
from budgie.model.config import BloomMap, Config, Group, Lexicon
from budgie.model.file import Model
from budgie.model.tensors import Tensor, expected_tensors
from budgie.tasks.segmentation import Segmenter

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
KEYS = b"\x41\x80\x01\xff\x7f"  # 65, 128 more, 16,383 more


def random_tensor(name: str, dtype: Any, shape: tuple[int, ...], random_state: random.Random) -> Tensor:
    count = math.prod(shape)
    if name == "calibration":
        return Tensor(dtype, shape, struct.pack("<2f", 0.5, 2.0))
    if name == "bloom.lengths":
        return Tensor(dtype, shape, bytes([2] * count))
    if name.endswith(".keys"):
        return Tensor(dtype, shape, KEYS)
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

FORGED: dict[str, tuple[Edit, str]] = {
    "fewer bytes than the shape": (put(ROWS, "shape", [6, 2]), "tensor '3-grams.rows' has 10 bytes, .* need 12"),
    "more bytes than the shape": (put(ROWS, "shape", [4, 2]), "has 10 bytes, .* need 8"),
    "product overflows 32 bits": (put(ROWS, "shape", [2**24, 2**24]), "has 10 bytes, .* need 281474976710656"),
    "extent 2^32": (put(ROWS, "shape", [2**32, 1]), "extent that is not a whole number from 1 to 16777216"),
    "extent 2^62": (put(ROWS, "shape", [2**62, 4]), "extent that is not"),
    "extent 2^64": (put(ROWS, "shape", [2**64, 2]), "the number '18446744073709551616' is out of range"),
    "extent 0": (put(ROWS, "shape", [0, 2]), "extent that is not"),
    "extent negative": (put(ROWS, "shape", [-5, -2]), "extent that is not"),
    "extent float": (put(ROWS, "shape", [5.0, 2]), "extent that is not"),
    "extent bool": (put(ROWS, "shape", [True, 10]), "extent that is not"),
    "extent string": (put(ROWS, "shape", ["5", 2]), "extent that is not"),
    "shape null": (put(ROWS, "shape", None), "shape of tensor '3-grams.rows' is not a list of 1 to 2 numbers"),
    "rank 0": (put(ROWS, "shape", []), "not a list of 1 to 2 numbers"),
    "rank 3": (put(ROWS, "shape", [5, 2, 1]), "not a list of 1 to 2 numbers"),
    "rank 1 for 2": (put(ROWS, "shape", [10]), r"tensor '3-grams.rows' is U8 \[10\], the config asks for U8 \[5, 2\]"),
    "shape turned": (put(ROWS, "shape", [2, 5]), r"is U8 \[2, 5\], the config asks for U8 \[5, 2\]"),
    "offset negative": (put(ROWS, "data_offsets", [-10, 0]), "data_offsets of tensor '3-grams.rows' are not two whole"),
    "offset float": (put(ROWS, "data_offsets", [0.0, 10.0]), "are not two whole numbers"),
    "offset bool": (put(ROWS, "data_offsets", [False, 10]), "are not two whole numbers"),
    "offset string": (put(ROWS, "data_offsets", ["0", "10"]), "are not two whole numbers"),
    "offset huge": (put(ROWS, "data_offsets", [10**30, 10**30 + 10]), "is out of range"),
    "offset 4,000 digits": (put(ROWS, "data_offsets", [10**3999, 10**3999]), "is out of range"),
    "one offset": (put(ROWS, "data_offsets", [0]), "are not two whole numbers"),
    "offsets null": (put(ROWS, "data_offsets", None), "are not two whole numbers"),
    "offsets reversed": (put(ROWS, "data_offsets", [10, 0]), "has -10 bytes"),
    "overlap": (put("words.rows", "data_offsets", [60, 69]), "tensor .* overlaps the tensor before it"),
    "twice the same bytes": (put("output.bias", "data_offsets", [0, 12]), "tensor .* overlaps the tensor before it"),
    "hole": (shift("words.rows", by=2), "tensor 'words.rows' leaves a hole before it: it begins at"),
    "hole at the start": (shift(by=4), "tensor '4-grams.rows' leaves a hole before it: it begins at 4, not at 0"),
    "not aligned": (move_last("3-grams.scales"), "tensor '3-grams.scales' is not aligned: it begins at"),
    "past the end": (lambda h, c, b: b.pop(), "cut short: tensor 'words.rows' ends at"),
    "trailing bytes": (lambda h, c, b: b.append(0), "1 bytes too many after the last tensor"),
    "dtype of others": (put(ROWS, "dtype", "BF16"), "tensor '3-grams.rows' has dtype 'BF16', not one of U8, F16, F32"),
    "dtype list": (put(ROWS, "dtype", ["U8"]), "has dtype"),
    "wrong dtype": (
        lambda h, c, b: h[ROWS].update(dtype="F16", shape=[5, 1]),
        r"is F16 \[5, 1\], the config asks for U8",
    ),
    "not described": (put(ROWS, None), "tensor '3-grams.rows' is not described by exactly"),
    "described too little": (lambda h, c, b: h[ROWS].pop("dtype"), "is not described by exactly"),
    "described too much": (put(ROWS, "crc", 0), "is not described by exactly"),
    "missing tensor": (remove("words.rows"), "tensor 'words.rows' is missing"),
    "extra tensor": (
        append("x" * 99, {"dtype": "U8", "shape": [1]}, b"1"),
        "tensor 'x{40}...' is not one that the config",
    ),
    "65 tensors": (
        lambda h, c, b: [append(f"t{i}", {"dtype": "U8", "shape": [1]}, b"1")(h, c, b) for i in range(65)],
        "over the limit of 64",
    ),
    "scale NaN": (
        number("3-grams.scales", 3, HALF["nan"]),
        "number 3 of tensor '3-grams.scales' is not a finite number of zero",
    ),
    "scale infinite": (number("words.scales", 0, HALF["inf"]), "number 0 of tensor 'words.scales' is not"),
    "scale negative": (number("3-grams.scales", 1, HALF["minus"]), "number 1 of tensor '3-grams.scales' is not"),
    "float16 NaN": (
        number("hidden.weight", 4, HALF["nan"]),
        "number 4 of tensor 'hidden.weight' is not a finite number$",
    ),
    "float16 infinite": (number("output.weight", 8, HALF["inf"]), "number 8 of tensor 'output.weight' is not a finite"),
    "float32 NaN": (
        number("4-grams.rows", 5, FLOAT["nan"]),
        "number 5 of tensor '4-grams.rows' is not a finite number below",
    ),
    "float32 infinite": (number("hidden.bias", 0, FLOAT["inf"]), "number 0 of tensor 'hidden.bias' is not"),
    "float32 huge": (number("output.bias", 2, FLOAT["huge"]), "number 2 of tensor 'output.bias' is not"),
    "temperature zero": (number("calibration", 0, bytes(4)), "the calibration 0 .* leaves the range"),
    "temperature tiny": (number("calibration", 0, FLOAT["tiny"]), "the calibration 1e-09 .* leaves the range"),
    "temperature negative": (number("calibration", 1, struct.pack("<f", -0.5)), "the calibration .* leaves the range"),
    "no labels": (configure("labels", []), "number of labels must be between 1 and 65535, not 0"),
    "fewer labels than rows": (configure("labels", ["de", "en"]), "tensor 'output.weight' is .* asks for F16 .2, 3."),
    "label not Unicode": (configure("labels", 0, "\ud800"), "the config is not valid JSON: .* surrogates not allowed"),
    "buckets 0": (configure("groups", 0, "buckets", 0), "group 3-grams: buckets must be between 1 and 16777216, not 0"),
    "more buckets than rows": (configure("groups", 0, "buckets", 6), r"'3-grams.rows' is U8 \[5, 2\], .* U8 \[6, 2\]"),
    "n 0": (configure("groups", 0, "n", 0), "n of kind ngrams must be between 1 and 8, not 0"),
    "n 100": (configure("groups", 0, "n", 100), "n of kind ngrams must be between 1 and 8, not 100"),
    "group twice": (configure("groups", 1, "name", "3-grams"), "two groups have the same name"),
    "Bloom map unasked": (
        configure("bloom", {"words": 1, "slots": [64]}),
        "a Bloom map and a group of kind clusters",
    ),
    "task unknown": (configure("task", "parse"), "config.task must be one of"),
    "task of another": (meta("task", "pos"), "task is 'pos', but the config says 'langid'"),
    "config a list": (meta("config", "[]"), "the config is not a JSON object"),
    "config broken": (meta("config", "{"), "the config is not valid JSON"),
    "config twice a name": (meta("config", '{"task":"pos","task":"pos"}'), "the config is .* 'task' occurs twice"),
    "config infinite": (meta("config", '{"hidden":1e999}'), "the config is .* '1e999' is not finite"),
    "config NaN": (meta("config", '{"hidden":NaN}'), "the config is .* 'NaN' is not finite"),
    "config nested deeply": (meta("config", "[" * 100_000), "nested too deeply"),
    "format of others": (meta("format", "pt"), "its metadata do not say that it is a Budgie model"),
    "version 0": (meta("version", "0"), "format version '0'; this Budgie reads version '1'"),
    "version 2": (meta("version", "2"), "format version '2'; this Budgie reads version '1'"),
    "version 999": (meta("version", "999"), "format version '999'"),
    "version gone": (lambda h, c, b: h["__metadata__"].pop("version"), "format version 'unknown'"),
    "hash of others": (meta("hash", "murmur3"), "made with hash 'murmur3'; this Budgie has hash 'budgie-1'"),
    "Unicode of others": (meta("unicode", "99.0"), "made with unicode '99.0'; this Budgie has unicode"),
    "config gone": (lambda h, c, b: h["__metadata__"].pop("config"), "the metadata lack config"),
    "checksum gone": (lambda h, c, b: h["__metadata__"].pop("sha256"), "the metadata lack sha256"),
    "checksum no digest": (meta("sha256", "f" * 63), "sha256 is not 64 hexadecimal digits"),
    "metadata gone": (lambda h, c, b: h.pop("__metadata__"), "without metadata, not a Budgie model"),
    "metadata a list": (put("__metadata__", []), "the metadata are not all strings"),
    "metadata a number": (meta("scores", 1), "the metadata are not all strings"),
    "information not Unicode": (meta("licence", "\udc80"), "the header is not valid JSON: .* surrogates not allowed"),
}


@pytest.mark.parametrize("case", FORGED)
def test_a_forged_file_is_refused(case: str) -> None:
    edit, message = FORGED[case]
    with pytest.raises(ModelError, match=message):
        Model.from_bytes(forge(edit))


FORGED_SEGMENTERS: dict[str, tuple[Edit, str]] = {
    "keys too few": (
        number("characters.keys", 0, b"\xc1"),
        "characters.keys holds 2 n-grams, but characters.rows has 4 rows, not one more",
    ),
    "keys too many": (
        number("characters.keys", 1, b"\0"),
        "characters.keys holds 4 n-grams, but characters.rows has 4",
    ),
    "last key cut short": (number("characters.keys", 4, b"\xff"), "characters.keys holds 2 n-grams"),
    "last key cut short, count right": (
        number("characters.keys", 0, b"\1\1\1\xff\xff"),
        "characters.keys ends inside of an n-gram",
    ),
    "keys missing": (remove("characters.keys"), "tensor 'characters.keys' is missing"),
    "keys of another length": (
        configure("groups", 0, "keys", 6),
        r"tensor 'characters.keys' is U8 \[5\], the config asks for U8 \[6\]",
    ),
    "no keys": (
        configure("groups", 0, "keys", 0),
        r"tensor 'characters.keys' is U8 \[5\], the config asks for U8 \[0\]",
    ),
    "fewer rows than keys": (
        lambda h, c, b: (
            configure("groups", 0, "buckets", 3)(h, c, b),
            put("characters.rows", "shape", [3, 2])(h, c, b),
        ),
        "tensor 'characters.rows' has 8 bytes, .* need 6",
    ),
    "labels turned": (configure("labels", ["MERGE", "SPLIT"]), "the labels of a segmenter are SPLIT and MERGE"),
    "labels of others": (configure("labels", 0, "NOUN"), "the labels of a segmenter are SPLIT and MERGE"),
    "position too far": (configure("groups", 0, "positions", [-1, 65]), "position must be between -64 and 64, not 65"),
    "start too far": (configure("groups", 0, "starts", [-65]), "position must be between -64 and 64, not -65"),
    "one start more": (configure("groups", 0, "starts", [0, 1]), r"tensor 'hidden.weight' is .* the config asks for"),
    "standard without a row": (
        configure("standards", ["a", "b", "c"]),
        "group standard must have 3 rows, as many as it has features",
    ),
    "standards gone": (configure("standards", []), "group standard must have 0 rows, as many as it has features"),
    "standard twice": (configure("standards", ["a", "a"]), "standards must have different names"),
    "lexicon gone": (configure("lexicon", None), "group lexicon must have 0 rows, as many as it has features"),
    "lexicon without a group": (
        lambda h, c, b: c["groups"].pop(),
        "a lexicon and a group of kind lexicon need each other",
    ),
    "lexicon of longer words": (configure("lexicon", "longest", 3), "group lexicon must have 27 rows"),
    "lexicon of words too long": (configure("lexicon", "longest", 9), "lexicon.longest must be between 2 and 8, not 9"),
    "lexicon of no words": (configure("lexicon", "longest", 0), "lexicon.longest must be between 2 and 8, not 0"),
    "lexicon of half a block": (configure("lexicon", "size", 12), "lexicon.size must be a multiple of 8, not 12"),
    "lexicon empty": (configure("lexicon", "size", 0), "lexicon.size must be between 8 and 16777216, not 0"),
    "lexicon larger": (
        configure("lexicon", "size", 24),
        r"tensor 'lexicon.bits' is U8 \[16\], the config asks for U8 \[24\]",
    ),
    "bits of the lexicon missing": (remove("lexicon.bits"), "tensor 'lexicon.bits' is missing"),
    "fewer rows than the lexicon needs": (
        configure("groups", 2, "buckets", 7),
        "group lexicon must have 8 rows, as many as it has features",
    ),
    "hidden units without end": (configure("hidden", 2**20), "hidden units times 512 rows must be between"),
}


@pytest.mark.parametrize("case", FORGED_SEGMENTERS)
def test_a_forged_segmenter_is_refused(case: str) -> None:
    edit, message = FORGED_SEGMENTERS[case]
    with pytest.raises(ModelError, match=message):
        Model.from_bytes(forge(edit, random_model(SEGMENTER).to_bytes()))


@pytest.mark.parametrize("keys", [b"\0\0\0", b"\xff" * 40 + b"\1\0\x7f", b"\0\1" + b"\xff" * 9 + b"\1"])
def test_any_keys_that_fill_the_rows_will_do(keys: bytes) -> None:
    """The same n-gram twice, or numbers beyond 64 bits: no n-gram finds some rows, and that is all."""
    group = dataclasses.replace(SEGMENTER.groups[0], keys=len(keys))
    config = dataclasses.replace(SEGMENTER, groups=(group, *SEGMENTER.groups[1:]))
    tensors = {name: random_tensor(name, *form, random.Random(1)) for name, form in expected_tensors(SEGMENTER).items()}
    model = Model(config, {**tensors, "characters.keys": Tensor("U8", (len(keys),), keys)})
    assert "".join(Segmenter(Model.from_bytes(model.to_bytes())).segment("\0A\x01中文")) == "\0A\x01中文"


RAW: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "0 bytes are too few"),
    "7 bytes": (FILE[:7], "7 bytes are too few"),
    "header length 2^64 - 1": (b"\xff" * 8 + FILE[8:], "a header of 18446744073709551615 bytes is over the limit"),
    "header of 1 GB of spaces": (length(2**30) + b"{" + b" " * 1000, "a header of 1073741824 bytes is over the limit"),
    "header longer than the file": (length(len(FILE)) + FILE[8:], "cut short in the header"),
    "header length 0": (length(0) + FILE[8:], "does not begin with {"),
    "header length 1": (length(1) + FILE[8:], "is not a multiple of 8"),
    "header not aligned": (length(HEADER_END - 8 + 1) + TEXT + b" " + BODY, "not a multiple of 8"),
    "header not UTF-8": (
        seal(TEXT.replace(b"CC0", b"\xff\xfe\xfd"), BODY),
        "is not valid JSON: it is not UTF-8 at byte",
    ),
    "header UTF-16": (seal("{}".encode("utf-16-le"), b""), "is not valid JSON"),
    "header with a byte order mark": (seal("\ufeff{}", b""), "does not begin with {"),
    "header after a space": (seal(b" " + TEXT, BODY), "does not begin with {"),
    "header ends early": (seal(FILE[8 : HEADER_END - 30], BODY), "the header is not valid JSON"),
    "two headers": (seal(TEXT * 2, BODY), "the header is not valid JSON: there is more behind its end"),
    "nested 100,000 deep": (seal('{"a":' + "[" * 100_000, b""), "nested too deeply"),
    "name twice": (swap_text('"format":', '"format":"budgie","format":'), "'format' occurs twice"),
    "tensor twice": (swap_text('"hidden.bias":', '"hidden.bias":{},"hidden.bias":'), "'hidden.bias' occurs twice"),
    "100,000 names twice": (seal(json.dumps({str(i): 0 for i in range(70_000)})[:-1] + ',"0":0}', b""), "occurs twice"),
    "minus zero": (swap_text('"data_offsets":[0,', '"data_offsets":[-0,'), "the number '-0' is out of range"),
    "NaN": (swap_text('"data_offsets":[0,', '"data_offsets":[NaN,'), "the number 'NaN' is not finite"),
    "digest twice": (
        join(TEXT.replace(b"CC0-1.0", DIGEST), BODY),
        "sha256 is not 64 hexadecimal digits that occur once",
    ),
    "digest escaped": (join(TEXT.replace(DIGEST, DIGEST[:-1] + b"\\u%04x" % DIGEST[-1]), BODY), "sha256 is not 64"),
    "digest in capitals": (join(TEXT.replace(DIGEST, b"A" * 64), BODY), "sha256 is not 64"),
    "digest of another": (join(TEXT.replace(DIGEST, b"a" * 64), BODY), "damaged: the checksum does not match"),
    "model and zip": (FILE + b"PK\x05\x06" + bytes(18), "22 bytes too many after the last tensor"),
    "png": (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "this is not a Budgie model"),
    "pickle": (pickle.dumps(list(range(100)), protocol=4), "this is not a Budgie model"),
    "zip": (b"PK\x03\x04" + bytes(100), "is not a multiple|not a Budgie model"),
    "gzip": (b"\x1f\x8b\x08\x00" + bytes(range(100)), "this is not a Budgie model"),
    "text": (b"It is a truth universally acknowledged, that", "this is not a Budgie model"),
}


@pytest.mark.parametrize("case", RAW)
def test_what_is_no_model_is_refused(case: str) -> None:
    data, message = RAW[case]
    with pytest.raises(ModelError, match=message):
        Model.from_bytes(data)


@pytest.mark.parametrize("place", ["header", "config"])
def test_any_depth_of_nesting_is_refused(place: str) -> None:
    for depth in range(100, 1100, 3):  # around the limit of the interpreter, one step of many may be the one too deep
        nested = '{"task":' + "[" * depth + "]" * depth + "}"
        with pytest.raises(ModelError):
            Model.from_bytes(seal(nested, b"") if place == "header" else forge(meta("config", nested)))


def test_reading_needs_no_more_memory_than_the_file() -> None:
    config = Config("langid", (Group("g", "words", 2**16, 8, bits=32),), 1, ("a",))
    calibration = Tensor("F32", (2,), struct.pack("<2f", 1, 0))
    forms = expected_tensors(config).items()
    tensors = {name: Tensor(dtype, shape, bytes(4 * math.prod(shape))) for name, (dtype, shape) in forms}
    data = Model(config, {**tensors, "calibration": calibration}).to_bytes()
    tracemalloc.start()
    try:
        Model.from_bytes(data)
        assert tracemalloc.get_traced_memory()[1] < 2**18 < len(data) / 4
    finally:
        tracemalloc.stop()


# Damage.


def test_every_truncation_is_refused() -> None:
    for end in range(len(FILE)):
        with pytest.raises(ModelError):
            Model.from_bytes(FILE[:end])


def refuse_flips(bits: Iterable[int]) -> None:
    for bit in bits:
        damaged = bytearray(FILE)
        damaged[bit // 8] ^= 1 << bit % 8
        with pytest.raises(ModelError):
            Model.from_bytes(damaged)


def test_every_flipped_bit_of_the_header_is_refused() -> None:
    refuse_flips(range(8 * HEADER_END))


def test_every_flipped_bit_of_the_tensors_is_refused() -> None:
    refuse_flips(range(8 * HEADER_END, 8 * len(FILE)))


@given(st.binary(max_size=300))
def test_any_bytes_give_a_model_error(data: bytes) -> None:
    for file in (data, join(data, b""), join(b"{" + data, data)):
        with pytest.raises(ModelError, match=r"^<bytes>: "):
            Model.from_bytes(file)


FRAGMENTS = st.sampled_from(
    [
        "",
        " ",
        "\n",
        "0",
        "-0",
        "1.0",
        "1e2",
        "01",
        "null",
        "true",
        "NaN",
        "[]",
        "{}",
        '"',
        "\\u0061",
        "\\ud800",
        "\x7f",
        "é",
        ",",
    ]
)


@given(st.integers(0, len(TEXT.decode())), st.integers(0, 3), FRAGMENTS)
@settings(max_examples=400)
def test_an_edited_header_gives_a_model_or_a_model_error(start: int, size: int, fragment: str) -> None:
    text = TEXT.decode()
    file = seal(text[:start] + fragment + text[start + size :], BODY)
    try:
        model = Model.from_bytes(file)
    except ModelError:
        return
    safetensors.deserialize(file)  # what safetensors refuses, we must refuse
    assert Model.from_bytes(model.to_bytes()) == model


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda values: st.lists(values, max_size=3) | st.dictionaries(st.text(max_size=4), values, max_size=3),
    max_leaves=5,
)


def places(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where something stands in JSON data."""
    if place:
        yield place
    if isinstance(value, (dict, list)):
        for step, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(inner, (*place, step))


HEADER_PLACES = list(places(json.loads(TEXT)))
CONFIG_PLACES = list(places(json.loads(json.loads(TEXT)["__metadata__"]["config"])))


@given(
    st.sampled_from([(put, place) for place in HEADER_PLACES] + [(configure, place) for place in CONFIG_PLACES]), JSON
)
@settings(max_examples=400)
def test_any_value_anywhere_gives_a_model_or_a_model_error(where: Any, value: Any) -> None:
    edit, place = where
    try:
        file = forge(edit(*place, value))
        Model.from_bytes(file)
    except ModelError:
        return
    safetensors.deserialize(file)


# Files.


@pytest.mark.parametrize("config", [LANGID, TAGGER, SEGMENTER], ids=["langid", "pos", "seg"])
@given(seed=st.integers(), info=st.dictionaries(st.text(), st.text()))
@settings(max_examples=50)
def test_a_model_survives_its_file(config: Config, seed: int, info: dict[str, str]) -> None:
    free = {f"info {name}": text for name, text in info.items()}
    model = random_model(config, seed, **free)
    data = model.to_bytes()
    assert Model.from_bytes(data) == model
    assert Model.from_bytes(data).to_bytes() == data
    assert model.info == free


def test_numbers_at_the_limits_are_kept() -> None:
    tensors = dict(MODEL.tensors)
    tensors["3-grams.scales"] = Tensor("F16", (5,), struct.pack("<5e", 0, 6e-8, 6e-5, 1, 65504))  # 6e-8 is subnormal
    tensors["output.bias"] = Tensor("F32", (3,), struct.pack("<3f", -131071.99, -0.0, 1e-45))
    model = Model(LANGID, tensors)
    assert Model.from_bytes(model.to_bytes()) == model


def test_equal_models_give_equal_files() -> None:
    tensors = dict(reversed(list(MODEL.tensors.items())))
    assert Model(LANGID, tensors, dict(reversed(list(MODEL.info.items())))).to_bytes() == FILE


def test_the_file_opens_with_safetensors() -> None:
    theirs = dict(safetensors.deserialize(FILE))
    assert theirs.keys() == MODEL.tensors.keys()
    for name, tensor in MODEL.tensors.items():
        assert (theirs[name]["dtype"], tuple(theirs[name]["shape"])) == (tensor.dtype, tensor.shape)
        assert theirs[name]["data"] == tensor.data


def test_every_tensor_is_aligned() -> None:
    assert HEADER_END % 8 == 0
    header = json.loads(TEXT)
    del header["__metadata__"]
    for entry in header.values():
        assert entry["data_offsets"][0] % {"U8": 1, "F16": 2, "F32": 4}[entry["dtype"]] == 0


def test_a_model_can_be_pickled_and_copied() -> None:
    assert pickle.loads(pickle.dumps(MODEL)) == MODEL
    assert copy.deepcopy(MODEL) == MODEL
    assert len(pickle.dumps(MODEL)) < len(FILE) + 100


def test_a_model_never_changes() -> None:
    buffer = bytearray(FILE)
    model = Model.from_bytes(memoryview(buffer))
    buffer[:] = bytes(len(buffer))
    assert model == MODEL
    mutable = bytearray(5)
    tensor = Tensor("U8", (5,), memoryview(mutable))
    mutable[0] = 1
    assert bytes(tensor.data) == bytes(5)
    with pytest.raises(TypeError):
        model.tensors["calibration"] = tensor  # type: ignore[index]


@pytest.mark.parametrize("name", ["model.budgie", "попугай", "鸚鵡 \n", "x" * 255, b"latin-\xe9"])
@pytest.mark.parametrize("kind", [Path, os.fsencode, os.fsdecode])
def test_any_name_will_do(tmp_path: Path, name: str | bytes, kind: Callable[[Any], Any]) -> None:
    path = kind(tmp_path / os.fsdecode(name))
    MODEL.write(path)
    assert Model.read(path) == MODEL


def test_the_message_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "попугай"
    path.write_bytes(b"?")
    with pytest.raises(ModelError, match=f"^{path}: 1 bytes are too few"):
        Model.read(path)
    with pytest.raises(ModelError, match=r"^over the wire: 1 bytes are too few"):
        Model.from_bytes(b"?", name="over the wire")


def test_a_missing_file_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Model.read(tmp_path / "missing")


@pytest.mark.parametrize("path", ["/dev/zero", "/dev/null", "/", b"/dev/full", "a\0b", "\ud800"])
def test_what_is_no_file_is_refused(path: str | bytes) -> None:
    with pytest.raises(ModelError, match=r"not a regular file|cannot be the name of a file"):
        Model.read(path)


def test_a_fifo_is_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    errors: list[Exception] = []

    def read() -> None:
        try:
            Model.read(tmp_path / "fifo")
        except ModelError as error:
            errors.append(error)

    thread = threading.Thread(target=read, daemon=True)
    thread.start()
    thread.join(timeout=5)
    assert "not a regular file" in str(errors)


def test_a_huge_file_is_refused_unread(tmp_path: Path) -> None:
    with (tmp_path / "huge").open("wb") as file:
        file.truncate(2**40)
    with pytest.raises(ModelError, match="1099511627776 bytes are over the limit of 67108864"):
        Model.read(tmp_path / "huge")


def test_a_loaded_model_does_not_need_its_file(tmp_path: Path) -> None:
    path = tmp_path / "model"
    MODEL.write(path)
    model = Model.read(path)
    path.write_bytes(b"")
    assert model.to_bytes() == FILE


# Writing.


class FullDisk:
    """A file that takes 100 bytes and no more."""

    def __init__(self, file: Any) -> None:
        self.file = file

    def __enter__(self) -> FullDisk:
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()

    def write(self, data: bytes) -> int:
        self.file.write(data[:100])
        raise OSError(errno.ENOSPC, "No space left on device")


def fail(*_: object) -> None:
    raise OSError(errno.EIO, "Input/output error")


def full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    really_open = Path.open
    monkeypatch.setattr(Path, "open", lambda *arguments: FullDisk(really_open(*arguments)))


def failing_sync(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", fail)


def failing_rename(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "replace", fail)


@pytest.mark.parametrize("fault", [full_disk, failing_sync, failing_rename])
@pytest.mark.parametrize("before", [None, b"old contents"], ids=["new", "old"])
def test_a_failed_write_leaves_things_as_they_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: Callable[[pytest.MonkeyPatch], None], before: bytes | None
) -> None:
    path = tmp_path / "model"
    if before:
        path.write_bytes(before)
    with monkeypatch.context() as patch, pytest.raises(OSError, match=r"No space left|Input/output"):
        fault(patch)
        MODEL.write(path)
    assert [file.read_bytes() for file in tmp_path.iterdir()] == ([before] if before else [])


def test_a_write_past_a_real_limit_leaves_nothing(tmp_path: Path) -> None:
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(FILE) - 1, limits[1]))
    try:
        with pytest.raises(OSError, match="File too large"):
            MODEL.write(tmp_path / "model")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert not list(tmp_path.iterdir())


def test_a_written_file_has_ordinary_rights_and_no_neighbours(tmp_path: Path) -> None:
    (tmp_path / "ordinary").touch()
    MODEL.write(tmp_path / "model")
    MODEL.write(tmp_path / "model")
    assert {path.name for path in tmp_path.iterdir()} == {"ordinary", "model"}
    assert (tmp_path / "model").stat().st_mode == (tmp_path / "ordinary").stat().st_mode


@pytest.mark.parametrize("place", ["folder", "fifo"])
def test_only_a_regular_file_is_replaced(tmp_path: Path, place: str) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "fifo")
    with pytest.raises(FileExistsError, match="is there already and is not a regular file"):
        MODEL.write(tmp_path / place)


# Models built by a program.


def with_tensor(name: str, tensor: Tensor) -> Model:
    return Model(LANGID, {**MODEL.tensors, name: tensor})


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Tensor("U8", (3,), b"12"), r"a tensor U8 \[3\] needs 3 bytes, not 2"),
        (lambda: Tensor("I64", (1,), bytes(8)), "a tensor has dtype 'I64'"),
        (lambda: with_tensor("calibration", Tensor("U8", (1, 1, 1), b"1")), "not a list of 1 to 2 numbers"),
        (lambda: Model(LANGID, {}), "tensor '3-grams.rows' is missing"),
        (lambda: with_tensor("x", Tensor("U8", (1,), b"1")), "tensor 'x' is not one that the config asks for"),
        (lambda: with_tensor("calibration", Tensor("U8", (2,), b"12")), r"is U8 \[2\], the config asks for F32 \[2\]"),
        (lambda: Model(LANGID, MODEL.tensors, {"sha256": ""}), "cannot have the name sha256"),
        (lambda: Model(LANGID, MODEL.tensors, {"a": 1}), "must be strings"),
        (lambda: Model(LANGID, MODEL.tensors, {"a": "\ud800"}), "information 'a' is not valid Unicode"),
        (lambda: Model(LANGID, MODEL.tensors, {"a": "x" * 2**20}).to_bytes(), "more than the 1048576 of a header"),
        (lambda: random_model(many_groups(30)), "65 tensors are over the limit of 64"),
    ],
)
def test_a_wrong_model_cannot_be_built(build: Callable[[], object], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        build()


def many_groups(count: int) -> Config:
    return Config("langid", tuple(Group(f"g{i}", "words", 1, 1) for i in range(count)), 1, ("a",))


def test_a_model_over_the_limit_is_not_written() -> None:
    large = Tensor("U8", (2**14, 2**12), bytes(2**26))
    with pytest.raises(ModelError, match=r"a model of 67.* bytes is over the limit"):
        with_tensor("large", large)
    with pytest.raises(ModelError, match="67108865 bytes are over the limit of 67108864 for a model"):
        Model.from_bytes(bytes(2**26 + 1))
