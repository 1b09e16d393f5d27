# SPDX-License-Identifier: Apache-2.0
"""Clustering in one process and on Ray: the same table, and what each phase takes.

    PYTHONPATH=.peers/ray python -m benchmarks.clusters.engines [--languages en,fr] [--two-sided] [--docs]

CPU time and memory are those of the process and of all that it has started, workers of Ray among them, as Linux tells
twice a second; a process counts memory that it shares with others in full. Markdown goes to standard output.
"""

from __future__ import annotations

import argparse
import filecmp
import json
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks import report
from benchmarks.markdown import table
from benchmarks.places import ROOT, WORK, data_folder
from benchmarks.workers import progress

from budgie._core import BigramCounter, Bigrams, Exchange, WordCounter
from budgie.clusters.engines import Local

PHASES = ("start", "words", "pairs", "exchange", "end")
WAYS = {
    "local, 1 thread": {"threads": 1},
    "local, 2 threads": {"threads": 2},
    "Ray, 1 worker": {"engine": "ray", "workers": 1},
    "Ray, 2 workers": {"engine": "ray", "workers": 2},
    "Ray, 1 worker of 2 threads": {"engine": "ray", "workers": 1, "threads": 2},
}
SETTINGS = (256, 250_000)  # classes and words of the paper
TRIPS = 300
# Clusters, and says how long each phase took.
PROGRAM = """
import contextlib, json, sys, time
from budgie.clusters import cluster
from budgie.ray_cluster import connect
paths, out, settings, options = json.loads(sys.argv[1])
ends, begin = {"begin": time.perf_counter()}, time.perf_counter()
def show(state):
    ends[state.task] = time.perf_counter()
cores = options.get("workers", 0) * options.get("threads", 1)
with connect(None, cores) if cores else contextlib.nullcontext():
    ends["start"] = time.perf_counter()
    found = cluster(paths, *settings, report=show, **options)
    found.write(out)
    ends["clustered"] = time.perf_counter()
marks = [*ends.values(), time.perf_counter()]
del marks[-2]
print(json.dumps([[b - a for a, b in zip(marks, marks[1:])], found.rounds, found.tokens]))
"""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--languages", help="of the texts, comma between them (all there are)")
    parser.add_argument("--two-sided", action="store_true")
    options = report.parse(parser)
    folder = data_folder("raw")
    paths = sorted(folder.glob("*.txt.xz"))
    if options.languages:
        paths = [folder / f"{language}.txt.xz" for language in options.languages.split(",")]
    report.publish(f"{ways(paths, options.two_sided)}\n{halves(paths, options.two_sided)}", None, options)


def ways(paths: list[Path], two_sided: bool) -> str:
    """A row for each way; all tables must be the same."""
    rows, first = [], WORK / "clusters" / "engine-0.tsv"
    first.parent.mkdir(parents=True, exist_ok=True)
    for number, (name, options) in enumerate(WAYS.items()):
        out = WORK / "clusters" / f"engine-{number}.tsv"
        progress(name)
        phases, used = run([[*map(str, paths)], str(out), SETTINGS, {**options, "two_sided": two_sided}])
        if not filecmp.cmp(first, out, shallow=False):
            sys.exit(f"benchmarks/clusters: the table of {name} is another one")
        rows.append([name, *(f"{phase:.1f}" for phase in (*phases, sum(phases))), *used])
    header = ["engine", *(f"{phase}, s" for phase in (*PHASES, "all")), "CPU s", "MB of the command", "MB of a worker"]
    return table(header, rows)


def run(job: list[Any]) -> tuple[list[float], list[str]]:
    """Seconds of each phase; CPU seconds and memory."""
    command = [sys.executable, "-c", PROGRAM, json.dumps(job)]
    cpu: dict[int, float] = {}
    memory: dict[int, int] = {}
    workers: set[int] = set()
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        while process.poll() is None:
            for pid, name, seconds, bytes_ in family(process.pid):
                cpu[pid] = seconds
                memory[pid] = max(memory.get(pid, 0), bytes_)
                if name.startswith("ray::"):
                    workers.add(pid)
            time.sleep(0.5)
        if process.returncode:
            sys.exit("benchmarks/clusters: the command failed")
        assert process.stdout is not None
        seconds, _, _ = json.loads(process.stdout.read())
    worker = f"{max(memory[pid] for pid in workers) / 1e6:.0f}" if workers else "–"
    return seconds, [f"{sum(cpu.values()):.0f}", f"{memory[process.pid] / 1e6:.0f}", worker]


def family(ancestor: int) -> list[tuple[int, str, float, int]]:
    """A process and all below it: number, name, CPU seconds so far, most bytes so far."""
    found: dict[int, tuple[int, str, float, int]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            stat = (folder / "stat").read_text().rpartition(")")[2].split()
            peak = (folder / "status").read_text().partition("VmHWM:")[2].split()
            name = (folder / "cmdline").read_text()
        except (OSError, UnicodeDecodeError):
            continue  # it has ended
        if peak:
            cpu = (int(stat[11]) + int(stat[12])) / 100
            found[int(folder.name)] = (int(stat[1]), name, cpu, 1024 * int(peak[0]))
    below, old = {ancestor} & found.keys(), 0
    while len(below) > old:
        old = len(below)
        below |= {pid for pid, (parent, *_) in found.items() if parent in below}
    return [(pid, *found[pid][1:]) for pid in below]


def halves(paths: list[Path], two_sided: bool) -> str:
    """What of an exchange is shared out, what all do, and what it takes to ask a worker."""
    progress("map, reduce and mergers")
    make = partial(Exchange, bigrams_of(paths), SETTINGS[0], two_sided, 4, 20, 1, 300)
    exchange, batches, spent = make(), 0, {"map": 0.0, "reduce": 0.0, "mergers and splits": 0.0}
    while not exchange.done:
        begin, round_ = time.thread_time(), exchange.round
        choices = exchange.choose(0, 1, 1)
        middle = time.thread_time()
        exchange.apply(choices, 1)
        spent["map"] += middle - begin
        spent["reduce" if exchange.round == round_ else "mergers and splits"] += time.thread_time() - middle
        batches += 1
    return table(
        ["batches", *(f"{name}, CPU s" for name in spent), "round trip, ms", "with 2 workers, ms"],
        [[f"{batches:,}", *(f"{seconds:.1f}" for seconds in spent.values()), *trips()]],
    )


def bigrams_of(paths: list[Path]) -> Bigrams:
    """Counted in this process."""
    nobody: Callable[[Any], None] = lambda _: None  # noqa: E731
    kept = Local().count(partial(WordCounter, False, False), paths, nobody).keep(SETTINGS[1], 3)
    return Local().count(partial(BigramCounter, kept, False, False), paths, nobody).take()


def trips() -> list[str]:
    """How long workers take that have next to nothing to do, a call of 300 choices each."""
    import ray

    from budgie.ray_cluster import connect

    class Idle:
        def step(self, choices: list[int]) -> list[int]:
            return choices

    choices, took = list(range(300)), []
    with connect(None, 2):
        for number in (1, 2):
            workers = [ray.remote(Idle).remote() for _ in range(number)]
            ray.get([worker.step.remote(choices) for worker in workers])
            begin = time.perf_counter()
            for _ in range(TRIPS):
                ray.get([worker.step.remote(choices) for worker in workers])
            took.append(f"{1000 * (time.perf_counter() - begin) / TRIPS:.2f}")
    return took


if __name__ == "__main__":
    main()
