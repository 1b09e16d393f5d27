# SPDX-License-Identifier: Apache-2.0
"""`budgie preorder`."""

from __future__ import annotations

import argparse
import json

import budgie
from budgie.cli.languages import embedded
from budgie.cli.streams import open_output, read_texts
from budgie.tasks.records import Reordering


def preorder(args: argparse.Namespace) -> int:
    """Reorder the words of each line, as it comes."""
    model = embedded("preorder", args.pair, "preorderer") if args.model is None else args.model
    preorderer = budgie.Preorderer(budgie.read_model(model), args.beam or 1)
    write = _WRITERS[args.format]
    names = args.files or ["-"]
    with open_output(args.output, names) as output:
        for name in names:
            for texts in read_texts(name):
                sentences = [text.split() for text in texts]
                answers = preorderer.reorder_batch(sentences, args.threads)
                output.write("".join(map(write, sentences, answers)).encode())
                output.flush()
    return 0


def _words(_source: list[str], answer: Reordering[str]) -> str:
    return " ".join(answer.words) + "\n"


def _permutation(_source: list[str], answer: Reordering[str]) -> str:
    return " ".join(map(str, answer.permutation)) + "\n"


def _json(source: list[str], answer: Reordering[str]) -> str:
    return json.dumps({"source": source, **answer._asdict()}, ensure_ascii=False) + "\n"


_WRITERS = {"words": _words, "permutation": _permutation, "json": _json}
