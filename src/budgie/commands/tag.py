# SPDX-License-Identifier: Apache-2.0
"""`budgie tag`."""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Iterable, Iterator

import budgie
from budgie.commands.streams import open_output, read_pieces
from budgie.errors import ConfigError
from budgie.sentence_writers import WRITERS
from budgie.sentences import parse

_PREFIX = "pos-"  # of the names of embedded taggers; the language follows


def tag(args: argparse.Namespace) -> int:
    """Tag the words of all sentences, as they come."""
    tagger = budgie.Tagger(budgie.read_model(_embedded(args.lang) if args.model is None else args.model))
    write, form = WRITERS[args.format], None if args.input == "auto" else args.input
    names = args.files or ["-"]
    with open_output(args.output, names) as output:
        for name in names:
            for sentences in parse(_decoded(name), "standard input" if name == "-" else name, form):
                words = [sentence.words for sentence in sentences]
                tags = tagger.tag_batch(words, args.threads)
                probabilities: Iterable[list[float] | None] = itertools.repeat(None)
                if args.probabilities:
                    probabilities = tagger.probabilities(words, args.threads)
                output.write("".join(map(write, sentences, tags, probabilities)).encode())
                output.flush()
    return 0


def _embedded(language: str) -> str:
    name, names = _PREFIX + language, budgie.models()
    if name not in names:
        languages = " ".join(name.removeprefix(_PREFIX) for name in names if name.startswith(_PREFIX))
        raise ConfigError(
            f"no tagger for {language!r} comes with Budgie; there are taggers for: {languages or 'no language'}; "
            "--model takes a model file"
        )
    return name


def _decoded(name: str) -> Iterator[list[str]]:
    """Lines of text; what is not UTF-8 becomes U+FFFD, and a byte order mark is left out."""
    for number, lines in enumerate(read_pieces(name)):
        piece = [line.decode("utf-8", "replace") for line in lines]
        if number == 0:
            piece[0] = piece[0].removeprefix("\ufeff")
        yield piece
