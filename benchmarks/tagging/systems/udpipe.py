# SPDX-License-Identifier: Apache-2.0
"""UDPipe 1, its tagger only, with universal tags and nothing else to learn or to give."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from benchmarks.tagging.systems import Tagged, Way, Ways, Words, one_by_one
from ufal.udpipe import Model, Pipeline, ProcessingError, Sentence, Sentences, Trainer

# Half of its default number of iterations, a quarter of an hour for English, whose dev set gains 0.04 by the tenth. The
# dev set chooses the best.
OPTIONS = (
    "models=1;iterations=10;early_stopping=1;"
    "use_lemma=0;provide_lemma=0;use_xpostag=0;provide_xpostag=0;use_feats=0;provide_feats=0"
)
UPOS = 3  # column of CoNLL-U


def train(learn: list[Tagged], dev: list[Tagged], path: Path) -> None:
    """Learn a tagger."""
    error = ProcessingError()
    model = Trainer.train(
        "morphodita_parsito", sentences(learn), sentences(dev), Trainer.NONE, OPTIONS, Trainer.NONE, error
    )
    if error.occurred():
        sys.exit(error.message)
    path.write_bytes(model)


def sentences(tagged: Iterable[Tagged]) -> Sentences:
    """Sentences as UDPipe wants them."""
    made = Sentences()
    for one in tagged:
        sentence = Sentence()
        for word, tag in one:
            sentence.addWord(word).upostag = tag
        made.push_back(sentence)
    return made


def load(path: str) -> Ways:
    """A model, and the pipeline that takes text with a word on each line: quicker than to build its sentences here."""
    model = Model.load(path)
    pipeline = Pipeline(model, "vertical", Pipeline.DEFAULT, Pipeline.NONE, "conllu")
    pipeline.model = model  # it only points to the model, which Python would throw away
    error = ProcessingError()

    def many(batch: Sequence[Words]) -> list[list[str]]:
        found = pipeline.process("\n\n".join(map("\n".join, batch)) + "\n\n", error)
        # Its comments begin with #, and every word with its number.
        return [
            [line.split("\t", UPOS + 1)[UPOS] for line in block.split("\n") if line[0] != "#"]
            for block in found[:-2].split("\n\n")
        ]

    return {"one": Way(one_by_one(lambda words: many([words])[0])), "batch": Way(many)}
