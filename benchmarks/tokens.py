# SPDX-License-Identifier: Apache-2.0
"""Tokens and sentences that the embedded model `tokens` finds in the raw text of the test sets of treebanks.

    python -m benchmarks.tokens             # all of them
    python -m benchmarks.tokens en de fr

A star marks languages whose treebanks the model has not learnt from; it is asked without a language there.
"""

from __future__ import annotations

import sys

import budgie
from benchmarks.markdown import percent, table
from budgie.coverage import NO_LANGUAGE
from budgie.evaluation.raw_text import evaluate_raw_text
from budgie.train.data.raw_treebanks import RAW_TREEBANKS
from budgie.train.segmentation.tokens import LanguageText


def main() -> None:
    model = budgie.read_model("tokens")
    rows = []
    for language in sys.argv[1:] or RAW_TREEBANKS:
        known = language in model.config.standards
        segmenter = budgie.Segmenter(model, standard=language if known else NO_LANGUAGE)
        for name, sentences in RAW_TREEBANKS[language].tests().items():
            scores = evaluate_raw_text(segmenter, LanguageText(language).written(sentences))
            rows.append([name + ("" if known else "*"), percent(scores.tokens.f1, 2), percent(scores.sentences.f1, 2)])
    mean = [f"{sum(float(row[column]) for row in rows) / len(rows):.2f}" for column in (1, 2)]
    print(table(["test set", "tokens", "sentences"], [*rows, ["mean", *mean]]))


if __name__ == "__main__":
    main()
