# SPDX-License-Identifier: Apache-2.0
"""`budgie tag`."""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Iterable, Iterator
from typing import Any

import budgie
from budgie.cli.arguments import add_command, add_model, add_streams, add_threads, model_name
from budgie.cli.streams import read_texts, write_answers

_ABOUT = """\
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

_EXAMPLES = """\
examples:
  echo 'The cat sat on the mat .' | budgie tag --lang en --format tsv
  budgie tag --lang en --threads 4 corpus.conllu.gz --output tagged.conllu
  budgie tag --model mine.safetensors --probabilities --format json sentences.txt
"""


def add(commands: Any) -> None:
    """`budgie tag`."""
    parser = add_command(commands, "tag", "tag the words of sentences", _ABOUT, _EXAMPLES)
    add_streams(parser, "tokenised text or CoNLL-U")
    add_model(parser, "--lang", "CODE", "language of the text, for the embedded model pos-CODE")
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
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Tag the words of all sentences, as they come."""
    from budgie.formats.sentence_writers import WRITERS
    from budgie.formats.sentences import parse

    tagger = budgie.Tagger(budgie.read_model(model_name("pos", args.lang, args.model)))
    write, form = WRITERS[args.format], None if args.input == "auto" else args.input

    def answers(name: str) -> Iterator[bytes]:
        for sentences in parse(read_texts(name), "standard input" if name == "-" else name, form):
            tags, probabilities = _tags(tagger, [sentence.words for sentence in sentences], args)
            yield "".join(map(write, sentences, tags, probabilities)).encode()

    write_answers(args, answers)
    return 0


def _tags(
    tagger: budgie.Tagger, sentences: list[tuple[str, ...]], args: argparse.Namespace
) -> tuple[list[list[str]], Iterable[list[float] | None]]:
    """The tags of each sentence and, where they are asked for, how probable these are."""
    if not args.probabilities:
        return tagger.tag_batch(sentences, args.threads), itertools.repeat(None)
    found = tagger.tag_batch(sentences, args.threads, probabilities=True)
    return [[one.tag for one in of] for of in found], [[one.probability for one in of] for of in found]
