# SPDX-License-Identifier: Apache-2.0
"""The results as Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from benchmarks.markdown import percent, table
from benchmarks.preordering import btg, material

from budgie.evaluate_order import OrderEvaluation

KEPT = "source order kept"

NOTES = """\
**FRS** is the fuzzy reordering score, **τ** the share of pairs of words that are not inverted, **complete** the share
of sentences without an inverted pair; means over the sentences that can be scored. BTG learned from the training set,
with its default settings, from words, classes of words, and what its name says; its time is without that for tags and
classes, and its model without the tagger and the table of classes.

Speed is words per second of CPU time on one thread, best of several rounds, in which the systems take turns: Budgie
from Python strings to Python lists, BTG its program from file to file without loading. Memory is the peak of a process
that reorders the set; Budgie's has Python and the text in it.
"""


def comparison(
    scores: Mapping[str, OrderEvaluation],
    sizes: Mapping[str, int],
    speeds: Mapping[str, Mapping[str, float]],
    split: str,
) -> str:
    """All systems on one set; those without a model only have scores."""
    to = [kind for kind in btg.KINDS if kind in speeds]
    rows = []
    for name, score in scores.items():
        row = [name, percent(score.frs), percent(score.tau), percent(score.complete)]
        if name in speeds:
            rate = speeds[name]["words_per_s"]
            row += [f"{sizes[name] / 1e6:.2f}", f"{rate:,.0f}"]
            row += [f"{rate / speeds[other]['words_per_s']:.1f}" for other in to]
            row.append(f"{speeds[name]['peak_bytes'] / 1e6:.0f}")
        else:
            row += ["–"] * (3 + len(to))
        rows.append(row)
    some = next(iter(scores.values()))
    python = [speed["interpreter_bytes"] for speed in speeds.values() if "interpreter_bytes" in speed]
    own = f" Python's own memory is {min(python) / 1e6:.0f} MB." if python else ""
    return (
        f"## {material.SET.name}: {split} set\n\n{some.sentences:,} sentences of {some.words:,} words; "
        f"{some.scored:,} are scored.{own}\n\n"
    ) + table(
        ("system", "FRS", "τ", "complete", "model MB", "words/s", *(f"× {other}" for other in to), "memory MB"), rows
    )


def scaling(name: str, found: Mapping[int, Mapping[str, float]], words: int) -> str:
    """Speed by the length of lines."""
    rows: list[Sequence[str]] = [
        (
            f"{length:,}",
            f"{one['lines']:,}",
            f"{one['words_per_s']:,.0f}",
            f"{one['moves']:.2f}",
            f"{one['peak_bytes'] / 1e6:.0f}",
        )
        for length, one in found.items()
    ]
    return f"## Long lines: {name}\n\nThe words of the test set in lines, {words:,} together.\n\n" + table(
        ("words a line", "lines", "words/s", "moves a word", "memory MB"), rows
    )
