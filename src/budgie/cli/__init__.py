# SPDX-License-Identifier: Apache-2.0
"""The command `budgie`. What only one sub-command needs is imported there: `identify` has to start fast."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import budgie
from budgie.cli.arguments import add_choice, add_command
from budgie.cli.reproduce import add_reproduce
from budgie.cli.tasks import add_beam, add_identify, add_preorder, add_segment, add_tag, add_words
from budgie.cli.training import add_calibrate, add_cluster, add_teach, add_train
from budgie.errors import Error, MissingExtra


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    args = make_parser().parse_args(argv)
    try:
        status: int = args.run(args)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return 130  # 128 + SIGINT, as a shell reports it
    except BrokenPipeError:
        # `| head` has read enough. Python flushes once more when it ends; that must not fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141  # 128 + SIGPIPE
    except (Error, MissingExtra) as error:
        return _fail(str(error))
    except OSError as error:
        return _fail(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    return status


def _fail(message: str) -> int:
    sys.stderr.write(f"budgie: {message}\n")
    return 1


# ---- commands --------------------------------------------------------------------------------------------------


def _evaluate(args: argparse.Namespace) -> int:
    from budgie.cli.evaluate import evaluate  # noqa: PLC0415

    return evaluate(args)


def _info(args: argparse.Namespace) -> int:
    from budgie.cli.streams import pretty  # noqa: PLC0415
    from budgie.model.describe import describe, show  # noqa: PLC0415

    description = describe(budgie.read_model(args.model))
    sys.stdout.write(pretty(description) if args.json else show(description))
    return 0


def _models(_args: argparse.Namespace) -> int:
    from budgie.model.accounting import account  # noqa: PLC0415
    from budgie.model.describe import knows, size_of  # noqa: PLC0415

    for name in budgie.models():
        config = budgie.read_model(name).config
        sys.stdout.write(f"{name}\t{config.task}\t{knows(config)}\t{size_of(account(config).size)}\n")
    return 0


# ---- the parser ------------------------------------------------------------------------------------------------

_EVALUATE = """\
Score a model on data with the right answers (.gz, .xz and .zst are fine).

  language identification  a table of label TAB text lines, or a folder of files LABEL.txt with a text a line;
                           accuracy over all texts is the micro-averaged F1 of the paper
  tagging                  CoNLL-U, or lines of word TAB tag with a blank line after each sentence
  segmentation             a sentence a line, words separated by spaces; the text is

                             joined      the words with nothing between them
                             visible     the same, but ▁ alone is a space of the text and no word
                             underscore  the words with spaces between them; _ inside of a word is a space

                           and precision and recall count words whose begin and end are both right
  preordering              aligned text: DATA is what stands before .src, .tgt and .align in the names of three files
                           (a sentence a line; links i-j of source word i and target word j, from 0)
"""

_EVALUATE_EXAMPLES = """\
examples:
  budgie evaluate langid test.tsv
  budgie evaluate langid folder/ --known --per-label
  budgie evaluate mine.safetensors test.tsv --json
  budgie evaluate pos-en en_ewt-ud-test.conllu --train en_ewt-ud-train.conllu --per-label
  budgie evaluate seg-zh pku_test_gold.utf8 --train pku_training.utf8 --standard pku
  budgie evaluate preorder-en-ja corpus/test
"""


def make_parser() -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    parser = argparse.ArgumentParser(
        prog="budgie", description="Natural language processing with small feed-forward networks."
    )
    parser.add_argument("--version", action="version", version=f"budgie {budgie.__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    add_identify(commands)
    add_tag(commands)
    add_segment(commands)
    add_preorder(commands)
    _add_evaluate(commands)
    add_cluster(commands)

    info = commands.add_parser("info", help="say what is in a model", description="Say what is in a model.")
    info.add_argument("model", metavar="MODEL", help="name of an embedded model, or path of a model file")
    info.add_argument("--json", action="store_true", help="one JSON object")
    info.set_defaults(run=_info)

    models = commands.add_parser("models", help="list the embedded models", description="List the embedded models.")
    models.set_defaults(run=_models)

    add_train(commands)
    add_teach(commands)
    add_calibrate(commands)
    add_reproduce(commands)
    return parser


def _add_evaluate(commands: Any) -> None:
    parser = add_command(commands, "evaluate", "score a model on labelled data", _EVALUATE, _EVALUATE_EXAMPLES)
    parser.add_argument("model", metavar="MODEL", help="name of an embedded model, or path of a model file")
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
    add_words(parser)
    add_beam(parser)
    parser.add_argument("--per-label", action="store_true", help="also a table of all labels; confusions of tags")
    parser.add_argument("--known", action="store_true", help="leave out texts whose label the model does not know")
    parser.add_argument("--json", action="store_true", help="one JSON object; shares are between 0 and 1")
    add_choice(parser)
    parser.set_defaults(run=_evaluate)
