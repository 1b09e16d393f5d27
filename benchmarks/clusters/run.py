# SPDX-License-Identifier: Apache-2.0
"""Clustering: mutual information, time and memory of `budgie cluster`, and how its cost grows.

    python -m benchmarks.clusters.run [--runs 3] [--out FILE]
    python -m benchmarks.clusters.run --score clusters.tsv TEXT …      # mutual information of any table on any text

Markdown goes to standard output, progress to standard error.
"""

from __future__ import annotations

import argparse
import lzma
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks import report
from benchmarks.clusters.reference import mutual_information, pairs_of
from benchmarks.markdown import table
from benchmarks.places import ROOT, WORK, MaterialError, data_folder
from benchmarks.workers import progress

from budgie.clusters import read_clusters
from budgie.formats.compression import open_bytes

SEED = 2008
CLASSES = 256
MORE_LANGUAGES = ("en", "fr", "it")  # about 16 million words
# The command, and then its memory: what the system tells of a child counts that of its parent before exec, too.
PROGRAM = """
import sys
from benchmarks.memory import peak_memory
from budgie.cli import main
status = main(sys.argv[1:])
print(peak_memory())
sys.exit(status)
"""
# Measured on the same text on another day, since they cannot be installed everywhere: 256 classes, words seen three
# times or more, two cores. mkcls and brown-cluster use one of them.
PEERS = (
    ("mkcls", "2.057", "277", "300", "146"),
    ("brown-cluster", "2.003", "275", "283", "117"),
    ("clustercat, 2 threads", "1.977", "119", "71", "463"),
)


@dataclass(frozen=True)
class Run:
    """One call of the command."""

    cpu: float  # seconds
    wall: float
    memory: int  # most bytes resident


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--score", nargs="+", type=Path, metavar=("TABLE", "TEXT"), help="score a table on text")
    parser.add_argument("--runs", type=int, default=3, help="the fastest of so many is reported (%(default)s)")
    options = report.parse(parser)
    if options.score:
        print(f"{score(options.score[0], options.score[1:]):.4f}")
        return
    try:
        text = "\n".join(["# Clustering words\n", quality(options.runs), growth(options.runs)])
    except MaterialError as error:
        sys.exit(f"benchmarks/clusters: {error}")
    report.publish(text, None, options)


def quality(runs: int) -> str:
    """Mutual information, time and memory on all of the English text."""
    text, out = raw("en"), WORK / "clusters" / "en.tsv"
    rows = []
    for sides, model in (("2-sided", ["--two-sided"]), ("1-sided", [])):
        for threads in (1, 2):
            run = cluster([text], out, runs, "--classes", CLASSES, "--threads", threads, *model)
            bits = f"{score(out, [text]):.3f}"
            rows.append([f"**budgie, {sides}, {threads} thread{'s' * (threads > 1)}**", bits, *numbers(run)])
    header = ["system", "mutual information, bits", "CPU s", "wall s", "MB"]
    note = "Figures of peers are from another day: they are not installed by this benchmark.\n"
    return f"## English, 7.35 million words, {CLASSES} classes\n\n{table(header, [*rows, *PEERS])}\n{note}"


def growth(runs: int) -> str:
    """Time and memory for more text and for more classes, two-sided and one-sided."""
    out = WORK / "clusters" / "growth.tsv"
    texts = {
        "1M words": [sample(1_000_000)],
        "4M words": [sample(4_000_000)],
        "7.4M words": [raw("en")],
        "16M words, three languages": [raw(language) for language in MORE_LANGUAGES],
    }
    cases = [(name, paths, CLASSES) for name, paths in texts.items()]
    cases += [("7.4M words", texts["7.4M words"], classes) for classes in (64, 1024)]
    rows = []
    for name, paths, classes in cases:
        both = [cluster(paths, out, runs, "--threads", 2, "--classes", classes, *m) for m in (["--two-sided"], [])]
        rows.append([name, str(classes), *numbers(both[0]), *numbers(both[1])])
    header = [
        "text",
        "classes",
        *(f"{sides} {what}" for sides in ("2-sided", "1-sided") for what in ("CPU s", "wall s", "MB")),
    ]
    return f"## Growth, 2 threads\n\n{table(header, rows)}"


def numbers(run: Run) -> list[str]:
    """A run as columns."""
    return [f"{run.cpu:.1f}", f"{run.wall:.1f}", f"{run.memory / 1e6:.0f}"]


def cluster(texts: Sequence[Path], out: Path, runs: int, *options: object) -> Run:
    """The fastest of several runs."""
    out.parent.mkdir(parents=True, exist_ok=True)
    command = ["cluster", *map(str, texts), "--out", str(out), *map(str, options)]
    progress(" ".join(command))
    found = [measured([sys.executable, "-c", PROGRAM, *command, "--quiet"]) for _ in range(runs)]
    return min(found, key=lambda run: run.wall)


def measured(command: Sequence[str]) -> Run:
    """Run a command and ask what it took."""
    begin = time.perf_counter()
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        memory = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit("benchmarks/clusters: the command failed")
    return Run(usage.ru_utime + usage.ru_stime, time.perf_counter() - begin, int(memory))


def score(clusters: Path, texts: Iterable[Path]) -> float:
    """Mutual information of a table on some text, in bits; words are looked up as they stand."""
    read = read_clusters(clusters)
    pairs = pairs_of(line for text in texts for line in open_bytes(text))
    return mutual_information(pairs, dict(zip(read.words, read.classes, strict=True)))


def raw(language: str) -> Path:
    """Plain text of a language."""
    return data_folder("raw") / f"{language}.txt.xz"


def sample(words: int) -> Path:
    """Sentences from all over the English text, as many as have so many words."""
    kept = WORK / "clusters" / f"en-{words}.txt"
    if not kept.exists():
        with lzma.open(raw("en")) as file:
            lines = file.readlines()
        random.Random(SEED).shuffle(lines)
        count, end = 0, 0
        while count < words:
            count, end = count + len(lines[end].split()), end + 1
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_bytes(b"".join(lines[:end]))
    return kept


if __name__ == "__main__":
    main()
