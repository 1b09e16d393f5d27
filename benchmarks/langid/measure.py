# SPDX-License-Identifier: Apache-2.0
"""Runs worker.py in each system's environment: facts, answers and times."""

from __future__ import annotations

import hashlib
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import environments, places
from benchmarks.langid import peers
from benchmarks.langid.material import TestSet
from benchmarks.workers import Worker, cheapest_start

WORKER = Path(__file__).with_name("worker.py")
WORK = places.WORK / "langid"

# How many bytes of a text a system looks at. eldc cuts its input (eld_core.c, detect_ex): checked by putting Greek
# behind 1,000 bytes of English, which changes no score. CLD3 cleans up to 10,000 bytes, then gives its network five
# pieces of together max_num_bytes (nnet_language_identifier.cc, SelectTextGivenBeginAndSize).
READS = {"eldc": 1000, "cld3": 1000}
# Too slow for all texts: accuracy on a sample, and no speed for lingua, whose pass would take minutes.
SAMPLED = {"lingua": 100, "langid": 100}
UNTIMED = {"lingua"}


@dataclass(frozen=True)
class System:
    """A system to compare: its name in the tables, what the worker calls it, and the Python that has it."""

    name: str
    spec: str
    python: Path

    @property
    def peer(self) -> str | None:
        """The name of its environment, if it is not Budgie."""
        return self.name if self.name in peers.REQUIREMENTS else None

    @property
    def worker(self) -> Worker:
        """What asks it."""
        return Worker(self.name, "benchmarks.langid.worker", self.spec, self.python)


def system(name: str) -> System:
    """A system by name, its environment made if need be."""
    if name == "budgie":
        return System(name, name, Path(sys.executable))
    return System(name, name, environments.prepare(name, peers.REQUIREMENTS[name]))


def restricted(languages: list[str], whose: str) -> System:
    """Budgie with another system's label set."""
    return System(f"budgie, {whose}'s labels", "budgie:" + ",".join(languages), Path(sys.executable))


def facts(chosen: System, starts: int) -> dict[str, Any]:
    """Label set, cheapest of several cold starts, memory."""
    return cheapest_start(lambda: chosen.worker.ask("facts"), starts)


def answers(chosen: System, sets: list[TestSet], sample: int | None) -> dict[str, list[str | None]]:
    """An answer for each text of each set; None for those outside the sample of a slow system."""
    wanted = {test.name: sampled(test, sample) for test in sets}
    texts = [test.texts[at] for test in sets for at in wanted[test.name]]
    given = iter(remembered(chosen, texts))
    result: dict[str, list[str | None]] = {}
    for test in sets:
        result[test.name] = [None] * len(test.texts)
        for at in wanted[test.name]:
            result[test.name][at] = next(given)
    return result


def sampled(test: TestSet, most: int | None) -> list[int]:
    """Positions of the first texts of each language."""
    seen: dict[str, int] = {}
    chosen = []
    for at, language in enumerate(test.languages):
        seen[language] = seen.get(language, 0) + 1
        if most is None or seen[language] <= most:
            chosen.append(at)
    return chosen


def remembered(chosen: System, texts: list[str]) -> list[str]:
    """Answers of a peer are kept: pinned versions say the same again. Budgie is always asked anew."""
    if chosen.peer is None:
        return list(chosen.worker.ask("predict", texts)["answers"])
    key = hashlib.sha256(
        json.dumps([peers.REQUIREMENTS[chosen.peer], WORKER.read_text(encoding="utf-8"), texts]).encode()
    ).hexdigest()
    kept = WORK / "answers" / f"{chosen.peer}-{key[:16]}.json"
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(chosen.worker.ask("predict", texts)["answers"]), encoding="utf-8")
    return list(json.loads(kept.read_text(encoding="utf-8")))


def speed(chosen: System, texts: list[str], seconds: float) -> dict[str, dict[str, float]]:
    """For each way of calling: texts, bytes given and bytes read per second of CPU time."""
    limit = READS.get(chosen.name)
    result = {}
    for way, best in chosen.worker.ask("time", texts, str(seconds)).items():
        sizes = [len(text.encode()) for text in texts[: int(best["texts"])]]
        read = sum(sizes) if limit is None else sum(min(size, limit) for size in sizes)
        result[way] = {
            "texts_per_s": best["texts"] / best["cpu_s"],
            "given_per_s": sum(sizes) / best["cpu_s"],
            "read_per_s": read / best["cpu_s"],
        }
    return result
