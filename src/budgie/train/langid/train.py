# SPDX-License-Identifier: Apache-2.0
"""Training of a language identifier: from labelled text and a recipe to a model file."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import torch

from budgie.errors import ConfigError, DataError
from budgie.evaluation.metrics import calibration_error
from budgie.formats.labelled import Example, read_labelled
from budgie.model.file import Model
from budgie.tasks.langid import ALL, LanguageIdentifier
from budgie.train.data.datasets import DATASETS, find
from budgie.train.langid.background import BACKGROUND
from budgie.train.langid.batches import Bagger, Batch, DocumentBatches, SnippetBatches
from budgie.train.langid.calibrate import calibrate
from budgie.train.langid.corpora import Corpora, CorpusSettings, blocks, corpora_of, load_corpora
from budgie.train.langid.offer import harmless_labels, with_biases, with_usual
from budgie.train.langid.snippets import SnippetSampler
from budgie.train.network.batches import Batches, Labels
from budgie.train.network.export import make_model
from budgie.train.network.loop import Run, Training, run_through
from budgie.train.network.recipe import Recipe, make_config
from budgie.train.network.taught import TaughtTraining, teacher_of

Drawn = tuple[list[str], Labels]  # texts and the numbers of their labels

_BACKGROUND_LINES = 3000
_HELD_OUT = 30_000  # snippets for early stopping and for calibration
_OFFER = 200_000  # snippets that decide which rare labels are usual ones
_CHUNK = 4096


def train_identifier(recipe: Recipe, train_path: Path, dev_path: Path | None, run: Run) -> Model:
    """Train on a table or a folder of labelled text."""
    about = {"trained_on": train_path.name}
    if recipe.snippets is None:
        if dev_path is None:
            raise ConfigError("this recipe needs held-out texts for early stopping: give --dev")
        return train_on_documents(recipe, list(read_labelled(train_path)), list(read_labelled(dev_path)), run, about)
    if dev_path is not None:
        raise ConfigError("this recipe holds out a part of the training text by itself: leave out --dev")
    if recipe.snippets.free_only and train_path.resolve() != _official():
        raise ConfigError("snippets.free_only is for the official text, whose licences are known: leave it out")
    if train_path.resolve() == _official():
        corpora, held_out = load_corpora(
            [train_path, find("langid/train_extra")],
            find("langid/dev"),
            CorpusSettings(background_lines=_BACKGROUND_LINES, free_only=recipe.snippets.free_only),
            rare=find("langid/train_more"),
        )
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
    return _train(recipe, Training(config, recipe.optimise, run), batches, (held_texts, held_gold), about)


def train_on_snippets(recipe: Recipe, corpora: Corpora, held_out: Corpora, run: Run, about: Mapping[str, str]) -> Model:
    """Train on snippets of running text, drawn anew for every minibatch, beside a teacher if the recipe has one."""
    assert recipe.snippets is not None
    optimise, teacher = recipe.optimise, recipe.teacher
    config = dataclasses.replace(
        make_config(recipe, corpora.labels, blocks(corpora)),
        rare=tuple(sorted(corpora.rare)),
        background=tuple({BACKGROUND} & set(corpora.labels)),
    )
    sampler = SnippetSampler(corpora, optimise.seed, recipe.snippets)
    held_sampler = SnippetSampler(held_out, optimise.seed + 1, recipe.snippets)
    training = TaughtTraining(config, optimise, run, teacher) if teacher else Training(config, optimise, run)
    bagger = Bagger(teacher_of(config, teacher) if teacher else config)
    batches = SnippetBatches(bagger, sampler, optimise, alike=run.device != "cpu")
    deciding = held_sampler.batch(1, _OFFER) if config.rare else None
    return _train(recipe, training, batches, held_sampler.batch(0, _HELD_OUT), about, deciding)


def sources_of(corpora: Corpora) -> dict[str, str]:
    """Which official sources a model was trained on, and under which licences they are."""
    labels: dict[str, list[str]] = {}
    for pool in (*corpora.texts, *corpora.words):
        labels.setdefault(pool.source, []).append(pool.label)
    names = [f"{name} ({', '.join(few)} only)" if len(few) < 4 else name for name, few in sorted(labels.items())]
    licences = {
        DATASETS[source].licence if source in DATASETS else "not stated"
        for source, of in labels.items()
        if source in DATASETS or of != [BACKGROUND]  # a program has made up the other text of no language
    }
    return {"trained_on": ", ".join(names), "licence": "; ".join(sorted(licences))}


def _train(
    recipe: Recipe,
    training: Training,
    batches: Batches,
    held_out: Drawn,
    about: Mapping[str, str],
    deciding: Drawn | None = None,
) -> Model:
    texts, gold = held_out
    config = training.networks.config
    trained = run_through(training, batches, _in_chunks(Bagger(config), texts, gold))
    weights = trained.weights
    if recipe.snippets and deciding:  # which rare labels are usual ones
        weights = with_biases(config, weights)
        harmless = harmless_labels(
            LanguageIdentifier(make_model(config, weights)), *deciding, recipe.snippets.rare_takes
        )
        config, weights, numbers = with_usual(config, weights, harmless)
        gold = numbers[gold]
    # Half of the held-out texts calibrate, the other half says how well that went.
    model = make_model(config, weights)
    calibration = calibrate(LanguageIdentifier(model), texts[::2], gold[::2])
    model = make_model(config, weights, calibration)
    asked = [(text, config.labels[label]) for text, label in zip(texts[1::2], gold[1::2], strict=True)]
    asked = [(text, label) for text, label in asked if label not in config.background]
    answers = LanguageIdentifier(model).identify_batch([text for text, _ in asked], ALL)
    right = [answer.language == label for answer, (_, label) in zip(answers, asked, strict=True)]
    scores = {
        "held-out accuracy": sum(right) / len(right),
        "held-out calibration error": calibration_error(right, [answer.probability for answer in answers]),
    }
    return make_model(config, weights, calibration, trained.info(recipe, about, scores))


def _in_chunks(bagger: Bagger, texts: list[str], gold: Labels) -> list[Batch]:
    return [
        Batch(bagger.bags(texts[i : i + _CHUNK]), torch.from_numpy(gold[i : i + _CHUNK]))
        for i in range(0, len(texts), _CHUNK)
    ]
