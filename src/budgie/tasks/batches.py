# SPDX-License-Identifier: Apache-2.0
"""What every call on a batch asks of its arguments."""

from __future__ import annotations

import operator
import sys
from collections.abc import Iterable, Sequence
from typing import TypeVar

from budgie import _core
from budgie.errors import ConfigError

TEXTS = "texts, not one str or bytes"
_Thing = TypeVar("_Thing")
_Words = TypeVar("_Words", bound=Sequence[str] | Sequence[bytes])


def check(things: Iterable[object], threads: int, wanted: str) -> None:
    """Refuse what is no batch: a str is an iterable of str, too."""
    if isinstance(things, (str, bytes)):
        raise TypeError(f"this call takes several {wanted}")
    positive("threads", threads)


def flag(name: str, value: bool) -> bool:
    """An argument that is True or False."""
    if not isinstance(value, bool):
        raise TypeError(f"{name} must be True or False, not {value!r}")
    return value


def names(name: str, values: Iterable[str]) -> Iterable[str]:
    """An argument that is several names."""
    if not isinstance(values, Iterable):
        raise TypeError(f"{name} must be a list of names, not {values!r}")
    return values


def whole(name: str, value: int) -> int:
    """An argument that is a whole number."""
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, not {type(value).__name__}") from None


def positive(name: str, value: int) -> int:
    """An argument that says how many."""
    number = whole(name, value)
    if number < 1:
        raise ConfigError(f"{name} must be at least 1, not {number}")
    if number > sys.maxsize:
        raise ConfigError(f"{name} must be at most {sys.maxsize}")
    return number


def several(things: Iterable[_Thing], threads: int, wanted: str) -> list[_Thing]:
    """The texts or sentences of a batch, checked as far as Python has to."""
    check(things, threads, wanted)
    return things if isinstance(things, list) else list(things)


def several_sentences(sentences: Iterable[_Words], threads: int) -> list[_Words]:
    """The same for sentences, each a list of words."""
    found = several(sentences, threads, "sentences, each a list of words")
    return found if _core.are_plain(found) else [words_of(sentence) for sentence in found]


def words_of(sentence: _Words) -> _Words:
    """A sentence as the core takes it: a list or a tuple, of which a generator or any other class is made here.

    Not in the core, where no Python may run: a thread that Python ends at its own end would take the process with it.
    """
    if type(sentence) in (list, tuple) or isinstance(sentence, (str, bytes)):
        return sentence
    try:
        words = iter(sentence)
    except TypeError:
        return sentence  # the core says what it should have been
    return list(words)  # type: ignore[return-value]
