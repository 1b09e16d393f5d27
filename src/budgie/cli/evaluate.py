# SPDX-License-Identifier: Apache-2.0
"""`budgie evaluate`: the model says by its task what is scored."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import budgie
from budgie.cli.arguments import add_beam, add_choice, add_command, add_words, refuse, refuse_both
from budgie.cli.streams import pretty
from budgie.tasks import TASKS

_ANNOTATION = "annotation"  # what stands for all models of a pipeline

_ABOUT = """\
Score a model on data with the right answers (.gz, .xz and .zst are fine).

  language identification  a table of label TAB text lines, or a folder of files LABEL.txt with a text a line;
                           accuracy over all texts is the micro-averaged F1 of the paper
  tagging                  CoNLL-U, or lines of word TAB tag with a blank line after each sentence
  segmentation             a sentence a line, words separated by spaces; the text is

                             joined      the words with nothing between them
                             visible     the same, but ▁ alone is a space of the text and no word
                             underscore  the words with spaces between them; _ inside of a word is a space

                           and precision and recall count words whose start and end are both right
  preordering              aligned text: DATA is what stands before .src, .tgt and .align in the names of three files
                           (a sentence a line; links i-j of source word i and target word j, from 0)

With `annotation` instead of a model, all that `budgie annotate` finds in the raw text of treebanks (CoNLL-U) is scored
as in the shared task of CoNLL 2018: tokens, sentences, words and tags.
"""

_EXAMPLES = """\
examples:
  budgie evaluate langid test.tsv
  budgie evaluate langid folder/ --known --per-label
  budgie evaluate mine.safetensors test.tsv --json
  budgie evaluate pos-en en_ewt-ud-test.conllu --train en_ewt-ud-train.conllu --per-label
  budgie evaluate seg-zh-research pku_test_gold.utf8 --train pku_training.utf8 --standard pku
  budgie evaluate preorder-en-ja corpus/test
  budgie evaluate annotation fr_gsd-ud-test.conllu --language fr
"""


def add(commands: Any) -> None:
    """`budgie evaluate`."""
    parser = add_command(commands, "evaluate", "score a model on labelled data", _ABOUT, _EXAMPLES)
    parser.add_argument(
        "model", metavar="MODEL", help="name of an embedded model, path of a model file, or `annotation`"
    )
    parser.add_argument(
        "data",
        metavar="DATA",
        nargs="+",
        type=Path,
        help="labelled text, tagged sentences, segmented text, aligned text",
    )
    parser.add_argument(
        "--train",
        metavar="PATH",
        action="append",
        type=Path,
        help="training data of a tagger or a segmenter, once for each file: also score unknown words",
    )
    parser.add_argument(
        "--convention",
        choices=["joined", "visible", "underscore"],
        help="what the text of segmented lines is (by the model: underscore for Vietnamese, else visible)",
    )
    parser.add_argument("--language", metavar="CODE", help="of annotation: the language of the text (found out)")
    add_words(parser)
    add_beam(parser)
    parser.add_argument("--per-label", action="store_true", help="also a table of all labels; confusions of tags")
    parser.add_argument("--known", action="store_true", help="leave out texts whose label the model does not know")
    parser.add_argument("--json", action="store_true", help="one JSON object; shares are between 0 and 1")
    add_choice(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Score a model on labelled text, on tagged sentences, on segmented or on aligned text."""
    if args.model == _ANNOTATION:
        return _evaluate_annotation(args)
    model = budgie.read_model(args.model)
    task = TASKS[model.config.task]
    foreign = {option for row in TASKS.values() for option in (*row.settings, *row.evaluated_with)}
    foreign = (foreign | {"language"}) - {*task.settings, *task.evaluated_with}
    refuse(
        args, foreign, lambda option: f"{option} makes no sense with {args.model}, which is a model for another task"
    )
    given = {name: value for name in task.settings if (value := getattr(args, name))}
    result, text = task.evaluation().evaluate_command(task.make(model, **given), args)
    sys.stdout.write(pretty(result) if args.json else text)
    return 0


def _evaluate_annotation(args: argparse.Namespace) -> int:
    from budgie.evaluation.raw_text import evaluate_annotation_command

    options = {option for row in TASKS.values() for option in (*row.settings, *row.evaluated_with)} - {"languages"}
    refuse(args, options, lambda option: f"{option} makes no sense with {_ANNOTATION}")
    refuse_both(args)
    result, text = evaluate_annotation_command(args)
    sys.stdout.write(pretty(result) if args.json else text)
    return 0
