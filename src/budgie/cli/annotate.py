# SPDX-License-Identifier: Apache-2.0
"""`budgie annotate`."""

from __future__ import annotations

import argparse
import os
import re
import sys
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from budgie.cli.arguments import (
    add_choice,
    add_command,
    add_fields,
    add_priors,
    add_streams,
    codes,
    inputs,
    refuse,
    refuse_both,
)
from budgie.cli.keep import Keep, add_keep
from budgie.cli.streams import write_answers
from budgie.errors import ConfigError, MissingModelWarning
from budgie.formats.record_writers import RecordWriter, one_line, utf8
from budgie.formats.records import Batch, Reading, Records
from budgie.formats.sources import STANDARD_INPUT
from budgie.tasks.records import decode

if TYPE_CHECKING:
    from budgie.document import Document

_SHOWN = 10  # languages
_TASKS = "language,spans,sentences,tokens,tags"

_ABOUT = f"""\
Find languages, sentences, tokens and tags in raw text, as it comes. Plain text is read by paragraphs, which blank lines
separate (--unit). Output is one of

  conllu  CoNLL-U; an input is a document and a text a paragraph, a record of JSON lines, CSV or TSV is a document
  jsonl   one object a text: language, reliable (true or false), spans (of languages), sentences with tokens; what a
          record has stands before them
  tsv     one row a token: number of the text, number of the sentence in it, first character, character behind the last,
          language, token, tag (and its probability); an empty line behind each sentence
  html    a page to look at

Text in several languages is annotated span by span; --language says which one all of it is in. Languages without a
tagger have tokens and sentences, and no tags. --keep looks for the best of all languages, and leaves out texts that are
not in one of these, or not reliably; with --least, those whose language has less than that probability.

{inputs("a paragraph is a text")}"""

_EXAMPLES = """\
examples:
  echo 'Nobody asked why. Je ne sais pas pourquoi.' | budgie annotate
  budgie annotate letters.txt --format html --output letters.html
  budgie annotate crawl.jsonl.zst --field text --format jsonl --errors skip --output annotated.jsonl.zst
  budgie annotate reviews.csv --field review --language de --format tsv
  budgie annotate crawl.jsonl --keep de,ja --least 0.8 --format jsonl --output kept.jsonl
  budgie annotate book.txt.gz --tasks tokens --output book.conllu
"""


def add(commands: Any) -> None:
    """`budgie annotate`."""
    parser = add_command(
        commands, "annotate", "find languages, sentences, tokens and tags in raw text", _ABOUT, _EXAMPLES
    )
    add_streams(parser)
    parser.add_argument(
        "--unit",
        choices=["line", "paragraph", "file"],
        help="what a text is in plain text (paragraph, of at most 64 KB)",
    )
    parser.add_argument(
        "--format",
        choices=["conllu", "jsonl", "tsv", "html"],
        default="conllu",
        help="format of the output (%(default)s)",
    )
    parser.add_argument("--language", metavar="CODE", help="language of all texts (found out for each)")
    add_keep(parser, parser, "leave out texts that are in other languages")
    parser.add_argument(
        "--tasks", metavar="TASK,TASK", type=codes, default=codes(_TASKS), help=f"what is to be found ({_TASKS})"
    )
    parser.add_argument("--probabilities", action="store_true", help="say how probable each tag is")
    add_fields(parser)
    add_choice(parser)
    add_priors(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Annotate each text."""
    reading = Reading(unit=args.unit, usual_unit="paragraph")
    annotator = _Annotator(args)
    begin = end = ""
    if args.format == "html":
        from budgie.formats.document_html import pieces

        begin, end = pieces(())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MissingModelWarning)  # told below
        status = write_answers(args, getattr(annotator, args.format), reading, frame=(utf8(begin), utf8(end)))
    annotator.tell()
    return status


class _Annotator:
    """Annotates the texts of inputs, for each format."""

    def __init__(self, args: argparse.Namespace) -> None:
        from budgie import shared
        from budgie.pipeline import Pipeline

        refuse_both(args)
        self.pipeline = Pipeline(args.languages, args.tasks, args.probabilities, args.priors)
        if "tokens" not in self.pipeline.tasks and args.format != "jsonl":
            raise ConfigError(f"--tasks {','.join(args.tasks)} finds no tokens; --format jsonl shows the languages")
        if args.format != "jsonl":
            refuse(args, ["into"], lambda option: f"{option} goes with --format jsonl")
        if args.format == "html":
            refuse(args, ["where"], lambda option: f"{option} goes with --format conllu, jsonl or tsv")
        self.keep = Keep.of(args, shared.identifier().all_languages)
        if self.keep:
            refuse(args, ["language", "languages"], lambda option: f"{option}: --keep judges texts by all languages")
            self.judge = Pipeline(tasks=["spans"], priors=args.priors)
        self.args = args
        self.texts = 0  # so far
        self.names: dict[str, int] = {}  # of documents so far, and how many were to have each

    def batches(self, records: Records) -> Iterable[Batch]:
        """The texts of an input, or those that are kept."""
        keep = self.keep
        return records if keep is None else (self._kept(batch, keep) for batch in records)

    def _kept(self, batch: Batch, keep: Keep) -> Batch:
        """Of texts that are left out nothing but the language has to be found."""
        found = self.judge.annotate_batch(batch.decoded(), threads=self.args.threads)
        return batch.some(keep.places([(one.language, one.probability, one.reliable) for one in found]))

    def documents(self, batch: Batch) -> list[Document]:
        return self.pipeline.annotate_batch(batch.decoded(), self.args.language, self.args.threads)

    def conllu(self, records: Records) -> Iterator[bytes]:
        """Plain text is one document and has paragraphs, a record is a document of its own."""
        plain, name, file = records.form == "text", self._name(records), _file(records)
        begin, number = f"# newdoc id = {name}\n" if plain else "", 0
        for batch in self.batches(records):
            rows = []
            for line, document in zip(batch.lines, self.documents(batch), strict=True):
                number += 1
                label = f"{name}-p{number}" if plain else f"{name}-{number}"
                if sentences := document.to_conllu(f"{label}-s"):
                    begin += f"# {'newpar' if plain else 'newdoc'} id = {label}\n"
                    begin += f"# file = {file}\n# line = {line}\n" if self.args.where else ""
                    rows += [begin.encode(), sentences.encode()]
                    begin = ""
            yield b"".join(rows)

    def jsonl(self, records: Records) -> Iterator[bytes]:
        names = ("language", "reliable", "spans", "sentences")
        writer = RecordWriter(records, names, self.args.into, self.args.where)
        for batch in self.batches(records):
            found = (document.to_json().encode() for document in self.documents(batch))
            yield b"".join(writer.joined(batch, number, one) for number, one in enumerate(found))

    def tsv(self, records: Records) -> Iterator[bytes]:
        file = _file(records)
        for batch in self.batches(records):
            rows = []
            for line, document in zip(batch.lines, self.documents(batch), strict=True):
                self.texts += 1
                place = f"{file}\t{line}\t" if self.args.where else ""
                rows.append(document.to_tsv(f"{place}{self.texts}\t").encode())
            yield b"".join(rows)

    def html(self, records: Records) -> Iterator[bytes]:
        from budgie.formats.document_html import pieces

        for batch in self.batches(records):
            _, *articles, _ = pieces(self.documents(batch))
            yield utf8("".join(articles))

    def tell(self) -> None:
        """How many texts were kept, and why there are no words or no tags in some languages."""
        if self.keep:
            self.keep.tell()
        for advice in self.pipeline.missing.values():
            sys.stderr.write(f"budgie: {advice}\n")
        if untagged := self.pipeline.untagged:
            names = ", ".join(untagged[:_SHOWN])
            names += f" and {len(untagged) - _SHOWN} others" if len(untagged) > _SHOWN else ""
            sys.stderr.write(f"budgie: no tagger for {names}: no tags there; `budgie languages` shows what there is\n")

    def _name(self, records: Records) -> str:
        """What ids of an input begin with: the name of the file, without what ids must not have."""
        source = _file(records)
        name = own = "stdin" if source == STANDARD_INPUT else re.sub(r"\s", "_", Path(source).name)
        while own in self.names:
            self.names[name] += 1
            own = f"{name}-{self.names[name]}"
        self.names[own] = 1
        return own


def _file(records: Records) -> str:
    """The name of an input as a row shows it; names of files may be any bytes."""
    return one_line(decode(os.fsencode(records.source.name)))
