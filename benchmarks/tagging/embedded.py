# SPDX-License-Identifier: Apache-2.0
"""The embedded taggers on the test sets of their treebanks, and peers that have learnt from the same sentences.

python -m benchmarks.tagging.embedded [--peers udpipe,crfsuite] [--languages de,it] [--docs]
"""

from __future__ import annotations

import argparse
import dataclasses
from itertools import chain
from pathlib import Path

from benchmarks import report
from benchmarks.markdown import table
from benchmarks.tagging import measure, peers
from benchmarks.tagging.material import TreebankOfTagger
from benchmarks.workers import progress

import budgie
from budgie.evaluation.metrics import calibration_error
from budgie.evaluation.tagging import evaluate_tags
from budgie.formats.sentences import pairs
from budgie.train.data.treebanks import TREEBANKS

PREFIX = "pos-"


def main() -> None:
    taggers = [name.removeprefix(PREFIX) for name in budgie.models() if name.startswith(PREFIX)]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument(
        "--peers", type=report.some_of(tuple(peers.PEERS)), default=(), help=f"to train, of {','.join(peers.PEERS)}"
    )
    parser.add_argument("--languages", type=report.some_of(taggers), default=taggers, help="instead of all")
    options = report.parse(parser)
    if options.peers:
        report.publish(beside_peers(options.languages, options.peers), None, options)
    else:
        report.publish(f"{alone(options.languages)}\n{english()}", None, options)


def beside_peers(languages: list[str], names: list[str]) -> str:
    """Accuracy, and that of words which the training sentences lack; sizes of the models in MB."""
    rows = []
    for language in languages:
        treebank = TreebankOfTagger(language)
        progress(f"{language}: {len(treebank.train)} sentences")
        systems = [
            measure.contender(name, treebank, Path(budgie.file_of(f"{PREFIX}{language}")))
            for name in (measure.OURS, *names)
        ]
        scores = [measure.scores(one, treebank) for one in systems]
        row = [f"`{PREFIX}{language}`", *(f"{100 * one.accuracy:.2f}" for one in scores)]
        row += [f"{100 * one.unknown:.1f}" for one in scores]
        rows.append([*row, *(f"{one.model.stat().st_size / 1e6:.2f}" for one in systems)])
    means = [sum(float(row[i]) for row in rows) / len(rows) for i in range(1, len(rows[0]))]
    rows.append(["mean", *(f"{mean:.2f}" for mean in means)])
    titles = [f"{name}{what}" for what in ("", ", unknown words", ", MB") for name in (measure.OURS, *names)]
    return table(["model", *titles], rows)


def alone(languages: list[str]) -> str:
    """All about the embedded taggers themselves."""
    rows = []
    for language in languages:
        name, treebank = f"{PREFIX}{language}", TREEBANKS[language]
        tagger = budgie.load(name)
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
    return table(header, rows)


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
