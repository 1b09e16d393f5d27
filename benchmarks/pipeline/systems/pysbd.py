# SPDX-License-Identifier: Apache-2.0
"""pySBD: sentences only, by rules for each language. A sentence is given as one token, whose score means nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from benchmarks.pipeline.systems import Sentence, System, located, one_by_one
from pysbd import Segmenter

AT_ONCE = 5_000  # characters: its time grows with the square of them, and treebanks have paragraphs of 300,000


def load(language: str, _model: str = "") -> System:
    """Without its cleaning, which would change the text."""
    segmenter = Segmenter(language=language, clean=False)

    def annotate(text: str) -> list[Sentence]:
        return [[(start, end, [])] for start, end in located(text, in_pieces(text, segmenter.segment))]

    return System(one_by_one(annotate), {"tokens": one_by_one(segmenter.segment)})


def in_pieces(text: str, segment: Callable[[str], list[str]], size: int = AT_ONCE) -> Iterator[str]:
    """Sentences of a long text: all but the last of a piece, where the next piece begins."""
    at = 0
    while at + size < len(text):
        *found, last = segment(text[at : at + size]) or [""]
        start = text.rfind(last.strip(), at, at + size)
        if not found or start <= at:
            found, start = [*found, last], at + size
        yield from found
        at = start
    yield from segment(text[at:])
