# SPDX-License-Identifier: Apache-2.0
"""The Bloom map once more, as plainly as possible: what the core has to agree with (docs/model-format.md)."""

from __future__ import annotations

from collections.abc import Mapping

from budgie.model.config import BloomMap
from budgie.model.tensors import Tensor
from reference.langid import decode, table

DIGIT_CLASS = 2
WIDTH, BUCKET = 64, 256
THRESHOLDS = (0, 16, 48, BUCKET)
ALL = 2**64


def folded(word: str | bytes, fold_case: bool, fold_digits: bool) -> str:
    """The word that stands in the map."""
    kinds, lowers = table()
    return "".join(
        "0" if fold_digits and kinds[ord(c)] == DIGIT_CLASS else chr(ord(c) + lowers[ord(c)] if fold_case else ord(c))
        for c in decode(word)
    )


def cluster(word: str | bytes, bloom: BloomMap, tensors: Mapping[str, Tensor]) -> int:
    """The cluster of a word, or -1."""
    lengths, data = (bytes(tensors[f"bloom.{name}"].data) for name in ("lengths", "bits"))
    key = 0x243F6A8885A308D3
    for c in folded(word, bloom.fold_case, bloom.fold_digits):
        key = (key ^ ord(c)) * 0x9E3779B97F4A7C15 % ALL
        key ^= key >> 32
    bits = "".join(str(_read(key, bit, bloom, data)) for bit in range(bloom.error_bits + max(lengths)))
    error, code = bits[: bloom.error_bits], bits[bloom.error_bits :]
    found = [c for c, written in _codes(lengths).items() if code.startswith(written)]
    return found[0] if found and "1" not in error else -1


def _codes(lengths: bytes) -> dict[int, str]:
    codes, code = {}, 0
    for length in range(1, max(lengths) + 1):
        for number in range(len(lengths)):
            if lengths[number] == length:
                codes[number] = f"{code:0{length}b}"
                code += 1
        code *= 2
    return codes


def _mix(x: int) -> int:
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 % ALL
    x = (x ^ x >> 27) * 0x94D049BB133111EB % ALL
    return x ^ x >> 31


def _read(key: int, bit: int, bloom: BloomMap, data: bytes) -> int:
    hashed, begin = (key + bit * 0xA0761D6478BD642F) % ALL, 0
    for slots in bloom.slots:
        hashed = _mix(hashed)
        levels = -(-slots // BUCKET)
        there = begin + -(-levels // 4)
        start = (hashed >> 32) * (slots - WIDTH + 1) >> 32
        bucket, offset = divmod(start, BUCKET)
        level = data[begin + bucket // 4] >> 2 * (bucket % 4) & 3
        if offset >= THRESHOLDS[level]:
            window = int.from_bytes(data[there : there + -(-slots // 8)], "little") >> start
            coefficients = hashed * 0xD6E8FEB86659FD93 % ALL | 1
            return ((window & coefficients).bit_count() + hashed) % 2
        begin = there + -(-slots // 8)
    return 0
