# SPDX-License-Identifier: Apache-2.0
"""Cross-validation of a way to train preorderers, over all sentences of a pair that serve for learning and choosing.

A hundred sentences to choose by say little: this scores every sentence of the training and dev sets, by a network that
has not learnt from it. The sentences of an article follow each other, so folds are pieces of the set as it stands. Of
each training the fold behind the scored one chooses the best step.
"""

from __future__ import annotations

import argparse
import itertools
import math
from functools import partial
from pathlib import Path
from statistics import stdev

from budgie import read_model
from budgie.clusters.table import read_clusters
from budgie.errors import ConfigError
from budgie.evaluation.preordering import OrderEvaluation, score_order
from budgie.formats.alignments import Aligned
from budgie.formats.orders import from_alignments, read_orders
from budgie.tasks.preordering import Preorderer
from budgie.tasks.tagging import Tagger
from budgie.train.data.preordering import AlignedCorpus, aligned_corpus
from budgie.train.network.recipe import Recipe, load_recipe
from budgie.train.preordering.train import PreorderingMaterial, train_preorderer
from budgie.train.reproduce.preorderers import make_run
from budgie.train.reproduce.tables import make_rows, write_table

_HEAD = (
    "| fold | sentences scored | FRS | left as it is | τ | left as it is | complete | left as it is |\n"
    "| --- | --- | --- | --- | --- | --- | --- | --- |"
)

_LEAST = 3

Answers = list[tuple[Aligned, list[int]]]  # each sentence with the order that a preorderer gives its words


def manual_folds(corpus: AlignedCorpus, count: int) -> list[list[Aligned]]:
    """The training and dev sets in pieces of one size, give or take a sentence."""
    sentences = [*corpus.read("train"), *corpus.read("dev")]
    edges = [number * len(sentences) // count for number in range(count + 1)]
    return [sentences[begin:end] for begin, end in itertools.pairwise(edges)]


def main(args: argparse.Namespace) -> int:
    """`budgie reproduce folds`."""
    if args.folds < _LEAST or max(args.only or [1]) > args.folds:
        raise ConfigError(f"--folds must be at least {_LEAST} (to learn, to choose, to score), and --only not above it")
    folds = manual_folds(aligned_corpus(args.corpus), args.folds)
    recipe = load_recipe(args.recipe, args.set, args.without)
    if args.steps:
        recipe = recipe.optimised(steps=args.steps)
    answers: list[Answers] = []
    chosen = args.only or range(1, args.folds + 1)
    jobs = {f"fold {number}": partial(_line, number, folds, recipe, answers, args) for number in chosen}
    rows = make_rows(jobs, args)
    together = [one for fold in answers for one in fold]
    of_folds = [score_order(fold).frs for fold in answers]
    error = f" ± {100 * stdev(of_folds) / math.sqrt(len(of_folds)):.1f}" if len(of_folds) > 1 else ""
    write_table([_HEAD, *rows, _row("all", score_order(together), error)], args.out)
    return 0


def _line(
    number: int, folds: list[list[Aligned]], recipe: Recipe, answers: list[Answers], args: argparse.Namespace
) -> str:
    scored, chooses = number - 1, number % len(folds)
    training = [one for place, fold in enumerate(folds) if place not in (scored, chooses) for one in fold]
    material = PreorderingMaterial(
        from_alignments(training),
        folds[chooses],
        list(read_orders(Path(args.silver.replace("FOLD", str(number))))) if args.silver else (),
        Tagger(read_model(args.tagger)) if args.tagger else None,
        read_clusters(Path(args.clusters)) if args.clusters else None,
        read_model(args.start) if args.start else None,
    )
    model = train_preorderer(recipe, material, make_run(args), {})
    if args.models:
        model.write(Path(args.models) / f"fold-{number}.safetensors")
    found = Preorderer(model).permutations([one.words for one in folds[scored]])
    answers.append(list(zip(folds[scored], found, strict=True)))
    return _row(str(number), score_order(answers[-1]))


def _row(name: str, found: OrderEvaluation, error: str = "") -> str:
    return (
        f"| {name} | {found.scored} | {100 * found.frs:.1f}{error} | {100 * found.frs_unchanged:.1f} "
        f"| {100 * found.tau:.1f} | {100 * found.tau_unchanged:.1f} "
        f"| {100 * found.complete:.1f} | {100 * found.complete_unchanged:.1f} |"
    )
