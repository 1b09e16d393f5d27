# SPDX-License-Identifier: Apache-2.0
"""spaCy's rules: the tokeniser of a language and the `sentencizer`, without a model."""

from __future__ import annotations

import spacy
from benchmarks.pipeline.systems import Sentence, System
from spacy.tokens import Doc

CODES = {"no": "nb"}


def load(language: str, _model: str = "") -> System:
    """A blank pipeline."""
    nlp = spacy.blank(CODES.get(language, language))
    nlp.add_pipe("sentencizer")
    nlp.max_length = 10**9

    def annotate(texts: list[str]) -> list[list[Sentence]]:
        return [read(document) for document in nlp.pipe(texts)]

    return System(annotate, {"tokens": lambda texts: list(nlp.pipe(texts))})


def read(document: Doc) -> list[Sentence]:
    """Sentences of a document, without white space."""
    return [
        [
            (token.idx, token.idx + len(token), [(token.text, token.pos_)] if token.pos_ else [])
            for token in sentence
            if not token.is_space
        ]
        for sentence in document.sents
    ]
