# SPDX-License-Identifier: Apache-2.0
"""What the embedded models find in the raw text of the test sets of treebanks: tokens, sentences, words and tags.

    python -m benchmarks.tokens             # all of them
    python -m benchmarks.tokens en de fr

A star marks languages whose treebanks the model `tokens` has not learnt from.
"""

from __future__ import annotations

import sys
from functools import partial

import budgie
from benchmarks.markdown import percent, table
from budgie import coverage
from budgie.evaluation.raw_text import F1, evaluate_documents
from budgie.train.data.raw_treebanks import RAW_TREEBANKS
from budgie.train.segmentation.tokens import LanguageText

_LABELS = {"zh_gsd": "zh-Hant"}  # of treebanks whose label is not that of their language


def main() -> None:
    pipeline = budgie.Pipeline()
    rows = []
    for language in sys.argv[1:] or RAW_TREEBANKS:
        for name, sentences in RAW_TREEBANKS[language].tests().items():
            models = coverage.of(_LABELS.get(name, language))
            annotate = partial(pipeline.annotate, language=models.label)
            scores, multiword = evaluate_documents(annotate, LanguageText(language).written(sentences))
            star = "*" if models.tokens == coverage.NO_LANGUAGE else ""
            rows.append([
                name + star,
                *(percent(one.f1, 2) for one in (scores.tokens, scores.sentences, scores.words)),
                _multiword(multiword),
                percent(scores.tags.f1, 2) if models.tagger else "",
            ])  # fmt: skip
    means = [_mean([row[column] for row in rows]) for column in (1, 2, 3)]
    head = ["test set", "tokens", "sentences", "words", "multiword tokens: F1 of how many", "tags"]
    print(table(head, [*rows, ["mean", *means, "", _mean([row[5] for row in rows if row[5]])]]))


def _multiword(scores: F1) -> str:
    return f"{percent(scores.f1)} of {scores.gold:,}" if scores.gold else ""


def _mean(figures: list[str]) -> str:
    return f"{sum(map(float, figures)) / max(1, len(figures)):.2f}"


if __name__ == "__main__":
    main()
