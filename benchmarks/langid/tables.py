# SPDX-License-Identifier: Apache-2.0
"""The results as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchmarks.environments import installed_bytes
from benchmarks.langid import peers
from benchmarks.langid.material import TestSet
from benchmarks.langid.measure import READS, System
from benchmarks.langid.scores import CLOSE, Score, common, confusion, member, score
from benchmarks.markdown import percent, table

AllAnswers = dict[str, dict[str, list[str | None]]]  # system, test set
Facts = dict[str, dict[str, Any]]  # system
Speeds = dict[str, dict[str, dict[str, dict[str, float]]]]  # test set, system, way of calling
RATIOS = ("eldc", "pycld2", "cld3")


def both(result: Score | None) -> str:
    """Macro accuracy, and micro accuracy in parentheses."""
    return "–" if result is None else f"{percent(result.macro)} ({percent(result.micro)})"


def systems_table(systems: Sequence[System], facts: Facts) -> str:
    """What each system is and what it costs to start."""
    rows = []
    for chosen in systems:
        fact = facts[chosen.name]
        rows.append(
            (
                chosen.name,
                ", ".join(peers.REQUIREMENTS[chosen.peer]) if chosen.peer else "this repository",
                str(len(fact["labels"])),
                f"{installed_bytes(chosen.peer) / 1e6:.1f}" if chosen.peer else "–",
                f"{1e3 * (fact['cold_s'] - fact['interpreter_s']):,.1f}",
                f"{fact['cold_bytes'] / 1e6:.1f}",
            )
        )
    bare_s = min(fact["interpreter_s"] for fact in facts.values())
    bare_bytes = min(fact["interpreter_bytes"] for fact in facts.values())
    return (
        "## Systems\n\n"
        "Cold start: CPU time of a fresh process for import, load and first answer, without the interpreter's own "
        f"{1e3 * bare_s:.0f} ms. Memory: the peak then, with the interpreter's own {bare_bytes / 1e6:.1f} MB.\n\n"
    ) + table(("system", "version", "labels", "installed MB", "cold start ms", "memory MB"), rows)


def common_table(systems: Sequence[System], facts: Facts, tests: Sequence[TestSet], answers: AllAnswers) -> str:
    """Accuracy on the languages that every system knows."""
    known = common(facts[chosen.name]["known"] for chosen in systems)
    scored = {
        chosen.name: [score(test, answers[chosen.name][test.name], known) for test in tests] for chosen in systems
    }
    counts = [str(len(one.languages)) if one else "0" for one in next(iter(scored.values()))]
    return (
        "## Accuracy on the languages that every system knows\n\n"
        "Percent of texts named rightly, mean over languages (over texts in parentheses). "
        "lingua and langid answered a sample of the texts.\n\n"
        + table(
            ("system", *(test.name for test in tests)),
            [("*languages*", *counts), *((name, *map(both, row)) for name, row in scored.items())],
        )
        + "\nPercent of texts without an answer:\n\n"
        + table(
            ("system", *(test.name for test in tests)),
            ((name, *(percent(one.undetermined if one else None) for one in row)) for name, row in scored.items()),
        )
        + f"\nThe languages: {' '.join(sorted(known & {language for test in tests for language in test.languages}))}\n"
    )


def pairs_table(
    pairs: Sequence[tuple[System, System]], facts: Facts, tests: Sequence[TestSet], answers: AllAnswers
) -> str:
    """Each pair of systems on the languages and texts that both know and answered."""
    rows = []
    for ours, theirs in pairs:
        known = common((facts[ours.name]["known"], facts[theirs.name]["known"]))
        means, totals = [], []
        for test in tests:
            mine, other = answers[ours.name][test.name], answers[theirs.name][test.name]
            left, right = score(test, mine, known, other), score(test, other, known, mine)
            if left and right:
                means.append(f"{against(left.macro, right.macro)}, {len(left.languages)}")
                totals.append(f"{against(left.micro, right.micro)}, {left.texts:,}")
            else:
                means.append("–")
                totals.append("–")
        rows += [(f"{ours.name} : {theirs.name}", "languages", *means), ("", "texts", *totals)]
    return (
        "## Budgie and each peer on the languages that both know\n\n"
        "Percent, Budgie's : the peer's, difference, and how many: mean over languages, then over texts.\n\n"
    ) + table(("pair", "over", *(test.name for test in tests)), rows)


def against(ours: float, theirs: float) -> str:
    """Two shares and their difference, in percent."""
    return f"{percent(ours)} : {percent(theirs)}, {100 * (ours - theirs):+.1f}"


def speed_tables(systems: Sequence[System], speeds: Speeds, languages: int) -> str:
    """Speeds of each kind of text."""
    limits = " and ".join(f"{name} (at most {limit} bytes)" for name, limit in READS.items())
    parts = [
        f"## Speed\n\nA mix of {languages} languages that every system knows. CPU time of one thread, best over all "
        "rounds; new string objects for each pass, so that nothing is remembered of a text. `batch`: the system's "
        f"batch call where it has one, else one text a call. MB read differs from MB given for {limits}.\n"
    ]
    for kind, by_system in speeds.items():
        reference = {name: batch(by_system[name])["texts_per_s"] for name in RATIOS if name in by_system}
        rows = []
        for chosen in systems:
            if chosen.name in by_system:
                ways = by_system[chosen.name]
                best = batch(ways)
                rows.append(
                    (
                        chosen.name,
                        f"{best['texts_per_s']:,.0f}",
                        f"{ways['one']['texts_per_s']:,.0f}",
                        f"{best['given_per_s'] / 1e6:.1f}",
                        f"{best['read_per_s'] / 1e6:.1f}",
                        *(f"{best['texts_per_s'] / rate:.2f}" for rate in reference.values()),
                    )
                )
        header = ("system", "texts/s, batch", "texts/s, one a call", "MB/s given", "MB/s read")
        parts.append(f"### {kind}\n\n" + table((*header, *(f"× {name}" for name in reference)), rows))
    return "\n".join(parts)


def batch(ways: dict[str, dict[str, float]]) -> dict[str, float]:
    """The faster way of calling."""
    return max(ways.values(), key=lambda way: way["texts_per_s"])


def close_tables(systems: Sequence[System], facts: Facts, tests: Sequence[TestSet], answers: AllAnswers) -> str:
    """What systems answer on languages that are easily taken for each other."""
    named = {test.name: test for test in tests}
    parts = [
        "## Close languages\n\nPercent of answers to texts of the language in the first column, sentences / snippets; "
        "† from UDHR, where there are no other texts. Only systems with two labels of the group or more. "
        "The Serbian here is in Latin letters, so that the answer sr is right too.\n"
    ]
    for group in CLOSE:
        rows = []
        for chosen in systems:
            labels = {member(label, group) for label in facts[chosen.name]["labels"]} & set(group)
            if len(labels) < 2:
                continue
            for language in group:
                mark, sources = "", (named["sentences"], named["snippets"])
                if language not in sources[0].languages:
                    mark, sources = "†", (named["UDHR"], named["UDHR snippets"])
                shares = [confusion(test, answers[chosen.name][test.name], language, group) for test in sources]
                cells = (
                    " / ".join(percent(share[label] if share else None) for share in shares)
                    if label in labels or label == "other"
                    else "–"
                    for label in (*group, "other")
                )
                rows.append((language + mark, chosen.name, *cells))
        rows.sort(key=lambda row: group.index(row[0].removesuffix("†")))
        parts.append(f"### {', '.join(group)}\n\n" + table(("text", "system", *group, "other"), rows))
    return "\n".join(parts)


def labels_table(systems: Sequence[System], facts: Facts) -> str:
    """Every system's labels."""
    return "## Label sets, in Budgie's codes\n\n" + table(
        ("system", "labels"), ((chosen.name, " ".join(facts[chosen.name]["labels"])) for chosen in systems)
    )
