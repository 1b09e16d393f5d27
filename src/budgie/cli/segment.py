# SPDX-License-Identifier: Apache-2.0
"""`budgie segment`."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator

import budgie
from budgie.cli.languages import embedded
from budgie.cli.streams import open_output, read_texts
from budgie.formats.segmented import ZERO_WIDTH_SPACE, is_blank

_TO_SPACE = {ord(character): " " for character in "\t\r\n"}  # one word is one row, whatever is in it


def segment(args: argparse.Namespace) -> int:
    """Cut each line into words, as it comes."""
    rows = _Rows(args)
    names = args.files or ["-"]
    with open_output(args.output, names) as output:
        for name in names:
            for texts in read_texts(name):
                output.write("".join(rows.make(texts)).encode())
                output.flush()
    return 0


class _Rows:
    """Turns texts into rows of output. White space between words is not shown in any of them."""

    def __init__(self, args: argparse.Namespace) -> None:
        name = embedded("seg", args.lang) if args.model is None else args.model
        self.segmenter = budgie.Segmenter(budgie.read_model(name), args.dictionary, args.standard)
        self.args = args
        self.number = 0  # of the text, over all inputs
        self.make = {"words": self.words, "spans": self.spans, "json": self.json}[args.format]

    def words(self, texts: list[str]) -> Iterator[str]:
        separator, joiner = self.args.separator, self.args.joiner
        for tokens in self.segmenter.segment_batch(texts, self.args.threads):
            # Splitting also finds out which tokens are nothing but white space.
            found = (token.replace(ZERO_WIDTH_SPACE, " ").split() for token in tokens)
            yield separator.join([joiner.join(parts) for parts in found if parts]) + "\n"

    def spans(self, texts: list[str]) -> Iterator[str]:
        for text, spans in self._spans(texts):
            self.number += 1
            for begin, end in spans:
                yield f"{self.number}\t{begin}\t{end}\t{text[begin:end].translate(_TO_SPACE)}\n"

    def json(self, texts: list[str]) -> Iterator[str]:
        for text, spans in self._spans(texts):
            words = [text[begin:end] for begin, end in spans]
            yield json.dumps({"text": text, "words": words, "spans": spans}, ensure_ascii=False) + "\n"

    def _spans(self, texts: list[str]) -> Iterator[tuple[str, list[tuple[int, int]]]]:
        """Each text and where its words are."""
        for text, spans in zip(texts, self.segmenter.spans_batch(texts, self.args.threads), strict=True):
            yield text, [(begin, end) for begin, end in spans if not is_blank(text[begin:end])]
