# SPDX-License-Identifier: Apache-2.0
"""The embedded taggers on the test sets of their treebanks.

python -m benchmarks.tagging.embedded [--docs]
"""

from __future__ import annotations

import argparse
import dataclasses
from itertools import chain

from benchmarks import report
from benchmarks.markdown import table

import budgie
from budgie.evaluation.metrics import calibration_error
from budgie.evaluation.tagging import evaluate_tags
from budgie.formats.sentences import pairs
from budgie.train.data.treebanks import TREEBANKS

PREFIX = "pos-"


def main() -> None:
    options = report.parse(argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None))
    rows = []
    for name in budgie.models():
        if not name.startswith(PREFIX):
            continue
        tagger, treebank = budgie.load(name), TREEBANKS[name.removeprefix(PREFIX)]
        training = treebank.read("train")
        known = {word for sentence in training for word in sentence.words}
        scores = evaluate_tags(tagger, treebank.read("test"), known)
        assert scores.unknown_word_accuracy is not None
        rows.append(
            [
                f"`{name}`",
                f"{100 * scores.accuracy:.2f}",
                f"{100 * scores.unknown_word_accuracy:.1f}",
                f"{len(tagger.model.to_bytes()):,}",
                f"{sum(len(sentence.words) for sentence in training):,}",
                " and ".join(what for what in ("silver", "clusters") if what in tagger.model.info),
                treebank.name,
                treebank.licence,
            ]
        )
    header = ["model", "accuracy", "unknown words", "bytes", "words trained on", "also", "treebank", "licence"]
    report.publish(f"{table(header, rows)}\n{english()}", None, options)


def english() -> str:
    """How much letter case matters, and whether probabilities can be believed."""
    tagger, dev, test = budgie.load("pos-en"), TREEBANKS["en"].read("dev"), TREEBANKS["en"].read("test")
    shares = {}
    for name, fold in (("as it is", str), ("lower case", str.lower), ("upper case", str.upper)):
        folded = [dataclasses.replace(sentence, words=tuple(map(fold, sentence.words))) for sentence in dev]
        shares[name] = f"{100 * evaluate_tags(tagger, folded).accuracy:.2f}"
    words = [sentence.words for sentence in test]
    answers, probabilities = (list(chain.from_iterable(ask(words))) for ask in (tagger.tag_batch, tagger.probabilities))
    gold = [tag for sentence in test for _, tag in pairs(sentence)]
    error = 100 * calibration_error([one == other for one, other in zip(gold, answers, strict=True)], probabilities)
    cases = ", ".join(f"{name} {share}" for name, share in shares.items())
    return f"English dev set: {cases}. Expected calibration error on the English test set: {error:.2f} %."


if __name__ == "__main__":
    main()
