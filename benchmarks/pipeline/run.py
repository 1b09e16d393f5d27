# SPDX-License-Identifier: Apache-2.0
"""Raw text to tokens, sentences and tags: Budgie and its peers, in one run.

    python -m benchmarks.pipeline.run [--quick] [--only udpipe,syntok] [--languages en,fr] [--epochs 30] [--docs]

Models of UDPipe are trained where they are missing, which takes minutes a language. Markdown goes to standard output,
progress to standard error, and all numbers to a JSON file. With --docs a row for each system goes to results.json
beside this file, for the chart of the README.
"""

from __future__ import annotations

import argparse
import dataclasses
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks import report
from benchmarks.markdown import left_out
from benchmarks.pipeline import material, measure, stages, tables, udpipe_models
from benchmarks.pipeline.material import TestSet
from benchmarks.pipeline.peers import OURS, PEERS, Contender, contender
from benchmarks.pipeline.udpipe_models import EPOCHS, TAGGED
from benchmarks.places import MaterialError
from benchmarks.workers import WorkerError, progress, ready

from budgie.errors import DataError

ALL = (OURS, *PEERS)
RECORD = Path(__file__).with_name("results.json")
SPEED = {"en": "en_ewt", "fr": "fr_gsd"}  # languages whose speed is measured, and the test set that is named with it
CALLS = {
    OURS: ("tokens", "tags", "tags, language found", "tags, CoNLL-U", "tags, documents"),
    "udpipe": ("tokens", "tags"),
    "fr_core_news_sm": ("tags", "tags, all"),
    "wink": ("tokens", "tags"),
}


@dataclasses.dataclass(frozen=True)
class Effort:
    """How much to measure."""

    rounds: int
    seconds: float  # CPU time for each system, call and round
    languages: tuple[str, ...]
    web: tuple[str, ...]


def main() -> None:
    """Measure what was asked for and print it."""
    options = parse()
    try:
        full = Effort(5, 2.0, material.LEARNT, tuple(material.web_languages()))
        effort = report.effort_of(options, full, Effort(2, 0.5, ("en", "fr"), ("en", "fr")))
        if options.languages:
            languages, web = (
                tuple(one for one in known if one in options.languages) for known in (effort.languages, effort.web)
            )
            effort = dataclasses.replace(effort, languages=languages, web=web)
        text, numbers = compare((OURS, *(name for name in options.only if name != OURS)), effort, options.epochs)
    except (MaterialError, WorkerError, DataError) as error:
        sys.exit(f"benchmarks/pipeline: {error}")
    report.publish(text, numbers, options)
    if options.docs:
        report.record(numbers["systems"], RECORD)


def parse() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument(
        "--only", type=report.some_of(ALL), default=ALL, help=f"peers to compare with, of {','.join(PEERS)}"
    )
    parser.add_argument("--languages", type=lambda listed: listed.split(","), help="some of them: en,fr")
    parser.add_argument("--epochs", type=int, default=EPOCHS, help="of UDPipe's tokenizers that are yet to be trained")
    report.add_effort(parser)
    return report.parse(parser, measure.WORK / "results.json")


def compare(chosen: Sequence[str], effort: Effort, epochs: int) -> tuple[str, dict[str, Any]]:
    """Run everything; the tables and the numbers."""
    contenders, failures = ready(chosen, lambda name: contender(name, epochs))
    ours = contenders[0]
    treebanks, web = material.treebanks(effort.languages), [material.web(language) for language in effort.web]
    found: measure.Scores = {}
    for one in contenders:
        found[one.name] = measure.scores(one, [*treebanks, *web])
    speeds, counted = {}, {}
    for language, name in SPEED.items():
        if any(test.name == name for test in treebanks):
            counted[language] = material.running_text(language)
            asked = [one for one in contenders if one.knows(language)]
            speeds[language] = take_turns(asked, counted[language], effort)
    threads, shares = {}, {}
    for language, test in counted.items():
        progress(f"threads and stages: {test.name}")
        threads[language] = measure.threads(ours, test, effort.rounds)
        shares[language] = stages.measured(ours, test, effort.rounds, effort.seconds)
    models = {one.name: measure.model_bytes(one, "fr" if one.name == "fr_core_news_sm" else "en") for one in contenders}
    numbers = {
        "effort": dataclasses.asdict(effort),
        "scores": found,
        "speed": speeds,
        "threads": threads,
        "stages": shares,
        "left_out": failures,
        "systems": rows(contenders, found, treebanks, speeds, models),
    }
    parts = ["# Raw text to tags: Budgie and its peers\n", *([left_out(failures)] if failures else ())]
    parts += scores_parts(found, treebanks, web)
    parts += speed_parts(speeds, counted, threads)
    parts += [stages.table_of(language, costs) for language, costs in shares.items()]
    parts += ["## Systems\n", tables.systems_table(contenders, models)]
    if any(one.name == "udpipe" for one in contenders):
        parts.append(udpipe_models.training() + "\n")
    return "\n".join(parts), numbers


def scores_parts(found: measure.Scores, treebanks: Sequence[TestSet], web: Sequence[TestSet]) -> list[str]:
    """The tables of scores."""
    parts = [
        "## Tokens and sentences of treebanks\n",
        tables.summary(found, treebanks, ("tokens", "words", "sentences")),
    ]
    parts += [tables.best_of_all(found, treebanks, kind) for kind in ("tokens", "sentences")]
    tagged = [test for test in treebanks if test.language in TAGGED]
    systems = [name for name in ALL if name in found]
    if tagged:
        taggers = [name for name in systems if tables.gives(name, "tags")]
        for kind, title in (("tags", "Tags from raw text"), ("words", "Words from raw text")):
            parts += [f"## {title}\n", tables.each(found, tagged, kind, taggers)]
    if web:
        parts += ["## Sentences of the web\n", tables.summary(found, web, ("sentences",))]
        parts += [tables.best_of_all(found, web, "sentences")]
    for kind in ("tokens", "sentences"):
        parts += [f"## {kind.capitalize()} by test set\n", tables.each(found, treebanks, kind, systems)]
    if web:
        parts += ["## Sentences of the web by language\n", tables.each(found, web, "sentences", systems)]
    return parts


def take_turns(
    contenders: Sequence[Contender], test: TestSet, effort: Effort
) -> dict[str, dict[str, dict[str, float]]]:
    """Best speeds over several rounds. Systems take turns, as the machine is not equally busy all the time."""
    speeds: dict[str, dict[str, dict[str, float]]] = {}
    for turn in range(effort.rounds):
        progress(f"speed: {test.name}, round {turn + 1} of {effort.rounds}")
        for one in contenders:
            calls = speeds.setdefault(one.name, {})
            for call in CALLS.get(one.name, ("tokens",)):
                found = measure.speed(one, test, call, effort.seconds)
                calls[call] = measure.better(calls[call], found) if call in calls else found
    return speeds


def speed_parts(
    speeds: Mapping[str, tables.Speeds], counted: Mapping[str, TestSet], threads: Mapping[str, dict[str, Any]]
) -> list[str]:
    """The tables of speed."""
    parts = ["## Speed\n"]
    for language, test in counted.items():
        size = sum(len(text.encode()) for text in test.texts)
        kind = f"{test.tokens:,} tokens, {size / 1e3:,.0f} KB in texts of about {material.TEXT:,} characters"
        parts += [f"**{test.name}**, {kind}.\n", tables.speed_table(speeds[language], test.tokens, size)]
        found = threads[language]
        (one, two), (one_wall, two_wall) = found["cpu_s"], found["wall_s"]
        parts.append(
            f"Threads: {found['tokens']:,} tokens in one call take {one:.3f} s of CPU time on one thread; of two the "
            f"busier one takes {two:.3f} s, {one / two:.2f} times less. Wall times were {one_wall:.3f} and "
            f"{two_wall:.3f} s, on a machine whose two cores others used as well.\n"
        )
    return parts


def rows(
    contenders: Sequence[Contender],
    found: measure.Scores,
    tests: Sequence[TestSet],
    speeds: dict[str, Any],
    models: dict[str, int],
) -> list[dict[str, object]]:
    """What the chart says of each system: percent, means over its languages, and the same for those of `speed`."""
    made: list[dict[str, object]] = []
    for one in contenders:
        kinds = [kind for kind in ("tokens", "words", "sentences", "tags") if tables.gives(one.name, kind)]
        means = {}
        for kind in kinds:
            values = tables.by_language(found, tests, one.name, kind)
            some = [value for language, value in values.items() if kind != "tags" or language in TAGGED]
            means[f"{kind}_f1"] = round(100 * tables.mean(some), 2) if some else None
        by_language = {}
        for language, name in SPEED.items():
            if name in found[one.name]:
                scores = {f"{kind}_f1": round(100 * found[one.name][name][kind], 2) for kind in kinds}
                calls = speeds.get(language, {}).get(one.name, {})
                rates = {
                    f"{call}_per_s": round(calls[call]["tokens_per_s"]) for call in ("tokens", "tags") if call in calls
                }
                by_language[language] = {"test_set": name, **scores, **rates}
        made.append(
            {
                "name": one.name,
                "languages": len({test.language for test in tests if test.name in found[one.name]}),
                "installed_mb": round(one.installed_bytes / 1e6, 1),
                "model_mb": round(models[one.name] / 1e6, 2),
                **means,
                "by_language": by_language,
            }
        )
    return made


if __name__ == "__main__":
    main()
