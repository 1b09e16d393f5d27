# SPDX-License-Identifier: Apache-2.0
"""One tagger, asked from inside its own environment. Needs the standard library and that tagger only.

    worker train SYSTEM OUT SENTENCES MODEL                     learn a model and write it
    worker facts SYSTEM OUT MODEL                               cost of a cold start, memory
    worker tag   SYSTEM OUT SENTENCES MODEL WAY                 tags
    worker time  SYSTEM OUT SENTENCES MODEL WAY SECONDS         CPU time of passes, memory

SENTENCES has a JSON list of words a line, for training ["train" or "dev", [[word, tag], …]]; OUT is written as JSON.
"""

from __future__ import annotations

import importlib
import json
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks.memory import peak_memory
from benchmarks.tagging.systems import Way, Ways

FIRST_SENTENCE = "The first answer is the one that a command-line user waits for .".split()
BLOCK = 200  # sentences handed over at once, unless the tagger gains from more
LEAST_PASSES = 2  # the first, and one that finds everything warm


def load(system: str, model: str) -> Ways:
    """A system by name, with its model."""
    loaded: Ways = importlib.import_module(f"benchmarks.tagging.systems.{system}").load(model)
    return loaded


def train(system: str, lines: list[Any], model: str) -> dict[str, Any]:
    """Learn a model from the sentences marked "train", with the help of those marked "dev"."""
    parts: dict[str, list[list[tuple[str, str]]]] = {"train": [], "dev": []}
    for part, sentence in lines:
        parts[part].append([(word, tag) for word, tag in sentence])
    start = time.process_time()
    importlib.import_module(f"benchmarks.tagging.systems.{system}").train(parts["train"], parts["dev"], Path(model))
    return {"cpu_s": time.process_time() - start}


def facts(system: str, model: str) -> dict[str, Any]:
    """What a fresh process pays until it has the first tags, step by step."""
    clock = [time.process_time()]
    bare = peak_memory()
    module = importlib.import_module(f"benchmarks.tagging.systems.{system}")
    clock.append(time.process_time())
    ways: Ways = module.load(model)
    clock.append(time.process_time())
    ways["one"].tag([FIRST_SENTENCE])
    clock.append(time.process_time())
    return {
        "interpreter_s": clock[0],
        "import_s": clock[1] - clock[0],
        "load_s": clock[2] - clock[1],
        "first_s": clock[3] - clock[2],
        "cold_s": clock[3],
        "interpreter_bytes": bare,
        "cold_bytes": peak_memory(),
    }


def tag(system: str, sentences: list[list[str]], model: str, way: str) -> dict[str, Any]:
    """Tags of all sentences, given at once."""
    chosen = load(system, model)[way]
    return {"tags": chosen.tag(chosen.prepare(sentences))}


def time_passes(system: str, sentences: list[list[str]], model: str, way: str, seconds: float) -> dict[str, Any]:
    """Words and CPU time of passes over the sentences, until the seconds are spent, and memory."""
    # Words of one string, to be split anew for each pass: a word that Python has hashed or encoded once is cheaper for
    # some systems the second time, and no word of a new text has been.
    lines = ["\t".join(words) for words in sentences]
    sentences.clear()
    fresh = [line.split("\t") for line in lines]
    material = peak_memory()
    chosen = load(system, model)[way]
    passes: list[tuple[int, float]] = []
    while sum(cpu for _, cpu in passes) < seconds or len(passes) < LEAST_PASSES:
        passes.append(one_pass(chosen, fresh, seconds / LEAST_PASSES))
        fresh = [line.split("\t") for line in lines]
    return {"passes": passes, "material_bytes": material, "peak_bytes": peak_memory()}


def one_pass(way: Way, sentences: list[list[str]], seconds: float) -> tuple[int, float]:
    """Words and CPU time of one pass, broken off when the seconds are spent: most peers would take too long."""
    size = len(sentences) if way.whole else BLOCK
    words, cpu = 0, 0.0
    for at in range(0, len(sentences), size):
        block = sentences[at : at + size]
        given = way.prepare(block)
        start = time.process_time()
        way.tag(given)
        cpu += time.process_time() - start
        words += sum(map(len, block))
        if cpu > seconds:
            break
    return words, cpu


def main(arguments: list[str]) -> None:
    """The command line above."""
    command, system, out, *rest = arguments
    if command == "facts":
        result = facts(system, *rest)
    else:
        with Path(rest[0]).open(encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
        if command == "train":
            result = train(system, lines, *rest[1:])
        elif command == "tag":
            result = tag(system, lines, *rest[1:])
        else:
            model, way, seconds = rest[1:]
            result = time_passes(system, lines, model, way, float(seconds))
    Path(out).write_text(json.dumps(result), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
