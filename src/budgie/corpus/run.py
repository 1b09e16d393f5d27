# SPDX-License-Identifier: Apache-2.0
"""Annotates a corpus: plans its shards, leaves out what is done, and sums up what was found."""

from __future__ import annotations

import dataclasses
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import budgie
from budgie.corpus.counts import Counts
from budgie.corpus.engines import engine_of
from budgie.corpus.ledger import Ledger
from budgie.corpus.options import Options
from budgie.corpus.shards import REPORT, SUMMARY, Shard, plan
from budgie.corpus.work import Engine, Failure, Work
from budgie.errors import DataError
from budgie.formats.places import join, normal, stamp, writing

Tell = Callable[[float, "Run"], None]  # bytes of input that are done, those of earlier runs and all

_EXAMPLES = 100  # of files that were left out


@dataclass
class Run:
    """A run over a corpus: how far it is, and what was found so far."""

    inputs: Sequence[str]
    output: str
    options: Options
    shards: list[Shard]
    sizes: list[int]  # of their inputs, in bytes
    before: int = 0  # shards that an earlier run has done
    done: int = 0  # and this one
    failures: list[str] = field(default_factory=list)
    found: Counts = field(default_factory=Counts)
    seconds: float = 0.0
    engine: str = ""
    workers: int = 0

    def summary(self) -> dict[str, Any]:
        """What there is to say of it, as JSON."""
        return {
            "budgie": budgie.__version__,
            "options": self.options.of_output(),
            "inputs": list(self.inputs),
            "output": self.output,
            "shards": {
                "all": len(self.shards),
                "now": self.done,
                "before": self.before,
                "failed": len(self.failures),
                "failures": self.failures[:_EXAMPLES],
            },
            **self.found.to_dict(),
            "seconds": round(self.seconds, 3),
            "engine": self.engine,
            "workers": self.workers,
        }


def annotate_corpus(
    inputs: str | Path | Sequence[str | Path],
    output: str | Path,
    options: Options = Options(),
    *,
    engine: str = "local",
    address: str | None = None,
    workers: int | None = None,
    overwrite: bool = False,
    tell: Tell = lambda _, __: None,
) -> Run:
    """Annotate all files that the inputs stand for into a folder, but those that an earlier run has done.

    The options are those of `budgie annotate`, which explains them; `threads` (one, unless they say so) are all that a
    run may use on this machine, shared out among its workers. `tell` hears how many bytes of input are done. Whatever
    ends a run early, what it has done is in the folder, and in the summary and the report there.
    """
    several = [inputs] if isinstance(inputs, str | Path) else inputs
    names, output = [normal(str(name)) for name in several], normal(str(output))
    shards = plan(names, output, options)
    run = Run(names, output, options, shards, [stamp(shard.input).size for shard in shards])
    by, threads = engine_of(engine, address, workers, options.threads, len(shards))
    work = Work(dataclasses.replace(options, threads=threads), Ledger(output, options))
    annotate_shards(run, by, work, overwrite, tell)
    return run


def annotate_shards(
    run: Run, engine: Engine, work: Work, overwrite: bool = False, tell: Tell = lambda _, __: None
) -> None:
    """The same of a run that is planned, by an engine of one's own."""
    begin = time.monotonic()
    assert work.ledger is not None
    work.ledger.begin(overwrite)
    known = [None] * len(run.shards) if overwrite else work.ledger.done(run.shards)
    for counts in filter(None, known):
        run.found.merge(counts)
    left = [number for number, counts in enumerate(known) if counts is None]
    run.before = len(run.shards) - len(left)
    try:
        _annotate(run, engine, work, left, tell)
    finally:
        run.seconds, run.engine, run.workers = time.monotonic() - begin, engine.name, engine.workers
        _write_summary(run.output, run.summary())


def _annotate(run: Run, engine: Engine, work: Work, left: Sequence[int], tell: Tell) -> None:
    done = float(sum(run.sizes) - sum(run.sizes[number] for number in left))
    shares: dict[int, float] = {}

    def told(number: int, share: float) -> None:
        shares[number] = share * run.sizes[left[number]]
        tell(done + sum(shares.values()), run)

    tell(done, run)
    for number, answer in engine(work, [run.shards[place] for place in left], told):
        shares.pop(number, None)
        done += run.sizes[left[number]]
        if isinstance(answer, Failure):
            run.failures.append(answer.message)
            if not run.options.skip:
                raise DataError(answer.message)
        else:
            run.found.merge(answer)
            run.done += 1
        tell(done + sum(shares.values()), run)


def _write_summary(output: str, summary: dict[str, Any]) -> None:
    from budgie.corpus.report import page  # noqa: PLC0415

    for name, text in ((SUMMARY, json.dumps(summary, ensure_ascii=False, indent=1) + "\n"), (REPORT, page(summary))):
        with writing(join(output, name)) as file:
            file.write(text.encode("utf-8", "replace"))
