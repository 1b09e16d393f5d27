# SPDX-License-Identifier: Apache-2.0
"""NLTK's TnT, with its own model of unknown words."""

from __future__ import annotations

import pickle
from pathlib import Path

from benchmarks.tagging.systems import Tagged, Way, Ways, Words, one_by_one
from nltk.tag.tnt import TnT


def train(learn: list[Tagged], _dev: list[Tagged], path: Path) -> None:
    """Count."""
    tagger = TnT()
    tagger.train(learn)
    path.write_bytes(pickle.dumps(tagger, protocol=pickle.HIGHEST_PROTOCOL))


def load(path: str) -> Ways:
    """A model; NLTK has no file format for it."""
    tagger = pickle.loads(Path(path).read_bytes())

    def one(words: Words) -> list[str]:
        return [tag for _, tag in tagger.tag(words)]

    each = Way(one_by_one(one))
    return {"one": each, "batch": each}
