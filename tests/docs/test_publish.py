# SPDX-License-Identifier: Apache-2.0
"""Benchmarks put their tables into the pages themselves: the right block of the right page, and nothing else."""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from benchmarks import report
from benchmarks.places import ROOT
from benchmarks.workers import WorkerError, ready

PAGE = """\
# Tagging: results

## Table 2

<!-- from: budgie reproduce table2 --rows pos -->
| old |
<!-- end -->

## Against its peers

By hand, before.

<!-- from: python -m benchmarks.tagging.run -->
| old |

### old
<!-- end -->

By hand, behind.
"""
REPORT = """\
# Tagging: Budgie and its peers

{note}

## en

| system | accuracy |
| --- | --- |
| budgie | 94.80 |

### details
"""


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    (tmp_path / "tagging.md").write_text(PAGE, "utf-8")
    (tmp_path / "langid.md").write_text("# Nothing of that command\n", "utf-8")
    return tmp_path


def test_a_run_replaces_the_block_of_its_command(pages: Path) -> None:
    note = "Each system runs in a process of its own. " * 5
    report.put(REPORT.format(note=note.strip()), "python -m benchmarks.tagging.run --rounds 3", pages)
    text = (pages / "tagging.md").read_text("utf-8")
    before, behind = PAGE.split("| old |\n\n### old\n")
    assert text.startswith(before) and text.endswith(behind)
    block = text.removeprefix(before).removesuffix(behind)
    assert block.startswith("```\npython -m benchmarks.tagging.run --rounds 3\n```\n\nEach system runs")
    assert "# Tagging: Budgie" not in block  # the page has a title of its own
    assert "\n### en\n" in block and "\n#### details\n" in block  # below "## Against its peers"
    assert max(map(len, block.split("\n"))) <= 120
    assert " ".join(block.split()).count(" ".join(note.split())) == 1
    assert (pages / "langid.md").read_text("utf-8") == "# Nothing of that command\n"


def test_a_long_command_goes_over_several_lines(pages: Path) -> None:
    run = "python -m benchmarks.tagging.run" + "".join(
        f" --model {code}=model-of-{code}.safetensors" for code in "abcde"
    )
    report.put(REPORT.format(note="A note."), run, pages)
    shown = (pages / "tagging.md").read_text("utf-8").split("```\n")[1]
    assert shown.count(" \\\n    ") == 1
    assert max(map(len, shown.split("\n"))) <= 120
    assert " ".join(shown.replace("\\\n", " ").split()) == run


def test_the_same_run_gives_the_same_page(pages: Path) -> None:
    for _ in range(2):
        report.put(REPORT.format(note="A note."), "python -m benchmarks.tagging.run", pages)
        once = (pages / "tagging.md").read_text("utf-8")
    report.put(REPORT.format(note="A note."), "python -m benchmarks.tagging.run", pages)
    assert (pages / "tagging.md").read_text("utf-8") == once


def test_headings_of_another_report_do_not_count(pages: Path) -> None:
    page = pages / "tagging.md"
    page.write_text(PAGE + "\n<!-- from: python -m benchmarks.tagging.embedded -->\n<!-- end -->\n", "utf-8")
    report.put("## en\n", "python -m benchmarks.tagging.embedded", pages)  # below "## Against its peers", not "### old"
    assert "\n### en\n" in page.read_text("utf-8")


def test_the_longest_beginning_counts(pages: Path) -> None:
    page = pages / "tagging.md"
    page.write_text(PAGE + "\n<!-- from: python -m benchmarks.tagging.run --quick -->\n<!-- end -->\n", "utf-8")
    assert report.find("python -m benchmarks.tagging.run --quick --only budgie", pages)[1].endswith("--quick")
    assert report.find("python -m benchmarks.tagging.run --only budgie", pages)[1].endswith("run")


@pytest.mark.parametrize(
    "run", ["python -m benchmarks.tagging.runner", "budgie reproduce table2", "python -m benchmarks"]
)
def test_a_command_without_a_block_is_refused(pages: Path, run: str) -> None:
    with pytest.raises(report.ReportError, match="no page"):
        report.put("| new |", run, pages)
    assert (pages / "tagging.md").read_text("utf-8") == PAGE


def test_the_command_has_no_outputs_and_no_folders_of_this_machine() -> None:
    argv = [str(ROOT / "benchmarks" / "tagging" / "run.py"), "--docs", "--model", "en=/home/me/en.safetensors"]
    argv += ["--out", "tables.md", "--json=/tmp/numbers.json", "--rounds", "3"]
    assert report.command(argv) == "python -m benchmarks.tagging.run --model en=en.safetensors --rounds 3"


def test_docs_is_refused_before_anything_is_measured(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", [str(ROOT / "benchmarks" / "unheard_of.py"), "--docs"])
    with pytest.raises(SystemExit):
        report.parse(argparse.ArgumentParser())
    assert "<!-- from: python -m benchmarks.unheard_of -->" in capsys.readouterr().err


def test_publish(
    pages: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    out, numbers = tmp_path / "out.txt", tmp_path / "work" / "numbers.json"
    monkeypatch.setattr(sys, "argv", [str(ROOT / "benchmarks" / "tagging" / "run.py"), "--out", str(out)])
    options = report.parse(argparse.ArgumentParser(), numbers)
    report.publish("| new |\n", {"accuracy": 0.9}, options)
    assert capsys.readouterr().out == "| new |\n\n"
    assert out.read_text("utf-8") == "| new |\n" and "0.9" in numbers.read_text("utf-8")
    assert (pages / "tagging.md").read_text("utf-8") == PAGE  # nobody asked for --docs


# ---- what benchmarks share ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Effort:
    rounds: int
    words: int


@pytest.mark.parametrize(
    ("given", "expected"),
    [([], Effort(5, 100)), (["--quick"], Effort(2, 10)), (["--quick", "--rounds", "7"], Effort(7, 10))],
)
def test_effort(given: list[str], expected: Effort) -> None:
    parser = argparse.ArgumentParser()
    report.add_effort(parser)
    assert report.effort_of(parser.parse_args(given), full=Effort(5, 100), quick=Effort(2, 10)) == expected


def test_some_of() -> None:
    choose = report.some_of(["budgie", "eldc"])
    assert choose("eldc,budgie") == ("eldc", "budgie")
    with pytest.raises(argparse.ArgumentTypeError, match="'x' is not one of budgie, eldc"):
        choose("budgie,x")


def test_systems_that_fail_are_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    def prepare(name: str) -> str:
        if name == "broken":
            raise WorkerError("broken: no such program")
        return name.upper()

    assert ready(["broken", "fine"], prepare, " on en") == (["FINE"], {"broken": "broken: no such program"})
    assert "preparing fine on en\n" in capsys.readouterr().err
    with pytest.raises(WorkerError, match="no system works here on en"):
        ready(["broken"], prepare, " on en")
