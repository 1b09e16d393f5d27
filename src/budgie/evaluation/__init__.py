# SPDX-License-Identifier: Apache-2.0
"""Scores of models on data with the right answers; here what all tasks share."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

_Item = TypeVar("_Item")
_Answer = TypeVar("_Answer")

_AT_ONCE = 4096  # texts or sentences in memory


def answered(
    items: Iterable[_Item], ask: Callable[[list[_Item]], Iterable[_Answer]]
) -> Iterator[tuple[_Item, _Answer]]:
    """Each item and its answer; `ask` answers some thousand items at a time."""
    remaining = iter(items)
    while piece := list(itertools.islice(remaining, _AT_ONCE)):
        yield from zip(piece, ask(piece), strict=True)


def report(rows: Mapping[str, str], *tables: Iterable[str]) -> str:
    """Scores for people: rows with their names, and below them tables, which are lines."""
    named = (f"{name:<18}{value}" for name, value in rows.items())
    return "\n\n".join("\n".join(lines) for lines in (named, *tables)) + "\n"
