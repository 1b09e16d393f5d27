# SPDX-License-Identifier: Apache-2.0
"""What the tables of preorderers have in common: training on a corpus with several seeds, and means."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from statistics import fmean, stdev

from budgie.formats.orders import from_alignments
from budgie.model.file import Model
from budgie.tasks.tagging import Tagger
from budgie.train.data.preordering import AlignedCorpus
from budgie.train.network.loop import Run
from budgie.train.network.recipe import Recipe
from budgie.train.preordering.train import PreorderingMaterial, train_preorderer


def train_on(
    corpus: AlignedCorpus,
    recipe: Recipe,
    args: argparse.Namespace,
    tagger: Tagger | None = None,
    start: Model | None = None,
) -> list[Model]:
    """One model for each of the --seeds."""
    material = PreorderingMaterial(
        from_alignments(corpus.read("train")), corpus.read("dev"), tagger=tagger, start=start
    )
    about = {"trained_on": corpus.name, "licence": corpus.licence}
    if args.steps:
        recipe = recipe.optimised(steps=args.steps)
    return [
        train_preorderer(recipe.optimised(seed=seed), material, make_run(args), about)
        for seed in range(1, args.seeds + 1)
    ]


def make_run(args: argparse.Namespace) -> Run:
    """Where and how to train."""
    return Run(args.device, args.threads, quiet=args.quiet)


def mean(shares: Sequence[float]) -> str:
    """In percent."""
    return f"{100 * fmean(shares):.1f}"


def mean_and_deviation(shares: Sequence[float]) -> str:
    """In percent, with the standard deviation where there are several."""
    return mean(shares) + (f" ± {100 * stdev(shares):.1f}" if len(shares) > 1 else "")
