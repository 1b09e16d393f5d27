# SPDX-License-Identifier: Apache-2.0
"""Classes of words that are used alike, learnt from plain text by exchange (core/clusters/exchange.hpp)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from budgie._core import BigramCounter, Bigrams, Exchange, KeptWords, WordCounter
from budgie.clusters.table import ClusterTable, read_clusters
from budgie.errors import ConfigError, DataError
from budgie.formats.compression import UNREADABLE, open_bytes

__all__ = ["ClusterTable", "Clusters", "State", "cluster", "read_clusters"]

_CHUNK = 2**20  # bytes of text given to the core at a time
_SLICE = 0.1  # seconds of work in the core between two looks at Ctrl-C
_BATCH_WORDS = 300  # that look for a class at a time, at most: enough for many threads; classes are as good as with 1
_GREATEST = 2**63
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class State:
    """How far clustering is."""

    task: str  # what is done now
    done: float  # share of it, from 0 to 1; 0 where nobody knows
    words: int = 0  # of text, read so far
    round: int = 0  # over all words, from 1 on
    moves: int = 0  # of words, in the last whole round
    likelihood: float = 0.0  # of a word of text after that round: mean logarithm, in nats


@dataclass(frozen=True)
class Clusters:
    """The classes found, and what they are made from."""

    table: ClusterTable  # the most frequent word first; it has class 0
    counts: tuple[int, ...]  # of each word of the table
    tokens: int  # words of text, rare ones and all
    mutual_information: float  # of neighbouring classes, on average, in bits
    likelihood: float  # of a word of text: mean logarithm, in nats
    rounds: int
    seconds: float

    def write(self, path: str | Path) -> None:
        """Write the table, all at once."""
        self.table.write(path, self.counts)


def cluster(
    paths: Sequence[str | Path],
    classes: int = 256,
    words: int = 250_000,
    *,
    least: int = 3,
    two_sided: bool = False,
    fold_case: bool = False,
    fold_digits: bool = False,
    cycles: int = 4,
    rounds: int = 20,
    seed: int = 1,
    threads: int = 1,
    report: Callable[[State], None] = lambda _: None,
) -> Clusters:
    """Cluster the `words` most frequent words that some files (plain, .gz, .xz, .zst) have at least `least` times.

    A sentence is a line; words are separated by ASCII white space. `cycles` and `seed` are explained in
    core/clusters/exchange.hpp; `rounds` is the most that follow after the last cycle. The same text and the same
    arguments give the same classes, whatever `threads` is.
    """
    if min(classes, words, least, threads) < 1 or min(cycles, rounds, seed) < 0:
        raise ConfigError("classes, words, least and threads must be 1 or more; cycles, rounds and seed 0 or more")
    if max(classes, words, least, cycles, rounds, seed, threads) >= _GREATEST:
        raise ConfigError(f"no setting may be {_GREATEST} or more")
    files = [Path(path) for path in paths]
    if not files:
        raise DataError("there is no text to cluster")
    for path in files:
        if str(path) == "-" or (path.exists() and not path.is_file()):
            raise DataError(f"{path}: not a file; the text is read twice, so it cannot come from a pipe")
    begin = time.perf_counter()
    tokens, kept, bigrams = _count(files, words, least, fold_case, fold_digits, report)
    classes = min(classes, len(kept.counts))  # more than words would stay empty
    try:
        exchange = Exchange(bigrams, classes, two_sided, cycles, rounds, seed, _BATCH_WORDS)
    except MemoryError:
        raise ConfigError(f"no memory for the counts of {classes:,} classes: use fewer") from None
    for state in _run(exchange, len(kept.counts), bigrams.total, threads):
        report(state)
    return Clusters(
        ClusterTable(tuple(kept.words), *_in_order(exchange.classes), fold_case, fold_digits),
        tuple(kept.counts),
        tokens,
        exchange.mutual_information,
        exchange.likelihood / bigrams.total,
        exchange.round,
        time.perf_counter() - begin,
    )


def _count(
    paths: Sequence[Path], words: int, least: int, fold_case: bool, fold_digits: bool, report: Callable[[State], None]
) -> tuple[int, KeptWords, Bigrams]:
    """Both passes over the text: how many words it has, those to be clustered, and their pairs."""
    names = ", ".join(map(str, paths))
    word_counter = WordCounter(fold_case, fold_digits)
    for state in _read(paths, word_counter, "counting words", 0):
        report(state)
    tokens, kept = word_counter.words, word_counter.keep(words, least)
    del word_counter  # and all rare words with it
    if not kept.counts:
        raise DataError(f"{names}: no word is there at least {least} times, nothing to cluster")
    bigram_counter = BigramCounter(kept, fold_case, fold_digits)
    for state in _read(paths, bigram_counter, "counting pairs", tokens):
        report(state)
    try:
        bigrams = bigram_counter.take()
    except OverflowError as error:
        raise DataError(f"{names}: {error}; cluster a part of the text") from None
    if bigram_counter.words != tokens or bigrams.totals[: len(kept.counts)] != kept.counts:
        raise DataError(f"{names}: changed while it was read")
    return tokens, kept, bigrams


def _read(
    paths: Sequence[Path], counter: WordCounter | BigramCounter, task: str, expected_words: int
) -> Iterator[State]:
    for path in paths:
        with open_bytes(path) as file:
            try:
                chunk = file.read(_CHUNK).removeprefix(_BOM)
                while chunk:
                    counter.read(chunk)
                    yield State(task, counter.words / expected_words if expected_words else 0.0, counter.words)
                    chunk = file.read(_CHUNK)
            except UNREADABLE as error:
                raise DataError(f"{path}: cannot be read ({error})") from None
        counter.finish_file()


def _run(exchange: Exchange, words: int, tokens: int, threads: int) -> Iterator[State]:
    measured, likelihood = -1, 0.0
    going_on = True
    while going_on:
        going_on = exchange.advance(threads, _SLICE)
        if exchange.round != measured:  # summing it up takes longer than a batch
            measured, likelihood = exchange.round, exchange.likelihood / tokens
        done = (exchange.round + exchange.words_done / words) / max(1, exchange.rounds)
        yield State(
            "clustering", done if going_on else 1.0, 0, exchange.round + going_on, exchange.last_moves, likelihood
        )


def _in_order(classes: Sequence[int]) -> tuple[tuple[int, ...], int]:
    """Classes numbered in the order they come, as a table is read, and how many there are."""
    numbers: dict[int, int] = {}
    return tuple([numbers.setdefault(one, len(numbers)) for one in classes]), len(numbers)
