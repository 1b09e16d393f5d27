# SPDX-License-Identifier: Apache-2.0
"""`budgie teach`."""

from __future__ import annotations

import argparse
from typing import Any

from budgie.cli.arguments import add_command, natural, positive

_ABOUT = """\
Train a large tagger on a treebank and on plain text, and let it label both: a tagger that learns from these labels
(budgie train --silver) is better than one that has the treebank alone. Meant for a GPU, where it takes some minutes.
Writes OUT-train.silver.tsv.xz, where each sentence is labelled by networks that have not seen it, and
OUT-raw.silver.tsv.xz. Needs the extra: pip install 'budgie-nlp[train]'
"""

_EXAMPLES = """\
examples:
  budgie teach --train train.conllu --dev dev.conllu --text plain.txt.xz --out silver/en --device cuda
  budgie train pos --train train.conllu --dev dev.conllu --silver silver/en-*.tsv.xz --out en.safetensors
  budgie teach --segmented ja --lexicon lexicons/ja.txt --out silver/ja --device cuda
"""


def add(commands: Any) -> None:
    """`budgie teach`."""
    parser = add_command(commands, "teach", "label text with a large tagger", _ABOUT, _EXAMPLES)
    parser.add_argument("--train", metavar="PATH", nargs="+", default=[], help="tagged sentences to learn from")
    parser.add_argument("--dev", metavar="PATH", nargs="+", default=[], help="tagged sentences to choose by")
    parser.add_argument("--test", metavar="PATH", nargs="+", default=[], help="tagged sentences to report on")
    parser.add_argument(
        "--segmented",
        metavar="LANGUAGE",
        help="instead: corpora and text of an embedded segmenter",
    )
    parser.add_argument(
        "--together",
        metavar="FOLDER",
        help="instead: several languages, LANGUAGE/train*, LANGUAGE/dev* and LANGUAGE/text*; writes OUT-LANGUAGE-...",
    )
    parser.add_argument("--lexicon", metavar="FILE", help="with --segmented: a list of words, one a line")
    parser.add_argument(
        "--text", metavar="PATH", nargs="+", default=[], help="plain text, a sentence a line, words separated by spaces"
    )
    parser.add_argument("--exclude", metavar="PATH", nargs="+", default=[], help="tagged sentences to leave out of it")
    parser.add_argument("--out", metavar="PREFIX", required=True, help="where to write the labels")
    parser.add_argument("--words", metavar="N", type=positive, default=1_200_000, help="of text to label (%(default)s)")
    parser.add_argument("--members", metavar="N", type=natural, default=8, help="networks that vote (%(default)s)")
    parser.add_argument("--folds", metavar="N", type=positive, default=8, help="each misses one of N (%(default)s)")
    parser.add_argument("--encoder", metavar="FILE", help="keep here what plain text has taught, for a second treebank")
    parser.add_argument("--seconds", metavar="N", type=positive, default=300, help="time to take (%(default)s)")
    parser.add_argument(
        "--steps",
        metavar="N",
        type=positive,
        default=2_500,
        help="most steps of a network on the treebank (%(default)s)",
    )
    parser.add_argument("--seed", metavar="N", type=natural, default=1, help="of random numbers (%(default)s)")
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cuda", help="where to train (%(default)s)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Train a teacher, and let it label text."""
    from budgie.train.teacher.teach import teach_command

    return teach_command(args)
