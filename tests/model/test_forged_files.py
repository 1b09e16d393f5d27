# SPDX-License-Identifier: Apache-2.0
"""Every file is hostile: one that is forged, checksum and all, gives a ModelError with the reason."""

from __future__ import annotations

import dataclasses
import json
import math
import pickle
import random
import struct
import tracemalloc
from collections.abc import Callable

import pytest
from forging import (
    BODY,
    DIGEST,
    FILE,
    FLOAT,
    HALF,
    HEADER_END,
    ROWS,
    RULES,
    SEGMENTER,
    SPLITTER,
    TEXT,
    Edit,
    append,
    configure,
    forge,
    join,
    length,
    meta,
    move_last,
    number,
    put,
    random_model,
    random_tensor,
    remove,
    seal,
    shift,
    swap_text,
)

from budgie.errors import ConfigError, ModelError
from budgie.model.config import MOVES, PLACES, Config, Group
from budgie.model.file import Model
from budgie.model.tensors import Tensor, expected_tensors
from budgie.tasks.segmentation import Segmenter

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


FORGED_RULES: dict[str, tuple[Edit, str]] = {
    "more than there are": (configure("multiword", "rules", 4), "rules holds 3 rules, but the config says 4"),
    "fewer than there are": (configure("multiword", "rules", 0), "rules holds 3 rules, but the config says 0"),
    "a line that is none": (
        number("multiword.rules", RULES.index(b"de le"), b"\t"),
        "rules holds 2 rules, but .* says 3",
    ),
    "a line without an end": (number("multiword.rules", len(RULES) - 1, b" "), "rules holds 2 rules, but .* says 3"),
    "a line end in a word": (
        number("multiword.rules", RULES.index(b"le\n"), b"\r"),
        "rule of multiword tokens makes a word with white space",
    ),
    "one word": (number("multiword.rules", RULES.index(b" le\n"), b"-"), "rule of multiword tokens makes one word"),
    "negative": (configure("multiword", "rules", -1), "multiword.rules must be between 0 and 16777216, not -1"),
    "too many": (configure("multiword", "rules", 2**24 + 1), "multiword.rules must be between 0 and 16777216"),
    "size 0": (configure("multiword", "size", 0), "multiword.size must be between 1 and 16777216, not 0"),
    "another size": (configure("multiword", "size", 9), r"tensor 'multiword.rules' is U8 \[.*\], .* for U8 \[9\]"),
    "missing": (remove("multiword.rules"), "tensor 'multiword.rules' is missing"),
    "unasked": (configure("multiword", None), "tensor 'multiword.rules' is not one that the config asks for"),
}


@pytest.mark.parametrize("case", FORGED_RULES)
def test_forged_rules_are_refused(case: str) -> None:
    file = random_model(SPLITTER).to_bytes()
    assert Segmenter(Model.from_bytes(file)).model.config.multiword == SPLITTER.multiword
    edit, message = FORGED_RULES[case]
    with pytest.raises(ModelError, match=message):
        Segmenter(Model.from_bytes(forge(edit, file)))


def length_of_words(buckets: int, dim: int) -> Group:
    return Group("length", "length", buckets, dim, bits=2, scale="table")


# What a small file may ask for: memory by the width of a layer, time by what is multiplied at load.
GREEDY: dict[str, tuple[Callable[[], Config], str]] = {
    "h0 of a text": (
        lambda: Config("langid", (Group("g", "words", 1, 2**12 + 1),), 1, ("a",)),
        "width of h0 must be between 1 and 4096, not 4097",
    ),
    "h0 of words": (
        lambda: Config("pos", (Group("g", "words", 1, 2**14, positions=(-2, -1, 0, 1, 2)),), 1, ("a",)),
        "width of h0 must be between 1 and 65536, not 81920",
    ),
    "products of a segmenter": (
        lambda: Config("seg", (length_of_words(1024, 1024),), 2**14, ("SPLIT", "MERGE")),
        "hidden units times rows times dimensions must be between 0 and 1073741824, not 17179869184",
    ),
    "products of a preorderer": (
        lambda: Config("preorder", (dataclasses.replace(length_of_words(2**13, 2**9), places=("s0",)),), 2**10, MOVES),
        "hidden units times rows times dimensions must be between 0 and 1073741824, not 4294967296",
    ),
    "rows of all vocabularies": (
        lambda: Config(
            "seg",
            tuple(Group(f"g{i}", "vocabulary", 2**20, 1, n=1, keys=2**20 - 1) for i in range(3)),
            1,
            ("SPLIT", "MERGE"),
        ),
        "rows of all vocabularies must be between 0 and 2097152, not 3145728",
    ),
    "what a preorderer remembers": (
        lambda: Config("preorder", (Group("g", "words", 1, 1, places=PLACES),), 2**11, MOVES),
        "hidden units times 32 words looked at must be between 1 and 32768, not 65536",
    ),
}


@pytest.mark.parametrize("case", GREEDY)
def test_a_small_file_asks_for_little(case: str) -> None:
    make, message = GREEDY[case]
    with pytest.raises(ConfigError, match=message):
        make()


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
