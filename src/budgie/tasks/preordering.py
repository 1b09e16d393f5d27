# SPDX-License-Identifier: Apache-2.0
"""Preordering: the words of a sentence in the order of another language."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from typing import AnyStr

from budgie import _core
from budgie.errors import ConfigError
from budgie.model.file import Model, core_of, refusing
from budgie.tasks.batches import several_sentences, whole, words_of
from budgie.tasks.records import Reordering
from budgie.tasks.tagging import Tagger, Words

WIDEST_BEAM = 64


class Preorderer:
    """Reorders words, each a str or bytes of UTF-8. It never changes: use one from any number of threads.

    `beam` is how many ways to an order are followed side by side: more take longer and find better orders.
    """

    def __init__(self, model: Model, beam: int = 1) -> None:
        with refusing():
            self._core = _core.Preorderer(core_of(model))
        beam = whole("beam", beam)
        if not 1 <= beam <= WIDEST_BEAM:
            raise ConfigError(f"beam must be between 1 and {WIDEST_BEAM}, not {beam}")
        self.model, self._beam = model, beam

    def __reduce__(self) -> tuple[Callable[..., Preorderer], tuple[Model, int]]:
        return Preorderer, (self.model, self.beam)

    def __repr__(self) -> str:
        inside = self.model.config.networks.get("tagger")  # and not self.tagger, which would have to be made
        tagger = f" with <Tagger of {len(inside.labels)} tags>" if inside else ""
        return f"<Preorderer{tagger}{f', beam {self.beam}' if self.beam > 1 else ''}>"

    @functools.cached_property
    def tagger(self) -> Tagger | None:
        """The tagger that the model carries inside, if it does."""
        inside = self.model.network("tagger")
        return Tagger(inside) if inside else None

    @property
    def beam(self) -> int:
        """How many ways to an order are followed side by side."""
        return self._beam

    def reorder(self, words: Sequence[AnyStr]) -> Reordering[AnyStr]:
        """The words of one sentence in the order of the target language, and where each of them came from."""
        return self._core.reorder(words_of(words), self.beam)

    def reorder_batch(self, sentences: Iterable[Sequence[AnyStr]], threads: int = 1) -> list[Reordering[AnyStr]]:
        """The same for each sentence; it does not depend on what else is in the batch, nor on `threads`."""
        return self._core.reorder_batch(several_sentences(sentences, threads), self.beam, threads)

    def permutations(self, sentences: Iterable[Words], threads: int = 1) -> list[list[int]]:
        """The permutations alone, which is faster."""
        return self._core.permutations(several_sentences(sentences, threads), self.beam, threads)
