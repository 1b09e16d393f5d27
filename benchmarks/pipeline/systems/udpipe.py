# SPDX-License-Identifier: Apache-2.0
"""UDPipe 1: its tokenizer, which finds sentences and splits multiword tokens, and its tagger of universal tags."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from benchmarks.pipeline.systems import Sentence, System, Word, located, one_by_one
from benchmarks.tagging.systems.udpipe import OPTIONS
from ufal.udpipe import InputFormat, Model, Pipeline, ProcessingError, Sentences, Trainer
from ufal.udpipe import Sentence as UdpipeSentence


def train_tokens(learn: str, dev: str, path: Path, epochs: int) -> None:
    """Learn a tokenizer from CoNLL-U, by its default settings; the best epoch is chosen on the dev set."""
    _write(path, sentences(learn), sentences(dev), f"epochs={epochs};early_stopping=1", Trainer.NONE)


def train_tags(learn: str, dev: str, path: Path, iterations: int) -> None:
    """Learn a tagger from CoNLL-U, with the settings of the benchmark of taggers."""
    options = OPTIONS.replace("iterations=10", f"iterations={iterations}")
    _write(path, sentences(learn), sentences(dev), Trainer.NONE, options)


def join(tokens: Path, tags: Path, path: Path) -> None:
    """One model of two."""
    _write(path, Sentences(), Sentences(), f"from_model=file:{tokens}", f"from_model=file:{tags}")


def _write(path: Path, learn: Sentences, dev: Sentences, tokens: str, tags: str) -> None:
    error = ProcessingError()
    model = Trainer.train("morphodita_parsito", learn, dev, tokens, tags, Trainer.NONE, error)
    if error.occurred():
        sys.exit(error.message)
    path.write_bytes(model)


def sentences(conllu: str) -> Sentences:
    """Sentences as UDPipe wants them."""
    made, error = Sentences(), ProcessingError()
    reader = InputFormat.newConlluInputFormat()
    reader.setText(conllu)
    while True:
        sentence = UdpipeSentence()
        if not reader.nextSentence(sentence, error):
            break
        made.push_back(sentence)
    if error.occurred():
        sys.exit(error.message)
    return made


def load(_language: str, path: str) -> System:
    """A model. Text in and CoNLL-U out is its quickest way."""
    model, error = Model.load(path), ProcessingError()
    calls = {}
    for call, tagger in (("tokens", Pipeline.NONE), ("tags", Pipeline.DEFAULT)):
        pipeline = Pipeline(model, "tokenize", tagger, Pipeline.NONE, "conllu")
        pipeline.model = model  # it only points to the model, which Python would throw away
        pipeline.process("a", error)
        if not error.occurred():  # as it has no tagger
            calls[call] = partial(process, pipeline)
    best = calls.get("tags", calls["tokens"])

    def annotate(text: str) -> list[Sentence]:
        found = list(read(best(text)))
        places = located(text, (form for sentence in found for form, _ in sentence))
        return [[(*next(places), words) for _, words in sentence] for sentence in found]

    return System(one_by_one(annotate), {name: one_by_one(call) for name, call in calls.items()})


def process(pipeline: Pipeline, text: str) -> str:
    """What it finds in a text, as CoNLL-U."""
    found: str = pipeline.process(text, ProcessingError())
    return found


def read(conllu: str) -> Iterator[list[tuple[str, list[Word]]]]:
    """The tokens of each sentence, with their words and tags."""
    for block in conllu.split("\n\n"):
        tokens: list[tuple[str, list[Word]]] = []
        last = 0  # number of the last word of a multiword token
        for line in block.split("\n"):
            if not line or line[0] == "#":
                continue
            number, form, _, tag = line.split("\t", 4)[:4]
            if "-" in number:
                last = int(number.partition("-")[2])
                tokens.append((form, []))
            elif int(number) <= last:
                tokens[-1][1].append((form, tag.strip("_")))
            else:
                tokens.append((form, [(form, tag.strip("_"))]))
        if tokens:
            yield tokens
