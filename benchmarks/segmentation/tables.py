# SPDX-License-Identifier: Apache-2.0
"""The results as Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.environments import installed_bytes
from benchmarks.markdown import percent, table
from benchmarks.segmentation.corpora import Corpus
from benchmarks.segmentation.languages import Language
from benchmarks.segmentation.peers import installed
from benchmarks.segmentation.scores import Scores
from benchmarks.segmentation.systems import OURS

NOTES = """\
Each system runs in a process of its own, on one thread. **F1** of words: a word is right if both its ends are; white
space is left out on both sides. **OOV** is the recall of words that the corpus's training set does not have; peers come
with models of their own, trained on other text, so that it tells how hard these words are rather than what was unseen.
Words **astride** others begin or end inside a word of the corpus and go over an end of it. Where systems and corpora
differ in which compounds are words, F1 counts that, too; these are wrong by any standard.

Speeds are per second of CPU time, Python strings in, words as Python strings out, best of all passes of all rounds, in
which the systems take turns. Text is UTF-8, KB are 1,000 bytes. Tokens are those that the system gives, without white
space. KB/s is by a batch call where the system has one, else by a call for each sentence; the latter also stands alone.
Start is CPU time of a fresh process for import, load and first sentence, without the interpreter's own; memory is the
peak then, with the interpreter's own; peak that of a process that segments the text and holds it. Model is what a
system reads to find words of this language, networks and dictionaries; installed is all that pip put there.
"""

MOST_PACKAGES = 5  # that are listed for a system: TensorFlow takes forty with it

# Columns of speed and their units.
SPEEDS = {"bytes_per_s": 1e3, "words_per_s": 1, "one_bytes_per_s": 1e3}


def heading(language: Language) -> str:
    """The heading of a language's tables."""
    return f"## {language.name}\n" + (f"\n{language.note}\n" if language.note else "")


def quality_table(corpora: Sequence[Corpus], scores: Mapping[str, Mapping[str, Scores]]) -> str:
    """F1 and recall of unknown words; the scores are by system and corpus."""
    some: dict[str, Scores] = {}
    for found in scores.values():
        some |= found
    header = ["system"]
    for corpus in corpora:
        header += [f"{corpus.name} F1", *(["OOV"] if some[corpus.name].unknown else ())]
    rows = []
    for name, found in scores.items():
        row = [name]
        for corpus in corpora:
            one = found.get(corpus.name)
            row.append(percent(one.f1 if one else None, 2))
            if some[corpus.name].unknown:
                row.append(percent(one.unknown_recall if one else None, 1))
        rows.append(row)
    words = ", ".join(f"{name} {one.gold:,}{unknown(one)}" for name, one in some.items())
    return f"Words (of them OOV): {words}.\n\n" + table(header, rows) + changes(scores) + astride(corpora, scores)


def unknown(score: Scores) -> str:
    """How many words are not in the training set."""
    return f" ({score.unknown:,})" if score.unknown else ""


def changes(scores: Mapping[str, Mapping[str, Scores]]) -> str:
    """A line on systems that give back other characters than they got."""
    counts = {name: sum(one.changed for one in found.values()) for name, found in scores.items()}
    listed = ", ".join(f"{name} {count:,}" for name, count in counts.items() if count)
    return f"\nSentences whose characters a system changed, which were aligned: {listed}.\n" if listed else ""


def astride(corpora: Sequence[Corpus], scores: Mapping[str, Mapping[str, Scores]]) -> str:
    """A line for each corpus on words that no idea of a word makes right, whichever compounds it splits."""
    lines = []
    for corpus in corpora:
        found = {name: one[corpus.name] for name, one in scores.items() if corpus.name in one}
        shares = ", ".join(f"{name} {1000 * one.astride / one.gold:.1f}" for name, one in found.items())
        lines.append(f"\nWords astride others, in 1,000 words of {corpus.name}: {shares}.\n")
    return "".join(lines)


def cost_table(
    corpus: Corpus, to: str, speeds: Mapping[str, Mapping[str, float]], facts: Mapping[str, Mapping[str, Any]]
) -> str:
    """Speed, start, memory, and size of the installation; `to` is the system of the ratios."""
    ratio = to if to in speeds else None
    header = ["system", "KB/s", "tokens/s", "one a call KB/s", *([f"× {ratio}"] if ratio else ())]
    rows = []
    for name, found in speeds.items():
        fact = facts[name]
        row = [name, *(f"{found[key] / unit:,.0f}" for key, unit in SPEEDS.items())]
        if ratio:
            row.append(significant(found["bytes_per_s"] / speeds[ratio]["bytes_per_s"]))
        row += [
            f"{fact['cold_s'] - fact['interpreter_s']:.3f}",
            f"{fact['cold_bytes'] / 1e6:.0f}",
            f"{found['peak_bytes'] / 1e6:.0f}",
            megabytes(fact["model_bytes"]),
            f"{size(name) / 1e6:.1f}",
        ]
        rows.append(row)
    bare = min(fact["interpreter_bytes"] for fact in facts.values()) / 1e6
    sentences = len(corpus.test)
    return (
        f"Speed on {corpus.name}, {sentences:,} sentences; memory with the interpreter's own {bare:.0f} MB.\n\n"
    ) + table((*header, "start s", "memory MB", "peak MB", "model MB", "installed MB"), rows)


def significant(ratio: float) -> str:
    """A ratio with two digits that count, one if it is small."""
    if ratio < 0.01:
        return f"{ratio:.1g}"
    return f"{ratio:.0f}" if ratio >= 10 else f"{ratio:.1f}" if ratio >= 1 else f"{ratio:.2f}"


def megabytes(size: int | None) -> str:
    """The size of a model: those of a few hundred kilobytes have two digits that count, too."""
    return "–" if size is None else f"{size / 1e6:.2f}" if size < 1e7 else f"{size / 1e6:.0f}"


def size(name: str) -> int:
    """Bytes that are installed for a system. Budgie's are its package, all tasks and models, and its core."""
    if name != OURS:
        return installed_bytes(name)
    import budgie
    from budgie import _core

    package = Path(budgie.__file__).parent
    files = {file for file in package.rglob("*") if file.is_file() and "__pycache__" not in file.parts}
    return sum(file.stat().st_size for file in files | {Path(_core.__file__)})


def versions_table(systems: Sequence[str]) -> str:
    """What each system is."""
    rows = [(name, packages(installed(name)) if name != OURS else "this repository") for name in systems]
    return "## Systems\n\n" + table(("system", "version"), rows)


def packages(names: Sequence[str]) -> str:
    """Packages and versions; of a long list the first, which are the peer and what it rests on."""
    shown = names if len(names) <= MOST_PACKAGES else names[:3]
    others = len(names) - len(shown)
    return ", ".join(shown) + (f" and {others} others" if others else "")
