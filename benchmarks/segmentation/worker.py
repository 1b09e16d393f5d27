# SPDX-License-Identifier: Apache-2.0
"""One segmenter, asked from inside its own environment. Needs the standard library and that segmenter only.

    worker facts   SYSTEM OUT TEXTS ARGUMENT …             cost of a cold start up to the words of a text, memory
    worker segment SYSTEM OUT TEXTS ARGUMENT …             words of every text
    worker time    SYSTEM OUT TEXTS SECONDS ARGUMENT …     CPU time of the best pass, one text a call and in batches

TEXTS has one JSON string a line; OUT is written as JSON. ARGUMENTs are those of the system in systems.py.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.memory import peak_memory
from benchmarks.segmentation.systems import SYSTEMS, Segmenter

BLOCK = 32  # texts between two looks at the clock: the slowest system needs two seconds for them
LEAST_PASSES = 2  # the first, and one that finds everything warm

Call = Callable[[list[str]], list[list[str]]]


def facts(system: str, texts: list[str], arguments: list[str]) -> dict[str, Any]:
    """What a fresh process pays until it has the first words."""
    bare = {"interpreter_s": time.process_time(), "interpreter_bytes": peak_memory()}
    SYSTEMS[system](*arguments).one(texts[0])
    return {**bare, "cold_s": time.process_time(), "cold_bytes": peak_memory()}


def segment(system: str, texts: list[str], arguments: list[str]) -> dict[str, Any]:
    """Words of all texts, in both ways of calling."""
    segmenter = SYSTEMS[system](*arguments)
    one = [segmenter.one(text) for text in texts]
    return {"words": one, "many_agrees": segmenter.many is None or segmenter.many(texts) == one}


def time_calls(system: str, texts: list[str], seconds: float, arguments: list[str]) -> dict[str, Any]:
    """The best pass of each way in which the system can be called, and memory."""
    encoded = [text.encode() for text in texts]
    segmenter = SYSTEMS[system](*arguments)
    segmenter.one(texts[0])  # what a system loads late belongs to its start
    texts.clear()
    result: dict[str, Any] = {"one": best_pass(one_by_one(segmenter), encoded, BLOCK, seconds)}
    if segmenter.many is not None:
        result["many"] = best_pass(segmenter.many, encoded, len(encoded), seconds)
    return {**result, "peak_bytes": peak_memory()}


def one_by_one(segmenter: Segmenter) -> Call:
    """A way to give a system many texts with a call for each."""
    one = segmenter.one
    return lambda texts: [one(text) for text in texts]


def best_pass(call: Call, encoded: list[bytes], block: int, seconds: float) -> dict[str, float]:
    """The quickest of the passes for which there is time."""
    passes: list[dict[str, float]] = []
    while sum(done["cpu_s"] for done in passes) < seconds or len(passes) < LEAST_PASSES:
        passes.append(one_pass(call, encoded, block, seconds / LEAST_PASSES))
    return max(passes, key=lambda done: done["bytes"] / done["cpu_s"])


def one_pass(call: Call, encoded: list[bytes], block: int, seconds: float) -> dict[str, float]:
    """Bytes, words and CPU time of a pass, broken off when the seconds are spent: slow systems would take minutes."""
    cpu, size, words = 0.0, 0, 0
    for at in range(0, len(encoded), block):
        given = encoded[at : at + block]
        # New strings: Python keeps the UTF-8 form of a string once a system has asked for it, so that a second pass
        # over the same objects would spare some systems the work that every new text costs.
        fresh = [data.decode() for data in given]
        start = time.process_time()
        answers = call(fresh)
        cpu += time.process_time() - start
        size += sum(map(len, given))
        words += sum(not word.isspace() for answer in answers for word in answer)
        if cpu > seconds:
            break
    return {"bytes": size, "words": words, "cpu_s": cpu}


def main(arguments: list[str]) -> None:
    """The command line above."""
    command, system, out, given, *rest = arguments
    with Path(given).open(encoding="utf-8") as lines:
        texts = [json.loads(line) for line in lines]
    if command == "facts":
        result = facts(system, texts, rest)
    elif command == "segment":
        result = segment(system, texts, rest)
    else:
        result = time_calls(system, texts, float(rest[0]), rest[1:])
    Path(out).write_text(json.dumps(result), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
