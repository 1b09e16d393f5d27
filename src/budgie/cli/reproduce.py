# SPDX-License-Identifier: Apache-2.0
"""`budgie reproduce`: the tables of the paper."""

from __future__ import annotations

import argparse
from typing import Any

from budgie.cli.arguments import add_command, add_training, codes, positive

_TABLE2 = """\
Tagging of Universal Dependencies 1.1, by the paper's recipes and by ours. Needs the treebanks (docs/training.md); rows
with clusters need --clusters, and ours are best with --silver. A row takes minutes on a CPU, the paper's grid hours.
"""

_TABLE3 = """\
Train the paper's segmenters (table 3) and our own network on the PKU and SXU corpora, each alone, and score them. Needs
the corpora (docs/training.md). Our rows take some minutes on a CPU; the paper's are meant for a GPU.
"""

_TABLE4 = """\
Train the paper's preorderers (table 4) on the manual alignments of the Kyoto Free Translation Task, and the tagger of
one of them on UD English-EWT, and score them. Needs both (docs/training.md). Takes half an hour on a CPU.
"""

_PAIRS = """\
Train a preorderer of English for every language to which some of it is aligned by hand, and compare it with leaving the
order as it is. Needs the aligned sets (docs/training.md). A set takes a minute on a CPU. The licences of most forbid
commercial use of such a model, or are not stated: they are for measuring only.
"""

_FOLDS = """\
Cross-validation of a way to train a preorderer, over the training and dev sets of a pair together. A fold takes a
minute on a CPU with the recipe preorder-manual. Silver orders must come from a teacher that has not seen the fold they
are for: FOLD in the name of their file stands for its number, from 1.
"""

_BUDGET = """\
Train networks of 130 KB to 1 MB with and without word clusters, 14 for each language, and compare. Needs the treebanks
of Universal Dependencies 1.1 (docs/training.md). A network takes a minute on a CPU without --silver, else ten.
"""


def add(commands: Any) -> None:
    """`budgie reproduce`."""
    help_text = "make a table of the paper again"
    parser = add_command(commands, "reproduce", help_text, "Make a table of the paper again, with our code.", "")
    tables = parser.add_subparsers(title="tables", metavar="TABLE", dest="table", required=True)
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--out", metavar="FILE", help="also write the table to a file")
    shared.add_argument("--steps", metavar="N", type=positive, help="instead of the recipes'")
    shared.add_argument("--quiet", action="store_true", help="no progress")

    recipes = argparse.ArgumentParser(add_help=False)
    recipes.add_argument("--rows", metavar="RECIPE", nargs="+", help="only the rows of these recipes")

    table1 = tables.add_parser(
        "table1", parents=[shared, recipes], help="language identification, 10-fold cross-validation"
    )
    table1.add_argument(
        "--folds", metavar="F", type=int, nargs="+", choices=range(10), help="only these folds (0 to 9)"
    )
    table1.add_argument("--workers", metavar="N", type=positive, help="folds at a time (one a core)")

    table2 = tables.add_parser(
        "table2", parents=[shared, recipes], help="tagging of Universal Dependencies 1.1", description=_TABLE2
    )
    table2.add_argument(
        "--languages", metavar="CODES", type=codes, default=["el", "en", "id"], help="separated by commas (el,en,id)"
    )
    table2.add_argument(
        "--published", action="store_true", help="the paper's rows with its settings of each language, not its grid"
    )
    table2.add_argument("--silver", metavar="FOLDER", help="where `budgie teach` put ud11-LANGUAGE-*.silver.tsv.xz")
    table2.add_argument("--clusters", metavar="FOLDER", help="where `budgie cluster` put LANGUAGE.tsv")
    table2.add_argument("--models", metavar="FOLDER", help="also write the models")
    add_training(table2)

    table3 = tables.add_parser("table3", parents=[shared, recipes], help="word segmentation", description=_TABLE3)
    table3.add_argument(
        "--corpora", metavar="NAMES", type=codes, default=["pku", "sxu"], help="separated by commas (pku,sxu)"
    )
    table3.add_argument("--models", metavar="FOLDER", help="also write the models")
    add_training(table3)
    _add_preordering(tables, shared, recipes)
    _add_budget(tables, shared)
    parser.set_defaults(run=run)


def _add_preordering(tables: Any, shared: argparse.ArgumentParser, recipes: argparse.ArgumentParser) -> None:
    table4 = tables.add_parser("table4", parents=[shared, recipes], help="preordering", description=_TABLE4)
    table4.add_argument("--tagger", metavar="MODEL", help="name or path of a tagger to use, instead of training one")
    pairs = tables.add_parser(
        "pairs", parents=[shared], help="preordering for other pairs of languages", description=_PAIRS
    )
    pairs.add_argument(
        "--tagger", metavar="MODEL", default="pos-en", help="name or path of the tagger inside (%(default)s)"
    )
    pairs.add_argument(
        "--start",
        metavar="MODEL",
        default="preorder-en-ja",
        help="preorderer that the tuned ones start as (%(default)s)",
    )
    pairs.add_argument("--names", metavar="NAMES", type=codes, help="only these sets, separated by commas")
    for table in (table4, pairs):
        table.add_argument(
            "--seeds", metavar="N", type=positive, default=3, help="trainings to average over (%(default)s)"
        )
    folds = tables.add_parser(
        "folds", parents=[shared], help="preordering: cross-validation over manual sentences", description=_FOLDS
    )
    folds.add_argument("--corpus", metavar="NAME", default="enja-kftt-manual", help="the aligned set (%(default)s)")
    folds.add_argument("--recipe", metavar="RECIPE", default="preorder-manual", help="how to train (%(default)s)")
    folds.add_argument("--folds", metavar="K", type=positive, default=10, help="how many (%(default)s)")
    folds.add_argument("--only", metavar="F", type=positive, nargs="+", help="only these, from 1")
    folds.add_argument("--tagger", metavar="MODEL", help="name or path of the tagger inside")
    folds.add_argument("--clusters", metavar="FILE", help="clusters of words, for recipes that have a group of them")
    folds.add_argument("--silver", metavar="FILE", help="silver orders of each fold, as silver/fold-FOLD.jsonl")
    folds.add_argument("--start", metavar="MODEL", help="preorderer to begin as, which has not seen these sentences")
    for table in (table4, pairs, folds):
        table.add_argument("--models", metavar="FOLDER", help="also write the models")
        add_training(table)


def _add_budget(tables: Any, shared: argparse.ArgumentParser) -> None:
    budget = tables.add_parser(
        "budget",
        parents=[shared],
        help="tagging: what bytes are best spent on, clusters or more of the same",
        description=_BUDGET,
    )
    budget.add_argument(
        "--languages", metavar="CODES", type=codes, default=["el", "en", "id"], help="separated by commas (el,en,id)"
    )
    budget.add_argument("--silver", metavar="FOLDER", help="where `budgie teach` put ud11-LANGUAGE-*.silver.tsv.xz")
    budget.add_argument("--clusters", metavar="FOLDER", required=True, help="where `budgie cluster` put LANGUAGE.tsv")
    budget.add_argument("--log", metavar="FILE", help="keep what is done here, and do not do again what is there")
    budget.add_argument("--plot", metavar="FILE", help="accuracy over bytes, as .svg or .png (needs matplotlib)")
    budget.add_argument("--workers", metavar="N", type=positive, default=1, help="networks at a time (%(default)s)")
    budget.add_argument("--device", choices=["cpu", "cuda"], default="cpu", help="where to train (%(default)s)")


def run(args: argparse.Namespace) -> int:
    """Make a table: each has a module of its own."""
    from importlib import import_module

    return int(import_module(f"budgie.train.reproduce.{args.table}").main(args))
