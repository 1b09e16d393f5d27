# SPDX-License-Identifier: Apache-2.0
"""Chinese in simplified and in traditional characters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from budgie.errors import MissingExtra

Conversion = Literal["t2s", "s2t"]  # from traditional to simplified characters, or back
_HAN = ((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x323AF))  # code points


def converter(conversion: Conversion) -> Callable[[str], str]:
    """What puts a text into other Chinese characters, as many as before."""
    try:
        from opencc import OpenCC  # noqa: PLC0415
    except ImportError:
        raise MissingExtra(
            "OpenCC converts Chinese characters: pip install 'budgie-nlp[train]', or opencc-python-reimplemented"
        ) from None
    convert = OpenCC(conversion).convert

    def converted(text: str) -> str:
        whole: str = convert(text)
        if len(whole) == len(text):
            return whole
        # A phrase became longer or shorter: character by character, then.
        return "".join(one if len(one := convert(character)) == 1 else character for character in text)

    return converted


def encode_variants(conversion: Conversion) -> bytes:
    """The characters that a conversion changes, each for itself, as a model has them (core/features/variants.hpp)."""
    convert = converter(conversion)
    single = {c: to for first, last in _HAN for c in map(chr, range(first, last + 1)) if (to := convert(c)) != c}
    pairs = ((c, single.get(to, to)) for c, to in single.items())
    return b"".join(ord(one).to_bytes(3, "little") for c, to in pairs if to not in single for one in (c, to))
