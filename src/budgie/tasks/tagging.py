# SPDX-License-Identifier: Apache-2.0
"""Part-of-speech tagging: a tag for each word of a sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Literal, overload

from budgie import _core
from budgie.columns import Columns, Table
from budgie.model.file import Model, core_of, refusing
from budgie.tasks.batches import flag, positive, several_sentences, words_of
from budgie.tasks.records import Tag

Words = Sequence[str] | Sequence[bytes]


class Tagger:
    """Tags words, each a str or bytes of UTF-8. It never changes: use one from any number of threads."""

    def __init__(self, model: Model) -> None:
        with refusing():
            self._core = _core.Tagger(core_of(model))
        self.model = model
        self._tags = model.core.labels

    def __reduce__(self) -> tuple[Callable[[Model], Tagger], tuple[Model]]:
        return Tagger, (self.model,)

    def __repr__(self) -> str:
        return f"<Tagger of {len(self.tags)} tags>"

    @property
    def tags(self) -> tuple[str, ...]:
        """The tags that this model knows."""
        return self._tags

    def tag(self, words: Words) -> list[str]:
        """The tag of each word of one sentence."""
        return self._core.tag(words_of(words))

    @overload
    def tag_batch(
        self, sentences: Iterable[Words], threads: int = 1, probabilities: Literal[False] = False
    ) -> list[list[str]]: ...

    @overload
    def tag_batch(
        self, sentences: Iterable[Words], threads: int = 1, *, probabilities: Literal[True]
    ) -> list[list[Tag]]: ...

    def tag_batch(
        self, sentences: Iterable[Words], threads: int = 1, probabilities: bool = False
    ) -> list[list[str]] | list[list[Tag]]:
        """The same for each sentence, and faster: what a word means to the network is worked out once, not every time.

        The tags do not depend on what else is in the batch, nor on `threads`. With `probabilities`, there is a Tag for
        each word, which also says how probable it is.
        """
        if not isinstance(probabilities, bool):
            raise TypeError(f"probabilities must be True or False, not {type(probabilities).__name__}")
        return self._core.tag_batch(several_sentences(sentences, threads), probabilities, threads)

    def tag_column(
        self,
        table: Table,
        threads: int = 1,
        probabilities: bool = False,
        *,
        column: str | None = None,
        keep: Iterable[str] = (),
        dictionary: bool = False,
    ) -> Columns:
        """The tags of each list of words of a column, as lists: `tags`; nulls stay null, words included.

        `table` is anything that speaks the Arrow PyCapsule interface; `column` and `keep` name the words and what stays
        beside the answers. With `probabilities` there is a struct for each word, which also says how probable its tag
        is; with `dictionary` tags are dictionary-encoded.
        """
        task = self._core.tag_column(flag("probabilities", probabilities), flag("dictionary", dictionary))
        return Columns(task, table, column, keep, threads)

    def probabilities(self, sentences: Iterable[Words], threads: int = 1) -> list[list[float]]:
        """How probable each tag is that `tag_batch` gives."""
        return self._core.probabilities(several_sentences(sentences, threads), threads)

    def rank(self, words: Words, k: int = 3) -> list[list[Tag]]:
        """The `k` most probable tags of each word of one sentence, best first."""
        k = positive("k", k)
        return [
            [Tag(self.tags[i], row[i]) for i in sorted(range(len(row)), key=lambda i: -row[i])[:k]]
            for row in self._core.distributions(words_of(words))
        ]
