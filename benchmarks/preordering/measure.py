# SPDX-License-Identifier: Apache-2.0
"""Asks a preorderer for its orders, its speed and its memory: Budgie through its worker, the peer by its program."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from benchmarks.preordering import btg
from benchmarks.workers import Worker, WorkerError

import budgie
from budgie.evaluation.preordering import OrderEvaluation, score_order
from budgie.formats.alignments import Aligned

Orders = list[list[int]]

LOADS = 3  # of the peer's model, to know what the cheapest one costs


class Contender(Protocol):
    """A system with its model."""

    @property
    def name(self) -> str:
        """Its name in the tables."""
        ...

    @property
    def model(self) -> Path:
        """The file of its model; of the first, if it has several."""
        ...

    def orders(self, sentences: Sequence[Aligned]) -> list[Orders]:
        """The order of the words of each sentence, by each of its models."""
        ...

    def speed(self, sentences: Sequence[Aligned], seconds: float) -> dict[str, float]:
        """Words per second of CPU time by its best pass in a new process, and the peak of memory."""
        ...


@dataclass(frozen=True)
class Budgie:
    """Budgie with a model."""

    worker: Worker

    @property
    def name(self) -> str:
        """The name of the model."""
        return self.worker.name

    @property
    def model(self) -> Path:
        """The file, embedded or not."""
        file = Path(self.worker.spec)
        return file if file.exists() else Path(budgie.file_of(str(file)))

    def orders(self, sentences: Sequence[Aligned]) -> list[Orders]:
        """Both ways of calling must agree, or one of them is not what is scored."""
        found = self.worker.ask("order", [sentence.words for sentence in sentences])
        if not found["batch_agrees"]:
            raise WorkerError(f"{self.name}: orders of a batch differ from those of a sentence a call")
        return [found["orders"]]

    def speed(self, sentences: Sequence[Aligned], seconds: float) -> dict[str, float]:
        """As many passes as there is time for."""
        return self.passes([sentence.words for sentence in sentences], seconds)

    def passes(self, lines: Sequence[Sequence[str]], seconds: float) -> dict[str, float]:
        """The best pass, and memory."""
        found = self.worker.ask("time", lines, str(seconds))
        return {
            "words_per_s": max(words / cpu for words, cpu in found["passes"]),
            "interpreter_bytes": found["interpreter_bytes"],
            "peak_bytes": found["peak_bytes"],
        }


@dataclass(frozen=True)
class Btg:
    """The peer with what it learnt from one kind of annotation, several times."""

    name: str
    folder: Path
    models: Sequence[Path]

    @property
    def model(self) -> Path:
        """The first."""
        return self.models[0]

    def orders(self, sentences: Sequence[Aligned]) -> list[Orders]:
        """A run of its program for each model."""
        text = btg.annotated(sentences, self.name)
        outputs = (btg.parse(self.folder, model, text).output for model in self.models)
        return [[[int(word) for word in line.split()] for line in output.splitlines()] for output in outputs]

    def speed(self, sentences: Sequence[Aligned], _seconds: float) -> dict[str, float]:
        """One pass: it is slow. What the program needs for no sentences at all, loading, is not counted."""
        load = min(btg.parse(self.folder, self.model, "").cpu_s for _ in range(LOADS))
        run = btg.parse(self.folder, self.model, btg.annotated(sentences, self.name))
        words = sum(len(sentence.words) for sentence in sentences)
        return {"words_per_s": words / (run.cpu_s - load), "peak_bytes": run.peak_bytes}


def ours(model: str) -> Budgie:
    """Budgie with an embedded model or a file."""
    file = Path(model)
    spec = str(file.resolve()) if file.exists() else model
    return Budgie(Worker(f"budgie, {model}", "benchmarks.preordering.worker", spec, Path(sys.executable)))


def peer(folder: Path, kind: str) -> Btg:
    """The peer, trained if need be."""
    return Btg(kind, folder, [btg.trained(folder, kind, training) for training in range(btg.TRAININGS)])


def scores(chosen: Contender, sentences: Sequence[Aligned]) -> list[OrderEvaluation]:
    """FRS, τ and complete matches of each of its models."""
    return [score_order(zip(sentences, orders, strict=True)) for orders in chosen.orders(sentences)]


def better(one: dict[str, float], other: dict[str, float]) -> dict[str, float]:
    """The best of two rounds: most words, least memory."""
    return {key: (min if key.endswith("_bytes") else max)(one[key], other[key]) for key in one}
