# SPDX-License-Identifier: Apache-2.0
"""A classifier of scikit-learn for texts without spaces between words: lines of `topic TAB text` in, a pickle out.

python scikit_learn_topics.py topics.tsv topics.pickle
"""

import pickle
import sys
from collections.abc import Callable
from pathlib import Path

from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline

import budgie


def make_classifier(tokenizer: Callable[[str], list[str]] = budgie.segment) -> Pipeline:
    """Words of any language; `budgie.load("seg-zh").segment` is faster where all texts are Chinese."""
    words = TfidfVectorizer(tokenizer=tokenizer, token_pattern=None)
    return Pipeline([("words", words), ("topics", LogisticRegression())])


def main(source: str, target: str) -> None:
    """Words alone or pairs of them, whichever is better."""
    lines = Path(source).read_text("utf-8").rstrip("\n").split("\n")
    topics, texts = zip(*(line.split("\t") for line in lines), strict=True)
    search = GridSearchCV(make_classifier(), {"words__ngram_range": [(1, 1), (1, 2)]}, cv=2)
    search.fit(texts, topics)
    Path(target).write_bytes(pickle.dumps(search.best_estimator_))


if __name__ == "__main__":
    main(*sys.argv[1:])
