# SPDX-License-Identifier: Apache-2.0
"""Budgie inside of Data-Juicer: `make test-corpus-tools` runs these tests with the Data-Juicer of PyPI."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest

import budgie

pytest.importorskip("data_juicer", reason="Data-Juicer is not installed here; make test-corpus-tools runs these tests")

import dill
from data_juicer.core.data import NestedDataset
from data_juicer.ops import OPERATORS
from data_juicer.utils.constant import Fields, StatsKeys

from budgie.integrations.data_juicer import BudgieLanguageFilter

TEXTS = {
    "en": "The committee has not yet said when it will decide about the new bridge.",
    "de": "Der Ausschuss hat noch nicht gesagt, wann er über die neue Brücke entscheiden wird.",
    "zh-Hant": "委員會還沒有說明什麼時候會對新的橋樑做出決定。",
    "und": " 12\n?!",
}


def run(operator: Any, texts: dict[str, Any] | None = None, **settings: Any) -> dict[str, Any]:
    """The stats of what is kept."""
    given = TEXTS if texts is None else texts
    data = NestedDataset.from_list([{"id": name, "text": text} for name, text in given.items()])
    return {row["id"]: row[Fields.stats] for row in operator.run(data, **settings).to_list()}


def operator(*settings: Any, **named: Any) -> BudgieLanguageFilter:
    return BudgieLanguageFilter(*settings, num_proc=1, **named)


def test_stats_are_those_of_the_own_filter() -> None:
    found = run(operator(["fr"]), reduce=False)
    assert [one[StatsKeys.lang] for one in found.values()] == list(TEXTS)
    expected = [budgie.identify(text).probability for text in TEXTS.values()]
    assert [one[StatsKeys.lang_score] for one in found.values()] == pytest.approx(expected)
    written = run(operator(labels="iso"), reduce=False)
    assert [one[StatsKeys.lang] for one in written.values()] == ["eng_Latn", "deu_Latn", "zho_Hant", "und_Zyyy"]


def test_samples_that_are_kept() -> None:
    assert list(run(operator())) == ["en", "de", "zh-Hant"]
    assert list(run(operator("English"))) == ["en"]
    assert list(run(operator(["deu_Latn", "zh"], labels="iso"))) == ["de", "zh-Hant"]
    assert list(run(operator("zh-Hans"))) == []
    assert list(run(operator(min_score=1.01))) == []
    assert list(run(operator(min_score=0.5, reversed_range=True))) == ["und"]
    assert list(run(operator(None, 0.0))) == list(TEXTS)


def test_text_that_is_missing_and_long_text() -> None:
    texts = {"none": None, "empty": "", "long": TEXTS["en"] * 20_000}
    assert list(run(operator(), texts)) == ["long"]


def test_stats_that_are_there_stay() -> None:
    stats = [{StatsKeys.lang: "de", StatsKeys.lang_score: 0.9}, {}]
    samples = operator().compute_stats_batched({"text": [TEXTS["en"], TEXTS["en"]], Fields.stats: stats})
    assert [one[StatsKeys.lang] for one in samples[Fields.stats]] == ["de", "en"]


@pytest.mark.parametrize("settings", [{"batch_size": 1}, {"batch_size": 3}, {"num_proc": 2}])
def test_batches_and_processes_change_nothing(settings: dict[str, int]) -> None:
    assert run(BudgieLanguageFilter(["en", "zh"], **settings)) == run(operator(["en", "zh"]))


def test_pickle_has_no_model() -> None:
    packed = dill.dumps(operator(["en", "de"]))
    assert len(packed) < 100_000  # dill packs code, too; the model has 1.5 MB
    assert list(run(dill.loads(packed))) == ["en", "de"]


def test_data_juicer_finds_the_operator_by_its_entry_point(tmp_path: Path) -> None:
    if not entry_points(group="data_juicer.ops", name="budgie"):
        pytest.skip("Budgie's entry points are not installed here; make test-corpus-tools runs this test")
    assert OPERATORS.modules["budgie_language_filter"] is BudgieLanguageFilter
    lines = [json.dumps({"id": name, "text": text}) for name, text in TEXTS.items()]
    (tmp_path / "in.jsonl").write_text("\n".join(lines), "utf-8")
    recipe = {
        "dataset_path": str(tmp_path / "in.jsonl"),
        "export_path": str(tmp_path / "out" / "out.jsonl"),
        "np": 1,
        "process": [{"budgie_language_filter": {"lang": ["en", "zh"], "min_score": 0.7, "labels": "iso"}}],
    }
    (tmp_path / "recipe.yaml").write_text(json.dumps(recipe), "utf-8")  # which is YAML, too
    code = "from data_juicer.tools.process_data import main; main()"
    own = {"HOME": str(tmp_path), "HF_HUB_OFFLINE": "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(
        [sys.executable, "-c", code, "--config", "recipe.yaml"],
        cwd=tmp_path,
        env={**os.environ, **own},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    rows = [json.loads(line) for line in (tmp_path / "out" / "out.jsonl").read_text("utf-8").splitlines()]
    assert [row["id"] for row in rows] == ["en", "zh-Hant"]
    stats = (tmp_path / "out" / "out_stats.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)[Fields.stats][StatsKeys.lang] for line in stats] == ["eng_Latn", "zho_Hant"]
