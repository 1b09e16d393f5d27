# SPDX-License-Identifier: Apache-2.0
"""Every Chinese corpus at hand, in its own script and in the other one, by every model, standard and peer.

    python -m benchmarks.segmentation.chinese [--split dev] [--systems jieba,pkuseg] [--models seg-zh] [--docs]

It tells which standard does best on corpora that a model has not learnt from, and what reading both scripts costs.
"""

from __future__ import annotations

import argparse
import dataclasses
import sys
from collections.abc import Iterator
from functools import cached_property
from statistics import mean

from benchmarks import report
from benchmarks.environments import PeerError
from benchmarks.markdown import percent, table
from benchmarks.places import MaterialError
from benchmarks.segmentation import measure
from benchmarks.segmentation.corpora import Corpus, Sentence
from benchmarks.segmentation.scores import score
from benchmarks.workers import WorkerError, progress

import budgie
from budgie.train.data.chinese import Conversion, converter
from budgie.train.data.segmentation import SEGMENTED_CORPORA

# The corpora and how they get into the other script.
CORPORA: dict[str, Conversion] = {
    "zh-pku": "s2t",
    "zh-msr": "s2t",
    "zh-sxu": "s2t",
    "zh-weibo-wtb": "s2t",
    "zh-gsd": "t2s",
    "zh-sinica": "t2s",
}
MODELS = ("seg-zh", "seg-zh-research")
PEERS = ("jieba", "pkuseg", "thulac", "snownlp")


@dataclasses.dataclass(frozen=True)
class Part:
    """One split of a corpus in one script."""

    corpus: Corpus
    split: str
    conversion: Conversion | None = None

    @property
    def name(self) -> str:
        """For a column."""
        name = self.corpus.name.removeprefix("zh-")
        return name if self.conversion is None else f"{name} {'S' if self.conversion == 't2s' else 'T'}"

    @cached_property
    def sentences(self) -> list[Sentence]:
        """Texts and words in that script; all have as many characters as in the other one."""
        sentences = self.corpus.test if self.split == "test" else list(map(self.corpus.read, self.corpus.lines("dev")))
        if self.conversion is None:
            return sentences
        convert, found = converter(self.conversion), []
        for one in sentences:
            text, start, words = convert("".join(one.words)), 0, []
            for word in one.words:
                words.append(text[start : start + len(word)])
                start += len(word)
            found.append(Sentence(text, tuple(words)))
        return found


def parts(split: str) -> Iterator[Part]:
    """All corpora that have such a split, each in both scripts."""
    for name, other in CORPORA.items():
        corpus = Corpus(name)
        if corpus.file(split).exists():
            yield from (Part(corpus, split), Part(corpus, split, other))


def learnt(model: str) -> set[str]:
    """The corpora that a model has learnt from."""
    corpora = SEGMENTED_CORPORA.get(model.removeprefix("seg-"), ())
    return {one.dataset.removeprefix("seg/") for one in corpora}


def scored(contender: measure.Contender, chosen: list[Part]) -> list[float]:
    """F1 on each part."""
    progress(f"words of {contender.name} {' '.join(contender.arguments)}")
    texts = [sentence.text for part in chosen for sentence in part.sentences]
    answers = iter(measure.answers(contender, texts))
    return [score(one.sentences, [next(answers) for _ in one.sentences], None).f1 for one in chosen]


def row(name: str, found: list[float], chosen: list[Part], seen: set[str]) -> list[str]:
    """A row of the table: corpora that were learnt are in parentheses, and no part of the mean."""
    cells, unseen = [], []
    for f1, part in zip(found, chosen, strict=True):
        known = part.corpus.name in seen
        cells.append(f"({percent(f1, 2)})" if known else percent(f1, 2))
        if not known and part.conversion is None:
            unseen.append(f1)
    return [name, *cells, percent(mean(unseen), 2) if unseen else "–"]


def main() -> None:
    """Measure what was asked for and print it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--split", choices=("dev", "test"), default="test")
    parser.add_argument("--systems", type=report.some_of(PEERS), default=PEERS, help=f"of {','.join(PEERS)}")
    parser.add_argument("--models", type=lambda given: given.split(","), default=MODELS, help="of Budgie, or files")
    options = report.parse(parser, measure.WORK / "chinese.json")
    rows, numbers = [], {}
    try:
        chosen = list(parts(options.split))
        for model in options.models:
            for standard in budgie.read_model(model).config.standards:
                found = numbers[f"{model} {standard}"] = scored(measure.ours(model, standard), chosen)
                rows.append(row(f"`{model}`, {standard}", found, chosen, learnt(model)))
        for name in options.systems:
            try:
                found = numbers[name] = scored(measure.peer(name, "zh"), chosen)
            except PeerError as error:
                progress(f"{name} is left out: {error}")
                continue
            rows.append(row(name, found, chosen, set()))
    except (MaterialError, WorkerError) as error:
        sys.exit(f"benchmarks/segmentation: {error}")
    note = (
        f"F1 of words on {options.split} sets. T and S: the same in traditional and in simplified characters, "
        "by OpenCC. In parentheses: the model has learnt from that corpus. The mean is of the others, each in its own "
        "script.\n\n"
    )
    report.publish(note + table(["system", *(one.name for one in chosen), "mean"], rows), numbers, options)


if __name__ == "__main__":
    main()
