# SPDX-License-Identifier: Apache-2.0
"""The question of the paper's section 3.2, for our own recipe: are bytes better spent on word clusters?

Every network is that of the recipe pos-clusters, or the same without clusters, with as many buckets as the budget
allows. At one budget other ways to spend it are tried as well: more hidden units, more dimensions, fewer of either.
"""

from __future__ import annotations

import argparse
import dataclasses
import importlib.util
import json
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress

from budgie.errors import DataError, MissingExtra
from budgie.evaluation.tagging import evaluate_tags
from budgie.model.accounting import KB, account
from budgie.tasks.tagging import Tagger
from budgie.train.data.treebanks import UD11
from budgie.train.network.loop import Run
from budgie.train.network.recipe import Recipe, load_recipe
from budgie.train.reproduce.tables import write_table
from budgie.train.reproduce.ud11 import check_languages, check_material, read_material
from budgie.train.tagging.train import train_tagger


@dataclass(frozen=True)
class Point:
    """A network to train: its budget, and what is not as in the recipe."""

    budget: int  # KB
    hidden: int
    clusters: bool
    dim: int = 8

    @property
    def name(self) -> str:
        """How the table calls it."""
        return f"{'clusters' if self.clusters else 'no clusters'}, {self.hidden} units, {self.dim} dimensions"


# Few units where there are few bytes: a layer of 256 alone takes 150 KB.
CURVE = [
    Point(kb, hidden, c)
    for kb, hidden in ((130, 64), (200, 96), (400, 128), (700, 256), (1000, 256))
    for c in (False, True)
]
OTHER_WAYS = [Point(700, 128, False), Point(700, 128, True), Point(700, 512, False), Point(700, 192, False, dim=16)]
POINTS = CURVE + OTHER_WAYS
# Without a teacher's text there is less to learn from: more dropout, and fewer steps.
TREEBANK_ALONE = [
    "optimise.feature_dropout = 0.3",
    "optimise.dropout = [0.3]",
    "optimise.batch = 512",
    "optimise.steps = 2500",
    "optimise.evaluate_every = 250",
]


@dataclass(frozen=True)
class Measured:
    """A network that has been trained."""

    point: Point
    language: str
    size: int  # bytes, as the paper counts
    dev: float
    test: float
    silver: bool  # whether there was a teacher
    steps: int  # of training, at most


def main(args: argparse.Namespace) -> int:
    """`budgie reproduce budget`."""
    check_languages(args.languages)
    for language in args.languages:
        check_material(load_recipe("pos-clusters"), language, args.silver, args.clusters)
    if args.plot and not importlib.util.find_spec("matplotlib"):
        raise MissingExtra("--plot needs matplotlib: pip install matplotlib")
    silver = args.silver is not None
    log = Path(args.log) if args.log else None
    steps = make_recipe(POINTS[0], silver, args.steps).optimise.steps
    rows = [row for row in _read_log(log) if (row.silver, row.steps) == (silver, steps)] if log else []
    done = {(row.point, row.language) for row in rows}
    # Large networks first: at the end no worker then has a long way to go alone.
    order = sorted(POINTS, key=lambda point: (-point.hidden, -point.budget))
    jobs = [(point, language) for point in order for language in args.languages if (point, language) not in done]
    for row in _train_all(jobs, args):
        rows.append(row)
        if log:
            with log.open("a", encoding="utf-8") as file:
                file.write(json.dumps(dataclasses.asdict(row)) + "\n")
    write_table(_table(rows, args.languages), args.out)
    if args.plot:
        _plot(rows, args.languages, Path(args.plot))
    return 0


def _train_all(jobs: list[tuple[Point, str]], args: argparse.Namespace) -> Iterator[Measured]:
    console = Console(stderr=True)
    settings = (args.silver, args.clusters, args.device, args.steps)
    with (
        # Not forked: CUDA does not survive that.
        ProcessPoolExecutor(args.workers, mp_context=get_context("spawn")) as pool,
        Progress(console=console, disable=args.quiet or not console.is_terminal) as progress,
    ):
        task = progress.add_task("training networks", total=len(jobs))
        try:
            for finished in as_completed([pool.submit(train_point, *job, *settings) for job in jobs]):
                yield finished.result()
                progress.advance(task)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)  # those that run end; those that wait do not begin
            raise


def train_point(
    point: Point, language: str, silver: str | None, clusters: str, device: str, steps: int | None
) -> Measured:
    """Train and test one network."""
    recipe = make_recipe(point, silver is not None, steps)
    material = read_material(recipe, language, silver, clusters)
    tagger = Tagger(train_tagger(recipe, material, Run(device, quiet=True), {}))
    dev, test = (evaluate_tags(tagger, s).accuracy for s in (material.held_out, UD11[language].read("test")))
    size, steps = account(tagger.model.config).size, recipe.optimise.steps
    return Measured(point, language, size, 100 * dev, 100 * test, silver is not None, steps)


def make_recipe(point: Point, silver: bool, steps: int | None) -> Recipe:
    """The recipe of a point."""
    changes = [f"network.budget = {point.budget * KB}", f"network.hidden = {point.hidden}"]
    if not silver:
        changes += TREEBANK_ALONE
    if steps:
        changes.append(f"optimise.steps = {steps}")
    recipe = load_recipe("pos-clusters", changes, [] if point.clusters else ["clusters"])
    return recipe.with_groups(
        dataclasses.replace(group, dim=point.dim) if group.kind in ("ngrams", "words") else group
        for group in recipe.network.groups
    )


def _read_log(path: Path) -> list[Measured]:
    rows = []
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
        try:
            values: dict[str, Any] = json.loads(line)
            rows.append(Measured(**{**values, "point": Point(**values["point"])}))
        except (ValueError, KeyError, TypeError):
            raise DataError(
                f"{path}, line {len(rows) + 1}: not a row of this table; leave it out or begin anew"
            ) from None
    return rows


def _table(rows: Iterable[Measured], languages: list[str]) -> list[str]:
    found = {(row.point, row.language): row for row in rows}
    lines = [
        "| budget | network | " + " | ".join(f"{x}: KB, dev, test" for x in languages) + " | mean, dev | mean, test |",
        "| --- |" + " --- |" * (len(languages) + 3),
    ]
    for point in sorted(POINTS, key=lambda point: (point.budget, point.hidden, point.dim, point.clusters)):
        mine = [found[point, language] for language in languages if (point, language) in found]
        if len(mine) < len(languages):
            continue
        cells = [f"{row.size / KB:.0f}, {row.dev:.2f}, {row.test:.2f}" for row in mine]
        means = (sum(values) / len(mine) for values in ([row.dev for row in mine], [row.test for row in mine]))
        lines.append(
            " | ".join([f"| {point.budget} KB", point.name, *cells, *(f"{mean:.2f}" for mean in means)]) + " |"
        )
    return lines


def _plot(rows: list[Measured], languages: list[str], path: Path) -> None:
    from matplotlib import rc_context  # noqa: PLC0415
    from matplotlib.figure import Figure  # noqa: PLC0415

    figure = Figure(figsize=(4 * len(languages), 3.2), layout="constrained")
    for axes, language in zip(figure.subplots(1, len(languages), squeeze=False)[0], languages, strict=True):
        for clusters, name, colour in ((True, "with clusters", "tab:green"), (False, "without", "tab:gray")):
            of_curve = [
                row
                for row in rows
                if row.language == language and row.point in CURVE and row.point.clusters is clusters
            ]
            of_curve.sort(key=lambda row: row.size)
            sizes = [row.size / KB for row in of_curve]
            axes.plot(sizes, [row.dev for row in of_curve], "o-", color=colour, label=f"{name}, dev")
            axes.plot(sizes, [row.test for row in of_curve], "o--", color=colour, label=f"{name}, test", alpha=0.6)
        axes.set(title=language, xlabel="KB", ylabel="accuracy, %")
        axes.grid(alpha=0.3)
    axes.legend(fontsize="small")
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "budgie"}):  # text as text; the same file every time
        figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
