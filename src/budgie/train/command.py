# SPDX-License-Identifier: Apache-2.0
"""`budgie train`: what is the same for every task."""

from __future__ import annotations

import argparse
import dataclasses
import sys
from pathlib import Path

from budgie.clusters.table import read_clusters
from budgie.errors import ConfigError
from budgie.model import Model
from budgie.sentences import read_tagged
from budgie.train.langid import train_identifier
from budgie.train.loop import Run, find_device
from budgie.train.networks import Form
from budgie.train.pos import Material, train_tagger
from budgie.train.recipe import Recipe, load_recipe
from budgie.treebanks import PLAIN_TEXT, TREEBANKS, Treebank


def train_command(args: argparse.Namespace) -> int:
    """`budgie train`."""
    treebank = {f"pos-{language}": treebank for language, treebank in TREEBANKS.items()}.get(args.recipe)
    # pos-LANGUAGE: how the embedded tagger of that language was trained.
    name = ("pos-clusters" if args.clusters else "pos") if treebank else args.recipe
    recipe = load_recipe(name, _changes(args), args.without)
    find_device(args.device)  # before hours of other work
    other = {name: getattr(args, name) for name in ("steps", "seed") if getattr(args, name) is not None}
    recipe = dataclasses.replace(recipe, optimise=dataclasses.replace(recipe.optimise, **other))
    out = Path(args.out or f"{Path(args.recipe).stem}.safetensors")
    if not out.parent.is_dir():
        raise ConfigError(f"--out {out}: there is no folder {out.parent}")
    checkpoint = out.with_name(out.name + ".checkpoint")
    log = Path(args.log) if args.log else out.with_name(out.name + ".log.jsonl")
    form: Form = "sparse" if args.device == "cpu" else "dense"
    run = Run(args.device, args.threads, args.workers, form, log, checkpoint, args.resume, args.quiet)
    try:
        model = _train(recipe, treebank, args, run)
    except KeyboardInterrupt:
        if checkpoint.exists():
            sys.stderr.write(f"interrupted; --resume goes on from {checkpoint}\n")
        raise
    model.write(out)
    checkpoint.unlink(missing_ok=True)
    if not args.quiet:
        sys.stderr.write(f"{out}: {out.stat().st_size:,} bytes, {model.info['scores']}\n")
    return 0


def _changes(args: argparse.Namespace) -> list[str]:
    """What the command line changes in the recipe."""
    return [*args.set, *([] if args.budget is None else [f"network.budget={args.budget}"])]


def _about_changes(args: argparse.Namespace) -> dict[str, str]:
    changes = [*_changes(args), *(f"without {group}" for group in args.without)]
    return {"changes": "; ".join(changes)} if changes else {}


def _train(recipe: Recipe, treebank: Treebank | None, args: argparse.Namespace, run: Run) -> Model:
    training, held_out, silver = ([Path(path) for path in paths or []] for paths in (args.train, args.dev, args.silver))
    if recipe.task == "pos":
        if run.workers and run.device != "cpu":
            raise ConfigError("taggers prepare their data on the GPU itself: leave out --workers")
        clusters = read_clusters(Path(args.clusters)) if args.clusters else None
        if treebank is not None and not training and not held_out:
            about = {"trained_on": treebank.name, "licence": treebank.licence, **_about_changes(args)}
            language = args.recipe.removeprefix("pos-")
            if silver:
                about["silver"] = ", ".join(PLAIN_TEXT.get(language, ["the treebank itself"]))
            if args.clusters:
                about["clusters"] = Path(args.clusters).name
            material = Material(treebank.read("train"), treebank.read("dev"), silver, clusters)
            return train_tagger(recipe, material, run, about)
        if not training or not held_out:
            raise ConfigError("a tagger needs held-out sentences for early stopping: give --train and --dev")
        used = [*training, *silver, *([Path(args.clusters)] if args.clusters else [])]
        about = {"trained_on": ", ".join(path.name for path in used), **_about_changes(args)}
        material = Material(read_tagged(*training), read_tagged(*held_out), silver, clusters)
        return train_tagger(recipe, material, run, about)
    if recipe.task == "langid":
        if len(training) != 1 or len(held_out) > 1 or silver or args.clusters:
            raise ConfigError(
                "language identification takes one --train, at most one --dev, no --silver, no --clusters"
            )
        return train_identifier(recipe, training[0], held_out[0] if held_out else None, run)
    raise ConfigError(f"recipe {args.recipe} is for {recipe.task}, which cannot be trained yet")
