# SPDX-License-Identifier: Apache-2.0
"""Asks a tagger for its answers, its start, its speed and its instructions, through its worker."""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import environments
from benchmarks.tagging import peers
from benchmarks.tagging.material import Treebank
from benchmarks.workers import Worker, WorkerError, cheapest_start

from budgie.evaluation.metrics import accuracy

WORKER = "benchmarks.tagging.worker"
OURS = "budgie"
WAYS = ("batch", "one")
EXTRA_WAYS = ("remembered", "ready")  # crfsuite only: what its features cost


@dataclass(frozen=True)
class Contender:
    """A system with its model of one treebank."""

    worker: Worker
    model: Path

    @property
    def name(self) -> str:
        """The system's name in the tables."""
        return self.worker.name

    @property
    def ways(self) -> tuple[str, ...]:
        """The ways of calling it that are timed."""
        return (*WAYS, *EXTRA_WAYS) if self.name == "crfsuite" else WAYS


@dataclass(frozen=True)
class Scores:
    """Shares of right tags, from 0 to 1."""

    accuracy: float
    unknown: float  # among words that are not in the training set
    unknown_words: int
    words: int


def contender(name: str, treebank: Treebank, model: Path | None) -> Contender:
    """Budgie with a model, or a peer with the model it learnt from the treebank, made first if need be."""
    if name == OURS:
        if model is None:
            raise WorkerError(f"no model for {treebank.name}: name one with --model {treebank.name}=FILE")
        return Contender(Worker(name, WORKER, name, Path(sys.executable)), model)
    environment = peers.PEERS[name]
    python = environments.prepare(environment, peers.ENVIRONMENTS[environment])
    worker = Worker(name, WORKER, name, python)
    return Contender(worker, peers.trained(worker, treebank))


def facts(chosen: Contender, starts: int) -> dict[str, Any]:
    """Size of the model, cheapest of several cold starts, memory."""
    start = cheapest_start(lambda: chosen.worker.ask("facts", None, str(chosen.model)), starts)
    return {**start, "model_bytes": chosen.model.stat().st_size}


def scores(chosen: Contender, treebank: Treebank) -> Scores:
    """Accuracy on the test set; both ways of calling must agree, or one of them is not what is timed."""
    sentences = [list(sentence.words) for sentence in treebank.test]
    batch, one = (chosen.worker.ask("tag", sentences, str(chosen.model), way)["tags"] for way in WAYS)
    if batch != one:
        raise WorkerError(f"{chosen.name}: tags of a batch differ from those of a sentence a call")
    known = {word for sentence in treebank.train for word in sentence.words}
    gold = [tag for sentence in treebank.test for tag in sentence.tags or ()]
    given = [tag for tags in batch for tag in tags]
    unknown = [at for at, word in enumerate(word for words in sentences for word in words) if word not in known]
    return Scores(
        accuracy(gold, given),
        accuracy([gold[at] for at in unknown], [given[at] for at in unknown]),
        len(unknown),
        len(gold),
    )


def speed(chosen: Contender, sentences: Sequence[list[str]], way: str, seconds: float) -> dict[str, float]:
    """Words per second of CPU time, in the first pass of a new process and in the best, and the peak of memory."""
    found = chosen.worker.ask("time", sentences, str(chosen.model), way, str(seconds))
    rates = [words / cpu for words, cpu in found["passes"]]
    return {
        "first": rates[0],
        "best": max(rates),
        "material_bytes": found["material_bytes"],
        "peak_bytes": found["peak_bytes"],
    }


def better(one: dict[str, float], other: dict[str, float]) -> dict[str, float]:
    """The best of two rounds: most words, least memory."""
    return {key: (min if key.endswith("_bytes") else max)(one[key], other[key]) for key in one}


def can_count() -> bool:
    """Whether instructions can be counted here."""
    return shutil.which("valgrind") is not None


def instructions(chosen: Contender, sentences: Sequence[list[str]], way: str) -> float:
    """Machine instructions a word: what all sentences take more than the first alone does, start and load with it."""
    words = sum(map(len, sentences[1:]))
    return (counted(chosen, sentences, way) - counted(chosen, sentences[:1], way)) / words


def counted(chosen: Contender, sentences: Sequence[list[str]], way: str) -> int:
    """Instructions of a whole process, by callgrind."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "callgrind.out")
        # Python's hashes are random by default, and with them the number of collisions.
        under = ("env", "PYTHONHASHSEED=0", "valgrind", "--tool=callgrind", f"--callgrind-out-file={out}")
        chosen.worker.ask("tag", sentences, str(chosen.model), way, under=under)
        totals = re.search(r"^totals: (\d+)", out.read_text(encoding="utf-8"), re.MULTILINE)
    if totals is None:
        raise WorkerError(f"{chosen.name}: callgrind gave no total")
    return int(totals[1])
