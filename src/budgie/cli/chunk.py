# SPDX-License-Identifier: Apache-2.0
"""`budgie chunk`."""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from budgie.cli.arguments import (
    add_choice,
    add_command,
    add_fields,
    add_priors,
    add_streams,
    inputs,
    natural,
    positive,
    refuse,
    refuse_both,
)
from budgie.cli.streams import write_answers
from budgie.errors import MissingModelWarning
from budgie.formats.record_writers import RecordWriter, one_line, utf8
from budgie.formats.records import Batch, Reading, Records
from budgie.formats.sniffing import FIELD

if TYPE_CHECKING:
    from budgie.chunking import Chunk

_ABOUT = f"""\
Cut each text into chunks that are not longer than a limit. A chunk ends at a sentence, at best at the last one of a
paragraph; where a sentence is too long, at a word, and where a word is, anywhere. Joined, the chunks are the text.
Output is one of

  jsonl  one object a chunk: its text, start and end (first character, character behind the last) and language; what
         else a record of the input has stands before them
  text   one line a chunk; line ends inside of it become spaces

--overlap puts the last sentences of a chunk into the next one, too, as many as fit into N; the limit holds with them.

{inputs("the file is a text; with --lines a line")}"""

_EXAMPLES = """\
examples:
  budgie chunk --limit 1000 book.txt
  budgie chunk --limit 1000 --overlap 200 crawl.jsonl --field text --output chunks.jsonl.gz
  budgie chunk --limit 2000 --unit bytes --language zh reviews.csv --field review
  budgie chunk --limit 80 --format text letters.txt
"""


def add(commands: Any) -> None:
    """`budgie chunk`."""
    parser = add_command(commands, "chunk", "cut text into chunks that end at sentences", _ABOUT, _EXAMPLES)
    add_streams(parser)
    parser.add_argument("--limit", metavar="N", type=positive, required=True, help="how long a chunk may be")
    parser.add_argument(
        "--unit",
        choices=["characters", "bytes"],
        default="characters",
        help="what the limit and the overlap count; bytes are those of UTF-8 (%(default)s)",
    )
    parser.add_argument(
        "--overlap", metavar="N", type=natural, default=0, help="how much of a chunk is in the next one, too (0)"
    )
    parser.add_argument("--lines", action="store_true", help="each line of plain text is a text, not each file")
    parser.add_argument(
        "--format", choices=["jsonl", "text"], default="jsonl", help="format of the output (%(default)s)"
    )
    parser.add_argument("--language", metavar="CODE", help="language of all texts (found out for each)")
    add_fields(parser)
    add_choice(parser)
    add_priors(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Cut each text into chunks."""
    if args.format == "text":
        refuse(args, ["into", "where"], lambda option: f"{option} goes with --format jsonl")
    refuse_both(args)
    chunker = _Chunker(args)
    reading = Reading(unit="line" if args.lines else None, usual_unit="file")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MissingModelWarning)  # told below
        status = write_answers(args, chunker.jsonl if args.format == "jsonl" else chunker.text, reading)
    for advice in chunker.pipeline.missing.values():
        sys.stderr.write(f"budgie: {advice}\n")
    return status


class _Chunker:
    """Cuts the texts of inputs, for each format."""

    def __init__(self, args: argparse.Namespace) -> None:
        from budgie.chunking import Settings
        from budgie.pipeline import Pipeline

        self.args = args
        self.settings = Settings(args.limit, args.unit, overlap=args.overlap)
        self.pipeline = Pipeline(args.languages, ("sentences", "tokens"), priors=args.priors)

    def jsonl(self, records: Records) -> Iterator[bytes]:
        names = ["start", "end", "language", *([FIELD] if records.field != FIELD else [])]
        writer = RecordWriter(records, names, self.args.into, self.args.where, text=False)
        for batch in records:
            yield b"".join(writer.json(batch, number, chunk.to_dict()) for number, chunk in self._chunks(batch))

    def text(self, records: Records) -> Iterator[bytes]:
        for batch in records:
            yield b"".join(utf8(one_line(chunk.text) + "\n") for _, chunk in self._chunks(batch))

    def _chunks(self, batch: Batch) -> Iterator[tuple[int, Chunk]]:
        """Those of all texts, each with the number of its text in the batch."""
        from budgie.chunking import chunks_of

        documents = self.pipeline.annotate_batch(batch.decoded(), self.args.language, self.args.threads)
        for number, document in enumerate(documents):
            for chunk in chunks_of(document, self.settings):
                yield number, chunk
