# SPDX-License-Identifier: Apache-2.0
"""Budgie inside of NeMo Curator: a filter for documents one by one, and a stage for batches of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from budgie.errors import MissingExtra

try:
    import pyarrow as pa
    from nemo_curator.stages.base import ProcessingStage
    from nemo_curator.stages.text.filters import DocumentFilter
    from nemo_curator.tasks import DocumentBatch
except ImportError as error:
    raise MissingExtra(
        "budgie.integrations.nemo_curator needs a package: pip install 'budgie-nlp[nemo-curator]', "
        f"or nemo-curator ({error})"
    ) from None

from budgie import shared
from budgie.coverage import NO_LANGUAGE
from budgie.integrations.choice import CODE, Choice


class BudgieLangId(DocumentFilter):  # type: ignore[misc]  # NeMo Curator has no types
    """Keeps documents in some languages, with the options and the scores of NeMo Curator's own FastTextLangId.

    `lang` names one language or several; without it every document is kept whose language is certain enough.
    """

    def __init__(
        self, min_langid_score: float = 0.3, lang: Iterable[str] | str | None = None, labels: str = CODE
    ) -> None:
        super().__init__()
        self._name = "lang_id"
        self._choice = Choice(lang, labels)
        self._wanted = self._choice.all_written()
        self._cutoff = min_langid_score

    def load_model(self) -> None:
        """Loads the model, once a worker."""
        shared.identifier()

    def score_document(self, text: str) -> str:
        """The probability and the language as NeMo Curator keeps them: `[0.98, 'en']`."""
        language, probability, _ = self._choice.identify(text)
        return str([probability, self._choice.written(language)])

    def keep_document(self, score: str) -> bool:
        """Whether to keep a document of that score."""
        probability, language = score.strip("[]").split(", ")
        return float(probability) >= self._cutoff and (not self._wanted or language.strip("'") in self._wanted)


@dataclass
class BudgieLanguageStage(ProcessingStage[DocumentBatch, DocumentBatch]):  # type: ignore[misc]
    """The same for batches of documents, faster, with the language and its probability in fields of their own."""

    lang: list[str] | str | None = None
    min_langid_score: float = 0.3
    text_field: str = "text"
    language_field: str = "language"
    score_field: str = "language_score"
    labels: str = CODE
    name: str = "budgie_language"

    def __post_init__(self) -> None:
        self._choice = Choice(self.lang, self.labels)
        self._wanted = self._choice.all_written()

    def inputs(self) -> tuple[list[str], list[str]]:
        """What it reads."""
        return ["data"], [self.text_field]

    def outputs(self) -> tuple[list[str], list[str]]:
        """What it writes."""
        return ["data"], [self.text_field, self.language_field, self.score_field]

    def setup(self, _: object = None) -> None:
        """Loads the model, once a worker."""
        shared.identifier()

    def process(self, batch: DocumentBatch) -> DocumentBatch:
        """A batch of the documents to keep."""
        documents = batch.to_pandas()
        column = pa.array(documents[self.text_field], pa.large_string(), from_pandas=True)
        found = pa.table(self._choice.identify_column(column))
        labels = found["language"].fill_null(NO_LANGUAGE).to_pylist()
        answers = {
            self.language_field: list(map(self._choice.written, labels)),
            self.score_field: found["probability"].fill_null(0).to_numpy(),
        }
        documents = documents.assign(**answers)
        kept = documents[self.score_field] >= self.min_langid_score
        if self._wanted:
            kept &= documents[self.language_field].isin(self._wanted)
        return DocumentBatch(
            dataset_name=batch.dataset_name,
            data=documents[kept],
            _metadata=batch._metadata,
            _stage_perf=batch._stage_perf,
        )
