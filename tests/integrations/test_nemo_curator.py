# SPDX-License-Identifier: Apache-2.0
"""Budgie inside of NeMo Curator: `make test-corpus-tools` runs these tests with the NeMo Curator of PyPI."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest

import budgie

pytest.importorskip(
    "nemo_curator", reason="NeMo Curator is not installed here; make test-corpus-tools runs these tests"
)

import pandas as pd
import pyarrow as pa
from nemo_curator.stages.text.filters import Filter, Score, ScoreFilter
from nemo_curator.stages.text.io.reader.jsonl import JsonlReaderStage
from nemo_curator.stages.text.io.writer import JsonlWriter
from nemo_curator.tasks import DocumentBatch, FileGroupTask

from budgie.integrations.nemo_curator import BudgieLangId, BudgieLanguageStage

TEXTS = {
    "en": "The committee has not yet said when it will decide about the new bridge.",
    "de": "Der Ausschuss hat noch nicht gesagt, wann er über die neue Brücke entscheiden wird.",
    "zh-Hant": "委員會還沒有說明什麼時候會對新的橋樑做出決定。",
    "und": " 12\n?!",
}


def batch(texts: dict[str, Any] | None = None) -> DocumentBatch:
    given = TEXTS if texts is None else texts
    data = pd.DataFrame({"id": list(given), "text": list(given.values())})
    return DocumentBatch(dataset_name="some", data=data)


def kept(stage: Any, documents: DocumentBatch | None = None) -> list[str]:
    stage.setup()
    return list(stage.process(documents or batch()).to_pandas()["id"])


def test_scores_are_those_of_the_own_filter() -> None:
    lang_id = BudgieLangId()
    lang_id.load_model()
    score = lang_id.score_document(TEXTS["de"])
    probability, language = eval(score)  # as NeMo Curator itself reads them
    assert (probability, language) == (pytest.approx(budgie.identify(TEXTS["de"]).probability), "de")
    assert eval(BudgieLangId(labels="iso").score_document(TEXTS["zh-Hant"]))[1] == "zho_Hant"
    assert lang_id.name == "lang_id"


def test_documents_that_are_kept() -> None:
    assert kept(ScoreFilter(BudgieLangId())) == ["en", "de", "zh-Hant"]
    assert kept(ScoreFilter(BudgieLangId(lang="EN"))) == ["en"]
    assert kept(ScoreFilter(BudgieLangId(lang=["deu_Latn", "zh"], labels="iso"))) == ["de", "zh-Hant"]
    assert kept(ScoreFilter(BudgieLangId(lang="zh-Hans"))) == []
    assert kept(ScoreFilter(BudgieLangId(min_langid_score=1.0))) == []
    assert kept(ScoreFilter(BudgieLangId(min_langid_score=0.0))) == list(TEXTS)
    assert kept(ScoreFilter(BudgieLangId(), invert=True)) == ["und"]


def test_scores_in_a_field_are_filtered_later() -> None:
    score = Score(BudgieLangId(), score_field="lang")
    score.setup()
    scored = score.process(batch())
    assert kept(Filter(BudgieLangId(lang=["en", "de"]), "lang"), scored) == ["en", "de"]


def test_a_cutoff_is_let_through() -> None:
    lang_id = BudgieLangId(0.75)
    assert [lang_id.keep_document(str([score, "en"])) for score in (0.74, 0.75, 1.0, 5e-05)] == [
        False,
        True,
        True,
        False,
    ]


def test_text_that_is_missing_and_long_text() -> None:
    texts = {"none": None, "nan": float("nan"), "empty": "", "long": TEXTS["en"] * 20_000}
    assert kept(ScoreFilter(BudgieLangId()), batch(texts)) == ["long"]
    assert kept(BudgieLanguageStage(), batch(texts)) == ["long"]


def test_the_stage_gives_the_same_in_fields_of_their_own() -> None:
    documents = batch()
    stage = BudgieLanguageStage(["en", "zh"], labels="iso")
    stage.setup()
    data = stage.process(documents).to_pandas()
    assert list(data["language"]) == ["eng_Latn", "zho_Hant"]
    expected = [budgie.identify(text).probability for text in data["text"]]
    assert list(data["language_score"]) == pytest.approx(expected)
    assert list(documents.data.columns) == ["id", "text"]  # not touched
    named = BudgieLanguageStage(min_langid_score=0.0, language_field="lang", score_field="p")
    assert list(named.process(batch()).to_pandas()["lang"]) == list(TEXTS)
    table = DocumentBatch(dataset_name="some", data=pa.Table.from_pandas(documents.data))
    assert kept(stage, table) == ["en", "zh-Hant"]
    assert kept(stage, batch({})) == []


def test_pickle_has_no_model() -> None:
    for made in (BudgieLangId(lang=["en", "de"]), BudgieLanguageStage(["en", "de"])):
        packed = pickle.dumps(made)
        assert len(packed) < 2000
        pickle.loads(packed)
    assert pickle.loads(pickle.dumps(BudgieLangId(lang="en"))).keep_document("[0.9, 'en']")


def test_stages_one_behind_the_other_from_file_to_file(tmp_path: Path) -> None:
    """As a pipeline runs them in its workers, but without Ray: that would join any cluster that it finds around."""
    batch().to_pandas().to_json(tmp_path / "in.jsonl", orient="records", lines=True)
    files = FileGroupTask(dataset_name="some", data=[str(tmp_path / "in.jsonl")])
    (tmp_path / "out").mkdir()
    task: Any = files
    for made in (
        JsonlReaderStage(),
        ScoreFilter(BudgieLangId(lang=["en", "zh"]), score_field="lang"),
        BudgieLanguageStage("zh"),
        JsonlWriter(str(tmp_path / "out")),
    ):
        stage = pickle.loads(pickle.dumps(made))  # as it goes to a worker
        stage.setup()
        assert stage.validate_input(task)
        task = stage.process(task)
    (file,) = task.data
    (row,) = pd.read_json(file, lines=True).to_dict("records")
    assert (row["id"], row["language"], eval(row["lang"])[1]) == ("zh-Hant", "zh-Hant", "zh-Hant")
