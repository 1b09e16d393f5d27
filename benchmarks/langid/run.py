# SPDX-License-Identifier: Apache-2.0
"""Compares Budgie's language identifier with its peers, on accuracy and speed, in one run.

    python -m benchmarks.langid.run [--quick] [--only budgie,eldc] [--out FILE]

Markdown goes to standard output, progress to standard error, and all numbers to a JSON file. With --docs a row for
each system goes to results.json beside this file, for the chart of the README.
"""

from __future__ import annotations

import argparse
import dataclasses
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # for those who run this file by its path

from benchmarks import report
from benchmarks.environments import installed_bytes, package_bytes
from benchmarks.langid import measure, peers, tables
from benchmarks.langid.material import TestSet, speed_sets, test_sets
from benchmarks.langid.measure import System
from benchmarks.langid.scores import common, score
from benchmarks.markdown import left_out
from benchmarks.places import MaterialError
from benchmarks.workers import WorkerError, progress, ready

USUAL = ("budgie", "eldc", "cld3", "pycld2", "fasttext", "py3langid", "lingua")
ALL = ("budgie", *peers.REQUIREMENTS)
RECORD = Path(__file__).with_name("results.json")


@dataclasses.dataclass(frozen=True)
class Effort:
    """How much to measure."""

    per_language: int  # texts of a language in each test set
    sample: float  # share of the usual sample for slow systems
    starts: int
    rounds: int
    seconds: float  # CPU time for each system, kind of text, way of calling and round
    mix: int  # texts of each kind


FULL = Effort(per_language=1000, sample=1.0, starts=5, rounds=5, seconds=0.6, mix=50_000)
QUICK = Effort(per_language=30, sample=0.3, starts=2, rounds=2, seconds=0.1, mix=4_000)


def main() -> None:
    """Measure what was asked for and print it."""
    options = parse()
    effort = report.effort_of(options, FULL, QUICK)
    try:
        text, numbers = compare(options.only, effort, options.without)
    except (MaterialError, WorkerError) as error:
        sys.exit(f"benchmarks/langid: {error}")
    report.publish(text, numbers, options)
    if options.docs and "systems" in numbers:
        report.record(numbers["systems"], RECORD)


def parse() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument(
        "--only", type=report.some_of(ALL), default=USUAL, help=f"systems to compare, of {','.join(ALL)}"
    )
    parser.add_argument("--without", choices=("accuracy", "speed"), help="leave out one half")
    report.add_effort(parser)
    return report.parse(parser, measure.WORK / "results.json")


def compare(chosen: Sequence[str], effort: Effort, without: str | None) -> tuple[str, dict[str, object]]:
    """Run everything; the report, and the numbers behind it."""
    found, failures = ready(chosen, partial(started, starts=effort.starts))
    systems = [one for one, _ in found]
    facts = {one.name: of_one for one, of_one in found}
    parts = ["# Language identification: Budgie and its peers\n"]
    if failures:
        parts.append(left_out(failures))
    parts.append(tables.systems_table(systems, facts))
    numbers: dict[str, object] = {"effort": dataclasses.asdict(effort), "facts": facts, "left_out": failures}

    if without != "accuracy":
        tests = test_sets(effort.per_language)
        asked = [*systems, *like_eldc(facts)]
        answers = {}
        for one in asked:
            progress(f"accuracy: {one.name}")
            sample = measure.SAMPLED.get(one.name)
            answers[one.name] = measure.answers(one, tests, sample and max(1, round(sample * effort.sample)))
        parts.append(tables.common_table(systems, facts, tests, answers))
        if pairs := pairs_with_budgie(asked):
            parts.append(tables.pairs_table(pairs, facts, tests, answers))
        parts.append(tables.close_tables(systems, facts, tests, answers))
        numbers["accuracy"] = accuracies(facts, tests, answers)

    if without != "speed":
        timed = [one for one in systems if one.name not in measure.UNTIMED]
        languages, mixes = speed_sets(common(facts[one.name]["known"] for one in systems), effort.mix)
        speeds = take_turns(timed, mixes, effort)
        parts.append(tables.speed_tables(timed, speeds, len(languages)))
        numbers["speed"] = speeds

    if not without:
        numbers["systems"] = rows(asked, facts, tests, answers, speeds)
    parts.append(tables.labels_table(systems, facts))
    return "\n".join(parts), numbers


def started(name: str, starts: int) -> tuple[System, dict[str, Any]]:
    """A system and its facts, the cheapest of several cold starts among them."""
    one = measure.system(name)
    return one, measure.facts(one, starts)


def like_eldc(facts: tables.Facts) -> list[System]:
    """Budgie with only the labels that eldc has too, if both are here; its facts are added."""
    if not {"budgie", "eldc"} <= facts.keys():
        return []
    languages = sorted(set(facts["budgie"]["labels"]) & set(facts["eldc"]["known"]))
    restricted = measure.restricted(languages, "eldc")
    facts[restricted.name] = {**facts["budgie"], "labels": languages, "known": languages}
    return [restricted]


def pairs_with_budgie(asked: Sequence[System]) -> list[tuple[System, System]]:
    """Budgie with each peer, and Budgie with eldc's labels with eldc."""
    by_name = {one.name: one for one in asked}
    pairs = [(by_name["budgie"], one) for one in asked if one.peer] if "budgie" in by_name else []
    return pairs + [(one, by_name["eldc"]) for one in asked if one.name.startswith("budgie,")]


def accuracies(facts: tables.Facts, tests: Sequence[TestSet], answers: tables.AllAnswers) -> dict[str, object]:
    """Each system's accuracy on all the languages that it knows itself, language by language."""
    result: dict[str, object] = {}
    for name, by_test in answers.items():
        scored = {test.name: score(test, by_test[test.name], set(facts[name]["known"])) for test in tests}
        result[name] = {kind: dataclasses.asdict(one) for kind, one in scored.items() if one}
    return result


def rows(
    asked: Sequence[System],
    facts: tables.Facts,
    tests: Sequence[TestSet],
    answers: tables.AllAnswers,
    speeds: tables.Speeds,
) -> list[dict[str, object]]:
    """What the README and its chart say of each system; accuracies are percent, over the languages that all know."""
    known = common(facts[one.name]["known"] for one in asked)
    found: list[dict[str, object]] = []
    for one in asked:
        scored = {test.name: score(test, answers[one.name][test.name], known) for test in tests}
        timed = {kind: by_system[one.name] for kind, by_system in speeds.items() if one.name in by_system}
        found.append(
            {
                "name": one.name,
                "labels": len(facts[one.name]["labels"]),
                "installed_mb": round((installed_bytes(one.peer) if one.peer else package_bytes()) / 1e6, 1),
                "memory_mb": round(facts[one.name]["cold_bytes"] / 1e6, 1),
                "accuracy": {kind: round(100 * got.macro, 1) for kind, got in scored.items() if got},
                "texts_per_s": {kind: round(tables.batch(ways)["texts_per_s"]) for kind, ways in timed.items()},
            }
        )
    return found


def take_turns(timed: Sequence[System], mixes: dict[str, list[str]], effort: Effort) -> tables.Speeds:
    """Best speeds over several rounds. Systems take turns, as the machine is not equally busy all the time."""
    speeds: tables.Speeds = {kind: {} for kind in mixes}
    for turn in range(effort.rounds):
        for kind, texts in mixes.items():
            progress(f"speed: {kind}, round {turn + 1} of {effort.rounds}")
            for one in timed:
                best = speeds[kind].setdefault(one.name, {})
                for way, found in measure.speed(one, texts, effort.seconds).items():
                    if way not in best or found["texts_per_s"] > best[way]["texts_per_s"]:
                        best[way] = found
    return speeds


if __name__ == "__main__":
    main()
