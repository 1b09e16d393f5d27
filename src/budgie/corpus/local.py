# SPDX-License-Identifier: Apache-2.0
"""Shards on this machine: one after the other, or several at a time in processes of their own."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from budgie.corpus.counts import Counts
from budgie.corpus.shards import Shard
from budgie.corpus.work import Failure, Work

_PATIENCE = 5  # seconds that a worker has to stop
_SECONDS = 0.2  # between two looks at Ctrl-C

Tell = Callable[[int, float], None]


class Local:
    """One worker is this process. Of several, each gets a shard when it has done the one before."""

    name = "local"

    def __init__(self, workers: int = 1) -> None:
        self.workers = workers

    def __call__(self, work: Work, shards: Sequence[Shard], tell: Tell) -> Iterator[tuple[int, Counts | Failure]]:
        """As Engine says."""
        return (_here if self.workers == 1 else self._beside)(work, shards, tell)

    def _beside(self, work: Work, shards: Sequence[Shard], tell: Tell) -> Iterator[tuple[int, Counts | Failure]]:
        left = iter(enumerate(shards))
        with contextlib.ExitStack() as stack:
            workers = [stack.enter_context(_Worker(work)) for _ in range(min(self.workers, len(shards)))]
            busy = {one.connection: one for one in workers if one.begin(left)}
            while busy:
                for connection in wait(list(busy), _SECONDS):
                    worker = busy[connection]  # type: ignore[index]
                    answer = worker.receive()
                    if isinstance(answer, float):
                        tell(worker.number, answer)
                        continue
                    yield worker.number, answer
                    if not worker.begin(left):
                        del busy[connection]  # type: ignore[arg-type]


def _here(work: Work, shards: Sequence[Shard], tell: Tell) -> Iterator[tuple[int, Counts | Failure]]:
    for number, shard in enumerate(shards):

        def told(share: float, number: int = number) -> None:
            tell(number, share)

        yield number, work.do(shard, told)


class _Worker:
    """A process, and the number of the shard that it has."""

    def __init__(self, work: Work) -> None:
        self._work = work

    def __enter__(self) -> _Worker:
        # A process that was forked would have the locks of threads that it does not have.
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self._process: BaseProcess = context.Process(target=_serve, args=(theirs, self._work), daemon=True)
        self._process.start()
        theirs.close()
        return self

    def begin(self, left: Iterator[tuple[int, Shard]]) -> bool:
        """Give it the next shard, if there is one."""
        self.number, shard = next(left, (-1, None))
        if shard is None:
            return False
        try:
            self.connection.send(shard)
        except OSError:
            raise self._ended() from None
        return True

    def receive(self) -> Any:
        """How far it is, or what it has found."""
        try:
            return self.connection.recv()
        except (EOFError, OSError):
            raise self._ended() from None

    def _ended(self) -> ChildProcessError:
        self._process.join()
        status = self._process.exitcode
        reason = "; perhaps there was no memory for so many" if status == -signal.SIGKILL else ""
        return ChildProcessError(
            f"a worker ended with status {status}{reason}: the same command goes on where this one stopped, --workers "
            "says how many there are"
        )

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.join(_PATIENCE)
        self._process.kill()
        self._process.join()
        self.connection.close()


def _serve(connection: Connection, work: Work) -> None:
    os.environ["OMP_NUM_THREADS"] = str(work.options.threads)  # pyarrow would take all cores for each worker
    # Who is interrupted says so to its workers; each takes away what it has begun to write.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while True:
            shard = connection.recv()
            connection.send(work.do(shard, connection.send))
