# SPDX-License-Identifier: Apache-2.0
"""Annotates a corpus: plans its shards, leaves out what is done, and sums up what was found."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import budgie
from budgie.corpus.counts import Counts
from budgie.corpus.ledger import Ledger
from budgie.corpus.options import Options
from budgie.corpus.shards import Shard, plan
from budgie.corpus.work import Engine, Failure, Work
from budgie.errors import DataError
from budgie.formats.places import join, stamp, writing

SUMMARY, REPORT = "_summary.json", "_report.html"


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
    engine: str = "local"
    workers: int = 1

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
                "failures": self.failures,
            },
            **self.found.to_dict(),
            "seconds": round(self.seconds, 3),
            "engine": self.engine,
            "workers": self.workers,
        }


def plan_run(inputs: Sequence[str], output: str, options: Options) -> Run:
    """A run that has not begun."""
    shards = plan(inputs, output, options)
    return Run(inputs, output, options, shards, [stamp(shard.input).size for shard in shards])


def annotate_corpus(
    run: Run, engine: Engine, anew: bool = False, tell: Callable[[float, Run], None] = lambda _, __: None
) -> dict[str, Any]:
    """Annotate all shards that are not done, write the summary and the report, and return the summary.

    `tell` hears how many bytes of input are done, those of earlier runs and all.
    """
    begin = time.monotonic()
    ledger = Ledger(run.output, run.options)
    ledger.begin(anew)
    known = [None] * len(run.shards) if anew else ledger.done(run.shards)
    for counts in filter(None, known):
        run.found.merge(counts)
    left = [number for number, counts in enumerate(known) if counts is None]
    run.before = len(run.shards) - len(left)
    done = float(sum(run.sizes) - sum(run.sizes[number] for number in left))
    shares: dict[int, float] = {}

    def told(number: int, share: float) -> None:
        shares[number] = share * run.sizes[left[number]]
        tell(done + sum(shares.values()), run)

    tell(done, run)
    for number, answer in engine(Work(run.options, ledger), [run.shards[place] for place in left], told):
        shares.pop(number, None)
        done += run.sizes[left[number]]
        if isinstance(answer, Failure):
            if not run.options.skip:
                raise DataError(answer.message)
            run.failures.append(answer.message)
        else:
            run.found.merge(answer)
            run.done += 1
        tell(done + sum(shares.values()), run)
    run.seconds = time.monotonic() - begin
    summary = run.summary()
    _write_summary(run.output, summary)
    return summary


def _write_summary(output: str, summary: dict[str, Any]) -> None:
    from budgie.corpus.report import page  # noqa: PLC0415

    for name, text in ((SUMMARY, json.dumps(summary, ensure_ascii=False, indent=1) + "\n"), (REPORT, page(summary))):
        with writing(join(output, name)) as file:
            file.write(text.encode("utf-8", "replace"))
