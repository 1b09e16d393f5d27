# SPDX-License-Identifier: Apache-2.0
"""Tables of clusters: `word TAB class` or `word TAB class TAB count` on each line, plain or compressed.

What `budgie cluster` writes begins with a comment, `# fold_case=no fold_digits=no`, that says which words count as one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from budgie._core import fold_word
from budgie.errors import DataError
from budgie.formats.files import replace_file
from budgie.formats.lines import read_lines

_FLAGS = {"no": False, "yes": True}


@dataclass(frozen=True)
class ClusterTable:
    """Words and their classes, numbered from 0; a word is looked up as folding makes it."""

    words: tuple[str, ...]
    classes: tuple[int, ...]
    number_of_classes: int
    fold_case: bool = False
    fold_digits: bool = False

    def __post_init__(self) -> None:
        if not self.words or len(self.words) != len(self.classes):
            raise DataError(f"{len(self.words)} words and {len(self.classes)} classes are no table")
        if not 0 <= min(self.classes) <= max(self.classes) < self.number_of_classes:
            raise DataError(f"classes must be from 0 to {self.number_of_classes - 1}")

    def write(self, path: str | Path, counts: Sequence[int]) -> None:
        """Write the table with the count of each word, all at once."""
        names = {value: name for name, value in _FLAGS.items()}
        lines = [f"# fold_case={names[self.fold_case]} fold_digits={names[self.fold_digits]}"]
        lines += (f"{w}\t{c}\t{n}" for w, c, n in zip(self.words, self.classes, counts, strict=True))
        replace_file(Path(path), "".join(f"{line}\n" for line in lines).encode())


def read_clusters(path: str | Path) -> ClusterTable:
    """Read a table of `budgie cluster`, or any other one of words and classes, whose names are digits.

    Classes are numbered in the order they come. A word that is there twice, as it stands or after folding, has the
    class of its first line.
    """
    folding: dict[str, bool] = {}
    classes: dict[str, int] = {}
    numbers: dict[str, int] = {}  # by their names, as they stand: 010 and 10 are two paths in a tree of Brown's
    for line_number, line in enumerate(read_lines(Path(path)), 1):
        where = f"{path}, line {line_number}"
        if line_number == 1 and line.startswith("#") and "\t" not in line:
            folding = _folding(line, where)
            continue
        fields = line.split("\t")
        if len(fields) not in {2, 3} or not fields[0]:
            raise DataError(f"{where}: not a word, a tab and its class")
        word, name = fields[0], fields[1]
        if not (name.isascii() and name.isdecimal()):
            raise DataError(f"{where}: the class {name[:40]!r} is not a number; a word comes first, then its class")
        word = fold_word(word, **folding) if any(folding.values()) else word
        if word not in classes:
            classes[word] = numbers.setdefault(name, len(numbers))
    if not classes:
        raise DataError(f"{path} holds no words")
    return ClusterTable(tuple(classes), tuple(classes.values()), len(numbers), **folding)


def _folding(comment: str, where: str) -> dict[str, bool]:
    settings = dict(part.partition("=")[::2] for part in comment.removeprefix("#").split())
    if set(settings) != {"fold_case", "fold_digits"} or not _FLAGS.keys() >= set(settings.values()):
        raise DataError(f"{where}: the comment must be like '# fold_case=no fold_digits=yes'")
    return {name: _FLAGS[value] for name, value in settings.items()}
