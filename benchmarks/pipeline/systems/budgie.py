# SPDX-License-Identifier: Apache-2.0
"""Budgie: a pipeline with all its models; `sentences` makes Python objects of all that it found."""

from __future__ import annotations

from benchmarks.pipeline.systems import Sentence, System

import budgie
from budgie.document import Document


def load(language: str, _model: str = "") -> System:
    """The pipeline, told the language, or asked to find it as well."""
    found, tokens, tags = (budgie.Pipeline(tasks=task) for task in ("language", "tokens", "tags"))

    def annotate(texts: list[str]) -> list[list[Sentence]]:
        return [read(document) for document in tags.annotate_batch(texts, language)]

    return System(
        annotate,
        {
            "tokens": lambda texts: [document.sentences for document in tokens.annotate_batch(texts, language)],
            "tags": lambda texts: [document.sentences for document in tags.annotate_batch(texts, language)],
            "tags, language found": lambda texts: [document.sentences for document in tags.annotate_batch(texts)],
            "tags, CoNLL-U": lambda texts: [document.to_conllu() for document in tags.annotate_batch(texts, language)],
            "tags, documents": lambda texts: tags.annotate_batch(texts, language),
            # Up to a stage, for stages.py.
            "to language": found.annotate_batch,
            "to tokens": tokens.annotate_batch,
            "to tags": tags.annotate_batch,
        },
    )


def read(document: Document) -> list[Sentence]:
    """A document as the scores want it."""
    return [
        [
            (
                token.start,
                token.end,
                [(word.text, word.tag or "") for word in token.words] or [(token.text, token.tag or "")],
            )
            for token in sentence.tokens
        ]
        for sentence in document.sentences
    ]
