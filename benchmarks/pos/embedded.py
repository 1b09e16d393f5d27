# SPDX-License-Identifier: Apache-2.0
"""The embedded taggers on the test sets of their treebanks: `python -m benchmarks.pos.embedded` prints the table."""

from __future__ import annotations

import budgie
from benchmarks.markdown import table
from budgie.evaluate_tags import evaluate_tags
from budgie.treebanks import TREEBANKS

PREFIX = "pos-"


def main() -> None:
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
                treebank.name,
                treebank.licence,
            ]
        )
    print(table(["model", "accuracy", "unknown words", "bytes", "words trained on", "treebank", "licence"], rows))


if __name__ == "__main__":
    main()
