# SPDX-License-Identifier: Apache-2.0
"""One system, asked from inside its own environment. Needs the standard library and that system only.

    worker annotate SYSTEM OUT TEXTS                         sentences, tokens, words and tags of every text
    worker time     SYSTEM OUT TEXTS CALL SECONDS            CPU time of passes, memory
    worker threads  SYSTEM OUT TEXTS ROUNDS                  time of Budgie on one and on two threads
    worker train    SYSTEM OUT TEXTS tokens|tags PATH TIMES  a model from CoNLL-U to learn from and to choose by
    worker join     SYSTEM OUT TEXTS PATH                    one model of two

TEXTS has [language, model, text] a line; for `train` two texts, for `join` two files. OUT is written as JSON.
"""

from __future__ import annotations

import importlib
import itertools
import json
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks.pipeline.systems import System


def module(system: str) -> Any:
    """The module of a system."""
    return importlib.import_module(f"benchmarks.pipeline.systems.{system}")


def load(system: str, language: str, model: str) -> System:
    """A system for a language."""
    loaded: System = module(system).load(language, model)
    return loaded


def annotate(system: str, lines: list[Any]) -> dict[str, Any]:
    """What is found in every text; texts of one language follow each other."""
    found: list[Any] = []
    for (language, model), some in itertools.groupby(lines, key=lambda line: line[:2]):
        found += load(system, language, model).annotate([text for _, _, text in some])
    return {"found": found}


def time_call(system: str, lines: list[Any], call: str, seconds: float) -> dict[str, Any]:
    """Passes of one call, and memory."""
    language, model, _ = lines[0]
    texts = [text for _, _, text in lines]
    passes, peak = load(system, language, model).time(call, texts, seconds)
    return {"passes": passes, "peak_bytes": peak}


def threads(lines: list[Any], rounds: int) -> dict[str, Any]:
    """The least time of all texts in one call, on one thread and on two, which take turns.

    Wall time, and CPU time of the busier thread: what it would take if each had a core of its own.
    """
    import budgie

    language, texts = lines[0][0], [text for _, _, text in lines]
    pipeline = budgie.Pipeline()
    taken: dict[int, list[tuple[float, float]]] = {1: [], 2: []}
    for _ in range(rounds):
        for number, times in taken.items():
            wall, all_cpu, cpu = time.perf_counter(), time.process_time(), time.thread_time()
            pipeline.annotate_batch(texts, language, threads=number)
            here, everywhere = time.thread_time() - cpu, time.process_time() - all_cpu
            times.append((time.perf_counter() - wall, max(here, everywhere - here)))
    best = {number: [min(column) for column in zip(*times, strict=True)] for number, times in taken.items()}
    return {"wall_s": [best[1][0], best[2][0]], "cpu_s": [best[1][1], best[2][1]]}


def train(system: str, texts: list[str], what: str, path: str, times: int) -> dict[str, Any]:
    """Learn a model and write it."""
    start = time.process_time()
    getattr(module(system), f"train_{what}")(*texts, Path(path), times)
    return {"cpu_s": time.process_time() - start}


def main(arguments: list[str]) -> None:
    """The command line above."""
    command, system, out, given, *rest = arguments
    with Path(given).open(encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    if command == "annotate":
        result = annotate(system, lines)
    elif command == "time":
        result = time_call(system, lines, rest[0], float(rest[1]))
    elif command == "threads":
        result = threads(lines, int(rest[0]))
    elif command == "train":
        result = train(system, lines, rest[0], rest[1], int(rest[2]))
    else:
        module(system).join(*map(Path, lines), Path(rest[0]))
        result = {}
    Path(out).write_text(json.dumps(result), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
