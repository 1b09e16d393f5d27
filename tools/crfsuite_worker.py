# SPDX-License-Identifier: Apache-2.0
"""A conditional random field as a teacher of a tagger: JSON in and out, a value a line.

The first line is a list of sentences to learn from, each a list of [word, tag]; the first answer is the list of tags.
Each further line is a list of words, and its answer the probabilities of the tags of each word. It runs in an
environment of its own, which needs nothing of Budgie: pip install python-crfsuite==0.9.12.
"""

from __future__ import annotations

import json
import sys
import tempfile
from itertools import groupby
from pathlib import Path

import pycrfsuite

AFFIX = 4  # longest prefix and suffix
NEIGHBOURS = (-2, -1, 1, 2)
SETTINGS = {"max_iterations": 80, "c1": 0.05, "c2": 0.01}


def main() -> None:
    trainer = pycrfsuite.Trainer(algorithm="lbfgs", params=SETTINGS, verbose=False)
    for sentence in json.loads(sys.stdin.readline()):
        trainer.append(features([word for word, _ in sentence]), [tag for _, tag in sentence])
    tagger = pycrfsuite.Tagger()
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder, "model"))
        trainer.train(path)
        tagger.open(path)
    tags = tagger.labels()
    sys.stdout.write(json.dumps(tags) + "\n")
    for line in sys.stdin:
        words = json.loads(line)
        tagger.set(features(words))
        rows = [[round(tagger.marginal(tag, at), 4) for tag in tags] for at in range(len(words))]
        sys.stdout.write(json.dumps(rows) + "\n")


def features(words: list[str]) -> list[list[str]]:
    """What each word of a sentence says about itself, and the words around it."""
    lowers = [word.lower() for word in words]
    found = []
    for at, (word, lower) in enumerate(zip(words, lowers, strict=True)):
        ends = range(1, min(AFFIX, len(lower)) + 1)
        row = ["bias", f"w={word}", f"l={lower}", f"shape={shape(word)}"]
        row += [f"p={lower[:length]}" for length in ends] + [f"s={lower[-length:]}" for length in ends]
        row += [f"{step}={lowers[at + step] if 0 <= at + step < len(words) else ''}" for step in NEIGHBOURS]
        found.append(row)
    return found


def shape(word: str) -> str:
    """Kinds of letters, runs made one: McDonald is XxXx, 1,000 is d,d."""
    return "".join(kind for kind, _ in groupby(map(kind_of, word)))


def kind_of(letter: str) -> str:
    """d, X, x, or what it is."""
    return "d" if letter.isdigit() else "X" if letter.isupper() else "x" if letter.isalpha() else letter


if __name__ == "__main__":
    main()
