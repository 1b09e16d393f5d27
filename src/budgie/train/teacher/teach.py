# SPDX-License-Identifier: Apache-2.0
"""`budgie teach`: a teacher learns from a treebank, or from segmented corpora, and labels them and plain text."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from budgie.errors import ConfigError
from budgie.formats.sentences import TokenisedSentence, read_tagged
from budgie.train.network.silver import write_silver
from budgie.train.segmentation.units import read_units
from budgie.train.teacher.network import Shape
from budgie.train.teacher.teacher import Clock, Encoder, Labels, Lesson, Settings, Teacher, percent_right, say
from budgie.train.teacher.text import Words, read_text
from budgie.train.teacher.together import by_language, read_languages, tags_by_language

# What differs for characters and their like: they say less each, so pairs of them count; none is ever recased.
SEGMENTATION: dict[str, Any] = {
    "shape": Shape(pairs=2**17),
    "frequent": 12_000,
    "forget": 0.2,
    "text_epochs": 20,
    "lessons": (Lesson(12, 64, 6e-4, 0.2),),
    "hidden": 0.05,
    "lower": 0.0,
    "upper": 0.0,
    "label_lengths": (2, 400),
    "reserve": 45.0,
}

# What differs for many languages: more words, more to remember, and as much time for the treebanks as for the text.
TOGETHER: dict[str, Any] = {
    "shape": Shape(width=512, layers=8, heads=8, letter=64, filters=768),
    "frequent": 120_000,
    "text_batch": 128,
    "text_rate": 1e-3,
    "lessons": (Lesson(8, 64, 4e-4, 0.2),),
    "reserve": 60.0,
}

_LEAST = 1e-6  # of each tag, so that a word always has one


def teach_command(args: argparse.Namespace, settings: Settings = Settings()) -> int:
    """`budgie teach`: a treebank and plain text in, soft labels of both out; with no members, only the encoder."""
    clock = Clock(args.seconds)
    settings = replace(settings, members=args.members, folds=args.folds, label_words=args.words, most_steps=args.steps)
    for path in (args.out, args.encoder):
        if path is not None:  # now, not when all the work is done
            Path(path).parent.mkdir(parents=True, exist_ok=True)
    teacher, dev, test = _make_teacher(args, settings)
    say(f"{len(teacher.train)} annotated sentences, {len(teacher.text)} of plain text", clock)
    if args.encoder and Path(args.encoder).exists():
        encoder = Encoder.load(Path(args.encoder))
    else:
        encoder = teacher.read(clock)
        if args.encoder:
            encoder.save(Path(args.encoder))
    if args.members:
        for name, labels in teacher.teach(encoder, dev, test, clock).items():
            for prefix, sentences, places, probabilities in _parts(args, labels, teacher):
                if name in ("dev", "test"):
                    say(f"{prefix} {name}: {percent_right(probabilities, labels.gold[places]):.2f}", clock)
                    continue
                path = Path(f"{prefix}-{name}.silver.tsv.xz")
                write_silver(path, sentences, teacher.tags, probabilities)
                say(f"{path}: {len(sentences)} sentences, {len(places)} words", clock)
    return 0


def _parts(
    args: argparse.Namespace, labels: Labels, teacher: Teacher
) -> Iterator[tuple[str, list[Words], Tensor, Tensor]]:
    """Where to write labels to, whose they are, where they stand, and they: all to one place, or by language.

    A language gets the tags of its own treebank alone: a tagger of it has no others.
    """
    probabilities = labels.probabilities()
    if not args.together:
        yield args.out, labels.sentences, torch.arange(len(probabilities)), probabilities
        return
    own_tags = tags_by_language(teacher.train)
    for language, (sentences, places) in by_language(labels.sentences).items():
        own = torch.tensor([tag in own_tags[language] for tag in teacher.tags], device=probabilities.device)
        there = places.to(probabilities.device)
        some = probabilities[there].clamp(min=_LEAST) * own
        yield f"{args.out}-{language}", sentences, there, functional.normalize(some, p=1, dim=1)


def _make_teacher(
    args: argparse.Namespace, settings: Settings
) -> tuple[Teacher, list[TokenisedSentence], list[TokenisedSentence]]:
    """A teacher, and the held-out and the test sentences."""
    test: list[TokenisedSentence] = []
    if args.together:
        others = ("train", "dev", "test", "text", "exclude", "segmented", "lexicon")
        if given := ", ".join(f"--{name}" for name in others if getattr(args, name)):
            raise ConfigError(f"--together names a folder of all sentences: leave out {given}")
        all_of_them = read_languages(Path(args.together), args.words, settings.label_lengths, args.seed)
        train, dev, text, compounds = all_of_them.train, all_of_them.dev, all_of_them.text, []
        settings = replace(settings, **TOGETHER, label_words=sum(map(len, text)))
    elif args.segmented:
        if args.train or args.dev or args.test or args.text:
            raise ConfigError("--segmented names corpora and text: leave out --train, --dev, --test and --text")
        units = read_units(args.segmented, args.lexicon)
        train, dev, text, compounds = units.train, units.dev, units.text, units.compounds
        settings = replace(settings, **SEGMENTATION)
    else:
        if not args.train or not args.dev or args.lexicon:
            raise ConfigError("give --train and --dev; --lexicon is for --segmented")
        train, dev, test = (read_tagged(*map(Path, paths)) for paths in (args.train, args.dev, args.test))
        text = read_text(map(Path, args.text), read_tagged(*map(Path, args.exclude)) + dev + test)
        compounds = []
    return Teacher(train, text, settings, args.device, args.seed, compounds), dev, test
