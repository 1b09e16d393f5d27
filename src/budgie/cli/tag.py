# SPDX-License-Identifier: Apache-2.0
"""`budgie tag`."""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import budgie
from budgie.cli.arguments import (
    add_command,
    add_fields,
    add_model,
    add_streams,
    add_threads,
    inputs,
    model_name,
    refuse,
)
from budgie.cli.streams import write_answers
from budgie.errors import ConfigError
from budgie.formats.record_writers import RecordWriter, utf8
from budgie.formats.records import Reading, Records
from budgie.formats.sniffing import form_by_name

if TYPE_CHECKING:
    from budgie.formats.sentences import TokenisedSentence
    from budgie.tasks.records import Sentence

_ABOUT = f"""\
Tag each word of tokenised sentences, as they come: punctuation and other words must already stand apart, unless --raw
says that the text is still to be cut into sentences and words, as `budgie annotate` does. Input is one of

  conllu   CoNLL-U; the UPOS column gets the tags, all else stays as it is
  columns  a word, a tab and a tag (or _) on each line, a blank line after each sentence; the tags are not looked at
  text     a sentence a line, words separated by spaces, or by tabs where the line has any
  jsonl, csv, tsv  a sentence is the text of a record; a file called .tsv is one only with --field

and auto looks at the name and at the first line that is no comment. Output is one of

  conllu   CoNLL-U; --probabilities adds TagProb=0.9876 to the last column
  tsv      a word, a tab, its tag (and a tab and the probability) on each line, a blank line after each sentence
  json     one object a sentence: words, tags (and probabilities); what a record of the input has stands before them

A sentence of no words stays: it is one more blank line, or an object with empty lists. With --raw input is text, JSON
lines, CSV or TSV, and a record has an object for each of its sentences.

{inputs("a line is a sentence; with --raw a paragraph is a text")}"""

_EXAMPLES = """\
examples:
  echo 'The cat sat on the mat .' | budgie tag --language en --format tsv
  echo "The cat didn't sit on the mat." | budgie tag --language en --raw --format tsv
  budgie tag --language en corpus.conllu.gz --output tagged.conllu
  budgie tag --model mine.safetensors --probabilities --format json sentences.txt
"""


def add(commands: Any) -> None:
    """`budgie tag`."""
    parser = add_command(commands, "tag", "tag the words of sentences", _ABOUT, _EXAMPLES)
    add_streams(parser, "tokenised text or CoNLL-U", ["conllu", "columns"])
    add_fields(parser)
    add_model(parser, "--language", "CODE", "language of the text, for the embedded model pos-CODE")
    parser.add_argument(
        "--format", choices=["conllu", "tsv", "json"], default="conllu", help="format of the output (%(default)s)"
    )
    parser.add_argument("--raw", action="store_true", help="find sentences and words in raw text first")
    parser.add_argument("--probabilities", action="store_true", help="say how probable each tag is")
    add_threads(parser, "sentences")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Tag the words of all sentences, as they come."""
    if args.format != "json":
        refuse(args, ["into", "where"], lambda option: f"{option} goes with --format json")
    name = model_name("pos", args.language, args.model)
    if args.raw:
        return write_answers(args, _Raw(args).answers, Reading(usual_unit="paragraph"))
    tagger = budgie.Tagger(budgie.read_model(name))
    return write_answers(args, _Tokenised(args, tagger).answers, read=_read)


def _read(name: str, reading: Reading) -> Records:
    """Words and tags are columns, too, and usually called .tsv."""
    if reading.form is None and reading.field is None and form_by_name(name) == "tsv":
        reading = reading._replace(form="text")
    return Records(name, reading)


def _names(args: argparse.Namespace) -> list[str]:
    """Of the fields of an answer, where it has any."""
    if args.format != "json":
        return []
    return ["words", "tags", "probabilities"] if args.probabilities else ["words", "tags"]


class _Raw:
    """Turns raw text into rows of output."""

    def __init__(self, args: argparse.Namespace) -> None:
        if args.model is not None:
            raise ConfigError("--raw finds words and tags by the embedded models of a language: say --language")
        if args.input in ("conllu", "columns"):
            raise ConfigError(f"--raw: {args.input} has its words already")
        self.args = args
        self.pipeline = budgie.Pipeline(probabilities=args.probabilities)
        self.texts = 0  # so far

    def answers(self, records: Records) -> Iterator[bytes]:
        from budgie.formats.sentence_writers import to_fields, to_tsv

        writer = RecordWriter(records, _names(self.args), self.args.into, self.args.where, records.form != "text")
        for batch in records:
            documents = self.pipeline.annotate_batch(batch.decoded(), self.args.language, self.args.threads)
            if self.args.format == "conllu":
                first, self.texts = self.texts + 1, self.texts + len(documents)
                yield b"".join(one.to_conllu(f"{number}-").encode() for number, one in enumerate(documents, first))
                continue
            rows = []
            for number, document in enumerate(documents):
                for sentence in map(self._words, document.sentences):
                    if self.args.format == "tsv":
                        rows.append(utf8(to_tsv(*sentence)))
                    else:
                        rows.append(writer.json(batch, number, to_fields(*sentence)))
            yield b"".join(rows)

    def _words(self, sentence: Sentence) -> tuple[TokenisedSentence, list[str], list[float] | None]:
        """The words of a sentence, those of multiword tokens apart, their tags, and how probable these are."""
        from budgie.formats.sentences import TokenisedSentence

        words = [word for token in sentence.tokens for word in token.words or (token,)]
        numbers = [word.probability or 0.0 for word in words] if self.args.probabilities else None
        return TokenisedSentence(tuple(word.text for word in words)), [word.tag or "_" for word in words], numbers


class _Tokenised:
    """Turns sentences into rows of output."""

    def __init__(self, args: argparse.Namespace, tagger: budgie.Tagger) -> None:
        self.args, self.tagger = args, tagger
        self.looked = False  # whether words stand apart

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

        writer = RecordWriter(records, _names(self.args), self.args.into, self.args.where)
        for batch in records:
            sentences = [plain(text.replace("\r", " ").replace("\n", " ")) for text in batch.decoded()]
            tagged = self._tags(sentences)
            if self.args.format == "json":
                fields = map(to_fields, sentences, *tagged)
                yield b"".join(writer.json(batch, number, one) for number, one in enumerate(fields))
            else:
                yield utf8("".join(map(WRITERS[self.args.format], sentences, *tagged)))

    def _tags(self, sentences: list[TokenisedSentence]) -> tuple[list[list[str]], Iterable[list[float] | None]]:
        """The tags of each sentence and, where they are asked for, how probable these are."""
        self._look(sentences)
        words = [sentence.words for sentence in sentences]
        if not self.args.probabilities:
            return self.tagger.tag_batch(words, self.args.threads), itertools.repeat(None)
        found = self.tagger.tag_batch(words, self.args.threads, probabilities=True)
        return [[one.tag for one in of] for of in found], [[one.probability for one in of] for of in found]

    def _look(self, sentences: list[TokenisedSentence]) -> None:
        """Warn once, if the first sentences do not look as if they had been cut into words."""
        from budgie.formats.sentences import find_raw

        if self.looked or not sentences:
            return
        self.looked = True
        if word := find_raw(sentences):
            sys.stderr.write(
                f"budgie: warning: words such as {word!r} look as if the text had not been cut into words; "
                "--raw does that\n"
            )
