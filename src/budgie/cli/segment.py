# SPDX-License-Identifier: Apache-2.0
"""`budgie segment`."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import Any

import budgie
from budgie import coverage
from budgie.cli.arguments import (
    INPUTS,
    add_command,
    add_fields,
    add_model,
    add_streams,
    add_threads,
    add_words,
    refuse,
)
from budgie.cli.streams import write_answers
from budgie.distributions import known, language_of
from budgie.errors import ConfigError
from budgie.formats.record_writers import RecordWriter, one_line, utf8
from budgie.formats.records import Batch, Records
from budgie.languages import find, meant
from budgie.tasks.records import TokenSpan

_ABOUT = f"""\
Cut each text into words, as it comes. White space between words is left out; nothing else is changed. Output is one of

  words  the words of a text, with a space between them; a space inside of a word is written _
  spans  one row a word: number of the text, first character, character behind the last, word, separated by tabs
  json   one object a text: text, words, spans (pairs of first character and character behind the last), and sentences
         (pairs likewise) where the model finds them; what a record of the input has stands before them

Languages that write spaces have tokens and sentences by the model `tokens`: --sentences puts each on a line of its own.
An empty text stays: it is an empty line, no row, or an object with empty lists. A dictionary is a file of words that
stay whole, one a line and nothing else.

{INPUTS}"""

_EXAMPLES = """\
examples:
  echo '我们在图书馆看书' | budgie segment --language zh
  echo 'Dr. Lee left. "Why?" asked Kim.' | budgie segment --language en --sentences
  budgie segment --language ja crawl.txt.gz --output words.txt
  budgie segment --language ja crawl.jsonl --field text --format json
  budgie segment --language zh --dictionary products.txt --format spans reviews.txt
  budgie segment --model mine.safetensors --separator ' | ' text.txt
"""


def add(commands: Any) -> None:
    """`budgie segment`."""
    parser = add_command(commands, "segment", "cut text into words", _ABOUT, _EXAMPLES)
    add_streams(parser)
    add_fields(parser)
    add_model(parser, "--language", "CODE", "language of the text, for the embedded model seg-CODE, or tokens")
    add_words(parser)
    parser.add_argument(
        "--format", choices=["words", "spans", "json"], default="words", help="format of the output (%(default)s)"
    )
    parser.add_argument("--sentences", action="store_true", help="for words: a line for each sentence, not each text")
    parser.add_argument(
        "--separator", metavar="TEXT", default=" ", help="what stands between words, for words (a space)"
    )
    parser.add_argument(
        "--joiner", metavar="TEXT", default="_", help="what a space inside of a word becomes, for words (%(default)s)"
    )
    add_threads(parser, "texts")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Cut each text into words, as it comes."""
    if args.format != "json":
        refuse(args, ["into"], lambda option: f"{option} goes with --format json")
    if args.format == "words":
        refuse(args, ["where"], lambda option: f"{option} goes with --format json or spans")
    return write_answers(args, _Writer(args).answers)


class _Writer:
    """Turns texts into rows of output. White space between words is not shown in any of them."""

    def __init__(self, args: argparse.Namespace) -> None:
        name, standard = _model_and_standard(args)
        self.segmenter = budgie.Segmenter(budgie.read_model(name), args.dictionary, standard)
        if args.sentences and not (self.segmenter.finds_sentences and args.format == "words"):
            raise ConfigError(f"--sentences: {name} finds no sentences, or --format is not words")
        self.args = args
        self.number = 0  # of the text, over all inputs
        self.rows = {"words": self.words, "spans": self.spans, "json": self.json}[args.format]

    def answers(self, records: Records) -> Iterator[bytes]:
        names = ["words", "spans", *(["sentences"] if self.segmenter.finds_sentences else [])]
        names = names if self.args.format == "json" else []
        self.writer = RecordWriter(records, names, self.args.into, self.args.where)
        for batch in records:
            yield b"".join(self.rows(batch, batch.decoded()))

    def words(self, _batch: Batch, texts: list[str]) -> Iterator[bytes]:
        from budgie.formats.segmented import ZERO_WIDTH_SPACE

        separator, joiner = self.args.separator, self.args.joiner
        if self.args.sentences:
            for text, sentences in self._sentences(texts):
                for sentence in sentences:
                    yield utf8(separator.join(text[start:end] for start, end in sentence) + "\n")
            return
        for tokens in self.segmenter.segment_batch(texts, self.args.threads):
            found = (token.replace(ZERO_WIDTH_SPACE, " ").split() for token in tokens)
            yield utf8(separator.join([joiner.join(parts) for parts in found]) + "\n")

    def spans(self, batch: Batch, texts: list[str]) -> Iterator[bytes]:
        for number, (text, spans) in enumerate(self._spans(texts)):
            self.number += 1
            place = b"%d" % self.number
            if self.args.where:
                place = self.writer.place(batch, number) + b"\t" + place
            for start, end in spans:
                yield b"%b\t%d\t%d\t%b\n" % (place, start, end, utf8(one_line(text[start:end])))

    def json(self, batch: Batch, texts: list[str]) -> Iterator[bytes]:
        if self.segmenter.finds_sentences:
            for number, (text, sentences) in enumerate(self._sentences(texts)):
                spans = [span for sentence in sentences for span in sentence]
                bounds = [(one[0].start, one[-1].end) for one in sentences]
                yield self.writer.json(batch, number, {**_words(text, spans), "sentences": bounds})
            return
        for number, (text, spans) in enumerate(self._spans(texts)):
            yield self.writer.json(batch, number, _words(text, spans))

    def _sentences(self, texts: list[str]) -> Iterator[tuple[str, list[list[TokenSpan]]]]:
        """Each text and the tokens of its sentences."""
        return zip(texts, self.segmenter.sentences_batch(texts, self.args.threads), strict=True)

    def _spans(self, texts: list[str]) -> Iterator[tuple[str, list[TokenSpan]]]:
        """Each text and where its words are."""
        return zip(texts, self.segmenter.spans_batch(texts, self.args.threads), strict=True)


def _words(text: str, spans: Sequence[tuple[int, int]]) -> dict[str, Any]:
    return {"words": [text[start:end] for start, end in spans], "spans": spans}


def _model_and_standard(args: argparse.Namespace) -> tuple[str, str | None]:
    """The segmenter of a language, or the model of tokens, to which a language is a standard."""
    if args.model is not None:
        return args.model, args.standard
    covered = coverage.of(find(args.language) or args.language)
    if covered.segmenter is not None:
        return covered.segmenter, args.standard
    if covered.tokens == coverage.NO_LANGUAGE and args.language != coverage.NO_LANGUAGE and not find(args.language):
        standards = budgie.read_model("tokens").core.standards
        alone = " ".join(sorted({language_of(name) for name in (*known(), *budgie.ALIASES) if name.startswith("seg-")}))
        there = (
            f"there are segmenters for {alone}, and tokens for {' '.join(standards)} (und: any other language); "
            "--model takes a model file"
        )
        raise ConfigError(f"no segmenter for {args.language!r} comes with Budgie; {meant(args.language) or there}")
    if args.standard:
        raise ConfigError(f"--standard: tokens of {args.language} have one standard")
    return "tokens", covered.tokens
