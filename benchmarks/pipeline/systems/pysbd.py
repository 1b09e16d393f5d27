# SPDX-License-Identifier: Apache-2.0
"""pySBD: sentences only, by rules for each language. A sentence is given as one token, whose score means nothing."""

from __future__ import annotations

from benchmarks.pipeline.systems import Sentence, System, located, one_by_one
from pysbd import Segmenter


def load(language: str, _model: str = "") -> System:
    """Without its cleaning, which would change the text."""
    segmenter = Segmenter(language=language, clean=False)

    def annotate(text: str) -> list[Sentence]:
        return [[(start, end, [])] for start, end in located(text, segmenter.segment(text))]

    return System(one_by_one(annotate), {"tokens": one_by_one(segmenter.segment)})
