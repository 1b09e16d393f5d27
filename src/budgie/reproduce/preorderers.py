# SPDX-License-Identifier: Apache-2.0
"""What the tables of preorderers have in common: training on a corpus with several seeds, means, and time."""

from __future__ import annotations

import argparse
import dataclasses
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from budgie.model import Model
from budgie.orders import from_alignments
from budgie.preordering_data import AlignedCorpus
from budgie.tagger import Tagger
from budgie.train.loop import Run
from budgie.train.preorder import Material, train_preorderer
from budgie.train.recipe import Recipe

_ROUNDS = 5  # of a measurement of time; the best counts


def train_on(corpus: AlignedCorpus, recipe: Recipe, tagger: Tagger | None, args: argparse.Namespace) -> list[Model]:
    """One model for each of the --seeds."""
    material = Material(from_alignments(corpus.read("train")), corpus.read("dev"), tagger=tagger)
    about = {"trained_on": corpus.name, "licence": corpus.licence}
    if args.steps:
        recipe = changed(recipe, steps=args.steps)
    return [
        train_preorderer(changed(recipe, seed=seed), material, make_run(args), about)
        for seed in range(1, args.seeds + 1)
    ]


def make_run(args: argparse.Namespace) -> Run:
    """Where and how to train."""
    return Run(args.device, args.threads, quiet=args.quiet)


def changed(recipe: Recipe, **changes: Any) -> Recipe:
    """The recipe, optimised in another way."""
    return dataclasses.replace(recipe, optimise=dataclasses.replace(recipe.optimise, **changes))


def mean(shares: Sequence[float]) -> str:
    """In percent."""
    return f"{100 * fmean(shares):.1f}"


def mean_and_deviation(shares: Sequence[float]) -> str:
    """In percent, with the standard deviation where there are several."""
    return mean(shares) + (f" ± {100 * stdev(shares):.1f}" if len(shares) > 1 else "")


def seconds(work: Callable[[], object]) -> float:
    """Processor time of one thread, the best of several rounds."""
    best = float("inf")
    for _ in range(_ROUNDS):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def write_table(lines: Sequence[str], out: str | None) -> None:
    """To standard output, and to a file where one is wanted."""
    table = "\n".join(lines) + "\n"
    sys.stdout.write(table)
    if out:
        Path(out).write_text(table, encoding="utf-8")
