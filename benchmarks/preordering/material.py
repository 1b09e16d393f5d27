# SPDX-License-Identifier: Apache-2.0
"""The material: aligned sentences, long lines made of them, and the classes of words that the peer needs."""

from __future__ import annotations

import itertools
from functools import cache

from benchmarks import places
from benchmarks.places import data_folder
from benchmarks.workers import progress

from budgie.clusters import cluster
from budgie.clusters.table import ClusterTable, read_clusters
from budgie.formats.alignments import Aligned
from budgie.train.data.datasets import Split
from budgie.train.data.preordering import aligned_corpus

WORK = places.WORK / "preordering"
SET = aligned_corpus("enja-kftt-manual")

# English text that classes are learnt from, as folders of the data and files in them.
CLUSTERED = (
    ("preorder/enja-kyoto-auto", "train.src.xz"),
    ("preorder/enja-tanaka50k-auto", "train.src.xz"),
    ("raw", "en.txt.xz"),
)
CLUSTERED_WORDS = 40_000


@cache
def read(split: Split) -> list[Aligned]:
    """The sentences of a split."""
    return SET.read(split)


@cache
def classes(number: int) -> ClusterTable:
    """So many classes of English words, learnt on first use and kept."""
    kept = WORK / f"classes-{number}.tsv"
    if not kept.exists():
        progress(f"clustering English words into {number} classes")
        files = [data_folder(folder) / name for folder, name in CLUSTERED]
        found = cluster(files, number, CLUSTERED_WORDS, fold_case=True, fold_digits=True)
        kept.parent.mkdir(parents=True, exist_ok=True)
        found.write(kept)
    return read_clusters(kept)


def long_lines(length: int, words: int) -> list[list[str]]:
    """Lines of `length` words, `words` together: the test set, a sentence behind the other, again and again."""
    endless = itertools.cycle(word for sentence in read("test") for word in sentence.words)
    return [list(itertools.islice(endless, length)) for _ in range(words // length)]
