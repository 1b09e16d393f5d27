# SPDX-License-Identifier: Apache-2.0
"""Classes of words that are used alike, learned from plain text by the exchange algorithm (core/exchange.hpp)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from budgie._core import BigramCounter, Exchange, WordCounter
from budgie.clusters.table import ClusterTable, read_clusters
from budgie.data import UNREADABLE, open_bytes
from budgie.errors import ConfigError, DataError

__all__ = ["ClusterTable", "Clusters", "State", "cluster", "read_clusters"]

_CHUNK = 2**20  # bytes of text given to the core at a time
_SLICE = 0.1  # seconds of work in the core between two looks at Ctrl-C
_BATCH_WORDS = 300  # that look for a class at a time, at most: enough for many threads; classes are as good as with 1
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

    table: ClusterTable  # the most frequent word first; class 0 has the largest part of the text
    counts: tuple[int, ...]  # of each word of the table
    tokens: int  # words of text, rare ones and all
    mutual_information: float  # of neighbouring classes, on average, in bits
    likelihood: float  # of a word of text: mean logarithm, in nats
    rounds: int
    seconds: float

    def write(self, path: Path) -> None:
        """Write the table, all at once."""
        self.table.write(path, self.counts)


def cluster(
    paths: Sequence[Path],
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
    core/exchange.hpp; `rounds` is the most that follow after the last cycle. The same text and the same arguments
    give the same classes, whatever `threads` is.
    """
    if min(classes, words, least, threads) < 1 or min(cycles, rounds, seed) < 0:
        raise ConfigError("classes, words, least and threads must be 1 or more; cycles, rounds and seed 0 or more")
    for path in paths:
        if str(path) == "-" or (path.exists() and not path.is_file()):
            raise DataError(f"{path}: the text is read twice, so it must be in files")
    begin = time.perf_counter()
    word_counter = WordCounter(fold_case, fold_digits)
    for state in _read(paths, word_counter, "counting words", 0):
        report(state)
    tokens, kept = word_counter.words, word_counter.keep(words, least)
    del word_counter  # and all rare words with it
    if not kept.counts:
        raise DataError(f"{', '.join(map(str, paths))}: no word is there at least {least} times, nothing to cluster")
    bigram_counter = BigramCounter(kept, fold_case, fold_digits)
    for state in _read(paths, bigram_counter, "counting pairs", tokens):
        report(state)
    if bigram_counter.words != tokens:
        raise DataError(f"{', '.join(map(str, paths))}: changed while it was read")
    bigrams = bigram_counter.take()
    exchange = Exchange(bigrams, classes, two_sided, cycles, rounds, seed, _BATCH_WORDS)
    for state in _run(exchange, len(kept.counts), bigrams.total, threads):
        report(state)
    return Clusters(
        ClusterTable(tuple(kept.words), *_by_mass(exchange.classes, kept.counts), fold_case, fold_digits),
        tuple(kept.counts),
        tokens,
        exchange.mutual_information,
        exchange.likelihood / bigrams.total,
        exchange.round,
        time.perf_counter() - begin,
    )


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
        yield State("clustering", done, 0, exchange.round + 1, exchange.last_moves, likelihood)


def _by_mass(classes: Sequence[int], counts: Sequence[int]) -> tuple[tuple[int, ...], int]:
    """Classes numbered from the one with the largest part of the text on, and how many there are."""
    masses: dict[int, int] = {}  # in the order of their most frequent words, which decides between equals
    for of_word, count in zip(classes, counts, strict=True):
        masses[of_word] = masses.get(of_word, 0) + count
    order = sorted(masses, key=lambda one: -masses[one])
    numbers = {one: number for number, one in enumerate(order)}
    return tuple(numbers[of_word] for of_word in classes), len(numbers)
