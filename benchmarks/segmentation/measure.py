# SPDX-License-Identifier: Apache-2.0
"""Asks a segmenter for its words, its start and its speed, through its worker."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import places
from benchmarks.segmentation import peers
from benchmarks.segmentation.corpora import Corpus
from benchmarks.segmentation.scores import Scores, score
from benchmarks.segmentation.systems import OURS, SYSTEMS
from benchmarks.workers import Worker, WorkerError, cheapest_start, remembered

import budgie

WORK = places.WORK / "segmentation"
LEAST_BYTES = 500_000  # of text that speed is measured on: shorter test sets are given again


@dataclass(frozen=True)
class Contender:
    """A system for one language: its name in the tables, its worker, and what the worker is to load."""

    name: str
    worker: Worker
    arguments: tuple[str, ...]

    def ask(self, command: str, texts: Sequence[str], *arguments: str) -> dict[str, Any]:
        """Run the worker once."""
        return self.worker.ask(command, texts, *arguments, *self.arguments)


def ours(model: str, standard: str = "") -> Contender:
    """Budgie with a model, and with the words of a corpus."""
    worker = Worker(OURS, "benchmarks.segmentation.worker", OURS, Path(sys.executable))
    return Contender(OURS, worker, (model, standard))


def peer(name: str, language: str) -> Contender:
    """A peer, its environment made if need be."""
    worker = Worker(name, "benchmarks.segmentation.worker", name, peers.prepare(name))
    return Contender(name, worker, (language,))


def facts(chosen: Contender, corpus: Corpus, starts: int) -> dict[str, Any]:
    """The cheapest of several cold starts, memory, and the size of the model."""
    start = cheapest_start(lambda: chosen.ask("facts", [corpus.test[0].text]), starts)
    return {**start, "model_bytes": model_bytes(chosen)}


def model_bytes(chosen: Contender) -> int | None:
    """Bytes of the files that a system finds words with, if they are files."""
    named = chosen.arguments[0]
    if chosen.worker.spec != OURS:
        return peers.model_bytes(chosen.worker.spec, language=named)
    file = Path(named)
    return (file if file.exists() else Path(budgie.file_of(named))).stat().st_size


def scores(chosen: Contender, corpus: Corpus) -> Scores:
    """Word F1 on the test set."""
    return score(corpus.test, answers(chosen, [sentence.text for sentence in corpus.test]), corpus.known)


def answers(chosen: Contender, texts: Sequence[str]) -> list[list[str]]:
    """Words that a peer gives are kept. Budgie is always asked anew."""
    system = chosen.worker.spec
    if system == OURS:
        return segmented(chosen, texts)
    asked = [peers.REQUIREMENTS[system], inspect.getsource(SYSTEMS[system]), chosen.arguments, texts]
    return list(remembered(WORK / "answers", system, asked, lambda: segmented(chosen, texts)))


def segmented(chosen: Contender, texts: Sequence[str]) -> list[list[str]]:
    """Words of each text; both ways of calling must agree, or one of them is not what is scored."""
    found = chosen.ask("segment", texts)
    if not found["many_agrees"]:
        raise WorkerError(f"{chosen.name}: words of a batch differ from those of a text a call")
    return list(found["words"])


def speed(chosen: Contender, corpus: Corpus, seconds: float) -> dict[str, float]:
    """Bytes and words per second of CPU time by its best call, bytes by a call for each text, and peak of memory."""
    found = chosen.ask("time", corpus.shuffled(LEAST_BYTES), str(seconds))
    one = found["one"]
    best = found.get("many", one)
    return {
        "bytes_per_s": best["bytes"] / best["cpu_s"],
        "words_per_s": best["words"] / best["cpu_s"],
        "one_bytes_per_s": one["bytes"] / one["cpu_s"],
        "peak_bytes": found["peak_bytes"],
    }


def better(one: dict[str, float], other: dict[str, float]) -> dict[str, float]:
    """The best of two rounds: most text, least memory."""
    return {key: (min if key == "peak_bytes" else max)(one[key], other[key]) for key in one}
