# SPDX-License-Identifier: Apache-2.0
"""Language identification once more, in NumPy and as plainly as possible: what the core has to agree with.

Written from docs/model-format.md and the paper, character by character; nothing here is shared with the core but the
table of characters, since no Python has the same version of Unicode for ever.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, reduce
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from budgie.model.config import Config, Group
from budgie.model.config import TextConfig as Folding
from budgie.model.file import Model

PIECE = 1024  # characters that the core has at hand: it cannot drop the beginning of a token that reaches further back
# No address goes across these: scripts without spaces (Thai, Lao, Tibetan, Burmese; Khmer; scripts of the Tai; Chinese
# and Japanese), and the punctuation and the full-width forms of Chinese and Japanese.
UNSPACED = re.compile(
    "[\u0e00-\u109f\u1780-\u17ff\u1950-\u19df\u1a20-\u1aaf\u2e80-\u312f\u3190-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\ua9e0-\ua9ff\uaa60-\uaadf\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff9f\U0001aff0-\U0001b16f\U00020000-\U0003ffff]"
)
REST_OF_TAG = re.compile("[^<>]{0,999}>")
LETTER, MARK, SPACE = 0, 1, 3
SEED = 0x2545F491
TABLE = next((Path(__file__).parents[2] / "core").rglob("unicode_table.hpp"))

Floats = NDArray[np.float64]
Ids = NDArray[np.int64]


@cache
def table() -> tuple[NDArray[Any], NDArray[Any]]:
    """Class and difference to the lower case of every code point."""
    source = TABLE.read_text()
    kinds = ["letter", "mark", "digit", "space", "other"]
    records = [
        (kinds.index(kind), int(lower)) for kind, lower in re.findall(r"{CharacterClass::(\w+), (-?\d+)}", source)
    ]

    def numbers(name: str) -> list[int]:
        body = re.search(rf"{name}\[\d+\] = {{(.*?)}};", source, re.DOTALL)
        assert body
        return [int(number) for number in re.findall(r"\d+", body[1])]

    every = np.array(records)[np.array(numbers("kEntries")).reshape(-1, 128)[np.array(numbers("kBlocks"))].reshape(-1)]
    return every[:, 0], every[:, 1]


def decode(text: str | bytes) -> str:
    """Code points; what is not Unicode becomes U+FFFD."""
    if isinstance(text, bytes):
        return text.decode("utf-8", errors="replace")
    return re.sub("[\ud800-\udfff]", "\ufffd", text)


def characters(text: str | bytes, folding: Folding) -> str:
    """Letters and marks, with one space for all that stands between them, before them and behind them."""
    source, out = decode(text), [" "]
    kinds, lowers = table()
    at, token, piece = 0, 1, 0
    while at < len(source):
        if len(out) == piece + PIECE:
            token = piece = len(out)
        c, at = source[at], at + 1
        kind, unspaced = kinds[ord(c)], UNSPACED.match(c)
        if kind in (LETTER, MARK) and (not folding.blocks or ord(c) // 128 in folding.blocks):
            out.append(chr(ord(c) + lowers[ord(c)]) if folding.fold_case else c)
            token = len(out) if unspaced else token
            continue
        if kind == SPACE or unspaced:
            token = len(out)
        elif folding.drop_urls and (c == "@" or source.startswith("://", at - 1)):
            del out[token:]
            while at < len(source) and kinds[ord(source[at])] != SPACE and not UNSPACED.match(source[at]):
                at += 1
        elif folding.drop_markup and c == "<" and (tag := REST_OF_TAG.match(source, at)):
            at = tag.end()
        if out[-1] != " ":
            out.append(" ")
    return "".join(out) if out[-1] == " " else "".join(out) + " "


def extend(hashed: int, character: str) -> int:
    """Hash "budgie-1" of an n-gram, one character more."""
    hashed = (hashed ^ ord(character)) * 0x9E3779B1 % 2**32
    return hashed ^ hashed >> 15


def extend_word(hashed: int, character: str) -> int:
    """The same for a word, which may be long."""
    return ((hashed << 5 | hashed >> 27) % 2**32 + extend(SEED, character)) % 2**32


def hashes(stream: str, group: Group) -> Iterator[int]:
    """The finished hash of every feature of a group."""
    if group.kind == "words":
        features, longer = stream.split(" "), extend_word
    else:
        features, longer = [stream[i : i + group.n] for i in range(len(stream) - group.n + 1)], extend
        if not group.across:
            features = [feature for feature in features if " " not in feature[1:-1]]
    for feature in features:
        if feature.strip(" ") == "":  # of words, what split() leaves between two spaces; of n-grams, a lone space
            continue
        hashed = reduce(longer, feature, SEED) * 0x85EBCA6B % 2**32
        yield hashed ^ hashed >> 13


def rows(stream: str, group: Group) -> Ids:
    """The row of every feature."""
    return np.array([hashed * group.buckets >> 32 for hashed in hashes(stream, group)], dtype=np.int64)


def array(model: Model, name: str) -> Floats:
    tensor = model.tensors[name]
    dtype = {"U8": "u1", "F16": "<f2", "F32": "<f4"}[tensor.dtype]
    return np.frombuffer(tensor.data, dtype).reshape(tensor.shape).astype(np.float64)


def embeddings(model: Model, group: Group) -> Floats:
    """The matrix of a group as numbers."""
    matrix = array(model, f"{group.name}.rows")
    if group.bits == 32:
        return matrix
    zero = 128.0
    if group.bits < 8:  # the first part of a row in the lowest bits of its bytes, the next part above it, and so on
        values = 2**group.bits
        matrix = np.hstack([matrix // values**i % values for i in range(8 // group.bits)])
        zero = (values - 1) / 2
    return (matrix - zero) * array(model, f"{group.name}.scales").reshape(-1, 1)


def scores(model: Model, text: str | bytes) -> tuple[Floats, int]:
    """What the network says of every label, and the number of letters of the text."""
    config: Config = model.config
    stream = characters(text, config.text)
    parts = []
    for group in config.groups:
        chosen = embeddings(model, group)[rows(stream, group)]
        parts.append(chosen.sum(axis=0) / (max(len(chosen), 1) if group.combine == "mean" else 1))
    h0 = np.sum(parts, axis=0) if config.shared_space else np.concatenate(parts)
    h1 = np.maximum(array(model, "hidden.weight") @ h0 + array(model, "hidden.bias"), 0)
    return array(model, "output.weight") @ h1 + array(model, "output.bias"), len(stream.replace(" ", ""))


def calibrated(model: Model, text: str | bytes, weights: list[float] | None = None) -> Floats:
    """The logarithm of what is proportional to the probability of every label; there must be letters."""
    all_scores, letters = scores(model, text)
    a, b = array(model, "calibration")
    return all_scores / (a + b / np.sqrt(letters)) + np.log(weights or np.ones(len(all_scores)))


def probabilities(model: Model, text: str | bytes, allowed: list[int], weights: list[float] | None = None) -> Floats:
    """Calibrated probabilities of the allowed labels."""
    chosen = calibrated(model, text, weights)[allowed]
    powers: Floats = np.exp(chosen - chosen.max())
    return powers / powers.sum()


def rival(model: Model, text: str | bytes, label: int, weights: list[float] | None = None) -> float:
    """How many times as probable the most probable of all labels is, as a logarithm."""
    found = calibrated(model, text, weights)
    return float(found.max() - found[label])
