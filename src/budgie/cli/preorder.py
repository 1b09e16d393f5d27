# SPDX-License-Identifier: Apache-2.0
"""`budgie preorder`."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

import budgie
from budgie.cli.arguments import INPUTS, add_beam, add_command, add_model, add_streams, add_threads, model_name
from budgie.cli.streams import write_answers
from budgie.formats.record_writers import json_bytes, utf8
from budgie.formats.records import Records

_ABOUT = f"""\
Put the words of each text into the order of another language, as they come: what a translator or an aligner of words
finds easier to read. Words must already stand apart, separated by white space. Output is one of

  words        the words of a text in their new order, with a space between them
  permutation  for each of them its number in the text, from 0
  json         one object a text: source (the words as they came), permutation, words (in their new order)

An empty text stays.

{INPUTS}"""

_EXAMPLES = """\
examples:
  echo 'The student reads a book in Kyoto .' | budgie preorder --pair en-ja
  budgie preorder --pair en-ja --threads 4 corpus.en.gz --output corpus.en-ja
  budgie preorder --model mine.safetensors --format json sentences.txt
"""


def add(commands: Any) -> None:
    """`budgie preorder`."""
    parser = add_command(commands, "preorder", "put words into another order", _ABOUT, _EXAMPLES)
    add_streams(parser, "tokenised text")
    add_model(parser, "--pair", "FROM-TO", "languages of the words and of the order, for the embedded model")
    parser.add_argument(
        "--format",
        choices=["words", "permutation", "json"],
        default="words",
        help="format of the output (%(default)s)",
    )
    add_beam(parser)
    add_threads(parser, "texts")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Reorder the words of each line, as it comes."""
    model = budgie.read_model(model_name("preorder", args.pair, args.model))
    preorderer = budgie.Preorderer(model, args.beam or 1)
    write = _WRITERS[args.format]

    def answers(records: Records) -> Iterator[bytes]:
        for batch in records:
            sentences = [text.split() for text in batch.decoded()]
            reordered = preorderer.reorder_batch(sentences, args.threads)
            yield b"".join(map(write, sentences, reordered))

    return write_answers(args, answers)


def _words(_source: list[str], answer: budgie.Reordering[str]) -> bytes:
    return utf8(" ".join(answer.words) + "\n")


def _permutation(_source: list[str], answer: budgie.Reordering[str]) -> bytes:
    return " ".join(map(str, answer.permutation)).encode() + b"\n"


def _json(source: list[str], answer: budgie.Reordering[str]) -> bytes:
    return json_bytes({"source": source, **answer._asdict()}) + b"\n"


_WRITERS = {"words": _words, "permutation": _permutation, "json": _json}
