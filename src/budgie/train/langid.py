# SPDX-License-Identifier: Apache-2.0
"""Training of a language identifier: from labelled text and a recipe to a model file."""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import torch

from budgie.config import Config
from budgie.data import Example, read_labelled
from budgie.datasets import DATASETS, find
from budgie.errors import ConfigError, DataError
from budgie.langid import LanguageIdentifier
from budgie.metrics import calibration_error
from budgie.model import Model
from budgie.train.batches import Bagger, Batch, Batches, DocumentBatches, Labels, SnippetBatches
from budgie.train.calibrate import calibrate
from budgie.train.corpora import Corpora, blocks, corpora_of, load_corpora
from budgie.train.export import make_model
from budgie.train.loop import Run, train
from budgie.train.networks import Form
from budgie.train.recipe import Recipe, load_recipe
from budgie.train.snippets import SnippetSampler

_HELD_OUT = 30_000  # snippets for early stopping and for calibration
_CHUNK = 4096


def train_command(args: argparse.Namespace) -> int:
    """`budgie train`."""
    recipe = load_recipe(args.recipe)
    if recipe.task != "langid":
        raise ConfigError(f"recipe {args.recipe} is for {recipe.task}, which cannot be trained yet")
    if args.device == "cuda" and not torch.cuda.is_available():
        raise ConfigError("--device cuda: PyTorch finds no GPU here")
    changes = {name: getattr(args, name) for name in ("steps", "seed") if getattr(args, name) is not None}
    recipe = dataclasses.replace(recipe, optimise=dataclasses.replace(recipe.optimise, **changes))
    out = Path(args.out)
    if not out.parent.is_dir():
        raise ConfigError(f"--out {out}: there is no folder {out.parent}")
    checkpoint = out.with_name(out.name + ".checkpoint")
    log = Path(args.log) if args.log else out.with_name(out.name + ".log.jsonl")
    form: Form = "sparse" if args.device == "cpu" else "dense"
    run = Run(args.device, args.threads, args.workers, form, log, checkpoint, args.resume, args.quiet)
    try:
        model = train_identifier(recipe, Path(args.train), Path(args.dev) if args.dev else None, run)
    except KeyboardInterrupt:
        if checkpoint.exists():
            sys.stderr.write(f"interrupted; --resume goes on from {checkpoint}\n")
        raise
    model.write(out)
    checkpoint.unlink(missing_ok=True)
    if not args.quiet:
        sys.stderr.write(f"{out}: {out.stat().st_size:,} bytes, {model.info['scores']}\n")
    return 0


def train_identifier(recipe: Recipe, train_path: Path, dev_path: Path | None, run: Run) -> Model:
    """Train on a table or a folder of labelled text."""
    about = {"recipe": recipe.about, "trained_on": train_path.name}
    if recipe.snippets is None:
        if dev_path is None:
            raise ConfigError("this recipe needs held-out texts for early stopping: give --dev")
        return train_on_documents(recipe, list(read_labelled(train_path)), list(read_labelled(dev_path)), run, about)
    if dev_path is not None:
        raise ConfigError("this recipe holds out a part of the training text by itself: leave out --dev")
    if train_path.resolve() == _official():
        corpora, held_out = load_corpora(train_path, train_path.parent / "dev")
        about |= sources_of(corpora)
    else:
        corpora, held_out = corpora_of(read_labelled(train_path))
    return train_on_snippets(recipe, corpora, held_out, run, about)


def _official() -> Path | None:
    """Where the official corpora stand, which are cleaned in ways that would harm other people's data."""
    try:
        return find("langid/train").resolve()
    except DataError:
        return None


def train_on_documents(
    recipe: Recipe, examples: list[Example], held_out: list[Example], run: Run, about: Mapping[str, str]
) -> Model:
    """Train on texts as they are."""
    labels = tuple(sorted({example.label for example in examples}))
    numbers = {label: number for number, label in enumerate(labels)}
    if unknown := {example.label for example in held_out} - set(labels):
        raise DataError(
            f"the held-out data has the label {sorted(unknown)[0]!r}, which the training data does not have"
        )
    config = make_config(recipe, labels)
    texts, gold = [e.text for e in examples], np.array([numbers[e.label] for e in examples])
    batches = DocumentBatches(Bagger(config), texts, gold, recipe.optimise)
    held_texts, held_gold = [e.text for e in held_out], np.array([numbers[e.label] for e in held_out])
    return _train(recipe, config, batches, (held_texts, held_gold), run, about)


def train_on_snippets(recipe: Recipe, corpora: Corpora, held_out: Corpora, run: Run, about: Mapping[str, str]) -> Model:
    """Train on snippets of running text, drawn anew for every minibatch."""
    assert recipe.snippets is not None
    config = make_config(recipe, corpora.labels, blocks(corpora))
    seed = recipe.optimise.seed
    sampler = SnippetSampler(corpora, seed, recipe.snippets)
    held = SnippetSampler(held_out, seed + 1, recipe.snippets).batch(0, _HELD_OUT)
    batches = SnippetBatches(Bagger(config), sampler, recipe.optimise)
    return _train(recipe, config, batches, held, run, about)


def sources_of(corpora: Corpora) -> dict[str, str]:
    """Which official sources a model was trained on, and under which licences they are."""
    labels: dict[str, list[str]] = {}
    for pool in (*corpora.texts, *corpora.words):
        labels.setdefault(pool.source, []).append(pool.label)
    names = [f"{name} ({', '.join(few)} only)" if len(few) < 4 else name for name, few in sorted(labels.items())]
    licences = sorted({DATASETS[source].licence for source in labels if source in DATASETS})
    return {"trained_on": ", ".join(names), "licence": "; ".join(licences)}


def make_config(recipe: Recipe, labels: tuple[str, ...], known: tuple[int, ...] = ()) -> Config:
    """The network of a recipe for these labels; `known` names the blocks of letters it learns, where not all."""
    if len(labels) < 2:
        raise DataError(f"the training data has only one label, {labels[0]}: there is nothing to learn")
    network = recipe.network
    text = dataclasses.replace(network.text, blocks=network.text.blocks or known)
    return Config(recipe.task, network.groups, network.hidden, labels, text, network.layer_bits)


def _train(
    recipe: Recipe,
    config: Config,
    batches: Batches,
    held_out: tuple[list[str], Labels],
    run: Run,
    about: Mapping[str, str],
) -> Model:
    texts, gold = held_out
    trained = train(config, recipe.optimise, batches, _in_chunks(Bagger(config), texts, gold), run)
    # Half of the held-out texts calibrate, the other half says how well that went.
    model = make_model(config, trained.weights)
    calibration = calibrate(LanguageIdentifier(model), texts[::2], gold[::2])
    model = make_model(config, trained.weights, calibration)
    answers = LanguageIdentifier(model).identify_batch(texts[1::2])
    right = [answer.language == config.labels[label] for answer, label in zip(answers, gold[1::2], strict=True)]
    scores = {
        "held-out accuracy": round(100 * sum(right) / len(right), 2),
        "held-out calibration error": round(100 * calibration_error(right, [a.probability for a in answers]), 2),
    }
    setting = dataclasses.asdict(trained.setting)
    info = {**about, "scores": json.dumps(scores), "setting": json.dumps(setting), "steps": str(trained.step)}
    return make_model(config, trained.weights, calibration, info)


def _in_chunks(bagger: Bagger, texts: list[str], gold: Labels) -> list[Batch]:
    return [
        Batch(bagger.bags(texts[i : i + _CHUNK]), torch.from_numpy(gold[i : i + _CHUNK]))
        for i in range(0, len(texts), _CHUNK)
    ]
