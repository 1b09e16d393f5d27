# SPDX-License-Identifier: Apache-2.0
"""The results as Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean, stdev

from benchmarks.markdown import percent, table
from benchmarks.preordering import btg, material

from budgie.evaluation.preordering import OrderEvaluation

NOTES = """\
**FRS** is the fuzzy reordering score, **τ** the share of pairs of words that are not inverted, **complete** the share
of sentences without an inverted pair; means over the sentences that can be scored. BTG learnt from the training set,
with its default settings, from words and what its name says; its time is without that for tags and classes, and its
model without the tagger and the table of classes. It was trained several times, with the training set in different
orders: scores are means, ± is the standard deviation.

Speed is words per second of CPU time on one thread, best of several rounds, in which the systems take turns: Budgie
from Python strings to Python lists, BTG its program from file to file without loading. Memory is the peak of a process
that reorders the set; Budgie's has Python and the text in it.
"""


def comparison(
    scores: Mapping[str, Sequence[OrderEvaluation]],
    sizes: Mapping[str, int],
    speeds: Mapping[str, Mapping[str, float]],
    split: str,
) -> str:
    """All systems on one set, and what the order of the source gets there."""
    to = [kind for kind in btg.KINDS if kind in speeds]
    some = next(iter(scores.values()))[0]
    kept = map(percent, (some.frs_unchanged, some.tau_unchanged, some.complete_unchanged))
    rows = [["source order kept", *kept, *["–"] * (3 + len(to))]]
    for name, found in scores.items():
        rate = speeds[name]["words_per_s"]
        row = [name, *(mean([getattr(one, key) for one in found]) for key in ("frs", "tau", "complete"))]
        row += [f"{sizes[name] / 1e6:.2f}", f"{rate:,.0f}"]
        row += [f"{rate / speeds[other]['words_per_s']:.1f}" for other in to]
        rows.append([*row, f"{speeds[name]['peak_bytes'] / 1e6:.0f}"])
    python = [speed["interpreter_bytes"] for speed in speeds.values() if "interpreter_bytes" in speed]
    own = f" Python's own memory is {min(python) / 1e6:.0f} MB." if python else ""
    return (
        f"## {material.SET.name}: {split} set\n\n{some.sentences:,} sentences of {some.words:,} words; "
        f"{some.scored:,} are scored.{own}\n\n"
    ) + table(
        ("system", "FRS", "τ", "complete", "model MB", "words/s", *(f"× {other}" for other in to), "memory MB"), rows
    )


def mean(shares: Sequence[float]) -> str:
    """The mean of shares as a percentage, and how much they differ if there are several."""
    deviation = f" ± {percent(stdev(shares))}" if len(shares) > 1 else ""
    return percent(fmean(shares)) + deviation


def scaling(name: str, found: Mapping[int, Mapping[str, float]], words: int) -> str:
    """Speed by the length of lines."""
    rows: list[Sequence[str]] = [
        (
            f"{length:,}",
            f"{one['lines']:,}",
            f"{one['words_per_s']:,.0f}",
            f"{one['peak_bytes'] / 1e6:.0f}",
        )
        for length, one in found.items()
    ]
    return f"## Long lines: {name}\n\nThe words of the test set in lines, {words:,} together.\n\n" + table(
        ("words a line", "lines", "words/s", "memory MB"), rows
    )
