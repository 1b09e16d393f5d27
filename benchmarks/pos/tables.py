# SPDX-License-Identifier: Apache-2.0
"""The results as Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.environments import installed_bytes
from benchmarks.markdown import percent, table
from benchmarks.pos import peers
from benchmarks.pos.material import Treebank
from benchmarks.pos.measure import Scores

RATIOS = ("udpipe", "crfsuite")
WAYS = {"batch": "batch", "one": "one a call"}  # ways of calling and how they are headed

Facts = Mapping[str, Mapping[str, Any]]  # system
Speeds = Mapping[str, Mapping[str, Mapping[str, float]]]  # system, way of calling

NOTES = """\
Each system runs in a process of its own, on one thread; peers learned from the same training set. Speeds are words per
second of CPU time, Python strings in and tags out, `best` of all passes of all rounds, in which the systems take turns;
`first` is the best first pass of a new process, before caches are filled. Words are new strings in each pass. A slow
system's pass is cut short after some time. `batch` gives Budgie all sentences in one call and UDPipe 200; the other
systems have no call for several sentences. crfsuite's features are made in Python, and that time is counted; `features
ready` is its tagger alone. Ratios are of best passes. Unknown words are those that the training set does not have.
"""


def versions_table(systems: Sequence[str]) -> str:
    """What each system is."""
    rows = []
    for name in systems:
        environment = peers.PEERS.get(name)
        if environment is None:
            rows.append((name, "this repository", "–"))
        else:
            size = f"{installed_bytes(environment) / 1e6:.1f}"
            rows.append((name, ", ".join(peers.ENVIRONMENTS[environment]), size))
    return "## Systems\n\n" + table(("system", "version", "installed MB"), rows)


def quality_table(scores: Mapping[str, Scores], facts: Facts) -> str:
    """Accuracy, size, and what it costs to start."""
    rows = []
    for name, score in scores.items():
        fact = facts[name]
        steps = " + ".join(f"{1e3 * fact[step]:.1f}" for step in ("import_s", "load_s", "first_s"))
        rows.append(
            (
                name,
                percent(score.accuracy, 2),
                percent(score.unknown, 2),
                f"{fact['model_bytes'] / 1e6:.2f}",
                f"{1e3 * (fact['cold_s'] - fact['interpreter_s']):,.1f} = {steps}",
                f"{fact['cold_bytes'] / 1e6:.1f}",
            )
        )
    some, fact = next(iter(scores.values())), next(iter(facts.values()))
    return (
        f"{some.words:,} words, {some.unknown_words:,} of them unknown. Cold start: CPU time of a fresh process for "
        "import, load and first sentence, without the interpreter's own. Memory: the peak then, with the interpreter's "
        f"own {fact['interpreter_bytes'] / 1e6:.1f} MB.\n\n"
    ) + table(("system", "accuracy", "unknown words", "model MB", "cold start ms", "memory MB"), rows)


def speed_table(kind: str, text: Sequence[Sequence[str]], speeds: Speeds) -> str:
    """Speed on one kind of text."""
    header = ["system", *(f"{way}, {which}" for way in WAYS.values() for which in ("first", "best")), "features ready"]
    there = [name for name in RATIOS if name in speeds]
    header += [f"× {name}, {way}" for name in there for way in WAYS.values()]
    rows = []
    for name, ways in speeds.items():
        row = [name]
        row += [f"{ways[way][which]:,.0f}" for way in WAYS for which in ("first", "best")]
        row.append(f"{ways['prepared']['best']:,.0f}" if "prepared" in ways else "–")
        row += [f"{ways[way]['best'] / speeds[to][way]['best']:.1f}" for to in there for way in WAYS]
        rows.append((*row, f"{ways['batch']['peak_bytes'] / 1e6:.0f}"))
    material = min(ways["batch"]["material_bytes"] for ways in speeds.values())
    return (
        f"**{kind}**, {count(text):,} words in {len(text):,} sentences; words per second. Peak MB of a process that "
        f"tags it in batches, with the {material / 1e6:.0f} MB of the interpreter and the text.\n\n"
    ) + table((*header, "peak MB"), rows)


def instructions_table(text: Sequence[Sequence[str]], counts: Mapping[str, Mapping[str, float]]) -> str:
    """Machine instructions a word."""
    return f"Machine instructions a word (callgrind), {count(text):,} words of running text.\n\n" + table(
        ("system", *WAYS.values()), ((name, *(f"{ways[way]:,.0f}" for way in WAYS)) for name, ways in counts.items())
    )


def count(text: Sequence[Sequence[str]]) -> int:
    """Words of a text."""
    return sum(map(len, text))


def heading(treebank: Treebank) -> str:
    """The heading of a treebank's tables."""
    return f"## {treebank.name}, {treebank.release}\n"
