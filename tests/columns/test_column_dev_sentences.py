# SPDX-License-Identifier: Apache-2.0
"""The answers of the list API on the development sentences, by every task."""

from __future__ import annotations

from typing import Any

import pytest
from arrow_structs import InOnePiece, lists, read, texts
from benchmarks.langid.material import read_lines
from test_column_tasks import document_dict, words

import budgie
from budgie import DataError
from budgie.train.data.datasets import find

EACH = 40  # sentence; python -m benchmarks.columns compares languages of all


@pytest.fixture(scope="module")
def sentences() -> list[str]:
    try:
        files = sorted((find("langid/dev") / "lingua_sentences").glob("*.txt.xz"))
    except DataError as error:
        pytest.skip(str(error))
    return [line for file in files for line in read_lines(file)][::EACH]


def answers(call: Any, column: Any, **options: Any) -> list[Any]:
    return [next(iter(row.values())) for row in read(call(InOnePiece(*column), threads=2, **options))]


def test_languages(sentences: list[str]) -> None:
    identifier, column = budgie.load("langid"), lambda: texts(sentences)
    found = read(identifier.identify_column(InOnePiece(*column()), threads=2))
    assert found == words(identifier.identify_batch(sentences))
    assert answers(identifier.rank_column, column()) == [*map(words, identifier.rank_batch(sentences))]
    assert answers(identifier.spans_column, column()) == [*map(words, identifier.spans_batch(sentences))]
    assert answers(identifier.passages_column, column()) == [*map(words, identifier.passages_batch(sentences))]


def test_documents(sentences: list[str]) -> None:
    found = read(budgie.annotate_column(InOnePiece(*texts(sentences)), threads=2, probabilities=True))
    documents = budgie.annotate_batch(sentences, probabilities=True)
    assert found == [document_dict(document, probable=True) for document in documents]
    tokens = [[token.text for token in document.tokens] for document in documents]
    assert answers(budgie.segment_column, texts(sentences)) == tokens
    tagger = budgie.load("pos-en")
    assert answers(tagger.tag_column, lists(tokens)) == tagger.tag_batch(tokens)
