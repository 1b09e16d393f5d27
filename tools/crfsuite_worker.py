# SPDX-License-Identifier: Apache-2.0
"""A conditional random field as a teacher of a tagger: JSON in and out, a value a line.

The first line is a list of sentences to learn from, each a list of [word, tag]; the first answer is the list of tags.
Each further line is a list of words, and its answer the probabilities of the tags of each word. Features are those of
the peer in benchmarks/. It runs in an environment of its own, which needs nothing of Budgie:
pip install python-crfsuite==0.9.12.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

import pycrfsuite
from benchmarks.tagging.systems.crfsuite import features

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


if __name__ == "__main__":
    main()
