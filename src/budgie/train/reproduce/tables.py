# SPDX-License-Identifier: Apache-2.0
"""What several tables have in common."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

from rich.console import Console

from budgie.errors import ConfigError

_ROUNDS = 5  # of a measurement of time; the best counts


class _Chosen(Protocol):
    @property
    def recipe(self) -> str: ...


_Row = TypeVar("_Row", bound=_Chosen)


@dataclass(frozen=True)
class Row:
    """A network of a table, and what the paper printed of it."""

    name: str
    recipe: str
    published: str  # score and size


def choose(rows: Sequence[_Row], recipes: Sequence[str] | None) -> list[_Row]:
    """The rows of some recipes, or all of them."""
    known = dict.fromkeys(row.recipe for row in rows)  # rows may share a recipe
    if unknown := set(recipes or ()) - known.keys():
        raise ConfigError(f"no row {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    return [row for row in rows if not recipes or row.recipe in recipes]


def seconds(work: Callable[[], object]) -> float:
    """Processor time of one thread, the best of several rounds."""
    best = float("inf")
    for _ in range(_ROUNDS):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def print_rows(head: Sequence[str], jobs: Mapping[str, Callable[[], str]], args: argparse.Namespace) -> int:
    """Print a table: its head, then the row that each job returns."""
    write_table([*head, *make_rows(jobs, args)], args.out)
    return 0


def make_rows(jobs: Mapping[str, Callable[[], str]], args: argparse.Namespace) -> list[str]:
    """Do one job after the other, saying which; each returns a row of the table, and may write to --models."""
    if args.models:
        Path(args.models).mkdir(parents=True, exist_ok=True)  # now, not when the first model is trained
    console = Console(stderr=True, quiet=args.quiet)
    rows = []
    for name, job in jobs.items():
        console.print(name)
        rows.append(job())
    return rows


def write_table(lines: Sequence[str], out: str | None) -> None:
    """To standard output, and to a file where one is wanted."""
    table = "\n".join(lines) + "\n"
    sys.stdout.write(table)
    if out:
        Path(out).write_text(table, encoding="utf-8")
