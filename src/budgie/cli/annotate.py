# SPDX-License-Identifier: Apache-2.0
"""`budgie annotate`."""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Iterable
from typing import Any

from budgie.cli.arguments import (
    add_choice,
    add_command,
    add_engine,
    add_fields,
    add_priors,
    add_streams,
    codes,
    inputs,
    refuse,
    refuse_both,
)
from budgie.cli.keep import add_keep, keep_of, tell_kept
from budgie.cli.streams import write_answers
from budgie.errors import MissingModelWarning
from budgie.formats.records import Reading
from budgie.formats.sniffing import TABLE_FORMS
from budgie.formats.sources import STANDARD_INPUT

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
  parquet, arrow  tables: what a record has, then language, probability, reliable, spans, sentences

Text in several languages is annotated span by span; --language says which one all of it is in. Languages without a
tagger have tokens and sentences, and no tags. --keep looks for the best of all languages, and leaves out texts that are
not in one of these, or not reliably; with --least, those whose language has less than that probability.

Corpora: where --output is a folder (it exists, or ends with /), every input file becomes a file there, of the format of
the input, and is written whole or not at all. Inputs may be patterns ('crawl/*.parquet'), folders and URLs (s3://), and
also Parquet and Arrow (.parquet, .arrow, .feather). The same command again goes on where it was stopped. The folder
gets _summary.json and _report.html: documents, bytes, languages, lengths, probabilities, what was left out.

{inputs("a paragraph is a text")}"""

_EXAMPLES = """\
examples:
  echo 'Nobody asked why. Je ne sais pas pourquoi.' | budgie annotate
  budgie annotate letters.txt --format html --output letters.html
  budgie annotate crawl.jsonl.zst --field text --format jsonl --errors skip --output annotated.jsonl.zst
  budgie annotate reviews.csv --field review --language de --format tsv
  budgie annotate crawl.jsonl --keep de,ja --least 0.8 --format jsonl --output kept.jsonl
  budgie annotate book.txt.gz --tasks tokens --output book.conllu
  budgie annotate 'crawl/*.parquet' --tasks language --output labelled/
  budgie annotate 'crawl/**/*.jsonl.gz' --keep de,ja --least 0.8 --errors skip --format parquet --output kept/
  budgie annotate s3://bucket/crawl/ --engine ray --address auto --output s3://bucket/annotated/
"""


def add(commands: Any) -> None:
    """`budgie annotate`."""
    parser = add_command(
        commands, "annotate", "find languages, sentences, tokens and tags in raw text", _ABOUT, _EXAMPLES
    )
    add_streams(
        parser,
        "text or tables, patterns, folders, URLs",
        TABLE_FORMS,
        "write here, when all is done, not to standard output; FOLDER/ takes a file for each file",
    )
    parser.add_argument(
        "--unit",
        choices=["line", "paragraph", "file"],
        help="what a text is in plain text (paragraph, of at most 64 KB)",
    )
    parser.add_argument(
        "--format",
        choices=["conllu", "jsonl", "tsv", "html", *TABLE_FORMS],
        help="format of the output (conllu; in a folder that of the input)",
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
    corpora = parser.add_argument_group("corpora: where --output is a folder")
    add_engine(corpora, "processes on this machine", "files at a time, among which --threads are shared out")
    corpora.add_argument("--overwrite", action="store_true", help="make all files of the folder anew")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Annotate each text."""
    from budgie.cli import corpus

    _check(args)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MissingModelWarning)  # told in the end
        if corpus.is_meant(args):
            return corpus.run(args)
        return _annotate_streams(args)


def _annotate_streams(args: argparse.Namespace) -> int:
    from budgie.cli.corpus import options_of
    from budgie.corpus.counts import Counts
    from budgie.corpus.models import models_for
    from budgie.corpus.record_annotator import RecordAnnotator, html_frame
    from budgie.corpus.shards import check_form

    args.format = args.format or "conllu"
    options, counts = options_of(args), Counts()
    models = models_for(options)
    check_form(args.files[0] if args.files else STANDARD_INPUT, None, args.format, options)
    reading = Reading(unit=args.unit, usual_unit="paragraph")
    frame = html_frame() if args.format == "html" else (b"", b"")
    annotator = RecordAnnotator(options, models, counts)
    status = write_answers(args, annotator.writer(args.format), reading, frame=frame)
    if models.keep:
        tell_kept(counts.kept, counts.documents)
    tell_missing(models.pipeline.missing.values(), models.pipeline.untagged)
    return status


def _check(args: argparse.Namespace) -> None:
    """What does not go together, whatever is read and written."""
    from budgie import shared

    refuse_both(args)
    if keep_of(args, shared.identifier().all_languages):
        refuse(args, ["language", "languages"], lambda option: f"{option}: --keep judges texts by all languages")


def tell_missing(advices: Iterable[str], untagged: list[str]) -> None:
    """Say why there are no words or no tags in some languages."""
    for advice in advices:
        sys.stderr.write(f"budgie: {advice}\n")
    if untagged:
        names = ", ".join(untagged[:_SHOWN])
        names += f" and {len(untagged) - _SHOWN} others" if len(untagged) > _SHOWN else ""
        sys.stderr.write(f"budgie: no tagger for {names}: no tags there; `budgie languages` shows what there is\n")
