# SPDX-License-Identifier: Apache-2.0
"""The command `budgie`. What only one sub-command needs is imported there: `identify` has to start fast."""

from __future__ import annotations

import argparse
import importlib
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import budgie
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


def _identify(args: argparse.Namespace) -> int:
    from budgie.commands.identify import identify  # noqa: PLC0415

    return identify(args)


def _tag(args: argparse.Namespace) -> int:
    from budgie.commands.tag import tag  # noqa: PLC0415

    return tag(args)


def _cluster(args: argparse.Namespace) -> int:
    from budgie.commands.cluster import cluster  # noqa: PLC0415

    return cluster(args)


def _evaluate(args: argparse.Namespace) -> int:
    from budgie.commands.evaluate import evaluate  # noqa: PLC0415

    return evaluate(args)


def _info(args: argparse.Namespace) -> int:
    from budgie.commands.streams import pretty  # noqa: PLC0415
    from budgie.describe import describe, show  # noqa: PLC0415

    description = describe(budgie.read_model(args.model))
    sys.stdout.write(pretty(description) if args.json else show(description))
    return 0


def _models(_args: argparse.Namespace) -> int:
    from budgie.accounting import account  # noqa: PLC0415
    from budgie.describe import size_of  # noqa: PLC0415

    for name in budgie.models():
        config = budgie.read_model(name).config
        sys.stdout.write(f"{name}\t{config.task}\t{len(config.labels)} labels\t{size_of(account(config).size)}\n")
    return 0


def _train(args: argparse.Namespace) -> int:
    return int(importlib.import_module("budgie.train.command").train_command(args))


def _teach(args: argparse.Namespace) -> int:
    return int(importlib.import_module("budgie.train.teacher").teach_command(args))


def _calibrate(args: argparse.Namespace) -> int:
    return int(importlib.import_module("budgie.train.calibrate").calibrate_command(args))


def _reproduce(args: argparse.Namespace) -> int:
    return int(importlib.import_module(f"budgie.reproduce.{args.table}").main(args))


# ---- the parser ------------------------------------------------------------------------------------------------

_IDENTIFY = """\
Identify the language of each line, as it comes. Columns of the output, separated by tabs:

  language  probability  reliable (yes or no)  text

  --whole   the last column is the name of the file
  --rank K  language:probability of the K best, separated by spaces, then the text
  --spans   one row a span: number of the line (or name of the file), first character, character behind the last,
            language, probability, reliable, text of the span
  --json    one object a text, with the same names

Text without letters gets the language und. Input is UTF-8; what is not is read as U+FFFD and written unchanged.
"""

_IDENTIFY_EXAMPLES = """\
examples:
  echo 'Wer ist das?' | budgie identify
  budgie identify crawl.txt.gz --threads 4 --no-text | cut -f 1 | sort | uniq -c
  budgie identify crawl.txt | awk -F '\\t' '$1 == "de" && $3 == "yes"' | cut -f 4-
  budgie identify --whole --json *.txt
  budgie identify --spans --languages en,fr mixed.txt
"""

_TAG = """\
Tag each word of tokenised sentences, as they come. This command does not cut text into words: punctuation and other
words must already stand apart. Input is one of

  conllu   CoNLL-U; the UPOS column gets the tags, all else stays as it is
  columns  a word, a tab and a tag (or _) on each line, a blank line after each sentence; the tags are not looked at
  text     a sentence a line, words separated by spaces, or by tabs where the line has any

and auto looks at the first line that is no comment. Output is one of

  conllu   CoNLL-U; --probabilities adds TagProb=0.9876 to the last column
  tsv      a word, a tab, its tag (and a tab and the probability) on each line, a blank line after each sentence
  json     one object a sentence: words, tags (and probabilities)

A sentence of no words stays: it is one more blank line, or an object with empty lists.
Input is UTF-8; what is not is read as U+FFFD.
"""

_TAG_EXAMPLES = """\
examples:
  echo 'The cat sat on the mat .' | budgie tag --lang en --format tsv
  budgie tag --lang en --threads 4 corpus.conllu.gz --output tagged.conllu
  budgie tag --model mine.safetensors --probabilities --format json sentences.txt
"""

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

_EVALUATE = """\
Score a model on data with the right answers (.gz, .xz and .zst are fine).

  language identification  a table of label TAB text lines, or a folder of files LABEL.txt with a text a line;
                           accuracy over all texts is the micro-averaged F1 of the paper
  tagging                  CoNLL-U, or lines of word TAB tag with a blank line after each sentence
"""

_EVALUATE_EXAMPLES = """\
examples:
  budgie evaluate langid test.tsv
  budgie evaluate langid folder/ --known --per-label
  budgie evaluate mine.safetensors test.tsv --json
  budgie evaluate pos-en en_ewt-ud-test.conllu --train en_ewt-ud-train.conllu --per-label
"""

_TRAIN = """\
Train a model from labelled text or tagged sentences (as for evaluate) by a recipe: one that comes with Budgie, or a
TOML file. pos-LANGUAGE is the recipe pos, or with --clusters pos-clusters, with the treebank of that language, if it
is at hand (docs/training.md).
Needs the extra: pip install 'budgie-nlp[train]'
"""

_TRAIN_EXAMPLES = """\
examples:
  budgie train langid-302k --train train.tsv --dev dev.tsv --out mine.safetensors
  budgie train mine.toml --train texts/ --out mine.safetensors --device cuda --workers 8
  budgie train mine.toml --train texts/ --out mine.safetensors --resume
  budgie train pos --train train.conllu --dev dev.conllu --out my-tagger.safetensors
  budgie train pos-en
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
"""


def make_parser() -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    parser = argparse.ArgumentParser(
        prog="budgie", description="Natural language processing with small feed-forward networks."
    )
    parser.add_argument("--version", action="version", version=f"budgie {budgie.__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add_identify(commands)
    _add_tag(commands)
    _add_evaluate(commands)
    _add_cluster(commands)

    info = commands.add_parser("info", help="say what is in a model", description="Say what is in a model.")
    info.add_argument("model", metavar="MODEL", help="name of an embedded model, or path of a model file")
    info.add_argument("--json", action="store_true", help="one JSON object")
    info.set_defaults(run=_info)

    models = commands.add_parser("models", help="list the embedded models", description="List the embedded models.")
    models.set_defaults(run=_models)

    _add_train(commands)
    _add_teach(commands)
    _add_calibrate(commands)
    _add_reproduce(commands)
    return parser


def _add_identify(commands: Any) -> None:
    parser = _add(commands, "identify", "identify the language of texts", _IDENTIFY, _IDENTIFY_EXAMPLES)
    parser.add_argument(
        "files", metavar="FILE", nargs="*", help="text, .gz, .xz or .zst; - or nothing is standard input"
    )
    parser.add_argument("--whole", action="store_true", help="each file is one text, not each line")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--rank", metavar="K", type=_positive, help="the K most probable languages")
    form.add_argument("--spans", action="store_true", help="where in a text which language is used")
    parser.add_argument("--json", action="store_true", help="JSON lines instead of columns")
    parser.add_argument("--no-text", action="store_true", help="do not repeat the text in the output")
    parser.add_argument(
        "--model", default="langid", help="name of an embedded model, or path of a model file (%(default)s)"
    )
    parser.add_argument("--output", metavar="FILE", help="write here instead of to standard output")
    _add_choice(parser)
    parser.set_defaults(run=_identify)


def _add_tag(commands: Any) -> None:
    parser = _add(commands, "tag", "tag the words of sentences", _TAG, _TAG_EXAMPLES)
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="*",
        help="tokenised text or CoNLL-U, .gz, .xz or .zst; - or nothing is standard input",
    )
    tagger = parser.add_mutually_exclusive_group(required=True)
    tagger.add_argument("--lang", metavar="CODE", help="language of the text, for the embedded model pos-CODE")
    tagger.add_argument("--model", help="name of an embedded model, or path of a model file")
    parser.add_argument(
        "--input",
        choices=["auto", "conllu", "columns", "text"],
        default="auto",
        help="format of the input (%(default)s)",
    )
    parser.add_argument(
        "--format", choices=["conllu", "tsv", "json"], default="conllu", help="format of the output (%(default)s)"
    )
    parser.add_argument("--probabilities", action="store_true", help="say how probable each tag is")
    parser.add_argument("--output", metavar="FILE", help="write here instead of to standard output")
    _add_threads(parser, "sentences")
    parser.set_defaults(run=_tag)


def _add_evaluate(commands: Any) -> None:
    parser = _add(commands, "evaluate", "score a model on labelled data", _EVALUATE, _EVALUATE_EXAMPLES)
    parser.add_argument("model", metavar="MODEL", help="name of an embedded model, or path of a model file")
    parser.add_argument(
        "data", metavar="DATA", nargs="+", type=Path, help="table or folder of labelled text; tagged sentences"
    )
    parser.add_argument(
        "--train",
        metavar="PATH",
        action="append",
        type=Path,
        help="training data of a tagger, once for each file: also score unknown words",
    )
    parser.add_argument("--per-label", action="store_true", help="also a table of all labels; confusions of tags")
    parser.add_argument("--known", action="store_true", help="leave out texts whose label the model does not know")
    parser.add_argument("--json", action="store_true", help="one JSON object; shares are between 0 and 1")
    _add_choice(parser)
    parser.set_defaults(run=_evaluate)


def _add_cluster(commands: Any) -> None:
    parser = _add(commands, "cluster", "put words of like use into classes", _CLUSTER, _CLUSTER_EXAMPLES)
    parser.add_argument("text", metavar="TEXT", nargs="+", type=Path, help="tokenised text, .gz, .xz or .zst")
    parser.add_argument("--out", metavar="FILE", required=True, type=Path, help="the table to write")
    parser.add_argument("--classes", metavar="N", type=_positive, default=256, help="how many (%(default)s)")
    parser.add_argument(
        "--words", metavar="N", type=_positive, default=250_000, help="the most frequent to cluster (%(default)s)"
    )
    parser.add_argument(
        "--least", metavar="N", type=_positive, default=3, help="rarer words are not clustered (%(default)s)"
    )
    parser.add_argument("--two-sided", action="store_true", help="classes on both sides, not the word before")
    parser.add_argument("--fold-case", action="store_true", help="words in lower case")
    parser.add_argument("--fold-digits", action="store_true", help="every digit is 0")
    parser.add_argument(
        "--cycles",
        metavar="N",
        type=_natural,
        default=4,
        help="times that classes are split and merged on the way, for better ones (%(default)s)",
    )
    parser.add_argument(
        "--rounds", metavar="N", type=_positive, default=20, help="most over all words after that (%(default)s)"
    )
    parser.add_argument(
        "--seed",
        metavar="N",
        type=_natural,
        default=1,
        help="of the order of equally frequent words, and of splits (%(default)s)",
    )
    parser.add_argument("--threads", metavar="N", type=_positive, help="threads to use (all cores)")
    parser.add_argument("--quiet", action="store_true", help="no progress and no summary")
    parser.set_defaults(run=_cluster)


def _add_train(commands: Any) -> None:
    parser = _add(commands, "train", "train a model", _TRAIN, _TRAIN_EXAMPLES)
    parser.add_argument("recipe", metavar="RECIPE", help="name of a recipe, or path of a TOML file")
    parser.add_argument("--train", metavar="PATH", nargs="+", help="labelled text or tagged sentences to learn from")
    parser.add_argument("--dev", metavar="PATH", nargs="+", help="the same for early stopping and calibration")
    parser.add_argument("--silver", metavar="PATH", nargs="+", help="taggers: sentences labelled by a teacher")
    parser.add_argument("--clusters", metavar="FILE", help="taggers: clusters of words (budgie cluster)")
    parser.add_argument("--out", metavar="FILE", help="the model file to write (RECIPE.safetensors)")
    parser.add_argument(
        "--budget", metavar="SIZE", type=_size, help="of all parameters, as 700KB or 1MB: as many buckets as fit"
    )
    _add_training(parser)
    parser.add_argument(
        "--workers", metavar="N", type=_natural, default=0, help="processes that prepare data (%(default)s)"
    )
    parser.add_argument("--seed", metavar="N", type=_natural, help="instead of the recipe's")
    parser.add_argument("--steps", metavar="N", type=_positive, help="instead of the recipe's")
    parser.add_argument("--resume", action="store_true", help="go on where an interrupted training stopped")
    parser.add_argument("--log", metavar="FILE", help="scores over time, JSON lines (beside --out)")
    parser.add_argument("--quiet", action="store_true", help="no progress")
    parser.set_defaults(run=_train)


def _add_teach(commands: Any) -> None:
    parser = _add(commands, "teach", "label text with a large tagger", _TEACH, _TEACH_EXAMPLES)
    parser.add_argument("--train", metavar="PATH", nargs="+", required=True, help="tagged sentences to learn from")
    parser.add_argument("--dev", metavar="PATH", nargs="+", required=True, help="tagged sentences to choose by")
    parser.add_argument("--test", metavar="PATH", nargs="+", default=[], help="tagged sentences to report on")
    parser.add_argument(
        "--text", metavar="PATH", nargs="+", default=[], help="plain text, a sentence a line, words separated by spaces"
    )
    parser.add_argument("--exclude", metavar="PATH", nargs="+", default=[], help="tagged sentences to leave out of it")
    parser.add_argument("--out", metavar="PREFIX", required=True, help="where to write the labels")
    parser.add_argument(
        "--words", metavar="N", type=_positive, default=1_200_000, help="of text to label (%(default)s)"
    )
    parser.add_argument("--members", metavar="N", type=_natural, default=8, help="networks that vote (%(default)s)")
    parser.add_argument("--folds", metavar="N", type=_positive, default=8, help="each misses one of N (%(default)s)")
    parser.add_argument("--encoder", metavar="FILE", help="keep here what plain text has taught, for a second treebank")
    parser.add_argument("--seconds", metavar="N", type=_positive, default=300, help="time to take (%(default)s)")
    parser.add_argument(
        "--steps",
        metavar="N",
        type=_positive,
        default=2_500,
        help="most steps of a network on the treebank (%(default)s)",
    )
    parser.add_argument("--seed", metavar="N", type=_natural, default=1, help="of random numbers (%(default)s)")
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cuda", help="where to train (%(default)s)")
    parser.set_defaults(run=_teach)


def _add_calibrate(commands: Any) -> None:
    parser = _add(
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


def _add_reproduce(commands: Any) -> None:
    help_text = "make a table of the paper again"
    parser = _add(commands, "reproduce", help_text, "Make a table of the paper again, with our code.", "")
    tables = parser.add_subparsers(title="tables", metavar="TABLE", dest="table", required=True)
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--out", metavar="FILE", help="also write the table to a file")
    shared.add_argument("--steps", metavar="N", type=_positive, help="instead of the recipes'")
    shared.add_argument("--quiet", action="store_true", help="no progress")

    recipes = argparse.ArgumentParser(add_help=False)
    recipes.add_argument("--rows", metavar="RECIPE", nargs="+", help="only the rows of these recipes")

    table1 = tables.add_parser(
        "table1", parents=[shared, recipes], help="language identification, 10-fold cross-validation"
    )
    table1.add_argument(
        "--folds", metavar="F", type=int, nargs="+", choices=range(10), help="only these folds (0 to 9)"
    )
    table1.add_argument("--workers", metavar="N", type=_positive, help="folds at a time (one a core)")

    table2 = tables.add_parser("table2", parents=[shared, recipes], help="tagging of Universal Dependencies 1.1")
    table2.add_argument(
        "--languages", metavar="CODES", type=_codes, default=["el", "en", "id"], help="separated by commas (el,en,id)"
    )
    table2.add_argument(
        "--published", action="store_true", help="the paper's rows with its settings of each language, not its grid"
    )
    table2.add_argument("--silver", metavar="FOLDER", help="where `budgie teach` put ud11-LANGUAGE-*.silver.tsv.xz")
    table2.add_argument("--clusters", metavar="FOLDER", help="where `budgie cluster` put LANGUAGE.tsv")
    table2.add_argument("--models", metavar="FOLDER", help="also write the models")
    _add_training(table2)
    _add_budget(tables, shared)
    parser.set_defaults(run=_reproduce)


def _add_budget(tables: Any, shared: argparse.ArgumentParser) -> None:
    budget = tables.add_parser(
        "budget", parents=[shared], help="tagging: what bytes are best spent on, clusters or more of the same"
    )
    budget.add_argument(
        "--languages", metavar="CODES", type=_codes, default=["el", "en", "id"], help="separated by commas (el,en,id)"
    )
    budget.add_argument("--silver", metavar="FOLDER", help="where `budgie teach` put ud11-LANGUAGE-*.silver.tsv.xz")
    budget.add_argument("--clusters", metavar="FOLDER", required=True, help="where `budgie cluster` put LANGUAGE.tsv")
    budget.add_argument("--log", metavar="FILE", help="keep what is done here, and do not do again what is there")
    budget.add_argument("--plot", metavar="FILE", help="accuracy over bytes, as .svg or .png (needs matplotlib)")
    budget.add_argument("--workers", metavar="N", type=_positive, default=1, help="networks at a time (%(default)s)")
    budget.add_argument("--device", choices=["cpu", "cuda"], default="cpu", help="where to train (%(default)s)")


def _add_training(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--set", metavar="TOML", nargs="+", default=[], help="changes of the recipe, as 'network.hidden = 64'"
    )
    parser.add_argument("--without", metavar="GROUP", nargs="+", default=[], help="leave out these feature groups")
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu", help="where to train (%(default)s)")
    parser.add_argument("--threads", metavar="N", type=_positive, default=1, help="CPU threads of torch (%(default)s)")


def _add(commands: Any, name: str, help_text: str, description: str, examples: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        name,
        help=help_text,
        description=description,
        epilog=examples,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    return parser


def _add_choice(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--languages", metavar="CODE,CODE", type=_codes, help="choose among these languages only")
    _add_threads(parser, "texts")


def _add_threads(parser: argparse.ArgumentParser, units: str) -> None:
    parser.add_argument(
        "--threads", metavar="N", type=_positive, default=1, help=f"threads for many {units} (%(default)s)"
    )


def _codes(text: str) -> list[str]:
    return [code for part in text.split(",") if (code := part.strip())]


def _size(text: str) -> int:
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(KB|MB|)", text, re.IGNORECASE)
    size = float(found[1]) * {"": 1, "KB": 1024, "MB": 1024**2}[found[2].upper()] if found else 0
    if not 1 <= size < 2**40:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a size such as 700KB, 1MB or 500000")
    return int(size)


def _positive(text: str) -> int:
    return _whole(text, 1)


def _natural(text: str) -> int:
    return _whole(text, 0)


def _whole(text: str, least: int) -> int:
    if not text.isdecimal() or int(text) < least:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of {least} or more")
    return int(text)
