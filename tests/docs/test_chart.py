# SPDX-License-Identifier: Apache-2.0
"""The chart of the README is what its command makes of recorded results, and these are those of the pages."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from benchmarks import chart, report
from benchmarks.chart import CHART, Comparison, System, draw, label_place, recorded
from benchmarks.places import ROOT


def test_the_chart_is_what_its_command_makes() -> None:
    assert CHART.read_text("utf-8") == draw(recorded()), "python -m benchmarks.chart"


def words_of(drawing: str) -> list[tuple[float, float, str]]:
    """Where each text is, and what it says."""
    found = ElementTree.fromstring(drawing).iter("{http://www.w3.org/2000/svg}text")
    return [(float(one.attrib["x"]), float(one.attrib["y"]), one.text or "") for one in found]


def test_every_system_is_named_inside_of_the_chart() -> None:
    for comparison in recorded():
        words = words_of(draw([comparison]))
        assert all(0 <= x <= chart.WIDTH and 0 <= y <= chart.HEIGHT for x, y, _ in words)
        shown = [word for _, _, word in words]
        for system in comparison.systems:
            assert shown.count(system.name) == (1 if system.speed is None else 2)


def test_records_of_the_pipeline() -> None:
    english = {"sentences_f1": 88.8, "tokens_f1": 99.0, "tokens_per_s": 2_000_000}
    rows = [
        {
            "name": "budgie",
            "installed_mb": 24.1,
            "by_language": {"en": {**english, "tags_f1": 94.4, "tags_per_s": 500}},
        },
        {"name": "syntok", "installed_mb": 1.2, "by_language": {"en": english, "fr": {"sentences_f1": 90.0}}},
    ]
    assert chart.raw_text_to_tags(rows).systems == [System("Budgie, en", 24.1, 94.4, 500)]
    tokens = chart.sentences_of_english(rows).systems
    assert tokens == [System("Budgie", 24.1, 88.8, 2_000_000), System("syntok", 1.2, 88.8, 2_000_000)]


def test_better_is_higher_and_faster_is_longer() -> None:
    systems = [System("Budgie", 1.0, 99, 1000.0), System("a <peer>", 2000.0, 80, 10.0), System("slow", 30.0, 90, None)]
    places = {word: (x, y) for x, y, word in words_of(draw([Comparison("Work", "% right", "texts a second", systems)]))}
    assert places["slow"][1] < places["a <peer>"][1]
    assert places["1k"][0] > places["10"][0] > 0


def test_labels_keep_out_of_each_other() -> None:
    taken = []
    for _ in range(4):
        box = label_place("a name", 200, 150, taken)
        assert not any(box[0] < one[2] and one[0] < box[2] and box[1] < one[3] and one[1] < box[3] for one in taken)
        taken.append(box)


@pytest.mark.parametrize(
    ("speed", "said"),
    [(9.6, "10"), (474_722.0, "475,000"), (20_738, "20,700"), (1000, "1,000"), (None, "not measured")],
)
def test_speeds_in_words(speed: float | None, said: str) -> None:
    assert chart.amount(speed) == said


def test_recorded_results_are_those_of_the_page() -> None:
    recorded = json.loads((ROOT / "benchmarks" / "langid" / "results.json").read_text("utf-8"))
    page = (ROOT / "docs" / "results" / "langid.md").read_text("utf-8")
    assert f"\n{recorded['command']}\n" in page
    for system in recorded["systems"]:
        rows = "\n".join(re.findall(rf"^\| {re.escape(system['name'])} .*", page, re.M))
        shown = [f"{value:.1f}" for value in system["accuracy"].values()]
        shown += [f"{value:,}" for value in system["texts_per_s"].values()]
        assert [value for value in shown if value not in rows] == [], system["name"]


def test_a_record_names_its_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", [str(ROOT / "benchmarks" / "langid" / "run.py"), "--docs", "--rounds", "6"])
    report.record([{"name": "budgie"}], tmp_path / "results.json")
    kept = json.loads((tmp_path / "results.json").read_text("utf-8"))
    assert kept == {"command": "python -m benchmarks.langid.run --rounds 6", "systems": [{"name": "budgie"}]}
