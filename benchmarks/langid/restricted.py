# SPDX-License-Identifier: Apache-2.0
"""What `reliable` is worth where the choice is restricted: lingua's dev sets, with languages= some of theirs.

python -m benchmarks.langid.restricted [--docs]
"""

from __future__ import annotations

import argparse
from random import Random

from benchmarks import report
from benchmarks.markdown import percent, table

import budgie
from budgie.formats.labelled import label_of, text_files
from budgie.formats.lines import read_lines
from budgie.train.data.datasets import find

TEXTS = {
    "lingua_sentences": "sentences",
    "lingua_word_pairs": "word pairs",
    "lingua_single_words": "single words",
}
SURE = 0.8  # from which on answers may be reliable: kReliable of core/tasks/langid.hpp
SIZES = (2, 5, 20, 60)
DRAWS = 30  # choices of so many languages
EACH = 100  # texts of a language


def main() -> None:
    options = report.parse(argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None))
    model = budgie.load("langid")
    rows = []
    for source, name in TEXTS.items():
        files = [path for path in text_files(find("langid/dev") / source) if label_of(path) in model.languages]
        material = [(label_of(path), text) for path in files for text in list(read_lines(path))[:EACH]]
        labels, texts = zip(*material, strict=True)
        for size in SIZES:
            random = Random(size)
            count = dict.fromkeys(("in", "in probable", "in reliable", "out", "out probable", "out reliable"), 0)
            for _ in range(DRAWS):
                allowed = set(random.sample(sorted(set(labels)), size))
                answers = model.identify_batch(texts, allowed)
                for label, answer in zip(labels, answers, strict=True):
                    where = "in" if label in allowed else "out"
                    count[where] += 1
                    count[f"{where} probable"] += answer.probability >= SURE
                    count[f"{where} reliable"] += answer.reliable
            shares = [
                count[f"{where} {what}"] / count[where] for where in ("in", "out") for what in ("probable", "reliable")
            ]
            rows.append([name, str(size), *map(percent, shares)])
    header = [
        "texts",
        "languages",
        f"in: {SURE} or more",
        "in: reliable",
        f"others: {SURE} or more",
        "others: reliable",
    ]
    report.publish(table(header, rows), None, options)


if __name__ == "__main__":
    main()
