# SPDX-License-Identifier: Apache-2.0
"""Table 2 of the paper: tagging Universal Dependencies 1.1, and our own recipe for the same bytes.

The training sets of el, en and id are those of the paper. Those of the other languages are stand-ins (of another
release, with tags mapped), so their figures stand apart; bg, cs and es have none at all.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from budgie.evaluation.tagging import evaluate_tags
from budgie.model.accounting import MB, account
from budgie.model.file import Model
from budgie.tasks.tagging import Tagger
from budgie.train.data.treebanks import EXACT, UD11
from budgie.train.network.loop import Run
from budgie.train.network.recipe import Recipe, Setting, load_recipe
from budgie.train.reproduce.published import PUBLISHED, PUBLISHED_SETTINGS
from budgie.train.reproduce.tables import choose, make_rows, write_table
from budgie.train.reproduce.ud11 import check_languages, check_material, read_material, uses_clusters
from budgie.train.tagging.train import train_tagger


@dataclass(frozen=True)
class TaggerRow:
    """A network of the table."""

    name: str
    recipe: str
    published: int | None  # column of PUBLISHED


ROWS = (
    TaggerRow("Small FF", "pos-paper", 0),
    TaggerRow("Small FF + Clusters", "pos-paper-clusters", 1),
    TaggerRow("Small FF, 1/2 Dim. + Clusters", "pos-paper-half", 2),
    TaggerRow("Budgie, 241k weights", "pos-241k", None),
    TaggerRow("Budgie", "pos", None),
    TaggerRow("Budgie with clusters", "pos-clusters", None),
)


def main(args: argparse.Namespace) -> int:
    """`budgie reproduce table2`."""
    check_languages(args.languages)
    recipes = {row: load_recipe(row.recipe, args.set, args.without) for row in choose(ROWS, args.rows)}
    if not args.rows and args.clusters is None:
        recipes = {row: recipe for row, recipe in recipes.items() if not uses_clusters(recipe)}
    for recipe in recipes.values():
        for language in args.languages:
            check_material(recipe, language, args.silver, args.clusters)
    tables = []
    for title, wanted in (("Exact training sets", True), ("Stand-in training sets", False)):
        jobs = {
            f"{row.name}, {language}": partial(_line, row, recipe, language, args)
            for row, recipe in recipes.items()
            for language in args.languages
            if (language in EXACT) is wanted
        }
        if jobs:
            tables.append("\n".join([f"{title}:\n", _HEAD, *make_rows(jobs, args)]))
    write_table(["\n\n".join(tables)], args.out)
    return 0


_HEAD = (
    "| model | language | accuracy, dev | accuracy, test | published | weights | MB | FLOPs | setting |\n"
    "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
)


def _line(row: TaggerRow, recipe: Recipe, language: str, args: argparse.Namespace) -> str:
    if args.published and row.published is not None:
        rate, momentum, gamma, steps = PUBLISHED_SETTINGS[row.recipe][language]
        recipe = recipe.optimised(learning_rate=(rate,), momentum=(momentum,), gamma=(gamma,), steps=steps)
    if args.steps:
        recipe = recipe.optimised(steps=args.steps)
    run = Run(args.device, args.threads, form="sparse" if args.device == "cpu" else "dense", quiet=args.quiet)
    material = read_material(recipe, language, args.silver, args.clusters)
    tagger = Tagger(train_tagger(recipe, material, run, {}))
    if args.models:
        tagger.model.write(Path(args.models) / f"{row.recipe}-{language}.safetensors")
    counts = account(tagger.model.config)
    on_dev, on_test = (
        100 * evaluate_tags(tagger, sentences).accuracy
        for sentences in (material.held_out, UD11[language].read("test"))
    )
    published = f"{PUBLISHED[language][row.published]:.2f}" if row.published is not None else "-"
    return (
        f"| {row.name} | {language} | {on_dev:.2f} | {on_test:.2f} "
        f"| {published} | {counts.weights:,} | {counts.size / MB:.2f} | {counts.flops / 1e6:.2f}m "
        f"| {_setting(tagger.model)} |"
    )


def _setting(model: Model) -> str:
    setting = Setting(**json.loads(model.info["setting"]))
    return (
        f"rate {setting.learning_rate}, momentum {setting.momentum}, gamma {setting.gamma // 1000}k, L2 {setting.l2}, "
        f"step {int(model.info['steps']):,}"
    )
