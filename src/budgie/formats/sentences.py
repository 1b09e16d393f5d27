# SPDX-License-Identifier: Apache-2.0
"""Readers of sentences that are cut into words, with or without tags: CoNLL-U, columns and plain text.

A sentence ends at a blank line, in plain text at the end of its line. One blank line more is a sentence of no words:
it keeps its place, so that the n-th sentence of the output is the n-th of the input.
"""

from __future__ import annotations

import itertools
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from budgie.errors import DataError
from budgie.formats import COMPRESSED
from budgie.formats.lines import read_lines
from budgie.formats.records import Broken, stop

InputFormat = Literal["conllu", "columns", "text"]

NO_TAG = "_"
_CONLLU_COLUMNS = 10
_AT_ONCE = 4096  # lines of a file taken at a time
_UNDECIDED = 1000  # lines that may pass before the first that shows the format
_RANGE = re.compile(r"([1-9][0-9]{0,8})-([1-9][0-9]{0,8})", re.ASCII)
_RAW = re.compile(r"\w\w[,;:!?，；：！？]$")
_RAW_END = re.compile(r"\w\w[.!?。！？]$")
_PROBABILITY = re.compile(r"[01]\.[0-9]+", re.ASCII)


@dataclass(frozen=True, slots=True)
class TokenisedSentence:
    """Words, and their tags where the input has a column for them (`_` where it says none).

    `lines` are the sentence in CoNLL-U, comments and multiword ranges included, so that nothing is lost when it is
    written; there are none where the input had words only.
    """

    words: tuple[str, ...]
    tags: tuple[str, ...] | None = None
    lines: tuple[str, ...] = ()


def pairs(sentence: TokenisedSentence) -> Iterator[tuple[str, str]]:
    """The words of a tagged sentence with their tags."""
    assert sentence.tags is not None  # read_tagged refuses others
    return zip(sentence.words, sentence.tags, strict=True)


def read_tagged(*paths: Path) -> list[TokenisedSentence]:
    """The sentences of CoNLL-U or column files in which every word has a tag; those of no words are left out."""
    sentences: list[TokenisedSentence] = []
    for path in paths:
        found = [sentence for sentence in read_sentences(path, tagged=True) if sentence.words]
        if not found:
            raise DataError(f"{path} holds no words")
        sentences += found
    return sentences


def read_sentences(path: Path, form: InputFormat | None = None, tagged: bool = False) -> Iterator[TokenisedSentence]:
    """Stream the sentences of a file; `form` None guesses it; `tagged` asks for a tag for every word."""
    lines = read_lines(path)
    pieces = iter(lambda: list(itertools.islice(lines, _AT_ONCE)), [])
    return itertools.chain.from_iterable(parse(pieces, str(path), form, tagged))


def parse(
    pieces: Iterable[list[str]],
    source: str,
    form: InputFormat | None = None,
    tagged: bool = False,
    broken: Broken = stop,
) -> Iterator[list[TokenisedSentence]]:
    """The sentences that each piece of the lines completes; a pipe need not wait for the next piece.

    Lines are without their ends; `source` is what errors call the input.
    """
    if form is None:
        form, pieces = _guess(pieces, source)
    if form == "text" and not tagged:
        return ([plain(line) for line in lines] for lines in pieces)
    return _blocks(pieces, source, _Conllu if form == "conllu" else _Columns, tagged, broken)


def _guess(pieces: Iterable[list[str]], source: str) -> tuple[InputFormat, Iterable[list[str]]]:
    """The format, and the pieces again from the first."""
    if source.endswith(tuple(f".conllu{suffix}" for suffix in ("", *COMPRESSED))):
        return "conllu", pieces
    remaining, seen = iter(pieces), list[str]()
    for lines in remaining:
        begin = len(seen)
        seen += lines
        # A comment tells nothing, nor does a word that looks like one: wait for a line without #.
        shown = next((line for line in seen[begin:] if not _blank(line) and not line.startswith("#")), None)
        if shown is not None or len(seen) > _UNDECIDED:
            break
    else:
        shown = next((line for line in seen if "\t" in line), None)
    cells = (shown or "").split("\t")
    # Two words with a tab between them are no word with its tag: tags have no lower case.
    tagged = len(cells) == 3 or (len(cells) == 2 and cells[1] == cells[1].upper())
    form: InputFormat = "conllu" if len(cells) == _CONLLU_COLUMNS else "columns" if tagged else "text"
    return form, itertools.chain([seen], remaining)


def _blank(line: str) -> bool:
    return not line.strip(" \t")


# ---- plain text ------------------------------------------------------------------------------------------------


def plain(line: str) -> TokenisedSentence:
    """Words are separated by spaces, or by tabs where there are any, so that words may have spaces."""
    words = (word.strip(" ") for word in line.split("\t")) if "\t" in line else line.split(" ")
    return TokenisedSentence(tuple(word for word in words if word))


def find_raw(sentences: Sequence[TokenisedSentence]) -> str:
    """A word that shows that plain text was not cut into words, if there are many of them: `mat,` or a last `sleeps.`.

    Abbreviations have a full stop in any text, and many stand at the end of a sentence.
    """
    plain_ones = [sentence.words for sentence in sentences if not sentence.lines and len(sentence.words) > 1]
    ends = [words[-1] for words in plain_ones if _RAW_END.search(words[-1])]
    if 2 * len(ends) > len(plain_ones):
        return ends[0]
    inner = [word for words in plain_ones for word in words if _RAW.search(word)]
    return inner[0] if 50 * len(inner) > sum(map(len, plain_ones)) else ""


# ---- one word a line -------------------------------------------------------------------------------------------


class _Block(ABC):
    """The sentence of some lines without a blank one between them. Its errors do not say where they are."""

    def __init__(self, tagged: bool) -> None:
        self.tagged = tagged  # whether each word must have a tag
        self.words: list[str] = []
        self.tags: list[str] = []
        self.lines: list[str] = []  # CoNLL-U

    @abstractmethod
    def add(self, line: str) -> None:
        """Take one more line."""

    def finish(self) -> TokenisedSentence:
        """The sentence, when there are no more lines."""
        if not self.lines:
            return TokenisedSentence(())
        return TokenisedSentence(tuple(self.words), tuple(self.tags), tuple(self.lines))

    def _add_word(self, word: str, tag: str) -> None:
        if _blank(word):
            raise DataError("the word is empty")
        if self.tagged and (tag == NO_TAG or _blank(tag)):
            raise DataError(f"the word {word[:20]!r} has no tag")
        self.words.append(word)
        self.tags.append(tag)


def _blocks(
    pieces: Iterable[list[str]], source: str, make: Callable[[bool], _Block], tagged: bool, broken: Broken
) -> Iterator[list[TokenisedSentence]]:
    number, block = 0, make(tagged)
    sound = True  # whether no line of the block is broken; the rest of a broken one is passed over
    for lines in itertools.chain(pieces, [None]):
        done: list[TokenisedSentence] = []
        for line in ([""] if block.lines else []) if lines is None else lines:  # the last blank line may be missing
            number += lines is not None
            blank, fault = _blank(line), ""
            try:
                if sound and blank:
                    done.append(block.finish())
                elif sound:
                    block.add(line)
            except DataError as error:
                fault = str(error)
            if fault:
                yield done  # what came before is sound
                done = []
                broken(source, number, fault)
            sound = blank or (sound and not fault)
            if blank:
                block = make(tagged)
        yield done


class _Conllu(_Block):
    """https://universaldependencies.org/format.html; what is not an id, a word or a tag is not looked at."""

    def __init__(self, tagged: bool) -> None:
        super().__init__(tagged)
        self._range_end = 0  # id of the last word of the last multiword range
        self._empty_nodes = 0  # since the last word

    def add(self, line: str) -> None:
        self.lines.append(line)
        if line.startswith("#"):
            return
        columns = line.split("\t")
        if len(columns) != _CONLLU_COLUMNS:
            raise DataError(f"{_count(columns)}; a line of CoNLL-U has {_CONLLU_COLUMNS}, separated by tabs")
        if columns[0] == str(len(self.words) + 1):
            self._add_word(columns[1], columns[3])
            self._empty_nodes = 0
        else:
            self._add_other(columns[0])

    def finish(self) -> TokenisedSentence:
        if self._range_end > len(self.words):
            raise DataError(f"a multiword range ends with word {self._range_end}, but the last is {len(self.words)}")
        return super().finish()

    def _add_other(self, identifier: str) -> None:
        """A line that is no word must be a multiword range before its words or an empty node after its word."""
        following = len(self.words) + 1
        if identifier == f"{following - 1}.{self._empty_nodes + 1}":
            self._empty_nodes += 1
            return
        if found := _RANGE.fullmatch(identifier):
            first, last = int(found[1]), int(found[2])
            if self._range_end < first == following <= last:
                self._range_end = last
                return
        hint = "; is the blank line between sentences missing?" if identifier == "1" else ""
        raise DataError(f"the id {identifier[:20]!r} is out of place, the next word is {following}{hint}")


class _Columns(_Block):
    """Word, tab, tag, and perhaps a third column: `-` where no space follows in the text, or a probability."""

    def add(self, line: str) -> None:
        columns = line.split("\t")
        if len(columns) == 1 and line.startswith("#"):  # with a tab it is a word
            self.lines.append(line)
            return
        if len(columns) not in (2, 3):
            raise DataError(f"{_count(columns)}; each line must be a word, a tab and a tag, or ten columns of CoNLL-U")
        word, tag, third = columns if len(columns) == 3 else (*columns, "")
        if third not in ("", "-") and not _PROBABILITY.fullmatch(third):
            raise DataError(f"the third column is {third[:20]!r}; it must be - (no space follows) or a probability")
        self._add_word(word, tag or NO_TAG)
        self.lines.append(conllu_row(len(self.words), word, tag or NO_TAG, "SpaceAfter=No" if third == "-" else "_"))


def _count(columns: list[str]) -> str:
    return "1 column" if len(columns) == 1 else f"{len(columns)} columns"


def conllu_row(number: int, word: str, tag: str, misc: str = "_") -> str:
    """The line of a word of which nothing else is known."""
    return f"{number}\t{word}\t_\t{tag}\t_\t_\t_\t_\t_\t{misc}"
