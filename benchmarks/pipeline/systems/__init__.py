# SPDX-License-Identifier: Apache-2.0
"""One system a module, asked from inside its own environment: the standard library and that system only.

Each has `load(language, model) -> System`; `model` is the file of a peer that was trained for this benchmark, else "".
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from benchmarks.memory import peak_memory

Word = tuple[str, str]  # and its tag, "" if it has none
Token = tuple[int, int, list[Word]]  # start, end; its words, none where it is a word itself and has no tag
Sentence = list[Token]
Call = Callable[[list[str]], object]
Passes = list[tuple[int, float]]  # texts and CPU time of each

PART = 16  # of the texts one so many-th is the first pass of a process, which finds everything cold
LEAST_PASSES = 3


@dataclass(frozen=True)
class System:
    """A loaded system: what it finds in each text, and ways of calling it that are timed."""

    annotate: Callable[[list[str]], list[list[Sentence]]]
    calls: dict[str, Call] = field(default_factory=dict)  # "tokens", "tags", and others where it has them
    # Where the clock must be held elsewhere: the same as `time`.
    elsewhere: Callable[[str, list[str], float], tuple[Passes, int]] | None = None

    def time(self, call: str, texts: list[str], seconds: float) -> tuple[Passes, int]:
        """CPU time of passes over the texts, until the seconds are spent, and the peak of memory."""
        if self.elsewhere:
            return self.elsewhere(call, texts, seconds)
        asked = self.calls[call]
        some = texts[: max(1, len(texts) // PART)]
        passes = [one_pass(asked, some, len(some), seconds)]
        # All at once where that takes but a moment, as batches gain from it; else a part at a time.
        size = len(texts) if PART * passes[0][1] < seconds else len(some)
        while sum(cpu for _, cpu in passes) < seconds or len(passes) < LEAST_PASSES:
            passes.append(one_pass(asked, texts, size, seconds / 2))
        return passes, peak_memory()


def one_pass(call: Call, texts: list[str], size: int, seconds: float) -> tuple[int, float]:
    """Texts and CPU time of one pass, so many texts at a time, broken off when the seconds are spent."""
    done, cpu = 0, 0.0
    while done < len(texts) and cpu < seconds:
        some = texts[done : done + size]
        start = time.process_time()
        call(some)
        cpu += time.process_time() - start
        done += len(some)
    return done, cpu


def one_by_one(call: Callable[[str], Any]) -> Callable[[list[str]], list[Any]]:
    """A call for each text."""
    return lambda texts: [call(text) for text in texts]


def located(text: str, pieces: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Where each piece that a system gives as a string stands in a text, whatever it made of white space.

    The place of what cannot be found is empty.
    """
    at = 0
    for piece in pieces:
        start, end = _match(text, at, piece)
        if end < 0:
            start = text.find(piece, at)
            start, end = (start, start + len(piece)) if start >= 0 else (at, at)
        yield start, end
        at = end


def _match(text: str, at: int, piece: str) -> tuple[int, int]:
    """Where a piece is, if it is the next but for white space; else the end is -1."""
    start = -1
    for letter in piece:
        if letter.isspace():
            continue
        while at < len(text) and text[at].isspace():
            at += 1
        if at == len(text) or text[at] != letter:
            return -1, -1
        if start < 0:
            start = at
        at += 1
    return start, at if start >= 0 else -1
