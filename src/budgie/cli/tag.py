# SPDX-License-Identifier: Apache-2.0
"""`budgie tag`."""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Iterable

import budgie
from budgie.cli.languages import embedded
from budgie.cli.streams import open_output, read_texts
from budgie.formats.sentence_writers import WRITERS
from budgie.formats.sentences import parse


def tag(args: argparse.Namespace) -> int:
    """Tag the words of all sentences, as they come."""
    model = embedded("pos", args.lang, "tagger") if args.model is None else args.model
    tagger = budgie.Tagger(budgie.read_model(model))
    write, form = WRITERS[args.format], None if args.input == "auto" else args.input
    names = args.files or ["-"]
    with open_output(args.output, names) as output:
        for name in names:
            for sentences in parse(read_texts(name), "standard input" if name == "-" else name, form):
                words = [sentence.words for sentence in sentences]
                probabilities: Iterable[list[float] | None] = itertools.repeat(None)
                if args.probabilities:
                    found = tagger.tag_batch(words, args.threads, probabilities=True)
                    tags = [[one.tag for one in sentence] for sentence in found]
                    probabilities = [[one.probability for one in sentence] for sentence in found]
                else:
                    tags = tagger.tag_batch(words, args.threads)
                output.write("".join(map(write, sentences, tags, probabilities)).encode())
                output.flush()
    return 0
