# SPDX-License-Identifier: Apache-2.0
"""`budgie identify`."""

from __future__ import annotations

import argparse
import itertools
import os
from collections.abc import Iterable, Iterator
from typing import Any

import budgie
from budgie.cli.arguments import (
    add_choice,
    add_command,
    add_fields,
    add_priors,
    add_streams,
    inputs,
    positive,
    refuse,
)
from budgie.cli.keep import add_keep, keep_of, tell_kept
from budgie.cli.streams import write_answers
from budgie.errors import DataError
from budgie.formats.record_writers import Json, RecordWriter, one_line, utf8
from budgie.formats.records import Batch, Reading, Records
from budgie.keep import Keep
from budgie.tasks.langid import MACRO

_ABOUT = f"""\
Identify the language of each text, as it comes. Columns of the output, separated by tabs:

  language  probability  reliable (yes or no)  text

  CSV, TSV  all columns of the input instead of the text, and a header
  --whole   the last column is the name of the file
  --rank K  language:probability of the K best, separated by spaces, then the text
  --spans   one row a span: number of the text (or name of the file), first character, character behind the last,
            language, probability, reliable, text of the span
  --json    one object a text, with the same names; what a record of the input has stands before the answer
  --keep    no answers, but the lines, records or rows of these languages, unchanged

Text without letters gets the language und. --keep looks for the best of all languages, and takes what is reliable, or
with --least what has at least that probability.

{inputs("a line is a text; with --whole the file")}"""

_EXAMPLES = """\
examples:
  echo 'Wer ist das?' | budgie identify
  budgie identify crawl.txt.gz --no-text | cut -f 1 | sort | uniq -c
  budgie identify crawl.jsonl.zst --field text --json --errors skip --output languages.jsonl
  budgie identify crawl.jsonl --keep de,ja --least 0.8 --output kept.jsonl
  budgie identify reviews.csv --field review
  budgie identify --whole --json *.txt
  budgie identify --spans --languages en,fr mixed.txt
  budgie identify --priors en=5,de=2 messages.txt
  budgie identify --languages macro crawl.txt
"""


def add(commands: Any) -> None:
    """`budgie identify`."""
    parser = add_command(commands, "identify", "identify the language of texts", _ABOUT, _EXAMPLES)
    add_streams(parser)
    parser.add_argument("--whole", action="store_true", help="each file is one text, not each line")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--rank", metavar="K", type=positive, help="the K most probable languages")
    form.add_argument("--spans", action="store_true", help="where in a text which language is used")
    add_keep(parser, form, "write what is in these languages, unchanged")
    parser.add_argument("--json", action="store_true", help="JSON lines instead of columns")
    parser.add_argument("--no-text", action="store_true", help="do not repeat the text in the output")
    add_fields(parser)
    parser.add_argument(
        "--model", default="langid", help="name of an embedded model, or path of a model file (%(default)s)"
    )
    add_choice(parser)
    add_priors(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Identify the language of each line or record, or of each whole file."""
    identifier = budgie.LanguageIdentifier(budgie.read_model(args.model))
    macro = args.languages == MACRO  # all languages, too, by other names
    keep = keep_of(args, identifier.macro_languages if macro else identifier.all_languages)
    if keep:
        refuse(args, ["whole"] if macro else ["languages", "whole"], lambda option: f"{option}: --keep takes records, "
               "and judges them by all languages")  # fmt: skip
        if not args.json:
            refuse(args, ["into", "no_text", "where"], lambda option: f"{option}: --keep leaves records unchanged; "
                   "also say --json")  # fmt: skip
    writer = _Writer(args, identifier, keep)
    status = write_answers(args, writer.answers, Reading(unit="file" if args.whole else None))
    if keep:
        tell_kept(writer.kept, writer.texts)
    return status


class _Writer:
    """Turns texts into rows of output."""

    def __init__(self, args: argparse.Namespace, identifier: budgie.LanguageIdentifier, keep: Keep | None) -> None:
        self.args, self.identifier, self.keep = args, identifier, keep
        self.choice: Json = {"languages": args.languages, "threads": args.threads, "priors": args.priors}
        self.rows = self.spans if args.spans else self.rank if args.rank else self.best
        best = ["language", "probability", "reliable"]
        self.names = ["spans"] if args.spans else ["ranking"] if args.rank else best  # of an answer
        self.number = 0  # of the text
        self.texts = self.kept = 0  # so far, with --keep
        self.columns: list[str] = []  # of all tables, when they are written

    def answers(self, records: Records) -> Iterator[bytes]:
        args, self.file = self.args, records.source.name
        names = self.names if args.json else ()
        self.writer = RecordWriter(records, names, args.into, args.where, not (args.no_text or args.whole))
        if records.columns and not args.json and not args.spans:
            yield self._header(records)
        for batch in records:
            yield b"".join(self.rows(batch))

    def best(self, batch: Batch) -> Iterable[bytes]:
        answers = self.identifier.identify_batch(batch.texts, **self.choice)
        if self.keep:
            places = self.keep.places(answers)
            self.texts, self.kept = self.texts + len(answers), self.kept + len(places)
            batch, answers = batch.some(places), [answers[place] for place in places]
        if self.args.json:
            return (self._json(batch, number, _fields(answer)) for number, answer in enumerate(answers))
        if self.keep:
            return (record + b"\n" for record in batch.raw)
        return map(bytes.__add__, itertools.starmap(_columns, answers), self._beside(batch))

    def rank(self, batch: Batch) -> Iterator[bytes]:
        rankings = self.identifier.rank_batch(batch.texts, self.args.rank, **self.choice)
        if self.args.json:
            for number, ranking in enumerate(rankings):
                yield self._json(batch, number, {"ranking": [_fields(answer) for answer in ranking]})
        else:
            for ranking, beside in zip(rankings, self._beside(batch), strict=True):
                yield " ".join(f"{one.language}:{one.probability:.4f}" for one in ranking).encode() + beside

    def spans(self, batch: Batch) -> Iterator[bytes]:
        texts = batch.decoded()  # offsets count characters
        found = self.identifier.spans_batch(texts, **self.choice)
        for number, (text, spans) in enumerate(zip(texts, found, strict=True)):
            self.number += 1
            if self.args.json:
                fields = [{"start": span.start, "end": span.end, **_fields(span)} for span in spans]
                yield self._json(batch, number, {"spans": fields})
                continue
            place = os.fsencode(self.file) if self.args.whole else b"%d" % self.number
            if self.args.where:
                place = self.writer.place(batch, number) + (b"" if self.args.whole else b"\t" + place)
            for span in spans:
                part = b"" if self.args.no_text else b"\t" + utf8(one_line(text[span.start : span.end]))
                yield b"%b\t%d\t%d\t%b%b\n" % (place, span.start, span.end, _columns(*span[2:]), part)

    def _json(self, batch: Batch, number: int, answer: Json) -> bytes:
        if self.args.whole:
            answer["file"] = self.file
        return self.writer.json(batch, number, answer)

    def _beside(self, batch: Batch) -> Iterable[bytes]:
        """What stands behind the answers: what the records had, or the name of the file."""
        return [b"\t" + os.fsencode(self.file) + b"\n"] if self.args.whole else self.writer.beside(batch)

    def _header(self, records: Records) -> bytes:
        """The names of the columns, before the first row of all tables."""
        if not self.columns:
            header = records.header + b"\n" if self.keep else self.writer.header(self.names)
            self.columns = records.columns
            return header
        if self.columns != records.columns:
            raise DataError(f"{self.file}: its columns are not those of the tables before; take them one by one")
        return b""


def _fields(answer: budgie.Identification | budgie.Span) -> Json:
    return {"language": answer.language, "probability": round(answer.probability, 6), "reliable": answer.reliable}


def _columns(language: str, probability: float, reliable: bool) -> bytes:
    return b"%b\t%.4f\t%b" % (language.encode(), probability, b"yes" if reliable else b"no")
