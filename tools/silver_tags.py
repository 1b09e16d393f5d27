# SPDX-License-Identifier: Apache-2.0
"""Plain text of a language, tagged by a tagger of ours and a conditional random field together: silver text.

    python -m tools.silver_tags nl CRFSUITE/bin/python pos-nl FILE.tsv.xz [--words N]

The second is the Python of an environment that tools/crfsuite_worker.py says how to make, the third a tagger that has
learnt from the same treebank. Their errors are of different kinds: together they are better than each, and know more of
unknown words (docs/decisions/037-taggers-taught-without-a-gpu.md).
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch

import budgie
from budgie.formats.sentences import TokenisedSentence, pairs
from budgie.train.data.treebanks import TREEBANKS
from budgie.train.network.silver import write_silver
from tools.plain_words import plain_sentences

ROOT = Path(__file__).resolve().parents[1]
WORKER = ROOT / "tools" / "crfsuite_worker.py"
LEAST = 1e-4  # probability of what a teacher rules out: the other one may know better

Probabilities = npt.NDArray[np.float32]  # [words, tags]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("language")
    parser.add_argument("python")
    parser.add_argument("tagger", help="a name or a file")
    parser.add_argument("out", type=Path)
    parser.add_argument("--words", type=int, default=300_000, help="of plain text")
    options = parser.parse_args()
    treebank = TREEBANKS[options.language]
    train, dev, test = (treebank.read(split) for split in ("train", "dev", "test"))
    sentences = list(plain_sentences(options.language, options.words, [*dev, *test]))
    tagger = budgie.load(options.tagger)
    assert isinstance(tagger, budgie.Tagger)
    ours = tagger_says(tagger, sentences)
    theirs = field_says(options.python, train, sentences, tagger.tags)
    product = (ours + LEAST) * (theirs + LEAST)
    both = np.sqrt(product) / np.sqrt(product).sum(axis=1, keepdims=True)
    write_silver(options.out, sentences, tagger.tags, torch.from_numpy(both))


def tagger_says(tagger: budgie.Tagger, sentences: Sequence[tuple[str, ...]]) -> Probabilities:
    """What our tagger thinks of each word."""
    columns = {tag: column for column, tag in enumerate(tagger.tags)}
    rows = np.zeros((sum(map(len, sentences)), len(columns)), dtype=np.float32)
    ranks = itertools.chain.from_iterable(tagger.rank(words, len(columns)) for words in sentences)
    for row, ranked in zip(rows, ranks, strict=True):
        for tag, probability in ranked:
            row[columns[tag]] = probability
    return rows


def field_says(
    python: str, train: Sequence[TokenisedSentence], sentences: Sequence[tuple[str, ...]], tags: Sequence[str]
) -> Probabilities:
    """What a conditional random field thinks of it, once it has learnt from the treebank."""
    columns = {tag: column for column, tag in enumerate(tags)}
    answers = _asked(python, [[list(pairs(sentence)) for sentence in train], *sentences])
    places = [columns[tag] for tag in next(answers)]
    rows = np.zeros((sum(map(len, sentences)), len(columns)), dtype=np.float32)
    rows[:, places] = np.array(list(itertools.chain.from_iterable(answers)), dtype=np.float32)
    return rows


def _asked(python: str, questions: Sequence[object]) -> Iterator[list[str]]:
    """The answers of the worker."""
    lines = "".join(json.dumps(question) + "\n" for question in questions)
    found = {**os.environ, "PYTHONPATH": str(ROOT)}  # its features are in benchmarks/
    command = [python, str(WORKER)]
    answers = subprocess.run(command, input=lines, stdout=subprocess.PIPE, text=True, check=True, env=found).stdout
    return map(json.loads, answers.splitlines())


if __name__ == "__main__":
    main()
