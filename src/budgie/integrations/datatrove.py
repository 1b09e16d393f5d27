# SPDX-License-Identifier: Apache-2.0
"""Budgie inside of datatrove: a language filter, and words and sentences for the steps that need them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cache, partial
from typing import Any

from budgie.errors import MissingExtra

try:
    from datatrove.data import Document
    from datatrove.pipeline.filters.base_filter import BaseFilter
    from datatrove.utils.lid import LID
    from datatrove.utils.word_tokenizers import WordTokenizer, load_tokenizer_assignments, load_word_tokenizer
except ImportError as error:
    raise MissingExtra(
        f"budgie.integrations.datatrove needs packages: pip install 'budgie-nlp[datatrove]', "
        f"or 'datatrove[io]' and regex ({error})"
    ) from None

from budgie.document import Document as Annotation
from budgie.integrations.choice import CODE, ISO, Choice
from budgie.languages import choose, find, iso_of, known
from budgie.pipeline import Pipeline
from budgie.tasks.records import Identification

GLOTLID = "glotlid"  # labels as datatrove writes those of GlotLID: `eng`, and `Latn` beside it
_ALL = 1000  # more than there are languages


class BudgieLanguageFilter(BaseFilter):  # type: ignore[misc]  # datatrove has no types
    """Keeps documents in some languages, with the options and the metadata of datatrove's own LanguageFilter.

    `languages` are those to keep, by any of their names; without them every document is kept whose language is certain
    enough. `labels` says how languages are written: as `en`, as `eng_Latn` ("iso"), or in two fields ("glotlid").
    """

    name = "🐦 Budgie language"

    def __init__(
        self,
        languages: Iterable[str] | str | None = None,
        language_threshold: float = 0.65,
        exclusion_writer: Any = None,
        *,
        label_only: bool = False,
        keep_top_pairs_threshold: float = -1,
        labels: str = CODE,
        batch_size: int = 256,
    ) -> None:
        super().__init__(exclusion_writer, batch_size)
        self.choice = Choice(languages, ISO if labels == GLOTLID else labels)
        self.splits_labels = labels == GLOTLID
        self.language_threshold = language_threshold
        self.label_only = label_only
        self.keep_top_pairs_threshold = keep_top_pairs_threshold

    def filter(self, doc: Document) -> bool:
        """Whether to keep a document; its metadata say the language."""
        return self.filter_batch([doc])[0]

    def filter_batch(self, batch: list[Document]) -> list[bool]:
        """The same for each document."""
        rankings = self.choice.rank_batch((doc.text for doc in batch), self._considered())
        return [self._keep(doc, ranking) for doc, ranking in zip(batch, rankings, strict=True)]

    def _considered(self) -> int:
        """How many languages can have a probability above the thresholds."""
        thresholds = [self.language_threshold] if self.choice.languages else []
        if self.keep_top_pairs_threshold != -1:
            thresholds.append(self.keep_top_pairs_threshold)
        return max(math.ceil(1 / max(min(thresholds, default=1), 0.001)) - 1, 1)

    def _keep(self, doc: Document, ranking: list[Identification]) -> bool:
        wanted = self.choice.languages
        self._describe(doc.metadata, ranking)
        if self.label_only:
            return True
        for language, probability, _ in ranking:  # best first
            if probability <= self.language_threshold:
                return False
            if not wanted or language in wanted:
                return True
        return False

    def _describe(self, metadata: dict[str, Any], ranking: list[Identification]) -> None:
        label, probability, _ = ranking[0]
        written = self.choice.written(label)
        if self.splits_labels:
            written, metadata["language_script"] = written.split("_")[:2]
        metadata["language"] = written
        metadata["language_score"] = probability
        if self.keep_top_pairs_threshold == -1:
            return
        for label, probability, _ in ranking:
            if probability > self.keep_top_pairs_threshold and label in (self.choice.languages or (label,)):
                metadata[f"top_language_{self.choice.written(label)}_score"] = probability


class BudgieLID(LID):  # type: ignore[misc]
    """What steps of datatrove ask for scores of languages, as their `model` (LanguageFilter) or `fasttext` (LangStats).

    It ranks all languages for each document, as they expect; BudgieLanguageFilter is several times faster.
    """

    def __init__(self, languages: list[str] | None = None, labels: str = CODE) -> None:
        super().__init__(languages)
        self.choice = Choice(languages, labels)
        self.meant = {name: Choice(name, labels).all_written() for name in languages or ()}

    def predict(self, doc: Document) -> tuple[tuple[str, float], dict[str, float]]:
        """The best language with its probability, and the probabilities of the languages asked for, or of all."""
        (ranking,) = self.choice.rank_batch([doc.text], _ALL)
        scores = {self.choice.written(label): probability for label, probability, _ in ranking}
        best = next(iter(scores.items()))
        if not self.languages:
            return best, scores
        return best, {name: sum(scores.get(one, 0.0) for one in meant) for name, meant in self.meant.items()}


class BudgieTokenizer(WordTokenizer):  # type: ignore[misc]
    """Words and sentences of a language by any of its names, or without one of text in any language.

    Steps of datatrove take it where they take a language. It has no model inside: each process loads those it needs.
    """

    def __init__(self, language: str | None = None) -> None:
        super().__init__(None if language is None else find(language) or choose(language, known(), "Budgie"))

    def word_tokenize(self, text: str) -> list[str]:
        """The words, without white space."""
        return [token.text for token in self._annotate(text).tokens]

    def sent_tokenize(self, text: str) -> list[str]:
        """The sentences, without the white space between them."""
        return [sentence.text for sentence in self._annotate(text).sentences]

    def span_tokenize(self, text: str) -> list[tuple[int, int]]:
        """Where these sentences begin and end."""
        return [(sentence.start, sentence.end) for sentence in self._annotate(text).sentences]

    def _annotate(self, text: str) -> Annotation:
        return _pipeline().annotate(text, self.language)


def use_tokenizer(languages: Iterable[str] | None = None) -> None:
    """From now on Budgie cuts words where a step of datatrove names one of these languages, or any that Budgie knows.

    This is for one process, and those that it forks. Where others do the work, hand steps a BudgieTokenizer.
    """
    factories = load_tokenizer_assignments()  # what datatrove looks languages up in, and keeps
    wanted = set(known()) if languages is None else {str(BudgieTokenizer(name).language) for name in languages}
    names = {*factories, *wanted, *filter(None, map(iso_of, wanted))}
    factories.update({name: partial(BudgieTokenizer, label) for name in names if (label := find(name)) in wanted})
    load_word_tokenizer.cache_clear()


@cache
def _pipeline() -> Pipeline:
    return Pipeline(tasks=("tokens",))
