# SPDX-License-Identifier: Apache-2.0
"""What a worker does with a shard, whatever the engine, and what an engine is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, Protocol

import budgie
from budgie.corpus.annotate import Tell, annotate_shard
from budgie.corpus.counts import Counts
from budgie.corpus.ledger import Ledger
from budgie.corpus.options import Options
from budgie.corpus.shards import Shard
from budgie.errors import Error, MissingExtra, message_of


class Failure(NamedTuple):
    """Why a shard could not be annotated."""

    message: str


class Work(NamedTuple):
    """All that a worker has to know; it may be sent anywhere."""

    options: Options
    ledger: Ledger | None  # where it is noted what is done
    version: str = budgie.__version__  # of who has sent it

    def do(self, shard: Shard, tell: Tell = lambda _: None) -> Counts | Failure:
        """Annotate a shard and note that: the same output however often it is done.

        Whatever goes wrong is the failure of this shard: there may be thousands of others.
        """
        if self.version != budgie.__version__:
            return Failure(f"a worker has Budgie {budgie.__version__}, and {self.version} is asked for")
        try:
            if self.ledger is None:
                return annotate_shard(shard, self.options, tell)
            before = self.ledger.begin_shard(shard)
            counts = annotate_shard(shard, self.options, tell)
            self.ledger.end_shard(shard, before, counts)
        except Exception as error:
            known = isinstance(error, (Error, OSError, MissingExtra))
            message = message_of(error) if known else f"{type(error).__name__}: {error}"
            return Failure(message if shard.input in message else f"{shard.input}: {message}")
        return counts


class Engine(Protocol):
    """Annotates shards, in any order: gives the number of each, and what was found or went wrong."""

    name: str
    workers: int  # at a time, as far as that is known

    def __call__(
        self, work: Work, shards: Sequence[Shard], tell: Callable[[int, float], None]
    ) -> Iterator[tuple[int, Counts | Failure]]:
        """`tell` hears how much of a shard is done, where the engine can know."""
