# SPDX-License-Identifier: Apache-2.0
"""Sentences whose words have an order: what `budgie preorder --format json` writes, and preorderers learn from."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from budgie.errors import DataError
from budgie.formats.alignments import Aligned, merged_order
from budgie.formats.lines import read_lines


@dataclass(frozen=True, slots=True)
class Ordered:
    """The words of a sentence, and their numbers in the order of the target language."""

    words: tuple[str, ...]
    order: Sequence[int]


def from_alignments(sentences: Iterable[Aligned]) -> list[Ordered]:
    """The orders that alignments say."""
    return [Ordered(sentence.words, merged_order(sentence.links)) for sentence in sentences]


def read_orders(path: Path) -> Iterator[Ordered]:
    """JSON lines with the names source (a list of words) and permutation (their numbers in the target order)."""
    for number, line in enumerate(read_lines(path), 1):
        if not line.strip():
            continue
        try:
            data = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise DataError(f"{path}, line {number}: not JSON ({error})") from None
        found = data if isinstance(data, dict) else {}
        words, order = _list_of(str, found.get("source")), _list_of(int, found.get("permutation"))
        if words is None or order is None or sorted(order) != list(range(len(words))):
            raise DataError(
                f"{path}, line {number}: not an object with source, a list of words, and permutation, a list of their "
                "numbers from 0, each once"
            )
        yield Ordered(tuple(words), order)


def _list_of(kind: type, found: Any) -> Any:
    return found if isinstance(found, list) and all(type(one) is kind for one in found) else None
