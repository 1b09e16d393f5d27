# SPDX-License-Identifier: Apache-2.0
"""Classes of words that are used alike, learnt from plain text by exchange (core/clusters/exchange.hpp)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from budgie._core import BigramCounter, Bigrams, Exchange, WordCounter, WordCounts
from budgie.clusters.engines import Local, engine_of
from budgie.clusters.table import ClusterTable, read_clusters
from budgie.errors import ConfigError, DataError

if TYPE_CHECKING:
    from budgie.clusters.on_ray import ExchangeOnRay, OnRay

__all__ = ["ClusterTable", "Clusters", "State", "cluster", "read_clusters"]

_SLICE = 0.1  # seconds of work in the core between two looks at Ctrl-C
_BATCH_WORDS = 300  # that look for a class at a time, at most: enough for many threads; classes are as good as with 1
_GREATEST = 2**63


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
    engine: str = "local",
    address: str | None = None,
    workers: int | None = None,
    report: Callable[[State], None] = lambda _: None,
) -> Clusters:
    """Cluster the `words` most frequent words that some files (plain, .gz, .xz, .zst) have at least `least` times.

    A sentence is a line; words are separated by ASCII white space. `cycles` and `seed` are explained in
    core/clusters/exchange.hpp; `rounds` is the most that follow after the last cycle. The same text and the same
    arguments give the same classes, whoever does the work: `threads` of this process or, with the engine "ray",
    `workers` of so many threads each, of the Ray cluster at an `address` (budgie.ray_cluster).
    """
    if min(classes, words, least, threads, workers or 1) < 1 or min(cycles, rounds, seed) < 0:
        raise ConfigError(
            "classes, words, least, threads and workers must be 1 or more; cycles, rounds and seed 0 or more"
        )
    if max(classes, words, least, cycles, rounds, seed, threads) >= _GREATEST:
        raise ConfigError(f"no setting may be {_GREATEST} or more")
    files = [Path(path) for path in paths]
    if not files:
        raise DataError("there is no text to cluster")
    for path in files:
        if str(path) == "-" or (path.exists() and not path.is_file()):
            raise DataError(f"{path}: not a file; the text is read twice, so it cannot come from a pipe")
    begin = time.perf_counter()
    with engine_of(engine, address, workers, threads) as on:
        tokens, kept, bigrams = _count(on, files, words, least, (fold_case, fold_digits), report)
        classes, total = min(classes, len(kept.counts)), bigrams.total  # more classes than words would stay empty
        try:
            exchange = on.exchange(partial(Exchange, bigrams, classes, two_sided, cycles, rounds, seed, _BATCH_WORDS))
        except MemoryError:
            raise ConfigError(f"no memory for the counts of {classes:,} classes: use fewer") from None
        for state in _run(exchange, len(kept.counts), total, threads):
            report(state)
        return Clusters(
            ClusterTable(tuple(kept.words), *_in_order(exchange.classes), fold_case, fold_digits),
            tuple(kept.counts),
            tokens,
            exchange.mutual_information,
            exchange.likelihood / total,
            exchange.round,
            time.perf_counter() - begin,
        )


def _count(
    engine: Local | OnRay,
    paths: Sequence[Path],
    words: int,
    least: int,
    folding: tuple[bool, bool],
    report: Callable[[State], None],
) -> tuple[int, WordCounts, Bigrams]:
    """Both passes over the text: how many words it has, those to be clustered, and their pairs."""
    names = ", ".join(map(str, paths))

    def words_so_far(counter: WordCounter) -> None:
        report(State("counting words", 0.0, counter.words))

    def pairs_so_far(counter: BigramCounter) -> None:
        report(State("counting pairs", counter.words / tokens, counter.words))

    word_counter = engine.count(partial(WordCounter, *folding), paths, words_so_far)
    tokens, kept = word_counter.words, word_counter.keep(words, least)
    del word_counter  # and all rare words with it
    if not kept.counts:
        raise DataError(f"{names}: no word is there at least {least} times, nothing to cluster")
    try:
        bigram_counter = engine.count(partial(BigramCounter, kept, *folding), paths, pairs_so_far)
        bigrams = bigram_counter.take()
    except OverflowError as error:
        raise DataError(f"{names}: {error}; cluster a part of the text") from None
    if bigram_counter.words != tokens or bigrams.totals[: len(kept.counts)] != kept.counts:
        raise DataError(f"{names}: changed while it was read")
    return tokens, kept, bigrams


def _run(exchange: Exchange | ExchangeOnRay, words: int, tokens: int, threads: int) -> Iterator[State]:
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
