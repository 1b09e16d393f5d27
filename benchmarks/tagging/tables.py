# SPDX-License-Identifier: Apache-2.0
"""The results as Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.environments import installed_bytes
from benchmarks.markdown import percent, table
from benchmarks.tagging import peers
from benchmarks.tagging.material import Treebank
from benchmarks.tagging.measure import EXTRA_WAYS, Scores

RATIOS = ("udpipe", "crfsuite")
CALLS = {"batch": "batch", "one": "one a call"}  # how ways of calling are headed

Facts = Mapping[str, Mapping[str, Any]]  # system
Speeds = Mapping[str, Mapping[str, Mapping[str, float]]]  # system, way of calling

NOTES = """\
Each system runs in a process of its own, on one thread; peers learnt from the same training set. Speeds are words per
second of CPU time, Python strings in and tags out, `best` of all passes of all rounds, in which the systems take turns;
`first` is the best first pass of a new process, before caches are filled. Words are new strings in each pass. A slow
system's pass is cut short after some time. `batch` gives Budgie all sentences in one call and UDPipe 200; the other
systems have no call for several sentences. Ratios are of best passes. Unknown words are those that the training set
does not have.

crfsuite's features are made in Python, and that time is counted. `features remembered` keeps those of every distinct
word, as a careful user would; `features ready` is the tagger alone, with all features handed over before.
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
    header = ["system", *(f"{way}, {which}" for way in CALLS.values() for which in ("first", "best"))]
    there = [name for name in RATIOS if name in speeds]
    header += [f"× {name}, {way}" for name in there for way in CALLS.values()]
    rows = []
    for name, ways in speeds.items():
        called: dict[str, dict[str, Mapping[str, float]]] = {name: {way: ways[way] for way in CALLS}}
        called |= {f"{name}, features {way}": {"batch": ways[way]} for way in EXTRA_WAYS if way in ways}
        for label, found in called.items():
            rates = [
                f"{found[way][which]:,.0f}" if way in found else "–" for way in CALLS for which in ("first", "best")
            ]
            ratios = [
                f"{found[way]['best'] / speeds[to][way]['best']:.1f}" if way in found else "–"
                for to in there
                for way in CALLS
            ]
            rows.append((label, *rates, *ratios, f"{found['batch']['peak_bytes'] / 1e6:.0f}"))
    material = min(ways["batch"]["material_bytes"] for ways in speeds.values())
    return (
        f"**{kind}**, {count(text):,} words in {len(text):,} sentences; words per second. Peak MB of a process that "
        f"tags it in batches, with the {material / 1e6:.0f} MB of the interpreter and the text.\n\n"
    ) + table((*header, "peak MB"), rows)


def instructions_table(text: Sequence[Sequence[str]], counts: Mapping[str, Mapping[str, float]]) -> str:
    """Machine instructions a word."""
    return f"Machine instructions a word (callgrind), {count(text):,} words of running text.\n\n" + table(
        ("system", *CALLS.values()), ((name, *(f"{ways[way]:,.0f}" for way in CALLS)) for name, ways in counts.items())
    )


def count(text: Sequence[Sequence[str]]) -> int:
    """Words of a text."""
    return sum(map(len, text))


def heading(treebank: Treebank) -> str:
    """The heading of a treebank's tables."""
    return f"## {treebank.name}, {treebank.release}\n"
