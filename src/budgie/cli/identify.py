# SPDX-License-Identifier: Apache-2.0
"""`budgie identify`."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator
from typing import Any

import budgie
from budgie.cli.arguments import add_choice, add_command, add_streams, positive, weights
from budgie.cli.streams import read, read_pieces, write_answers

Json = dict[str, Any]

_ABOUT = """\
Identify the language of each line, as it comes. Columns of the output, separated by tabs:

  language  probability  reliable (yes or no)  text

  --whole   the last column is the name of the file
  --rank K  language:probability of the K best, separated by spaces, then the text
  --spans   one row a span: number of the line (or name of the file), first character, character behind the last,
            language, probability, reliable, text of the span
  --json    one object a text, with the same names

Text without letters gets the language und. Input is UTF-8; what is not is read as U+FFFD and written unchanged.
"""

_EXAMPLES = """\
examples:
  echo 'Wer ist das?' | budgie identify
  budgie identify crawl.txt.gz --threads 4 --no-text | cut -f 1 | sort | uniq -c
  budgie identify crawl.txt | awk -F '\\t' '$1 == "de" && $3 == "yes"' | cut -f 4-
  budgie identify --whole --json *.txt
  budgie identify --spans --languages en,fr mixed.txt
  budgie identify --priors en=5,de=2 messages.txt
"""


def add(commands: Any) -> None:
    """`budgie identify`."""
    parser = add_command(commands, "identify", "identify the language of texts", _ABOUT, _EXAMPLES)
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
    parser.add_argument(
        "--priors",
        metavar="CODE=N,CODE=N",
        type=weights,
        help="how much more frequent these languages are than any other, as en=5,de=2",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Identify the language of each line, or of each whole file."""
    writer = _Writer(args)

    def answers(name: str) -> Iterator[bytes]:
        for texts in [[b"".join(read(name))]] if args.whole else read_pieces(name):
            yield b"".join(writer.rows(texts, [os.fsencode(name)] if args.whole else texts))

    write_answers(args, answers)
    return 0


class _Writer:
    """Turns texts into rows of output. `shown` is what stands beside the answer: the text, or the name of its file."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.identifier = budgie.LanguageIdentifier(budgie.read_model(args.model))
        self.args = args
        self.choice: Json = {"languages": args.languages, "threads": args.threads, "priors": args.priors}
        self.number = 0  # of the text
        self.rows = self.spans if args.spans else self.rank if args.rank else self.best

    def best(self, texts: list[bytes], shown: list[bytes]) -> Iterator[bytes]:
        answers = self.identifier.identify_batch(texts, **self.choice)
        for answer, beside in zip(answers, shown, strict=True):
            if self.args.json:
                yield self._json(_fields(answer), beside)
            else:
                yield _columns(answer) + self._last_column(beside)

    def rank(self, texts: list[bytes], shown: list[bytes]) -> Iterator[bytes]:
        rankings = self.identifier.rank_batch(texts, self.args.rank, **self.choice)
        for ranking, beside in zip(rankings, shown, strict=True):
            if self.args.json:
                yield self._json({"ranking": [_fields(answer) for answer in ranking]}, beside)
            else:
                pairs = " ".join(f"{answer.language}:{answer.probability:.4f}" for answer in ranking)
                yield pairs.encode() + self._last_column(beside)

    def spans(self, texts: list[bytes], shown: list[bytes]) -> Iterator[bytes]:
        decoded = [text.decode("utf-8", "replace") for text in texts]  # offsets count characters
        found = self.identifier.spans_batch(decoded, **self.choice)
        for text, spans, beside in zip(decoded, found, shown, strict=True):
            self.number += 1
            if self.args.json:
                yield self._json({"spans": [{"start": s.start, "end": s.end, **_fields(s)} for s in spans]}, beside)
                continue
            place = beside if self.args.whole else str(self.number).encode()
            for span in spans:
                # One span is one row, whatever is in it.
                part = text[span.start : span.end].translate({ord(c): " " for c in "\t\r\n"}).encode()
                ending = b"\n" if self.args.no_text else b"\t" + part + b"\n"
                yield b"%b\t%d\t%d\t%b" % (place, span.start, span.end, _columns(span)) + ending

    def _last_column(self, beside: bytes) -> bytes:
        return b"\n" if self.args.no_text and not self.args.whole else b"\t" + beside + b"\n"

    def _json(self, fields: Json, beside: bytes) -> bytes:
        if self.args.whole:
            fields["file"] = beside.decode("utf-8", "replace")
        elif not self.args.no_text:
            fields["text"] = beside.decode("utf-8", "replace")
        return json.dumps(fields, ensure_ascii=False).encode() + b"\n"


def _fields(answer: budgie.Identification | budgie.Span) -> Json:
    return {"language": answer.language, "probability": round(answer.probability, 6), "reliable": answer.reliable}


def _columns(answer: budgie.Identification | budgie.Span) -> bytes:
    return f"{answer.language}\t{answer.probability:.4f}\t{'yes' if answer.reliable else 'no'}".encode()
