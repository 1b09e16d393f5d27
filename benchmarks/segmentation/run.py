# SPDX-License-Identifier: Apache-2.0
"""Compares Budgie's segmenter with its peers on word F1, speed, start, memory and size, in one run.

    python -m benchmarks.segmentation.run [--languages zh,ja] [--systems budgie,jieba] [--quick] [--out FILE]

Budgie's models are the embedded ones, seg-zh and so on, or those named with --model zh=FILE. Peers are installed on
first use. Markdown goes to standard output, progress to standard error, and all numbers to a JSON file.
"""

from __future__ import annotations

import argparse
import dataclasses
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks import report
from benchmarks.markdown import left_out
from benchmarks.places import MaterialError
from benchmarks.segmentation import measure, tables
from benchmarks.segmentation.languages import LANGUAGES, Language
from benchmarks.segmentation.measure import Contender
from benchmarks.segmentation.scores import Scores
from benchmarks.segmentation.systems import OURS, SYSTEMS
from benchmarks.workers import WorkerError, progress, ready

PARTS = ("quality", "cost")


@dataclasses.dataclass(frozen=True)
class Effort:
    """How much to measure."""

    starts: int
    rounds: int
    seconds: float  # CPU time for each system, way of calling and round


FULL = Effort(starts=5, rounds=5, seconds=2.0)
QUICK = Effort(starts=2, rounds=2, seconds=0.2)


def main() -> None:
    """Measure what was asked for and print it."""
    options = parse()
    effort = report.effort_of(options, FULL, QUICK)
    models, standards = dict(options.model), dict(options.standard)
    numbers: dict[str, Any] = {"effort": dataclasses.asdict(effort)}
    parts = ["# Segmentation: Budgie and its peers\n", tables.NOTES]
    seen: dict[str, None] = {}
    try:
        for code in options.languages:
            language = with_standards(LANGUAGES[code], standards)
            chosen = [name for name in (OURS, *language.peers) if name in options.systems]
            if not chosen:
                continue
            prepare = partial(prepared, code=code, named=models.get(code, f"seg-{code}"))
            contenders, failures = ready(chosen, prepare, where=f" on {code}")
            part, numbers[code] = compare(language, contenders, failures, effort, options.parts)
            parts.append(part)
            seen |= dict.fromkeys(one.name for one in contenders)
    except (MaterialError, WorkerError) as error:
        sys.exit(f"benchmarks/segmentation: {error}")
    text = "\n".join([*parts, tables.versions_table(list(seen))])
    report.publish(text, numbers, options)


def parse() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    for option, choices in (("--languages", list(LANGUAGES)), ("--systems", list(SYSTEMS)), ("--parts", list(PARTS))):
        parser.add_argument(option, type=report.some_of(choices), default=choices, help=f"of {','.join(choices)}")
    parser.add_argument(
        "--model", type=model, action="append", default=[], metavar="LANGUAGE=FILE", help="another model of Budgie's"
    )
    parser.add_argument(
        "--standard", type=pair, action="append", default=[], metavar="CORPUS=NAME", help="also score Budgie with this"
    )
    report.add_effort(parser)
    return report.parse(parser, measure.WORK / "results.json")


def pair(given: str) -> tuple[str, str]:
    """Two names."""
    one, equals, other = given.partition("=")
    if not (one and equals and other):
        raise argparse.ArgumentTypeError(f"{given!r} is not two names with = between")
    return one, other


def model(given: str) -> tuple[str, str]:
    """A language and a model file, which the worker must find from another folder."""
    language, file = pair(given)
    return language, str(Path(file).resolve())


def with_standards(language: Language, standards: Mapping[str, str]) -> Language:
    """A language whose corpora have the standards that were named."""
    corpora = (dataclasses.replace(one, standard=standards.get(one.name, one.standard)) for one in language.corpora)
    return dataclasses.replace(language, corpora=tuple(corpora))


def prepared(name: str, code: str, named: str) -> Contender:
    """A system for a language, which has answered once."""
    one = measure.ours(named) if name == OURS else measure.peer(name, code)
    one.ask("facts", [LANGUAGES[code].corpora[0].test[0].text])
    return one


def compare(
    language: Language,
    contenders: Sequence[Contender],
    failures: Mapping[str, str],
    effort: Effort,
    parts: Sequence[str],
) -> tuple[str, dict[str, Any]]:
    """Run everything on one language; the tables and the numbers."""
    written = [tables.heading(language), *([left_out(failures)] if failures else ())]
    numbers: dict[str, Any] = {"left_out": dict(failures)}
    if "quality" in parts:
        scores = quality(language, contenders)
        written.append(tables.quality_table(language.corpora, scores))
        numbers["quality"] = {
            name: {corpus: {"f1": one.f1, **dataclasses.asdict(one)} for corpus, one in found.items()}
            for name, found in scores.items()
        }
    if "cost" in parts:
        corpus = language.corpora[0]
        facts = {one.name: measure.facts(one, corpus, effort.starts) for one in contenders}
        speeds = take_turns(language, contenders, effort)
        written.append(tables.cost_table(corpus, language.peers[0], speeds, facts))
        numbers |= {"facts": facts, "speed": speeds}
    return "\n".join(written), numbers


def quality(language: Language, contenders: Sequence[Contender]) -> dict[str, dict[str, Scores]]:
    """Scores of each system on each corpus; Budgie also with the words of those corpora that name a standard."""
    scores: dict[str, dict[str, Scores]] = {}
    for one in contenders:
        for corpus in language.corpora:
            progress(f"{language.name}: words of {one.name} on {corpus.name}")
            scores.setdefault(one.name, {})[corpus.name] = measure.scores(one, corpus)
            if one.name == OURS and corpus.standard:
                same = measure.ours(one.arguments[0], corpus.standard)
                scores.setdefault("budgie, corpus's standard", {})[corpus.name] = measure.scores(same, corpus)
    return scores


def take_turns(language: Language, contenders: Sequence[Contender], effort: Effort) -> dict[str, dict[str, float]]:
    """Best speeds over several rounds. Systems take turns, as the machine is not equally busy all the time."""
    speeds: dict[str, dict[str, float]] = {}
    for turn in range(effort.rounds):
        progress(f"{language.name}: speed, round {turn + 1} of {effort.rounds}")
        for one in contenders:
            found = measure.speed(one, language.corpora[0], effort.seconds)
            speeds[one.name] = measure.better(speeds[one.name], found) if one.name in speeds else found
    return speeds


if __name__ == "__main__":
    main()
