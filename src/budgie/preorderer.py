# SPDX-License-Identifier: Apache-2.0
"""Preordering: the words of a sentence in the order of another language."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import AnyStr, Generic, NamedTuple

from budgie import _core
from budgie.errors import ModelError
from budgie.model import Model
from budgie.parts import make_embeddings, make_layers, make_word_features
from budgie.tagger import Tagger, Words, several_sentences


class Reordering(NamedTuple, Generic[AnyStr]):
    """The words of a sentence in the order of the target language."""

    permutation: list[int]  # for each place of the target order the number of the word in the source, from 0
    words: list[AnyStr]


class Preorderer:
    """Reorders words, each a str or bytes of UTF-8. It never changes: use one from any number of threads."""

    def __init__(self, model: Model) -> None:
        if model.config.task != "preorder":
            raise ModelError(f"this is a model for {model.config.task}, not for preordering")
        self.model = model
        inside = model.tagger()
        self.tagger = Tagger(inside) if inside else None
        hidden, output = make_layers(model)
        self._core = _core.Preorderer(
            make_word_features(model.config, model.tensors),
            make_embeddings(model),
            hidden,
            output,
            self.tagger.network if self.tagger else None,
        )

    def __reduce__(self) -> tuple[Callable[[Model], Preorderer], tuple[Model]]:
        return Preorderer, (self.model,)

    def __repr__(self) -> str:
        return f"<Preorderer{f' with {self.tagger}' if self.tagger else ''}>"

    def reorder(self, words: Sequence[AnyStr]) -> Reordering[AnyStr]:
        """The words of one sentence in the order of the target language, and where each of them came from."""
        words = _kept(words)
        return _reordering(words, self._core.permutation(words))

    def reorder_batch(self, sentences: Iterable[Sequence[AnyStr]], threads: int = 1) -> list[Reordering[AnyStr]]:
        """The same for each sentence; it does not depend on what else is in the batch, nor on `threads`."""
        several = list(map(_kept, several_sentences(sentences, threads)))
        return list(map(_reordering, several, self._core.permutations(several, threads)))

    def permutations(self, sentences: Iterable[Words], threads: int = 1) -> list[list[int]]:
        """The permutations alone, which is faster."""
        return self._core.permutations(several_sentences(sentences, threads), threads)


def _kept(words: Sequence[AnyStr]) -> Sequence[AnyStr]:
    """The words as they are now: they are looked at twice, and a list may change in between."""
    return words if isinstance(words, (str, bytes)) else list(words)  # the core refuses what is no sentence


def _reordering(words: Sequence[AnyStr], permutation: list[int]) -> Reordering[AnyStr]:
    return Reordering(permutation, [words[word] for word in permutation])
