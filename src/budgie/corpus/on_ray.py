# SPDX-License-Identifier: Apache-2.0
"""Shards on many machines, by Ray Data: each worker is an actor, which loads its models once.

A shard is written whole or not at all, and the same however often it is done. So one whose worker or machine is lost is
simply done again, by Ray, on another: nothing is lost and nothing is there twice.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from budgie.corpus.counts import Counts
from budgie.corpus.shards import Shard
from budgie.corpus.work import Failure, Work
from budgie.ray_cluster import connect


class OnRay:
    """Annotates shards on the cluster at an address, or on one that is started on this machine."""

    name = "ray"

    def __init__(self, address: str | None = None, workers: int | None = None) -> None:
        self._address, self._wanted = address, workers
        self.workers = workers or 0  # until Ray says how many there are

    def __call__(
        self, work: Work, shards: Sequence[Shard], tell: Callable[[int, float], None]
    ) -> Iterator[tuple[int, Counts | Failure]]:
        """As Engine says; how far a shard is stays with its worker."""
        if not shards:
            return
        with connect(self._address, self._wanted) as workers:
            import ray.data  # noqa: PLC0415

            logging.getLogger("ray.data").setLevel(logging.ERROR)
            context = ray.data.DataContext.get_current()
            context.enable_progress_bars = False
            self.workers = min(workers, len(shards))
            rows = [{"number": number, "shard": json.dumps(shard)} for number, shard in enumerate(shards)]
            found = ray.data.from_items(rows, override_num_blocks=len(rows)).map_batches(
                BudgieWorker,
                fn_constructor_args=(work, str(Path.cwd())),
                batch_size=1,
                compute=ray.data.ActorPoolStrategy(size=self.workers),
            )
            for row in found.iter_rows():
                yield row["number"], _unpacked(json.loads(row["answer"]))


class BudgieWorker:
    """What Ray makes of it is an actor."""

    def __init__(self, work: Work, folder: str) -> None:
        with contextlib.suppress(OSError):  # names of files may begin in the folder of who has asked
            os.chdir(folder)
        self._work = work

    def __call__(self, batch: dict[str, Any]) -> dict[str, Any]:
        """Annotates the shards of a batch, which is one."""
        answers = (self._work.do(Shard(*json.loads(shard))) for shard in batch["shard"])
        return {"number": batch["number"], "answer": [json.dumps(_packed(one)) for one in answers]}


def _packed(answer: Counts | Failure) -> Any:
    return answer.message if isinstance(answer, Failure) else answer.to_dict()


def _unpacked(packed: Any) -> Counts | Failure:
    return Failure(packed) if isinstance(packed, str) else Counts.from_dict(packed)
