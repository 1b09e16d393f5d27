# SPDX-License-Identifier: Apache-2.0
"""The Bloom map: bits a word against the paper's formula, unseen words that get a cluster, time of a lookup.

    python -m benchmarks.clusters.bloom [--docs]

Markdown goes to standard output. The time of a lookup is measured without Python: lookup.cpp is compiled for that.
"""

from __future__ import annotations

import argparse
import math
import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence

import numpy as np
from benchmarks import report
from benchmarks.markdown import table
from benchmarks.places import ROOT, WORK, MaterialError, data_folder
from numpy.typing import NDArray

from budgie.clusters.bloom import BuiltMap, build_bloom_map
from budgie.clusters.table import ClusterTable, read_clusters
from budgie.model.accounting import paper_bits
from budgie.model.config import Config, Group
from budgie.model.features import make_word_features

UNSEEN = 1_000_000
SOURCES = ("features/bloom.cpp", "training/bloom_builder.cpp")


def main() -> None:
    """Measure and print."""
    options = report.parse(argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None))
    tables = {"made up, uniform": made_up(250_000, 256)}
    try:
        folder = data_folder("clusters")
        for language in ("en", "de", "es"):
            tables[f"Brown clusters, {language}"] = read_clusters(folder / f"spacy-lookups-data-{language}.tsv.xz")
    except MaterialError as error:
        print(f"benchmarks/clusters: {error}", file=sys.stderr)
    rows = [row(name, of, error_bits) for name, of in tables.items() for error_bits in (0, 4, 8)]
    header = [
        "words", "number", "clusters", "entropy", "error bits", "bits a word", "the paper's", "KB", "the paper's",
        "wrong", "unseen with a cluster, %", "expected", "built in, s",
    ]  # fmt: skip
    report.publish(f"{table(header, rows)}\n{lookups()}", None, options)


def made_up(words: int, classes: int) -> ClusterTable:
    """Words and clusters by lot."""
    draw = random.Random(1)
    return ClusterTable(
        tuple(f"word{i}" for i in range(words)), tuple(draw.randrange(classes) for _ in range(words)), classes
    )


def row(name: str, of: ClusterTable, error_bits: int) -> list[str]:
    """One line of the table."""
    begin = time.perf_counter()
    built = build_bloom_map(of, len(of.words), error_bits)
    seconds = time.perf_counter() - begin
    wrong = int((clusters(built, of.words) != np.array(of.classes)).sum())
    draw = random.Random(2)
    found = int((clusters(built, [f"{draw.getrandbits(64):x}" for _ in range(UNSEEN)]) >= 0).sum())
    count = len(of.words)
    entropy = -sum(n / count * math.log2(n / count) for n in Counter(of.classes).values())
    size, paper = built.bloom.size + built.classes, paper_bits(entropy, error_bits)
    return [
        name, f"{count:,}", str(built.classes), f"{entropy:.3f}", str(error_bits), f"{8 * size / count:.3f}",
        f"{paper:.3f}", f"{size / 1024:.1f}", f"{paper * count / 8 / 1024:.1f}", str(wrong),
        f"{100 * found / UNSEEN:.3f}", f"{100 * 2.0**-error_bits:.3f}", f"{seconds:.2f}",
    ]  # fmt: skip


def clusters(built: BuiltMap, words: Sequence[str]) -> NDArray[np.int64]:
    """The cluster of each word, as a feature of it; -1: none."""
    config = Config("pos", (Group("clusters", "clusters", built.classes, 1),), 1, ("X",), bloom=built.bloom)
    ((ids, starts),) = make_word_features(config, built.tensors).ids(list(words))
    found = np.full(len(words), -1)
    found[np.diff(starts, append=len(ids)) > 0] = ids
    return found


def lookups() -> str:
    """What lookup.cpp says."""
    program, core = WORK / "clusters" / "lookup", ROOT / "core"
    program.parent.mkdir(parents=True, exist_ok=True)
    here = ROOT / "benchmarks" / "clusters" / "lookup.cpp"
    compiler = [os.environ.get("CXX", "c++"), "-O3", "-std=c++17", f"-I{core}", "-o", str(program), str(here)]
    subprocess.run([*compiler, *(str(core / source) for source in SOURCES)], check=True)
    return subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    main()
