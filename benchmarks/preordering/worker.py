# SPDX-License-Identifier: Apache-2.0
"""Budgie's preorderer, asked in a process of its own.

    worker order MODEL OUT SENTENCES              the order of the words of each sentence
    worker time  MODEL OUT SENTENCES SECONDS      words and CPU time of passes, memory

SENTENCES has a JSON list of words a line; OUT is written as JSON.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks.memory import peak_memory

LEAST_PASSES = 2  # the first, and one that finds everything warm


def order(model: str, sentences: list[list[str]]) -> dict[str, Any]:
    """The order of the words of each sentence, in both ways of calling."""
    preorderer = load(model)
    orders = [preorderer.reorder(words).permutation for words in sentences]
    return {
        "orders": orders,
        "batch_agrees": [found.permutation for found in preorderer.reorder_batch(sentences)] == orders,
    }


def time_passes(model: str, sentences: list[list[str]], seconds: float) -> dict[str, Any]:
    """Words and CPU time of passes over all sentences, until the seconds are spent, and memory."""
    bare = peak_memory()
    preorderer = load(model)
    # Words of one string, to be split anew for each pass: a word that Python has encoded once is cheaper the second
    # time, and no word of a new text has been.
    lines = ["\t".join(words) for words in sentences]
    sentences.clear()
    passes: list[tuple[int, float]] = []
    while sum(cpu for _, cpu in passes) < seconds or len(passes) < LEAST_PASSES:
        fresh = [line.split("\t") for line in lines]
        start = time.process_time()
        preorderer.reorder_batch(fresh, threads=1)
        passes.append((sum(map(len, fresh)), time.process_time() - start))
    return {"passes": passes, "interpreter_bytes": bare, "peak_bytes": peak_memory()}


def load(model: str) -> Any:
    """A preorderer, by the name of an embedded model or by its file."""
    import budgie

    return budgie.load(model)


def main(arguments: list[str]) -> None:
    """The command line above."""
    command, model, out, given, *rest = arguments
    with Path(given).open(encoding="utf-8") as lines:
        sentences = [json.loads(line) for line in lines]
    result = order(model, sentences) if command == "order" else time_passes(model, sentences, float(rest[0]))
    Path(out).write_text(json.dumps(result), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
