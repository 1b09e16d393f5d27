# SPDX-License-Identifier: Apache-2.0
"""Plain text of a language, cut into sentences and words by the embedded models, for teachers of taggers."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

import budgie
from budgie import coverage
from budgie.formats.lines import read_lines
from budgie.formats.sentences import TokenisedSentence
from budgie.train.data.plain_text import plain_text_files

LONGEST = 60  # words of a sentence


def plain_sentences(
    language: str, most: int, left_out: Iterable[TokenisedSentence], spaces: bool = True, spread: bool = False
) -> Iterator[tuple[str, ...]]:
    """About `most` words, as many from each source as it has of its share; none of some sentences.

    Nothing where words are not known from free models, or, without `spaces`, where words have spaces inside. The lines
    are the first of each file, or, with `spread`, of all parts of it.
    """
    if coverage.of(language).segmenter not in (None, *budgie.embedded()) or (language == "vi" and not spaces):
        return
    known = {_key(sentence.words) for sentence in left_out}
    files = plain_text_files(language)
    written = 0
    for i, file in enumerate(files):
        share = written + (most - written) // (len(files) - i)
        lines = _spread(list(read_lines(file)), share - written) if spread else read_lines(file)
        for words in _sentences_of(lines, language):
            if written >= share:
                break
            if len(words) <= LONGEST and _key(words) not in known:
                yield words
                written += len(words)


def _spread(lines: list[str], most: int) -> Iterator[str]:
    """Lines of all parts of a file, in all of about `most` words where it has so many."""
    step = max(1, sum(len(line.split()) for line in lines) // most)
    return itertools.islice(lines, 0, None, step)


def _sentences_of(lines: Iterator[str], language: str) -> Iterator[tuple[str, ...]]:
    """The words of each sentence of some lines."""
    pipeline = budgie.Pipeline(tasks=["tokens"])
    for document in pipeline.annotate_stream(lines, language):
        for sentence in document.sentences:
            yield tuple(word.text for token in sentence.tokens for word in token.words or [token])


def _key(words: Iterable[str]) -> str:
    return "".join(words).casefold()
