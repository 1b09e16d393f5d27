# SPDX-License-Identifier: Apache-2.0
"""NLTK's averaged perceptron."""

from __future__ import annotations

import json
import random
from pathlib import Path

from benchmarks.tagging.systems import Tagged, Way, Ways, Words, one_by_one
from nltk.tag.perceptron import PerceptronTagger

ITERATIONS = 5  # its default


def train(learn: list[Tagged], _dev: list[Tagged], path: Path) -> None:
    """Learn a tagger. It shuffles the sentences."""
    random.seed(1)
    tagger = PerceptronTagger(load=False)
    tagger.train(learn, nr_iter=ITERATIONS)
    # Its own way to save refuses folders that are not NLTK's; this is the same content in one file.
    path.write_text(json.dumps(tagger.encode_json_obj()), encoding="utf-8")


def load(path: str) -> Ways:
    """A model."""
    tagger = PerceptronTagger.decode_json_obj(json.loads(Path(path).read_text(encoding="utf-8")))

    def one(words: Words) -> list[str]:
        return [tag for _, tag in tagger.tag(words)]

    each = Way(one_by_one(one))
    return {"one": each, "batch": each}
