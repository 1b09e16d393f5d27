# SPDX-License-Identifier: Apache-2.0
"""BlingFire: automata for tokens and for sentences, the same for all languages."""

from __future__ import annotations

from benchmarks.pipeline.systems import Sentence, System, one_by_one
from blingfire import text_to_sentences_and_offsets, text_to_words_with_offsets


def load(_language: str, _model: str = "") -> System:
    """Sentences first, then the tokens of each."""

    def annotate(text: str) -> list[Sentence]:
        if not text.strip():
            return []
        return [
            [(start + first, start + last, []) for first, last in text_to_words_with_offsets(text[start:end])[1]]
            for start, end in text_to_sentences_and_offsets(text)[1]
        ]

    return System(one_by_one(annotate), {"tokens": one_by_one(annotate)})
