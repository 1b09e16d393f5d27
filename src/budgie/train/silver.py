# SPDX-License-Identifier: Apache-2.0
"""Silver text: sentences labelled by a teacher (train/teacher.py), a word a line with the probabilities of its tags.

    form TAB tag:probability tag:probability ...

A blank line ends a sentence.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from budgie.data import read_lines
from budgie.errors import DataError
from budgie.train.windows import Sample


def read_silver(path: Path, labels: tuple[str, ...]) -> Iterator[Sample]:
    """The sentences of a file of silver text."""
    numbers = {label: number for number, label in enumerate(labels)}
    words: list[str] = []
    rows: list[list[float]] = []
    for place, line in enumerate(read_lines(path), 1):
        if line:
            word, _, tags = line.partition("\t")
            words.append(word)
            rows.append(_row(tags, numbers, f"{path}, line {place}"))
        elif words:
            yield Sample(tuple(words), np.array(rows, dtype=np.float32))
            words, rows = [], []
    if words:
        yield Sample(tuple(words), np.array(rows, dtype=np.float32))


def _row(tags: str, numbers: dict[str, int], where: str) -> list[float]:
    row = [0.0] * len(numbers)
    try:
        for tag, _, probability in (pair.rpartition(":") for pair in tags.split(" ")):
            row[numbers[tag]] = float(probability)
    except KeyError as error:
        raise DataError(f"{where}: the training sentences have no tag {error}") from None
    except ValueError:
        raise DataError(f"{where}: not a word, a tab and tag:probability pairs") from None
    total = sum(row)
    if not total > 0:
        raise DataError(f"{where}: the probabilities do not add up to anything")
    return [probability / total for probability in row]
