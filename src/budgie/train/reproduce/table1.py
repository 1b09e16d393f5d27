# SPDX-License-Identifier: Apache-2.0
"""Table 1 of the paper: language identification on the Wikipedia data of Baldwin and Lui (2010), ten folds.

Each fold is tested by a model trained on the nine others, with the settings and the number of steps of its recipe.
They are the same for all folds; docs/results/langid.md says how they were chosen.
"""

from __future__ import annotations

import argparse
import dataclasses
import re
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import Literal

import numpy as np
from rich.console import Console
from rich.progress import Progress

from budgie.formats.labelled import Document, read_baldwin_lui
from budgie.model.accounting import account
from budgie.model.config import Config
from budgie.tasks.langid import LanguageIdentifier
from budgie.train.data.datasets import find
from budgie.train.langid.batches import Bagger, DocumentBatches
from budgie.train.network.export import make_model
from budgie.train.network.loop import Run, train
from budgie.train.network.recipe import Recipe, load_recipe, make_config
from budgie.train.reproduce.tables import choose, write_table

UNKNOWN = "UNKNOWN"  # documents of nine editions without an ISO 639-1 code; no model has this label


@dataclass(frozen=True)
class IdentifierRow:
    """One line of the table. Rows of one recipe share the training; `bits` says how its embeddings are stored."""

    name: str
    recipe: str
    bits: Literal[8, 32]
    published: float | None  # micro-F1
    published_size: int | None  # KB


ROWS = (
    IdentifierRow("Small FF, 6 dim", "langid-paper-6", 32, 87.3, 334),
    IdentifierRow("Small FF, 16 dim", "langid-paper-16", 32, 88.0, 800),
    IdentifierRow("Small FF, 16 dim, quantised", "langid-paper-16", 8, 88.0, 302),
    IdentifierRow("Budgie, 302 KB", "langid-302k", 8, None, None),
)
NOTE = (
    "Baldwin and Lui (2010): nearest neighbour 90.2 (its memory grows with its training data), nearest prototype 87.0."
)


@dataclass(frozen=True)
class Outcome:
    """How one row did on one test fold."""

    row: int
    right: int
    known: int  # documents of the 66 languages
    documents: int  # with UNKNOWN ones


def main(args: argparse.Namespace) -> int:
    """`budgie reproduce table1`."""
    rows = choose(ROWS, args.rows)
    documents = read_baldwin_lui(find("baldwin_lui"), "Wikipedia")
    labels = tuple(sorted({document.language for document in documents} - {UNKNOWN}))
    changes = {} if args.steps is None else {"steps": args.steps}
    recipes = {name: load_recipe(name).optimised(**changes) for name in dict.fromkeys(row.recipe for row in rows)}
    jobs = [(name, fold) for name in recipes for fold in args.folds or range(10)]
    outcomes: list[Outcome] = []
    console = Console(stderr=True)
    with (
        ProcessPoolExecutor(args.workers) as pool,
        Progress(console=console, disable=args.quiet or not console.is_terminal) as progress,
    ):
        task = progress.add_task("training and testing folds", total=len(jobs))
        waiting = [pool.submit(run_fold, name, recipes[name], documents, labels, fold) for name, fold in jobs]
        for done in waiting:
            outcomes += done.result()
            progress.advance(task)
    write_table(_table(recipes, labels, outcomes), args.out)
    return 0


def run_fold(name: str, recipe: Recipe, documents: list[Document], labels: tuple[str, ...], fold: int) -> list[Outcome]:
    """Train a recipe without `fold` and test every row of that recipe on it."""
    config = make_config(recipe, labels)
    training = [document for document in documents if document.fold != fold and document.language != UNKNOWN]
    texts = [readable(document.text) for document in training]
    gold = np.array([labels.index(document.language) for document in training])
    batches = DocumentBatches(Bagger(config), texts, gold, recipe.optimise)
    weights = train(config, recipe.optimise, batches, None, Run(quiet=True)).weights
    test = [document for document in documents if document.fold == fold]
    outcomes = []
    for number, row in enumerate(ROWS):
        if row.recipe != name:
            continue
        identifier = LanguageIdentifier(make_model(with_bits(config, row.bits), weights))
        # The network's choice, not identify(): the paper must answer for documents without letters too.
        guesses = [labels[int(np.argmax(identifier.scores(readable(document.text))))] for document in test]
        right = sum(guess == document.language for guess, document in zip(guesses, test, strict=True))
        known = sum(document.language != UNKNOWN for document in test)
        outcomes.append(Outcome(number, right, known, len(test)))
    return outcomes


def readable(text: str) -> str:
    """The paper's rule for empty documents: where nothing but markup has letters, markup counts as text."""
    if re.search(r"[^\W\d_]", re.sub(r"<[^<>]*>", " ", text)):
        return text
    return text.replace("<", " ")


def with_bits(config: Config, bits: Literal[8, 32]) -> Config:
    """The same network with embeddings stored in another width."""
    groups = tuple(dataclasses.replace(group, bits=bits) for group in config.groups)
    return dataclasses.replace(config, groups=groups)


def _table(recipes: dict[str, Recipe], labels: tuple[str, ...], outcomes: list[Outcome]) -> list[str]:
    lines = [
        "| model | micro-F1, 66 languages | with UNKNOWN as wrong | published | size | published size |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for number, row in enumerate(ROWS):
        mine = [outcome for outcome in outcomes if outcome.row == number]
        if not mine:
            continue
        right = sum(outcome.right for outcome in mine)
        known, every = sum(outcome.known for outcome in mine), sum(outcome.documents for outcome in mine)
        size = account(with_bits(make_config(recipes[row.recipe], labels), row.bits)).size / 1024
        lines.append(
            f"| {row.name} | {100 * right / known:.2f} of {known:,} | {100 * right / every:.2f} of {every:,} "
            f"| {row.published or '-'} | {size:.0f} KB | {f'{row.published_size} KB' if row.published_size else '-'} |"
        )
    return [*lines, "", NOTE]
