# SPDX-License-Identifier: Apache-2.0
"""What every call on a batch asks of its arguments."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from budgie.errors import ConfigError

TEXTS = "texts, not one str or bytes"
SENTENCES = "sentences, each a list of words"
_Thing = TypeVar("_Thing")


def check(things: Iterable[object], threads: int, wanted: str) -> None:
    """Refuse what is no batch: a str is an iterable of str, too."""
    if isinstance(things, (str, bytes)):
        raise TypeError(f"this call takes several {wanted}")
    if threads < 1:
        raise ConfigError(f"threads must be at least 1, not {threads}")


def several(things: Iterable[_Thing], threads: int, wanted: str) -> list[_Thing]:
    """The texts or sentences of a batch, checked as far as Python has to."""
    check(things, threads, wanted)
    return things if isinstance(things, list) else list(things)
