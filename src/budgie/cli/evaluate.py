# SPDX-License-Identifier: Apache-2.0
"""`budgie evaluate`: the model says by its task what is scored."""

from __future__ import annotations

import argparse
import dataclasses
import itertools
import sys
from collections.abc import Iterable
from typing import Any

import budgie
from budgie.cli.streams import pretty
from budgie.errors import ConfigError
from budgie.evaluation.langid import evaluate_languages, report_languages
from budgie.evaluation.preordering import evaluate_order, report_order
from budgie.evaluation.segmentation import evaluate_words, report_words
from budgie.evaluation.tagging import evaluate_tags, report_tags
from budgie.formats.alignments import read_aligned
from budgie.formats.labelled import Example, read_labelled
from budgie.formats.segmented import read_segmented, words
from budgie.formats.sentences import read_tagged
from budgie.model.file import Model

Json = dict[str, Any]

_OF_SEGMENTERS = ("convention", "standard", "dictionary")


def evaluate(args: argparse.Namespace) -> int:
    """Score a model on labelled text, on tagged sentences, on segmented or on aligned text."""
    model = budgie.read_model(args.model)
    of_task = {"langid": _languages, "pos": _tags, "seg": _words, "preorder": _order}[model.config.task]
    result, text = of_task(model, args)
    sys.stdout.write(pretty(result) if args.json else text)
    return 0


def _languages(model: Model, args: argparse.Namespace) -> tuple[Json, str]:
    _refuse(args, "train", "beam", *_OF_SEGMENTERS)
    identifier = budgie.LanguageIdentifier(model)
    examples: Iterable[Example] = itertools.chain.from_iterable(map(read_labelled, args.data))
    if args.known:
        examples = (example for example in examples if example.label in identifier.languages)
    evaluation = evaluate_languages(identifier, examples, args.languages, args.threads)
    result = dataclasses.asdict(evaluation)
    if not args.per_label:
        del result["labels"]
    return result, report_languages(evaluation, args.per_label)


def _tags(model: Model, args: argparse.Namespace) -> tuple[Json, str]:
    _refuse(args, "known", "languages", "beam", *_OF_SEGMENTERS)
    tagger, known_words = budgie.Tagger(model), None
    if args.train:
        known_words = {word for sentence in read_tagged(*args.train) for word in sentence.words}
    evaluation = evaluate_tags(tagger, read_tagged(*args.data), known_words, args.threads)
    result = dataclasses.asdict(evaluation)
    if not args.per_label:
        del result["tags"], result["confusions"]
    return result, report_tags(evaluation, args.per_label)


def _words(model: Model, args: argparse.Namespace) -> tuple[Json, str]:
    _refuse(args, "known", "languages", "per_label", "beam")
    convention, known_words = args.convention, None
    if convention is None:
        convention = "underscore" if model.config.text.spaces == "join" else "visible"
    if args.train:
        training = read_segmented(*args.train, convention=convention)
        known_words = {word for sentence in training for word in words(sentence)}
    segmenter = budgie.Segmenter(model, args.dictionary, args.standard)
    sentences = read_segmented(*args.data, convention=convention)
    evaluation = evaluate_words(segmenter, sentences, known_words, args.threads)
    return dataclasses.asdict(evaluation), report_words(evaluation)


def _order(model: Model, args: argparse.Namespace) -> tuple[Json, str]:
    _refuse(args, "known", "languages", "per_label", "train", *_OF_SEGMENTERS)
    evaluation = evaluate_order(budgie.Preorderer(model, args.beam or 1), read_aligned(*args.data), args.threads)
    return dataclasses.asdict(evaluation), report_order(evaluation)


def _refuse(args: argparse.Namespace, *options: str) -> None:
    """An option of another task would do nothing."""
    for option in options:
        if getattr(args, option):
            name = option.replace("_", "-")
            raise ConfigError(f"--{name} makes no sense with {args.model}, which is a model for another task")
