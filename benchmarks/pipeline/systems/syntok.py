# SPDX-License-Identifier: Apache-2.0
"""Syntok: rules for English, German and Spanish. It is told to keep hyphens and `n't` as they are written."""

from __future__ import annotations

from benchmarks.pipeline.systems import Sentence, System, one_by_one
from syntok.segmenter import preprocess_with_offsets, segment
from syntok.tokenizer import Tokenizer


def load(_language: str, _model: str = "") -> System:
    """Its own `analyze`, with hyphens as tokens: those of treebanks are."""
    tokenizer = Tokenizer(emit_hyphen_or_underscore_sep=True, replace_not_contraction=False)

    def annotate(text: str) -> list[Sentence]:
        return [
            [(token.offset, token.offset + len(token.value), []) for token in sentence]
            for offset, paragraph in preprocess_with_offsets(text)
            for sentence in segment(tokenizer.tokenize(paragraph, offset))
        ]

    return System(one_by_one(annotate), {"tokens": one_by_one(annotate)})
