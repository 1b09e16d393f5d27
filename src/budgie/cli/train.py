# SPDX-License-Identifier: Apache-2.0
"""`budgie train`."""

from __future__ import annotations

import argparse
from typing import Any

from budgie.cli.arguments import add_command, add_training, natural, positive, size

_ABOUT = """\
Train a model from labelled text, tagged, segmented or aligned sentences (as for evaluate) by a recipe: one that comes
with Budgie, or a TOML file. pos-LANGUAGE is the recipe pos, or with --clusters pos-clusters (English: pos-taught), with
the treebank of that language, and seg-LANGUAGE the recipe and the corpora of that segmenter, if they are at hand
(docs/training.md).
preorder-FROM-TO has the aligned text of that pair; --start, --tagger and --clusters decide on its recipe.
Needs the extra: pip install 'budgie-nlp[train]'
"""

_EXAMPLES = """\
examples:
  budgie train langid-302k --train train.tsv --dev dev.tsv --out mine.safetensors
  budgie train mine.toml --train texts/ --out mine.safetensors --device cuda --workers 8
  budgie train mine.toml --train texts/ --out mine.safetensors --resume
  budgie train pos --train train.conllu --dev dev.conllu --out my-tagger.safetensors
  budgie train pos-en
  budgie train seg-small --train train.txt --dev dev.txt --lexicon words.txt --out my-segmenter.safetensors
  budgie train preorder-tune --start preorder-en-ja --train en-ko/train --dev en-ko/dev --out en-ko.safetensors
"""


def add(commands: Any) -> None:
    """`budgie train`."""
    parser = add_command(commands, "train", "train a model", _ABOUT, _EXAMPLES)
    parser.add_argument("recipe", metavar="RECIPE", help="name of a recipe, or path of a TOML file")
    parser.add_argument(
        "--train", metavar="PATH", nargs="+", help="labelled text, tagged or segmented sentences, aligned text"
    )
    parser.add_argument("--dev", metavar="PATH", nargs="+", help="the same for early stopping and calibration")
    parser.add_argument(
        "--silver", metavar="PATH", nargs="+", help="text labelled by a teacher; preorderers: orders (JSON lines)"
    )
    parser.add_argument("--clusters", metavar="FILE", help="taggers, preorderers: clusters of words (budgie cluster)")
    parser.add_argument("--tagger", metavar="MODEL", help="preorderers: the tagger that the model will carry")
    parser.add_argument(
        "--start", metavar="MODEL", help="preorderers: begin with the network, tagger and clusters of another one"
    )
    parser.add_argument("--lexicon", metavar="FILE", help="segmenters: a list of words, one a line")
    parser.add_argument("--learn-dev", action="store_true", help="seg-LANGUAGE: once all is chosen, learn from dev too")
    parser.add_argument("--out", metavar="FILE", help="the model file to write (RECIPE.safetensors)")
    parser.add_argument(
        "--budget",
        metavar="SIZE",
        type=size,
        help="of all parameters, as 700KB (of 1,000 bytes) or 1MB: as many buckets as fit",
    )
    add_training(parser)
    parser.add_argument(
        "--workers", metavar="N", type=natural, default=0, help="processes that prepare data (%(default)s)"
    )
    parser.add_argument("--seed", metavar="N", type=natural, help="instead of the recipe's")
    parser.add_argument("--steps", metavar="N", type=positive, help="instead of the recipe's")
    parser.add_argument("--resume", action="store_true", help="go on where an interrupted training stopped")
    parser.add_argument("--log", metavar="FILE", help="scores over time, JSON lines (beside --out)")
    parser.add_argument("--quiet", action="store_true", help="no progress")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Train a model by a recipe."""
    from budgie.train.command import train_command

    return train_command(args)
