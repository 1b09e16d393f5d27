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
import torch
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
    lengths = [len(words) for words in sentences]
    thousandths = (1000 * probabilities).round().int().cpu()
    shares, ranks = (torch.split(part, lengths) for part in thousandths.sort(dim=1, descending=True, stable=True))
    shown = [[f"{tag}:{share / 1000:.3f}" for share in range(1001)] for tag in tags]
    with lzma.open(path, "wt", preset=2, encoding="utf-8", newline="\n") as file:
        for words, shares_here, ranks_here in zip(sentences, shares, ranks, strict=True):
            for word, share, rank in zip(words, shares_here.tolist(), ranks_here.tolist(), strict=True):
                likely = [shown[r][s] for s, r in zip(share, rank, strict=True) if s >= _LEAST]
                file.write(f"{word}\t{' '.join(likely)}\n")
            file.write("\n")
