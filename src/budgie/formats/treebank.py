# SPDX-License-Identifier: Apache-2.0
"""Treebanks as raw text: CoNLL-U with its spacing, paragraphs and multiword tokens.

A token is what stands in the text; its words are what a treebank has instead (French `du` is `de` and `le`). Mostly a
token is its own only word.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from budgie.errors import DataError
from budgie.formats.sentences import TokenisedSentence, read_sentences

_ESCAPES = {"s": " ", "t": "\t", "r": "\r", "n": "\n", "p": "|", "\\": "\\"}  # of SpacesAfter


class TreebankWord(NamedTuple):
    """A word, and its tag."""

    text: str
    tag: str


@dataclass(frozen=True, slots=True)
class TreebankToken:
    """A token of the text, the white space behind it, and its words."""

    text: str
    space: str
    words: tuple[TreebankWord, ...]


@dataclass(frozen=True, slots=True)
class TreebankSentence:
    """A sentence, and whether a paragraph begins with it."""

    tokens: tuple[TreebankToken, ...]
    begins_paragraph: bool = False

    @property
    def text(self) -> str:
        """The sentence as it is written, without what stands behind it."""
        return "".join(token.text + token.space for token in self.tokens).rstrip()


def read_treebank(*paths: Path) -> list[TreebankSentence]:
    """The sentences of CoNLL-U files; each file begins with a paragraph."""
    sentences: list[TreebankSentence] = []
    for path in paths:
        found = [_sentence(one, str(path)) for one in read_sentences(path, "conllu") if one.words]
        if not found:
            raise DataError(f"{path} holds no words")
        sentences.append(TreebankSentence(found[0].tokens, begins_paragraph=True))
        sentences += found[1:]
    return sentences


def _sentence(sentence: TokenisedSentence, source: str) -> TreebankSentence:
    begins, rows = False, []
    for line in sentence.lines:
        if line.startswith("#"):
            begins |= line.startswith(("# newpar", "# newdoc"))
        else:
            rows.append(line.split("\t"))
    return TreebankSentence(tuple(_tokens(rows, source)), begins)


def _tokens(rows: Iterable[list[str]], source: str) -> Iterator[TreebankToken]:
    rows = iter(rows)
    for row in rows:
        if "." in row[0]:  # an empty node
            continue
        first, dash, last = row[0].partition("-")
        words = list[TreebankWord]()
        if dash:
            while len(words) < int(last) - int(first) + 1:
                inside = next(rows)
                if "." not in inside[0]:
                    words.append(TreebankWord(inside[1], inside[3]))
        else:
            words.append(TreebankWord(row[1], row[3]))
        if not row[1].strip():
            raise DataError(f"{source}: a token is empty")
        yield TreebankToken(row[1], _space(row[9]), tuple(words))


def _space(misc: str) -> str:
    """The white space behind a token, by its column MISC."""
    for item in misc.split("|"):
        name, _, value = item.partition("=")
        if name == "SpaceAfter" and value == "No":
            return ""
        if name == "SpacesAfter":
            parts = value.split("\\")
            rest = "".join(_ESCAPES.get(part[:1], "") + part[1:] if part else "" for part in parts[1:])
            return "".join(c for c in parts[0] + rest if c.isspace())
    return " "


class RawText(NamedTuple):
    """A text, and where its tokens and sentences are: offsets of characters, and numbers of tokens."""

    text: str
    tokens: list[tuple[int, int]]
    sentences: list[tuple[int, int]]  # first token, and the one behind the last


def raw_text(sentences: Sequence[TreebankSentence]) -> RawText:
    """Sentences as running text: one space between them where the treebank knows no other, an empty line between
    paragraphs; the form in which the shared task of CoNLL 2018 gave texts to its systems, without broken lines."""
    pieces: list[str] = []
    tokens: list[tuple[int, int]] = []
    bounds: list[tuple[int, int]] = []
    at = 0
    for number, sentence in enumerate(sentences):
        if number and sentence.begins_paragraph:
            pieces.append("\n\n")
            at += 2
        first = len(tokens)
        for token in sentence.tokens:
            tokens.append((at, at + len(token.text)))
            pieces += (token.text, token.space)
            at += len(token.text) + len(token.space)
        bounds.append((first, len(tokens)))
    return RawText("".join(pieces), tokens, bounds)
