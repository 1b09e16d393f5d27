# SPDX-License-Identifier: Apache-2.0
"""Preordering of English for every language to which some of it is aligned by hand, beside leaving the order as it is.

People aligned every dev and test set, and most training sets; those of XL-WA were aligned by a program.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from rich.console import Console

from budgie import read_model
from budgie.errors import ConfigError
from budgie.evaluate_order import evaluate_order
from budgie.preorderer import Preorderer
from budgie.preordering_data import CORPORA, AlignedCorpus
from budgie.reproduce.preorderers import mean, mean_and_deviation, train_on, write_table
from budgie.tagger import Tagger
from budgie.train.recipe import load_recipe

RECIPE = "preorder-manual"
NAMES = tuple(name for name, corpus in CORPORA.items() if corpus.manual)

_HEAD = (
    "| pair | corpus | sentences to train on | test sentences scored | FRS, dev | left as it is | FRS, test "
    "| left as it is | τ, test | left as it is | complete, test | left as it is | licence |\n"
    "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
)


def main(args: argparse.Namespace) -> int:
    """`budgie reproduce pairs`."""
    if unknown := set(args.names or ()) - set(NAMES):
        raise ConfigError(f"no set {', '.join(sorted(unknown))}; there are {', '.join(NAMES)}")
    corpora = {name: CORPORA[name] for name in args.names or NAMES}
    for corpus in corpora.values():
        corpus.prefix("train")  # is it there, before any training begins
    if args.models:
        Path(args.models).mkdir(parents=True, exist_ok=True)
    tagger = Tagger(read_model(args.tagger))
    console = Console(stderr=True)
    lines = [_HEAD]
    for name, corpus in corpora.items():
        if not args.quiet:
            console.print(name)
        lines.append(_line(name, corpus, tagger, args))
    write_table(lines, args.out)
    return 0


def _line(name: str, corpus: AlignedCorpus, tagger: Tagger, args: argparse.Namespace) -> str:
    models = train_on(corpus, load_recipe(RECIPE, args.set, args.without), tagger, args)
    if args.models:
        for seed, model in enumerate(models, 1):
            model.write(Path(args.models) / f"{name}-{seed}.safetensors")
    preorderers = [Preorderer(model) for model in models]
    dev, test = corpus.read("dev"), corpus.read("test")
    on_dev, on_test = ([evaluate_order(one, sentences) for one in preorderers] for sentences in (dev, test))
    by = "by hand" if "train" in corpus.manual else "by a program"
    return (
        f"| {corpus.source}-{corpus.target} | {corpus.name} | {len(corpus.read('train')):,}, aligned {by} "
        f"| {on_test[0].scored} | {mean_and_deviation([one.frs for one in on_dev])} "
        f"| {100 * on_dev[0].frs_unchanged:.1f} | {mean_and_deviation([one.frs for one in on_test])} "
        f"| {100 * on_test[0].frs_unchanged:.1f} | {mean([one.tau for one in on_test])} "
        f"| {100 * on_test[0].tau_unchanged:.1f} | {mean([one.complete for one in on_test])} "
        f"| {100 * on_test[0].complete_unchanged:.1f} | {corpus.licence} |"
    )
