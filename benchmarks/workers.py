# SPDX-License-Identifier: Apache-2.0
"""Runs a worker, the part of a benchmark that asks one system, in that system's environment and a process of its own.

A worker is a module with the command line `COMMAND SYSTEM OUT [TEXTS] [ARGUMENT …]`. TEXTS has one JSON value a line;
the worker writes its results to OUT as JSON.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from benchmarks.environments import PeerError
from benchmarks.places import ROOT

SLOW_START = 3.0  # seconds of starting after which a system is not started again
# One thread: peers with NumPy, TensorFlow or Rust inside would otherwise start as many as there are cores.
ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "RAYON")} | {
    f"TF_NUM_{kind}_THREADS": "1" for kind in ("INTRAOP", "INTEROP")
}

_System = TypeVar("_System")


class WorkerError(Exception):
    """A system failed in its own environment."""


@dataclass(frozen=True)
class Worker:
    """A worker for one system: the system's name in messages, what the worker calls it, and the Python that has it."""

    name: str
    module: str
    spec: str
    python: Path

    def ask(
        self, command: str, texts: Sequence[object] | None = None, *arguments: str, under: Sequence[str] = ()
    ) -> dict[str, Any]:
        """Run the worker once, in a new process; `under` another program if one is named."""
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder, "out.json")
            call = [*under, str(self.python), "-m", self.module, command, self.spec, str(out)]
            if texts is not None:
                given = Path(folder, "texts.jsonl")
                given.write_text("".join(json.dumps(text) + "\n" for text in texts), encoding="utf-8")
                call.append(str(given))
            environment = {**os.environ, **ONE_THREAD}
            done = subprocess.run(
                [*call, *arguments], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
            )
            if done.returncode:
                why = done.stderr.strip() or f"exit status {done.returncode}"
                raise WorkerError(f"{self.name}: {command} failed:\n{why}")
            return dict(json.loads(out.read_text(encoding="utf-8")))


def ready(
    names: Iterable[str], prepare: Callable[[str], _System], where: str = ""
) -> tuple[list[_System], dict[str, str]]:
    """The systems that work here, as `prepare` makes them, and why the others do not."""
    systems: list[_System] = []
    failures = {}
    for name in names:
        progress(f"preparing {name}{where}")
        try:
            systems.append(prepare(name))
        except (PeerError, WorkerError) as error:
            progress(str(error))
            failures[name] = str(error)
    if not systems:
        raise WorkerError(f"no system works here{where}")
    return systems, failures


def remembered(folder: Path, name: str, asked: object, ask: Callable[[], Any]) -> Any:
    """What a peer answered when it was asked the same before; pinned versions say the same again."""
    kept = folder / f"{name}-{hashlib.sha256(json.dumps(asked).encode()).hexdigest()[:16]}.json"
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(ask()), encoding="utf-8")
    return json.loads(kept.read_text(encoding="utf-8"))


def cheapest_start(start: Callable[[], dict[str, Any]], starts: int) -> dict[str, Any]:
    """The cheapest of several cold starts, fewer if they are slow."""
    runs: list[dict[str, Any]] = []
    while len(runs) < starts and sum(run["cold_s"] for run in runs) < SLOW_START:
        runs.append(start())
    return min(runs, key=lambda run: run["cold_s"] - run["interpreter_s"])


def progress(message: str) -> None:
    """A line on standard error."""
    print(message, file=sys.stderr, flush=True)
