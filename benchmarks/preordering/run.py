# SPDX-License-Identifier: Apache-2.0
"""Compares Budgie's preorderer with top-down BTG, trained on the same data, on scores, size, speed and memory.

    python -m benchmarks.preordering.run [--model NAME_OR_FILE …] [--btg FOLDER] [--split dev] [--quick] [--out FILE]

BTG is not installed by this: see README.md. It is trained on first use, and its models are kept. Markdown goes to
standard output, progress to standard error, and all numbers to a JSON file.
"""

from __future__ import annotations

import argparse
import dataclasses
import os
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from benchmarks import report
from benchmarks.environments import PeerError
from benchmarks.markdown import left_out
from benchmarks.places import MaterialError
from benchmarks.preordering import btg, material, measure, tables
from benchmarks.preordering.measure import Budgie, Contender
from benchmarks.workers import WorkerError, progress, ready

from budgie.errors import DataError
from budgie.formats.alignments import Aligned

EMBEDDED, PEER = "preorder-en-ja", "BTG"
LENGTHS = (10, 100, 1_000, 10_000)  # words of a line


@dataclasses.dataclass(frozen=True)
class Effort:
    """How much to measure."""

    rounds: int
    seconds: float  # CPU time for Budgie in each round
    long_words: int  # of text in long lines


FULL = Effort(rounds=5, seconds=2.0, long_words=50_000)
QUICK = Effort(rounds=2, seconds=0.2, long_words=10_000)


def main() -> None:
    """Measure and print."""
    options = parse()
    effort = report.effort_of(options, FULL, QUICK)
    try:
        sentences = material.read(options.split)
        prepare = partial(prepared, folder=options.btg, first=sentences[:1])
        found, failures = ready([*(options.model or [EMBEDDED]), PEER], prepare)
        contenders = [one for some in found for one in some]
        scores = {}
        for one in contenders:
            progress(f"scores of {one.name}")
            scores[one.name] = measure.scores(one, sentences)
        speeds = take_turns(contenders, sentences, effort)
        scales = {one.name: scale(one, effort) for one in contenders if isinstance(one, Budgie)}
    except (DataError, MaterialError, PeerError, WorkerError) as error:
        sys.exit(f"benchmarks/preordering: {error}")
    sizes = {one.name: one.model.stat().st_size for one in contenders}
    parts = ["# Preordering: Budgie and top-down BTG\n", tables.NOTES, *([left_out(failures)] if failures else ())]
    parts.append(tables.comparison(scores, sizes, speeds, options.split))
    parts += [tables.scaling(name, found, effort.long_words) for name, found in scales.items()]
    text = "\n".join(parts)
    numbers = {
        "effort": dataclasses.asdict(effort),
        "split": options.split,
        "scores": {name: [dataclasses.asdict(one) for one in found] for name, found in scores.items()},
        "model_bytes": sizes,
        "speed": speeds,
        "long_lines": scales,
        "left_out": failures,
    }
    report.publish(text, numbers, options)


def parse() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument(
        "--model", action="append", help=f"a model of Budgie's, a name or a file, instead of {EMBEDDED}"
    )
    folder = Path(os.environ.get("BUDGIE_BTG", btg.FOLDER))
    parser.add_argument("--btg", type=Path, default=folder, help="the folder where BTG was built ($BUDGIE_BTG)")
    parser.add_argument("--split", choices=("dev", "test"), default="test", help="the set to reorder")
    report.add_effort(parser)
    return report.parse(parser, material.WORK / "results.json")


def prepared(name: str, folder: Path, first: Sequence[Aligned]) -> list[Contender]:
    """Budgie with a model, which has answered once, or the peer, trained on each kind of annotation."""
    if name == PEER:
        built = btg.find(folder)
        return [measure.peer(built, kind) for kind in btg.KINDS]
    one = measure.ours(name)
    one.orders(first)
    return [one]


def take_turns(
    contenders: Sequence[Contender], sentences: Sequence[Aligned], effort: Effort
) -> dict[str, dict[str, float]]:
    """Best speeds over several rounds. Systems take turns, as the machine is not equally busy all the time."""
    speeds: dict[str, dict[str, float]] = {}
    for turn in range(effort.rounds):
        progress(f"speed: round {turn + 1} of {effort.rounds}")
        for one in contenders:
            found = one.speed(sentences, effort.seconds)
            speeds[one.name] = measure.better(speeds[one.name], found) if one.name in speeds else found
    return speeds


def scale(chosen: Budgie, effort: Effort) -> dict[int, dict[str, float]]:
    """Costs by the length of lines, lengths taking turns."""
    texts = {length: material.long_lines(length, effort.long_words) for length in LENGTHS}
    found: dict[int, dict[str, float]] = {}
    for turn in range(effort.rounds):
        progress(f"long lines: {chosen.name}, round {turn + 1} of {effort.rounds}")
        for length, lines in texts.items():
            one = {"lines": len(lines), **chosen.passes(lines, effort.seconds)}
            found[length] = measure.better(found[length], one) if turn else one
    return found


if __name__ == "__main__":
    main()
