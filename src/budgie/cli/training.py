# SPDX-License-Identifier: Apache-2.0
"""The commands that make models and what models are made from: cluster, train, teach, calibrate."""

from __future__ import annotations

import argparse
import importlib
from pathlib import Path
from typing import Any

from budgie.cli.arguments import add_command, add_training, natural, positive, size


def _cluster(args: argparse.Namespace) -> int:
    from budgie.cli.cluster import cluster  # noqa: PLC0415

    return cluster(args)


def _train(args: argparse.Namespace) -> int:
    return int(importlib.import_module("budgie.train.command").train_command(args))


def _teach(args: argparse.Namespace) -> int:
    return int(importlib.import_module("budgie.train.teacher.teach").teach_command(args))


def _calibrate(args: argparse.Namespace) -> int:
    return int(importlib.import_module("budgie.train.langid.calibrate").calibrate_command(args))


_CLUSTER = """\
Cluster words by the words they stand beside: the exchange algorithm, which moves each word to the class where the text
is most likely, until few words move. A sentence is a line, words are separated by white space. The text is read twice.

  one-sided  P(class | word before) P(word | class), as Uszkoreit and Brants (2008); this is the default
  two-sided  P(class | class before) P(word | class), as Brown et al. (1992): highest mutual information of classes

Output is a table: first a line that says how words were folded, then a word, a tab, its class, a tab and its count on
each line, the most frequent word first. Classes are numbered in the order they come. The result depends on the text,
the options and the seed, never on the number of threads. Input is UTF-8; what is not is read as U+FFFD.
"""

_CLUSTER_EXAMPLES = """\
examples:
  budgie cluster corpus.txt.zst --classes 256 --words 250000 --out clusters.tsv
  budgie cluster part-*.txt.gz --two-sided --fold-digits --out clusters.tsv
"""

_TRAIN = """\
Train a model from labelled text, tagged, segmented or aligned sentences (as for evaluate) by a recipe: one that comes
with Budgie, or a TOML file. pos-LANGUAGE is the recipe pos, or with --clusters pos-clusters, with the treebank of that
language, and seg-LANGUAGE the recipe and the corpora of that segmenter, if they are at hand (docs/training.md).
preorder-FROM-TO has the aligned text of that pair; --start, --tagger and --clusters decide on its recipe.
Needs the extra: pip install 'budgie-nlp[train]'
"""

_TRAIN_EXAMPLES = """\
examples:
  budgie train langid-302k --train train.tsv --dev dev.tsv --out mine.safetensors
  budgie train mine.toml --train texts/ --out mine.safetensors --device cuda --workers 8
  budgie train mine.toml --train texts/ --out mine.safetensors --resume
  budgie train pos --train train.conllu --dev dev.conllu --out my-tagger.safetensors
  budgie train pos-en
  budgie train seg-small --train train.txt --dev dev.txt --lexicon words.txt --out my-segmenter.safetensors
  budgie train preorder-tune --start preorder-en-ja --train en-ko/train --dev en-ko/dev --out en-ko.safetensors
"""

_TEACH = """\
Train a large tagger on a treebank and on plain text, and let it label both: a tagger that learns from these labels
(budgie train --silver) is better than one that has the treebank alone. Meant for a GPU, where it takes some minutes.
Writes OUT-train.silver.tsv.xz, where each sentence is labelled by networks that have not seen it, and
OUT-raw.silver.tsv.xz. Needs the extra: pip install 'budgie-nlp[train]'
"""

_TEACH_EXAMPLES = """\
examples:
  budgie teach --train train.conllu --dev dev.conllu --text plain.txt.xz --out silver/en --device cuda
  budgie train pos --train train.conllu --dev dev.conllu --silver silver/en-*.tsv.xz --out en.safetensors
  budgie teach --segmented ja --lexicon lexicons/ja.txt --out silver/ja --device cuda
"""


def add_cluster(commands: Any) -> None:
    """`budgie cluster`."""
    parser = add_command(commands, "cluster", "put words of like use into classes", _CLUSTER, _CLUSTER_EXAMPLES)
    parser.add_argument("text", metavar="TEXT", nargs="+", type=Path, help="tokenised text, .gz, .xz or .zst")
    parser.add_argument("--out", metavar="FILE", required=True, type=Path, help="the table to write")
    parser.add_argument("--classes", metavar="N", type=positive, default=256, help="how many (%(default)s)")
    parser.add_argument(
        "--words", metavar="N", type=positive, default=250_000, help="the most frequent to cluster (%(default)s)"
    )
    parser.add_argument(
        "--least", metavar="N", type=positive, default=3, help="rarer words are not clustered (%(default)s)"
    )
    parser.add_argument("--two-sided", action="store_true", help="classes on both sides, not the word before")
    parser.add_argument("--fold-case", action="store_true", help="words in lower case")
    parser.add_argument("--fold-digits", action="store_true", help="every digit is 0")
    parser.add_argument(
        "--cycles",
        metavar="N",
        type=natural,
        default=4,
        help="times that classes are split and merged on the way, for better ones (%(default)s)",
    )
    parser.add_argument(
        "--rounds", metavar="N", type=positive, default=20, help="most over all words after that (%(default)s)"
    )
    parser.add_argument(
        "--seed",
        metavar="N",
        type=natural,
        default=1,
        help="of the order of equally frequent words, and of splits (%(default)s)",
    )
    parser.add_argument("--threads", metavar="N", type=positive, help="threads to use (all cores)")
    parser.add_argument("--quiet", action="store_true", help="no progress and no summary")
    parser.set_defaults(run=_cluster)


def add_train(commands: Any) -> None:
    """`budgie train`."""
    parser = add_command(commands, "train", "train a model", _TRAIN, _TRAIN_EXAMPLES)
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
        "--budget", metavar="SIZE", type=size, help="of all parameters, as 700KB or 1MB: as many buckets as fit"
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
    parser.set_defaults(run=_train)


def add_teach(commands: Any) -> None:
    """`budgie teach`."""
    parser = add_command(commands, "teach", "label text with a large tagger", _TEACH, _TEACH_EXAMPLES)
    parser.add_argument("--train", metavar="PATH", nargs="+", default=[], help="tagged sentences to learn from")
    parser.add_argument("--dev", metavar="PATH", nargs="+", default=[], help="tagged sentences to choose by")
    parser.add_argument("--test", metavar="PATH", nargs="+", default=[], help="tagged sentences to report on")
    parser.add_argument(
        "--segmented",
        metavar="LANGUAGE",
        help="instead: corpora and text of an embedded segmenter",
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
    parser.set_defaults(run=_teach)


def add_calibrate(commands: Any) -> None:
    """`budgie calibrate`."""
    parser = add_command(
        commands,
        "calibrate",
        "make probabilities fit your texts",
        "Fit a model's probabilities to labelled text of your domain. Its answers stay the same.",
        "  budgie calibrate langid my-texts/ --out mine.safetensors",
    )
    parser.add_argument("model", metavar="MODEL", help="name of an embedded model, or a model file")
    parser.add_argument("data", metavar="DATA", nargs="+", type=Path, help="table or folder of labelled text")
    parser.add_argument("--out", required=True, metavar="FILE", help="the model file to write")
    parser.set_defaults(run=_calibrate)
