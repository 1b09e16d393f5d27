# SPDX-License-Identifier: Apache-2.0
"""Chinese in simplified and in traditional characters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from budgie.errors import MissingExtra

Conversion = Literal["t2s", "s2t"]  # from traditional to simplified characters, or back


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
