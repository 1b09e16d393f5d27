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

_REASONS = {  # why a worker may have ended
    -signal.SIGKILL: "; perhaps there was no memory for so many workers",
    1: '; workers import the script that has begun them: it needs `if __name__ == "__main__":`',
}
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
            busy: dict[Any, _Worker] = {}

            def begin(worker: _Worker | None) -> None:
                """Give a worker, or a new one, the next shard, if there is one."""
                number, shard = next(left, (-1, None))
                if shard is not None:
                    worker = worker or stack.enter_context(_Worker(work))
                    worker.begin(number, shard)
                    busy[worker.connection] = worker

            for _ in range(min(self.workers, len(shards))):
                begin(None)
            while busy:
                for connection in wait(list(busy), _SECONDS):
                    worker = busy[connection]
                    answer = worker.receive()
                    if isinstance(answer, float):
                        tell(worker.number, answer)
                        continue
                    del busy[connection]
                    yield worker.number, answer
                    begin(worker if worker.is_alive() else None)


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

    def begin(self, number: int, shard: Shard) -> None:
        """Give it a shard."""
        self.number, self._shard = number, shard
        with contextlib.suppress(OSError):  # it has ended, as receive() says
            self.connection.send(shard)

    def receive(self) -> Any:
        """How far it is, or what it has found, or that it has ended."""
        try:
            return self.connection.recv()
        except (EOFError, OSError):
            self._process.join()
            status = self._process.exitcode
            reason = _REASONS.get(status or 0, "")
            return Failure(f"{self._shard.input}: its worker ended with status {status}{reason}")

    def is_alive(self) -> bool:
        return self._process.is_alive()

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
