# SPDX-License-Identifier: Apache-2.0
"""The commands that use models: identify, tag, segment, preorder."""

from __future__ import annotations

import argparse
from typing import Any

from budgie.cli.arguments import add_choice, add_command, add_streams, add_threads, positive


def _identify(args: argparse.Namespace) -> int:
    from budgie.cli.identify import identify  # noqa: PLC0415

    return identify(args)


def _tag(args: argparse.Namespace) -> int:
    from budgie.cli.tag import tag  # noqa: PLC0415

    return tag(args)


def _segment(args: argparse.Namespace) -> int:
    from budgie.cli.segment import segment  # noqa: PLC0415

    return segment(args)


def _preorder(args: argparse.Namespace) -> int:
    from budgie.cli.preorder import preorder  # noqa: PLC0415

    return preorder(args)


_IDENTIFY = """\
Identify the language of each line, as it comes. Columns of the output, separated by tabs:

  language  probability  reliable (yes or no)  text

  --whole   the last column is the name of the file
  --rank K  language:probability of the K best, separated by spaces, then the text
  --spans   one row a span: number of the line (or name of the file), first character, character behind the last,
            language, probability, reliable, text of the span
  --json    one object a text, with the same names

Text without letters gets the language und. Input is UTF-8; what is not is read as U+FFFD and written unchanged.
"""

_IDENTIFY_EXAMPLES = """\
examples:
  echo 'Wer ist das?' | budgie identify
  budgie identify crawl.txt.gz --threads 4 --no-text | cut -f 1 | sort | uniq -c
  budgie identify crawl.txt | awk -F '\\t' '$1 == "de" && $3 == "yes"' | cut -f 4-
  budgie identify --whole --json *.txt
  budgie identify --spans --languages en,fr mixed.txt
"""

_TAG = """\
Tag each word of tokenised sentences, as they come. This command does not cut text into words: punctuation and other
words must already stand apart. Input is one of

  conllu   CoNLL-U; the UPOS column gets the tags, all else stays as it is
  columns  a word, a tab and a tag (or _) on each line, a blank line after each sentence; the tags are not looked at
  text     a sentence a line, words separated by spaces, or by tabs where the line has any

and auto looks at the first line that is no comment. Output is one of

  conllu   CoNLL-U; --probabilities adds TagProb=0.9876 to the last column
  tsv      a word, a tab, its tag (and a tab and the probability) on each line, a blank line after each sentence
  json     one object a sentence: words, tags (and probabilities)

A sentence of no words stays: it is one more blank line, or an object with empty lists.
Input is UTF-8; what is not is read as U+FFFD.
"""

_TAG_EXAMPLES = """\
examples:
  echo 'The cat sat on the mat .' | budgie tag --lang en --format tsv
  budgie tag --lang en --threads 4 corpus.conllu.gz --output tagged.conllu
  budgie tag --model mine.safetensors --probabilities --format json sentences.txt
"""

_SEGMENT = """\
Cut each line into words, as it comes. White space between words is left out; nothing else is changed. Output is one of

  words  the words of a line, with a space between them; a space inside of a word is written _
  spans  one row a word: number of the line, first character, character behind the last, word, separated by tabs
  json   one object a line: text, words, spans (pairs of first character and character behind the last)

An empty line stays: it is an empty line, no row, or an object with empty lists. A dictionary is a file of words that
stay whole, one a line and nothing else. Input is UTF-8; what is not is read as U+FFFD.
"""

_SEGMENT_EXAMPLES = """\
examples:
  echo '我们在图书馆看书' | budgie segment --lang zh
  budgie segment --lang ja --threads 4 crawl.txt.gz --output words.txt
  budgie segment --lang zh --dictionary products.txt --format spans reviews.txt
  budgie segment --model mine.safetensors --separator ' | ' text.txt
"""

_PREORDER = """\
Put the words of each line into the order of another language, as they come: what a translator or an aligner of words
finds easier to read. Words must already stand apart, separated by white space. Output is one of

  words        the words of a line in their new order, with a space between them
  permutation  for each of them its number in the line, from 0
  json         one object a line: source (the words as they came), permutation, words (in their new order)

An empty line stays. Input is UTF-8; what is not is read as U+FFFD.
"""

_PREORDER_EXAMPLES = """\
examples:
  echo 'The student reads a book in Kyoto .' | budgie preorder --pair en-ja
  budgie preorder --pair en-ja --threads 4 corpus.en.gz --output corpus.en-ja
  budgie preorder --model mine.safetensors --format json sentences.txt
"""


def add_identify(commands: Any) -> None:
    """`budgie identify`."""
    parser = add_command(commands, "identify", "identify the language of texts", _IDENTIFY, _IDENTIFY_EXAMPLES)
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
    parser.set_defaults(run=_identify)


def add_tag(commands: Any) -> None:
    """`budgie tag`."""
    parser = add_command(commands, "tag", "tag the words of sentences", _TAG, _TAG_EXAMPLES)
    add_streams(parser, "tokenised text or CoNLL-U")
    tagger = parser.add_mutually_exclusive_group(required=True)
    tagger.add_argument("--lang", metavar="CODE", help="language of the text, for the embedded model pos-CODE")
    tagger.add_argument("--model", help="name of an embedded model, or path of a model file")
    parser.add_argument(
        "--input",
        choices=["auto", "conllu", "columns", "text"],
        default="auto",
        help="format of the input (%(default)s)",
    )
    parser.add_argument(
        "--format", choices=["conllu", "tsv", "json"], default="conllu", help="format of the output (%(default)s)"
    )
    parser.add_argument("--probabilities", action="store_true", help="say how probable each tag is")
    add_threads(parser, "sentences")
    parser.set_defaults(run=_tag)


def add_segment(commands: Any) -> None:
    """`budgie segment`."""
    parser = add_command(commands, "segment", "cut text into words", _SEGMENT, _SEGMENT_EXAMPLES)
    add_streams(parser)
    segmenter = parser.add_mutually_exclusive_group(required=True)
    segmenter.add_argument("--lang", metavar="CODE", help="language of the text, for the embedded model seg-CODE")
    segmenter.add_argument("--model", help="name of an embedded model, or path of a model file")
    add_words(parser)
    parser.add_argument(
        "--format", choices=["words", "spans", "json"], default="words", help="format of the output (%(default)s)"
    )
    parser.add_argument(
        "--separator", metavar="TEXT", default=" ", help="what stands between words, for words (a space)"
    )
    parser.add_argument(
        "--joiner", metavar="TEXT", default="_", help="what a space inside of a word becomes, for words (%(default)s)"
    )
    add_threads(parser, "lines")
    parser.set_defaults(run=_segment)


def add_preorder(commands: Any) -> None:
    """`budgie preorder`."""
    parser = add_command(commands, "preorder", "put words into another order", _PREORDER, _PREORDER_EXAMPLES)
    add_streams(parser, "tokenised text")
    preorderer = parser.add_mutually_exclusive_group(required=True)
    preorderer.add_argument(
        "--pair", metavar="FROM-TO", help="languages of the words and of the order, for the embedded model"
    )
    preorderer.add_argument("--model", help="name of an embedded model, or path of a model file")
    parser.add_argument(
        "--format",
        choices=["words", "permutation", "json"],
        default="words",
        help="format of the output (%(default)s)",
    )
    add_beam(parser)
    add_threads(parser, "lines")
    parser.set_defaults(run=_preorder)


def add_words(parser: argparse.ArgumentParser) -> None:
    """What a word is, to a segmenter."""
    parser.add_argument("--dictionary", metavar="FILE", default=(), help="words that stay whole, one a line")
    parser.add_argument("--standard", metavar="NAME", help="what counts as a word, where the model knows several")


def add_beam(parser: argparse.ArgumentParser) -> None:
    """How thorough a preorderer is."""
    parser.add_argument(
        "--beam", metavar="N", type=positive, help="ways that a preorderer follows side by side, at most 64 (1)"
    )
