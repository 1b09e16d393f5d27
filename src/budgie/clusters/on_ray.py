# SPDX-License-Identifier: Apache-2.0
"""Clustering by the workers of a Ray cluster (budgie.ray_cluster): the same table as on one machine.

Counting: each worker counts pieces of the text, and their counts are added in the order of the text. Exchange: each
worker has all counts, and finds the classes of its share of the words of each batch (map); all are told what all have
found, and make the same moves (reduce). So nothing but choices travels, and any worker can be made anew from them.
"""

from __future__ import annotations

import itertools
import time
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import ray
from ray.exceptions import RayError, RayTaskError

from budgie._core import BigramCounter, Bigrams, Exchange, WordCounter, WordCounts
from budgie.clusters.engines import Counter, read_piece
from budgie.clusters.text import Piece, pieces_of
from budgie.errors import ConfigError, Error

_PIECE = 2**26  # bytes of plain text that one worker counts at a time
_MOST_LOSSES = 3  # of a worker before it has answered once; more are no accident


class OnRay:
    """So many workers with so many threads each, as many as there is room for if nobody says."""

    def __init__(self, workers: int | None, threads: int) -> None:
        room = sum(int(node["Resources"].get("CPU", 0)) // threads for node in ray.nodes() if node["Alive"])
        if room < (workers or 1):  # Ray would wait until somebody adds a machine
            wanted = f"{workers or 1} workers of {threads} threads"
            raise ConfigError(f"the cores of the Ray cluster are enough for {room}, not for {wanted}: use fewer")
        self._workers, self._threads = workers or room, threads

    def count(self, make: Callable[[], Counter], paths: Sequence[Path], show: Callable[[Counter], None]) -> Counter:
        """As budgie.clusters.engines.Local."""
        counter, made_by = make(), ray.put(make)
        count = ray.remote(_count)
        in_order: deque[Any] = deque()  # as words are first seen in the text, so are they kept
        running: list[Any] = []
        for piece in pieces_of(paths, _PIECE):
            if len(running) == self._workers:
                _, running = ray.wait(running)
            running.append(count.remote(made_by, piece))
            in_order.append(running[-1])
            while in_order[0] not in running:
                counter.add(_get(in_order.popleft()))
                show(counter)
        for counts in in_order:
            counter.add(_get(counts))
            show(counter)
        return counter

    def exchange(self, make: Callable[[], Exchange]) -> ExchangeOnRay:
        """As budgie.clusters.engines.Local."""
        return ExchangeOnRay(make, self._workers, self._threads)


def _count(make: Callable[[], WordCounter | BigramCounter], piece: Piece) -> WordCounts | Bigrams:
    counter = make()
    read_piece(counter, piece)
    return counter.take()


class Checkpoint(NamedTuple):
    """Where an exchange was after a round, and what has been chosen in each batch since then."""

    round: int
    last_moves: int
    classes: Sequence[int]  # of words; none if it has not begun
    chosen: list[list[int]]


class Answer(NamedTuple):
    """What a replica has chosen for its share of the batch, and where it is."""

    choices: list[int]
    round: int
    words_done: int
    last_moves: int
    done: bool


class Replica:
    """All counts, on a worker that does a share of the work."""

    def __init__(self, make: Callable[[], Exchange], share: int, shares: int, since: Checkpoint) -> None:
        self._exchange, self._share, self._shares = make(), share, shares
        if since.classes:
            self._exchange.resume(since.round, since.last_moves, since.classes)
        for choices in since.chosen:
            self._exchange.apply(choices, 1)

    def step(self, choices: list[int] | None, threads: int) -> Answer:
        """Make the moves of a batch, and look at the next one; with None only the latter."""
        one = self._exchange
        if choices is not None:
            one.apply(choices, threads)
        return Answer(
            one.choose(self._share, self._shares, threads), one.round, one.words_done, one.last_moves, one.done
        )

    def get(self, name: str) -> Any:
        """What the exchange has under this name."""
        return getattr(self._exchange, name)


class ExchangeOnRay:
    """What is asked of an exchange of the core, and done by replicas of one."""

    def __init__(self, make: Callable[[], Exchange], workers: int, threads: int) -> None:
        self._made_by = ray.put(make)
        self._replica = ray.remote(Replica)
        self._since = Checkpoint(0, 0, (), [])
        self._replicas = [self._new(share, workers, threads) for share in range(workers)]
        self._choices: list[int] | None = None
        self.round = self.words_done = self.last_moves = 0
        self.rounds: int = self._get("rounds")

    def advance(self, threads: int, seconds: float) -> bool:
        """Batches for as long as that; whether there is more to do."""
        end = time.monotonic() + seconds
        while (going_on := self._step(threads)) and time.monotonic() < end:
            pass
        return going_on

    @property
    def likelihood(self) -> float:
        """As the core has it."""
        return float(self._get("likelihood"))

    @property
    def mutual_information(self) -> float:
        """As the core has it."""
        return float(self._get("mutual_information"))

    @property
    def classes(self) -> Sequence[int]:
        """Of each word."""
        found: list[int] = self._get("classes")
        return found

    def _step(self, threads: int) -> bool:
        if self._choices is not None:
            self._since.chosen.append(self._choices)
        asked = [replica.step.remote(self._choices, threads) for replica in self._replicas]
        answers: list[Answer] = [
            self._answer(share, answer, lambda replica: replica.step.remote(None, threads))
            for share, answer in enumerate(asked)
        ]
        self._choices = [0] * sum(len(answer.choices) for answer in answers)
        for share, answer in enumerate(answers):
            self._choices[share :: len(answers)] = answer.choices
        _, now, self.words_done, self.last_moves, done = answers[0]
        if now != self.round:
            self.round = now
            self._since = Checkpoint(now, self.last_moves, self.classes, [])
        return not done

    def _get(self, name: str) -> Any:
        def ask(replica: Any) -> Any:
            return replica.get.remote(name)

        return self._answer(0, ask(self._replicas[0]), ask)

    def _answer(self, share: int, answer: Any, ask_again: Callable[[Any], Any]) -> Any:
        """What a replica has answered; one that is lost, with its worker or its machine, is made anew."""
        for losses in itertools.count(1):
            try:
                return _get(answer)
            except RayError as error:
                if losses > _MOST_LOSSES:
                    raise Error(f"a worker of the Ray cluster is lost again and again: {error}") from None
                # It takes no cores for itself: those of the machine that is gone may not come back.
                self._replicas[share] = self._new(share, len(self._replicas), 0)
                answer = ask_again(self._replicas[share])

    def _new(self, share: int, shares: int, cores: int) -> Any:
        return self._replica.options(num_cpus=cores).remote(self._made_by, share, shares, self._since)


def _get(answer: Any) -> Any:
    try:
        return ray.get(answer)
    except RayTaskError as error:  # one of ours
        raise error.cause from None
