# SPDX-License-Identifier: Apache-2.0
"""Compares Budgie's tagger with peers trained on the same data, on accuracy, size, start, memory and speed, in one run.

    python -m benchmarks.tagging.run [--treebanks en,el] [--model el=FILE …] [--quick] [--callgrind] [--out FILE]

en_ewt needs no --model: that is what the embedded model pos-en is for. Peers are trained on first use, one at a time,
and kept. Markdown goes to standard output, progress to standard error, and all numbers to a JSON file.
"""

from __future__ import annotations

import argparse
import dataclasses
import itertools
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks import report
from benchmarks.markdown import left_out
from benchmarks.places import MaterialError
from benchmarks.tagging import measure, peers, tables
from benchmarks.tagging.material import Treebank
from benchmarks.tagging.measure import Contender
from benchmarks.workers import WorkerError, progress, ready

import budgie
from budgie.errors import DataError

ALL = (measure.OURS, *peers.PEERS)
EMBEDDED = {"en_ewt": Path(budgie.file_of("pos-en"))}


@dataclasses.dataclass(frozen=True)
class Effort:
    """How much to measure."""

    starts: int
    rounds: int
    seconds: float  # CPU time for each system, text, way of calling and round
    raw_words: int
    counted_words: int  # for callgrind, which is some fifty times slower than the machine


FULL = Effort(starts=5, rounds=5, seconds=2.0, raw_words=300_000, counted_words=20_000)
QUICK = Effort(starts=2, rounds=2, seconds=0.2, raw_words=30_000, counted_words=2_000)


def main() -> None:
    """Measure what was asked for and print it."""
    options = parse()
    effort = report.effort_of(options, FULL, QUICK)
    models = {**EMBEDDED, **dict(options.model)}
    numbers: dict[str, Any] = {"effort": dataclasses.asdict(effort)}
    parts = ["# Tagging: Budgie and its peers\n", tables.NOTES]
    try:
        for name in options.treebanks:
            part, numbers[name] = compare(Treebank(name), options.only, models.get(name), effort, options.callgrind)
            parts.append(part)
    except (MaterialError, WorkerError, DataError) as error:
        sys.exit(f"benchmarks/tagging: {error}")
    text = "\n".join([*parts, tables.versions_table(options.only)])
    report.publish(text, numbers, options)


def parse() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument(
        "--treebanks", type=lambda listed: listed.split(","), default=["en", "el", "id", "en_ewt"], help="en, en_ewt, …"
    )
    parser.add_argument(
        "--model", type=named, action="append", default=[], metavar="TREEBANK=FILE", help="Budgie's model of a treebank"
    )
    parser.add_argument("--only", type=report.some_of(ALL), default=ALL, help=f"systems to compare, of {','.join(ALL)}")
    report.add_effort(parser)
    parser.add_argument("--callgrind", action="store_true", help="also count instructions, if valgrind is installed")
    return report.parse(parser, peers.WORK / "results.json")


def named(given: str) -> tuple[str, Path]:
    """A treebank and its model file."""
    treebank, equals, file = given.partition("=")
    if not equals or not Path(file).is_file():
        raise argparse.ArgumentTypeError(f"{given!r} is not a treebank, = and a model file")
    return treebank, Path(file).resolve()


def compare(
    treebank: Treebank, chosen: Sequence[str], model: Path | None, effort: Effort, callgrind: bool
) -> tuple[str, dict[str, Any]]:
    """Run everything on one treebank; the tables and the numbers."""
    contenders, failures = ready(
        chosen, lambda name: measure.contender(name, treebank, model), where=f" on {treebank.name}"
    )
    facts, scores = {}, {}
    for one in contenders:
        progress(f"{treebank.name}: start and accuracy of {one.name}")
        facts[one.name] = measure.facts(one, effort.starts)
        scores[one.name] = measure.scores(one, treebank)
    parts = [tables.heading(treebank), *([left_out(failures)] if failures else ())]
    parts.append(tables.quality_table(scores, facts))
    texts = treebank.speed_sets(effort.raw_words)
    speeds = take_turns(contenders, texts, effort)
    parts += [tables.speed_table(kind, texts[kind], found) for kind, found in speeds.items()]
    numbers: dict[str, Any] = {
        "facts": facts,
        "accuracy": {name: dataclasses.asdict(score) for name, score in scores.items()},
        "speed": speeds,
        "left_out": failures,
    }
    if callgrind and measure.can_count():
        sample = first_words(texts["running text"], effort.counted_words)
        numbers["instructions"] = count(contenders, sample)
        parts.append(tables.instructions_table(sample, numbers["instructions"]))
    return "\n".join(parts), numbers


def take_turns(
    contenders: Sequence[Contender], texts: Mapping[str, list[list[str]]], effort: Effort
) -> dict[str, dict[str, dict[str, dict[str, float]]]]:
    """Best speeds over several rounds. Systems take turns, as the machine is not equally busy all the time."""
    speeds: dict[str, dict[str, dict[str, dict[str, float]]]] = {kind: {} for kind in texts}
    for turn in range(effort.rounds):
        for kind, sentences in texts.items():
            progress(f"speed: {kind}, round {turn + 1} of {effort.rounds}")
            for one in contenders:
                ways = speeds[kind].setdefault(one.name, {})
                for way in one.ways:
                    found = measure.speed(one, sentences, way, effort.seconds)
                    ways[way] = measure.better(ways[way], found) if way in ways else found
    return speeds


def count(contenders: Sequence[Contender], sample: list[list[str]]) -> dict[str, dict[str, float]]:
    """Instructions a word of each system in each way."""
    counts: dict[str, dict[str, float]] = {}
    for one in contenders:
        progress(f"instructions: {one.name}")
        counts[one.name] = {way: measure.instructions(one, sample, way) for way in measure.WAYS}
    return counts


def first_words(sentences: Sequence[list[str]], words: int) -> list[list[str]]:
    """The first sentences with so many words together."""
    ends = itertools.accumulate(map(len, sentences))
    return [sentence for sentence, end in zip(sentences, ends, strict=True) if end <= words]


if __name__ == "__main__":
    main()
