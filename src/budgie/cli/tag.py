# SPDX-License-Identifier: Apache-2.0
"""`budgie tag`."""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import budgie
from budgie.cli.arguments import (
    INPUTS,
    add_command,
    add_fields,
    add_model,
    add_streams,
    add_threads,
    model_name,
    refuse,
)
from budgie.cli.streams import write_answers
from budgie.formats.record_writers import RecordWriter, utf8
from budgie.formats.records import Reading, Records
from budgie.formats.sniffing import form_by_name

if TYPE_CHECKING:
    from budgie.formats.sentences import Sentence

_ABOUT = f"""\
Tag each word of tokenised sentences, as they come. This command does not cut text into words: punctuation and other
words must already stand apart. Input is one of

  conllu   CoNLL-U; the UPOS column gets the tags, all else stays as it is
  columns  a word, a tab and a tag (or _) on each line, a blank line after each sentence; the tags are not looked at
  text     a sentence a line, words separated by spaces, or by tabs where the line has any
  jsonl, csv, tsv  a sentence is the text of a record; a file called .tsv is one only with --field

and auto looks at the name and at the first line that is no comment. Output is one of

  conllu   CoNLL-U; --probabilities adds TagProb=0.9876 to the last column
  tsv      a word, a tab, its tag (and a tab and the probability) on each line, a blank line after each sentence
  json     one object a sentence: words, tags (and probabilities); what a record of the input has stands before them

A sentence of no words stays: it is one more blank line, or an object with empty lists.

{INPUTS}"""

_EXAMPLES = """\
examples:
  echo 'The cat sat on the mat .' | budgie tag --lang en --format tsv
  budgie tag --lang en corpus.conllu.gz --output tagged.conllu
  budgie tag --model mine.safetensors --probabilities --format json sentences.txt
"""


def add(commands: Any) -> None:
    """`budgie tag`."""
    parser = add_command(commands, "tag", "tag the words of sentences", _ABOUT, _EXAMPLES)
    add_streams(parser, "tokenised text or CoNLL-U", ["conllu", "columns"])
    add_fields(parser)
    add_model(parser, "--lang", "CODE", "language of the text, for the embedded model pos-CODE")
    parser.add_argument(
        "--format", choices=["conllu", "tsv", "json"], default="conllu", help="format of the output (%(default)s)"
    )
    parser.add_argument("--probabilities", action="store_true", help="say how probable each tag is")
    add_threads(parser, "sentences")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Tag the words of all sentences, as they come."""
    tagger = budgie.Tagger(budgie.read_model(model_name("pos", args.lang, args.model)))
    if args.format != "json":
        refuse(args, ["into", "where"], lambda option: f"{option} goes with --format json")
    return write_answers(args, _Writer(args, tagger).answers, read=_read)


def _read(name: str, reading: Reading) -> Records:
    """Words and tags are columns, too, and usually called .tsv."""
    if reading.form is None and reading.field is None and form_by_name(name) == "tsv":
        reading = replace(reading, form="text")
    return Records(name, reading)


class _Writer:
    """Turns sentences into rows of output."""

    def __init__(self, args: argparse.Namespace, tagger: budgie.Tagger) -> None:
        self.args, self.tagger = args, tagger

    def answers(self, records: Records) -> Iterator[bytes]:
        return self._sentences(records) if records.form == "text" else self._records(records)

    def _sentences(self, records: Records) -> Iterator[bytes]:
        """Of plain text, CoNLL-U or columns."""
        from budgie.formats.sentence_writers import WRITERS
        from budgie.formats.sentences import parse

        refuse(self.args, ["into", "where"], lambda option: f"{option} is for records: JSON lines, CSV, TSV")
        form = self.args.input if self.args.input in ("conllu", "columns", "text") else None
        pieces = (batch.decoded() for batch in records)
        for sentences in parse(pieces, records.source.shown, form, broken=records.broken):
            tagged = self._tags(sentences)
            yield "".join(map(WRITERS[self.args.format], sentences, *tagged)).encode()

    def _records(self, records: Records) -> Iterator[bytes]:
        """A sentence is the text of a record."""
        from budgie.formats.sentence_writers import WRITERS, to_fields
        from budgie.formats.sentences import plain

        writer = RecordWriter(records, self.args.into, self.args.where)
        for batch in records:
            sentences = [plain(text.replace("\r", " ").replace("\n", " ")) for text in batch.decoded()]
            tagged = self._tags(sentences)
            if self.args.format == "json":
                fields = map(to_fields, sentences, *tagged)
                yield b"".join(writer.json(batch, number, one) for number, one in enumerate(fields))
            else:
                yield utf8("".join(map(WRITERS[self.args.format], sentences, *tagged)))

    def _tags(self, sentences: list[Sentence]) -> tuple[list[list[str]], Iterable[list[float] | None]]:
        """The tags of each sentence and, where they are asked for, how probable these are."""
        words = [sentence.words for sentence in sentences]
        if not self.args.probabilities:
            return self.tagger.tag_batch(words, self.args.threads), itertools.repeat(None)
        found = self.tagger.tag_batch(words, self.args.threads, probabilities=True)
        return [[one.tag for one in of] for of in found], [[one.probability for one in of] for of in found]
