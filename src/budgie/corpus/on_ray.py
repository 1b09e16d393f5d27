# SPDX-License-Identifier: Apache-2.0
"""Shards on many machines, by Ray Data: each worker is an actor, which loads its models once.

A shard is written whole or not at all, and the same however often it is done. So one whose worker or machine is lost is
simply done again, by Ray, on another: nothing is lost and nothing is there twice.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from budgie.corpus.counts import Counts
from budgie.corpus.shards import Shard
from budgie.corpus.work import Failure, Work
from budgie.errors import MissingExtra
from budgie.ray_cluster import connect


class OnRay:
    """Annotates shards on the cluster at an address, or on one that is started on this machine."""

    def __init__(self, address: str | None = None, workers: int | None = None) -> None:
        self._address, self._workers = address, workers

    def __call__(
        self, work: Work, shards: Sequence[Shard], tell: Callable[[int, float], None]
    ) -> Iterator[tuple[int, Counts | Failure]]:
        """As Engine says."""
        if not shards:
            return
        threads = work.options.threads
        with connect(self._address, self._workers and self._workers * threads) as cores:
            try:
                import ray.data  # noqa: PLC0415
            except ImportError as error:
                raise MissingExtra(f"{error}: pip install 'budgie-nlp[ray]', or '.[ray]' in a checkout") from None
            context = ray.data.DataContext.get_current()
            context.enable_progress_bars = False
            context.max_errored_blocks = 0
            numbered = [{"number": number, "shard": shard} for number, shard in enumerate(shards)]
            workers = min(self._workers or max(1, cores // threads), len(shards))
            found = ray.data.from_items(numbered, override_num_blocks=len(numbered)).map_batches(
                _Annotator,
                fn_constructor_args=(work, str(Path.cwd())),
                batch_size=1,
                num_cpus=threads,
                compute=ray.data.ActorPoolStrategy(size=workers),
            )
            for row in found.iter_rows():
                yield row["number"], row["answer"]


class _Annotator:
    """What Ray makes of it is an actor."""

    def __init__(self, work: Work, folder: str) -> None:
        with contextlib.suppress(OSError):  # names of files may begin in the folder of who has asked
            os.chdir(folder)
        self._work = work

    def __call__(self, batch: dict[str, Any]) -> dict[str, Any]:
        return {"number": batch["number"], "answer": [self._work.do(Shard(*shard)) for shard in batch["shard"]]}
