# SPDX-License-Identifier: Apache-2.0
"""Silver text: sentences labelled by a teacher (train/teacher/), a word a line with the probabilities of its tags.

    form TAB tag:probability tag:probability ...

A blank line ends a sentence.
"""

from __future__ import annotations

import itertools
import lzma
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from torch import Tensor

from budgie.errors import DataError
from budgie.formats.lines import read_lines
from budgie.train.network.samples import Sample

_LEAST = 5  # thousandths: tags less likely than that are not written


def read_silver(path: Path, labels: tuple[str, ...]) -> Iterator[Sample]:
    """The sentences of a file of silver text."""
    numbers = {label: number for number, label in enumerate(labels)}
    words: list[str] = []
    rows: list[list[float]] = []
    for place, line in enumerate(itertools.chain(read_lines(path), [""]), 1):  # the last blank line may be missing
        if line:
            word, _, tags = line.partition("\t")
            words.append(word)
            rows.append(_row(tags, numbers, f"{path}, line {place}"))
        elif words:
            yield Sample(tuple(words), np.array(rows, dtype=np.float32))
            words, rows = [], []


def _row(tags: str, numbers: dict[str, int], where: str) -> list[float]:
    row = [0.0] * len(numbers)
    try:
        for tag, _, probability in (pair.rpartition(":") for pair in tags.split(" ")):
            row[numbers[tag]] = _probability(probability)
    except KeyError as error:
        raise DataError(f"{where}: the training sentences have no tag {error}") from None
    except ValueError:
        raise DataError(f"{where}: not a word, a tab and tag:probability pairs") from None
    total = sum(row)
    if not total > 0:
        raise DataError(f"{where}: the probabilities do not add up to anything")
    return [probability / total for probability in row]


def _probability(text: str) -> float:
    if not 0 <= (value := float(text)) <= 1:
        raise ValueError
    return value


def write_silver(path: Path, sentences: list[tuple[str, ...]], tags: Sequence[str], probabilities: Tensor) -> None:
    """Write sentences with the probabilities of the tags of all their words [words, tags], likeliest first."""
    shares, ranks = (1000 * probabilities).round().int().cpu().sort(dim=1, descending=True, stable=True)
    likely = shares >= _LEAST
    shown = [f"{tag}:{share / 1000:.3f}" for tag in tags for share in range(1001)]
    labels = map(shown.__getitem__, (1001 * ranks + shares)[likely].tolist())  # of all words, one behind the other
    counts = iter(likely.sum(1).tolist())
    with lzma.open(path, "wt", preset=1, encoding="utf-8", newline="\n") as file:
        for words in sentences:
            lines = [f"{word}\t{' '.join(itertools.islice(labels, next(counts)))}\n" for word in words]
            file.write("".join(lines) + "\n")
