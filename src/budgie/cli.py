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
from budgie.arguments import add_choice, add_command, add_streams, add_threads, positive
from budgie.errors import Error, MissingExtra
from budgie.training_cli import add_calibrate, add_cluster, add_reproduce, add_teach, add_train


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


def _segment(args: argparse.Namespace) -> int:
    from budgie.commands.segment import segment  # noqa: PLC0415

    return segment(args)


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
        knows = f"{len(config.labels)} labels" if config.task != "seg" else " ".join(config.standards) or "-"
        sys.stdout.write(f"{name}\t{config.task}\t{knows}\t{size_of(account(config).size)}\n")
    return 0


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

_SEGMENT = """\
Cut each line into words, as it comes. White space between words is left out; nothing else is changed. Output is one of

  words  the words of a line, with a space between them; a space inside of a word is written _
  spans  one row a word: number of the line, first character, character behind the last, word, separated by tabs
  json   one object a line: text, words, spans (pairs of first character and character behind the last)

An empty line stays: it is an empty line, no row, or an object with empty lists. A dictionary is a file of words that
stay whole, one a line and nothing else. Input is UTF-8; what is not is read as U+FFFD.
"""

_SEGMENT_EXAMPLES = """\
examples:
  echo '我们在图书馆看书' | budgie segment --lang zh
  budgie segment --lang ja --threads 4 crawl.txt.gz --output words.txt
  budgie segment --lang zh --dictionary products.txt --format spans reviews.txt
  budgie segment --model mine.safetensors --separator ' | ' text.txt
"""

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
"""

_EVALUATE_EXAMPLES = """\
examples:
  budgie evaluate langid test.tsv
  budgie evaluate langid folder/ --known --per-label
  budgie evaluate mine.safetensors test.tsv --json
  budgie evaluate pos-en en_ewt-ud-test.conllu --train en_ewt-ud-train.conllu --per-label
  budgie evaluate seg-zh pku_test_gold.utf8 --train pku_training.utf8 --standard pku
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
    _add_segment(commands)
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


def _add_identify(commands: Any) -> None:
    parser = add_command(commands, "identify", "identify the language of texts", _IDENTIFY, _IDENTIFY_EXAMPLES)
    add_streams(parser)
    parser.add_argument("--whole", action="store_true", help="each file is one text, not each line")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--rank", metavar="K", type=positive, help="the K most probable languages")
    form.add_argument("--spans", action="store_true", help="where in a text which language is used")
    parser.add_argument("--json", action="store_true", help="JSON lines instead of columns")
    parser.add_argument("--no-text", action="store_true", help="do not repeat the text in the output")
    parser.add_argument(
        "--model", default="langid", help="name of an embedded model, or path of a model file (%(default)s)"
    )
    add_choice(parser)
    parser.set_defaults(run=_identify)


def _add_tag(commands: Any) -> None:
    parser = add_command(commands, "tag", "tag the words of sentences", _TAG, _TAG_EXAMPLES)
    add_streams(parser, "tokenised text or CoNLL-U")
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
    add_threads(parser, "sentences")
    parser.set_defaults(run=_tag)


def _add_segment(commands: Any) -> None:
    parser = add_command(commands, "segment", "cut text into words", _SEGMENT, _SEGMENT_EXAMPLES)
    add_streams(parser)
    segmenter = parser.add_mutually_exclusive_group(required=True)
    segmenter.add_argument("--lang", metavar="CODE", help="language of the text, for the embedded model seg-CODE")
    segmenter.add_argument("--model", help="name of an embedded model, or path of a model file")
    _add_words(parser)
    parser.add_argument(
        "--format", choices=["words", "spans", "json"], default="words", help="format of the output (%(default)s)"
    )
    parser.add_argument(
        "--separator", metavar="TEXT", default=" ", help="what stands between words, for words (a space)"
    )
    parser.add_argument(
        "--joiner", metavar="TEXT", default="_", help="what a space inside of a word becomes, for words (%(default)s)"
    )
    add_threads(parser, "lines")
    parser.set_defaults(run=_segment)


def _add_words(parser: argparse.ArgumentParser) -> None:
    """What a word is."""
    parser.add_argument("--dictionary", metavar="FILE", default=(), help="words that stay whole, one a line")
    parser.add_argument("--standard", metavar="NAME", help="what counts as a word, where the model knows several")


def _add_evaluate(commands: Any) -> None:
    parser = add_command(commands, "evaluate", "score a model on labelled data", _EVALUATE, _EVALUATE_EXAMPLES)
    parser.add_argument("model", metavar="MODEL", help="name of an embedded model, or path of a model file")
    parser.add_argument(
        "data", metavar="DATA", nargs="+", type=Path, help="labelled text, tagged sentences, segmented text"
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
    _add_words(parser)
    parser.add_argument("--per-label", action="store_true", help="also a table of all labels; confusions of tags")
    parser.add_argument("--known", action="store_true", help="leave out texts whose label the model does not know")
    parser.add_argument("--json", action="store_true", help="one JSON object; shares are between 0 and 1")
    add_choice(parser)
    parser.set_defaults(run=_evaluate)
