# SPDX-License-Identifier: Apache-2.0
"""Budgie inside of NeMo Curator: `make test-corpus-tools` runs these tests with the NeMo Curator of PyPI."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import tempfile
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
from nemo_curator.tasks import DocumentBatch

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


PIPELINE = """
import sys
import ray
from nemo_curator.backends.ray_data import RayDataExecutor
from nemo_curator.pipeline import Pipeline
from nemo_curator.stages.text.filters import ScoreFilter
from nemo_curator.stages.text.io.reader import JsonlReader
from nemo_curator.stages.text.io.writer import JsonlWriter
from budgie.integrations.nemo_curator import BudgieLangId, BudgieLanguageStage

folder, temporary = sys.argv[1:]
ray.init(address="local", num_cpus=2, include_dashboard=False, _temp_dir=temporary)
stages = [
    JsonlReader(f"{folder}/in.jsonl"),
    ScoreFilter(BudgieLangId(lang=["en", "zh"]), score_field="lang"),
    BudgieLanguageStage("zh"),
    JsonlWriter(f"{folder}/out"),
]
Pipeline("some", stages=stages).run(RayDataExecutor())
"""


def test_a_pipeline_of_ray(tmp_path: Path) -> None:
    """With a Ray of its own: without an address Ray joins whatever cluster it finds on the machine."""
    batch().to_pandas().to_json(tmp_path / "in.jsonl", orient="records", lines=True)
    own = {"HOME": str(tmp_path), "RAY_ADDRESS": "local", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with tempfile.TemporaryDirectory(prefix="ray", dir="/tmp") as temporary:  # paths of sockets must be short
        done = subprocess.run(
            [sys.executable, "-c", PIPELINE, str(tmp_path), temporary],
            env={**os.environ, **own},
            capture_output=True,
            text=True,
            timeout=150,
            check=False,
        )
    assert done.returncode == 0, done.stderr[-3000:]
    (file,) = (tmp_path / "out").iterdir()
    (row,) = pd.read_json(file, lines=True).to_dict("records")
    assert (row["id"], row["language"], eval(row["lang"])[1]) == ("zh-Hant", "zh-Hant", "zh-Hant")
