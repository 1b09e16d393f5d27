from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from budgie.data import read_lines


@dataclass(frozen=True)
class ClusterTable:
    words: tuple[str, ...]
    classes: tuple[int, ...]
    number_of_classes: int
    fold_case: bool
    fold_digits: bool


def read_clusters(path: Path) -> ClusterTable:
    fold = [False, False]
    rows = {}
    num = {}
    for line in read_lines(path):
        if "\t" not in line:
            fold = ["fold_case=yes" in line, "fold_digits=yes" in line]
            continue
        word, c = line.split("\t")[:2]
        rows.setdefault(word, num.setdefault(c, len(num)))
    return ClusterTable(tuple(rows), tuple(rows.values()), len(num), *fold)
