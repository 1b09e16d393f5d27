# SPDX-License-Identifier: Apache-2.0
"""`budgie train`: what is the same for every task."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from budgie.errors import ConfigError
from budgie.model.file import Model
from budgie.tasks import TASKS
from budgie.train.job import Job, changes_of
from budgie.train.network.loop import Run, find_device
from budgie.train.network.networks import Form
from budgie.train.network.recipe import load_recipe


def train_command(args: argparse.Namespace) -> int:
    """`budgie train`."""
    name, language = _recipe_and_language(args)
    recipe = load_recipe(name, changes_of(args), args.without)
    find_device(args.device)  # before hours of other work
    other = {name: getattr(args, name) for name in ("steps", "seed") if getattr(args, name) is not None}
    recipe = recipe.optimised(**other)
    out = Path(args.out or f"{Path(args.recipe).stem}.safetensors")
    if not out.parent.is_dir():
        raise ConfigError(f"--out {out}: there is no folder {out.parent}")
    checkpoint = out.with_name(out.name + ".checkpoint")
    log = Path(args.log) if args.log else out.with_name(out.name + ".log.jsonl")
    form: Form = "sparse" if args.device == "cpu" else "dense"
    run = Run(args.device, args.threads, args.workers, form, log, checkpoint, args.resume, args.quiet)
    job = Job(recipe, language, args, run)
    job.refuse_foreign()
    try:
        model: Model = TASKS[recipe.task].training().train_model(job)
    except KeyboardInterrupt:
        if checkpoint.exists():
            sys.stderr.write(f"interrupted; --resume goes on from {checkpoint}\n")
        raise
    model.write(out)
    checkpoint.unlink(missing_ok=True)
    if not args.quiet:
        sys.stderr.write(f"{out}: {out.stat().st_size:,} bytes, {model.info['scores']}\n")
    return 0


def _recipe_and_language(args: argparse.Namespace) -> tuple[str, str]:
    """A recipe by its name, or that of the embedded model which is to be trained again: TASK-LANGUAGE."""
    task, _, language = args.recipe.partition("-")
    if language and task in TASKS and language in (training := TASKS[task].training()).LANGUAGES:
        return training.recipe_of(language, args), language
    return args.recipe, ""
