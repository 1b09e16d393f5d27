# SPDX-License-Identifier: Apache-2.0
"""Preordering of English for every language to which some of it is aligned by hand, beside leaving the order as it is.

People aligned every dev and test set, and most training sets; those of XL-WA were aligned by a program. One model
learns from the pair alone, and one starts as the embedded preorderer of English to Japanese ("tuned").
"""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path

from budgie import read_model
from budgie.errors import ConfigError
from budgie.evaluation.preordering import OrderEvaluation, evaluate_order
from budgie.model.file import Model
from budgie.tasks.preordering import Preorderer
from budgie.tasks.tagging import Tagger
from budgie.train.data.preordering import ALIGNED_CORPORA, AlignedCorpus
from budgie.train.network.recipe import load_recipe
from budgie.train.reproduce.preorderers import mean, mean_and_deviation, train_on
from budgie.train.reproduce.tables import print_rows

RECIPE, TUNED = "preorder-manual", "preorder-tune"
NAMES = tuple(name for name, corpus in ALIGNED_CORPORA.items() if corpus.manual)

_HEAD = (
    "| pair | corpus | sentences to train on | test sentences scored | FRS, dev | left as it is | tuned "
    "| FRS, test | left as it is | tuned | τ, test | left as it is | tuned | licence |\n"
    "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
)


def main(args: argparse.Namespace) -> int:
    """`budgie reproduce pairs`."""
    if unknown := set(args.names or ()) - set(NAMES):
        raise ConfigError(f"no set {', '.join(sorted(unknown))}; there are {', '.join(NAMES)}")
    corpora = {name: ALIGNED_CORPORA[name] for name in args.names or NAMES}
    for corpus in corpora.values():
        corpus.prefix("train")  # is it there, before any training begins
    tagger, start = Tagger(read_model(args.tagger)), read_model(args.start)
    jobs = {name: partial(_line, name, corpus, tagger, start, args) for name, corpus in corpora.items()}
    return print_rows([_HEAD], jobs, args)


def _line(name: str, corpus: AlignedCorpus, tagger: Tagger, start: Model, args: argparse.Namespace) -> str:
    models = train_on(corpus, load_recipe(RECIPE, args.set, args.without), args, tagger=tagger)
    tuned = train_on(corpus, load_recipe(TUNED), args, start=start)
    if args.models:
        for kind, some in (("", models), ("-tuned", tuned)):
            for seed, model in enumerate(some, 1):
                model.write(Path(args.models) / f"{name}{kind}-{seed}.safetensors")
    (on_dev, on_test), (tuned_dev, tuned_test) = (_scores(corpus, some) for some in (models, tuned))
    by = "by hand" if "train" in corpus.manual else "by a program"
    return (
        f"| {corpus.source}-{corpus.target} | {corpus.name} | {len(corpus.read('train')):,}, aligned {by} "
        f"| {on_test[0].scored} | {mean_and_deviation([one.frs for one in on_dev])} "
        f"| {100 * on_dev[0].frs_unchanged:.1f} | {mean_and_deviation([one.frs for one in tuned_dev])} "
        f"| {mean_and_deviation([one.frs for one in on_test])} "
        f"| {100 * on_test[0].frs_unchanged:.1f} | {mean_and_deviation([one.frs for one in tuned_test])} "
        f"| {mean([one.tau for one in on_test])} | {100 * on_test[0].tau_unchanged:.1f} "
        f"| {mean([one.tau for one in tuned_test])} | {corpus.licence} |"
    )


def _scores(corpus: AlignedCorpus, models: list[Model]) -> tuple[list[OrderEvaluation], list[OrderEvaluation]]:
    """Of each model on dev and on test."""
    on_dev, on_test = (
        [evaluate_order(Preorderer(model), sentences) for model in models]
        for sentences in (corpus.read("dev"), corpus.read("test"))
    )
    return on_dev, on_test
