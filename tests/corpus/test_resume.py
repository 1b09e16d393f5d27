# SPDX-License-Identifier: Apache-2.0
"""A corpus that is annotated in several runs: what is done stays, what is not is done, and nothing is there by half."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from conftest import Command, spawn
from corpus_material import done, files, json_lines, make_corpus, with_text
from corpus_material import rows as make_rows

import budgie as package

NOTES = "_budgie/shards"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return make_corpus(tmp_path)


def times(folder: Path) -> dict[str, int]:
    return {name: (folder / name).stat().st_mtime_ns for name in files(folder)}


def test_a_second_run_does_nothing(budgie: Command, corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    annotate = ("annotate", corpus, "--tasks", "language", "--output", f"{out}/")
    budgie(*annotate, notes=True)
    before, summary = times(out), json.loads((out / "_summary.json").read_bytes())
    budgie(*annotate, "--threads", 1, "--errors", "skip", notes=True)  # which change nothing of the output
    assert times(out) == before
    again = json.loads((out / "_summary.json").read_bytes())
    assert b"4 of 4 files (4 by an earlier run)" in budgie.error
    assert (again["shards"]["before"], again["languages"]) == (4, summary["languages"])
    assert again["documents"] == summary["documents"] and again["lengths"] == summary["lengths"]


def test_what_is_done_again(budgie: Command, corpus: Path, tmp_path: Path) -> None:
    """What is new or has changed; what is gone, or is not what was written; what nobody has noted."""
    out = tmp_path / "out"
    annotate = ("annotate", corpus, "--tasks", "language", "--output", f"{out}/")
    budgie(*annotate, notes=True)

    def done_again() -> set[str]:
        before = times(out)
        budgie(*annotate, notes=True)
        after = times(out)
        return {name for name in after if after[name] != before.get(name)}

    (corpus / "plain.txt").write_text("Il pleut depuis hier soir, et il fait froid.\n")
    (corpus / "new.txt").write_text("Where is it?\n")
    assert done_again() == {"plain.jsonl", "new.jsonl"}
    assert json.loads((out / "plain.jsonl").read_bytes())["language"] == "fr"
    (out / "a.jsonl").unlink()
    (out / "deep/er/c.jsonl").write_bytes(b"half")
    assert done_again() == {"a.jsonl", "deep/er/c.jsonl"}
    (out / NOTES / "a.jsonl.json").write_bytes(b"[]")
    (out / NOTES / "deep/b.jsonl.gz.json").write_bytes(b"{")
    (out / NOTES / "plain.jsonl.json").write_bytes(b'{"made": 1}')
    assert done_again() == {"a.jsonl", "deep/b.jsonl.gz", "plain.jsonl"}
    assert done_again() == set()
    (out / NOTES / "a.jsonl.json").unlink()
    budgie.fails(
        *annotate, message=f"{out}/a.jsonl is there, and no earlier run has written it: --overwrite replaces it"
    )


def test_other_options_need_another_folder(budgie: Command, corpus: Path, tmp_path: Path) -> None:
    out = f"{tmp_path}/out/"
    budgie("annotate", corpus, "--field", "nothing", "--output", out, status=1)
    budgie("annotate", corpus, "--tasks", "language", "--output", out, notes=True)  # nothing was made before
    fails = ("annotate", corpus, "--tasks", "language", "--output", out, "--keep", "de")
    budgie.fails(*fails, message=f"{out} has shards that were made in another way (keep None then, ['de'] now): take")
    before = times(Path(out))
    budgie(*fails, "--overwrite", notes=True)
    assert all(one != before[name] for name, one in times(Path(out)).items())
    budgie(*fails, notes=True)
    assert b"(4 by an earlier run)" in budgie.error


def test_overwriting_that_was_stopped(budgie: Command, corpus: Path, tmp_path: Path) -> None:
    """What the options before had made is not taken for what these make."""
    out = tmp_path / "out"
    annotate = ("annotate", corpus, "--workers", 1, "--output", f"{out}/", "--tasks")
    budgie(*annotate, "language", notes=True)
    (corpus / "plain.txt").rename(corpus / "plain.gz")  # the last, which cannot be read
    budgie(*annotate, "spans", "--overwrite", status=1)
    (corpus / "plain.gz").rename(corpus / "plain.txt")
    (out / "a.jsonl").write_bytes(b"")
    budgie(*annotate, "spans", notes=True)
    expected = package.Pipeline(tasks=["spans"]).annotate("Der Hund schläft.").to_dict()
    first = json.loads((out / "plain.jsonl").read_bytes().splitlines()[0])
    assert first == {"text": "Der Hund schläft.", **expected}


def write_rows(path: Path, rows: list[dict[str, Any]]) -> None:
    """As JSON lines, or as a table."""
    if path.suffix == ".jsonl":
        path.write_bytes(json_lines(with_text(rows)))
        return
    pa = pytest.importorskip("pyarrow", reason="pyarrow is part of the extra arrow")
    import pyarrow.parquet as pq

    pq.write_table(pa.Table.from_pylist(rows), path)


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_killed_in_the_middle(tmp_path: Path, form: str, workers: int, number: signal.Signals) -> None:
    """A second run goes on where the first one was killed, and what both have made is what one makes."""
    source = tmp_path / "in"
    source.mkdir()
    for shard in range(8):
        write_rows(source / f"{shard}.{form}", make_rows(3000, shard))
    outs = tmp_path / "killed", tmp_path / "whole"
    annotate = ["annotate", source, "--workers", workers, "--threads", workers, "--errors", "skip", "--output"]
    process = spawn(*annotate, f"{outs[0]}/")
    limit = time.monotonic() + 60
    while len(done(outs[0])) < 2:
        assert time.monotonic() < limit and process.poll() is None
        time.sleep(0.01)
    process.send_signal(number)
    _, notes = process.communicate()
    assert process.returncode == (-number if number == signal.SIGKILL else 128 + number)
    if number != signal.SIGKILL:
        assert re.fullmatch(rb"budgie: stopped: \d of 8 files are done, and the same command goes on in .*\n", notes)
        assert not list(outs[0].rglob(".budgie-*"))  # nothing that was begun stays
    kept = {name: (outs[0] / name).stat().st_mtime_ns for name in done(outs[0])}
    assert 2 <= len(kept) < 8
    for out in outs:
        command = [sys.executable, "-m", "budgie", *map(str, annotate), f"{out}/"]
        assert subprocess.run(command, stderr=subprocess.DEVNULL, check=False).returncode == 0
    for shard in range(8):
        name = f"{shard}.{form}"
        assert (outs[0] / name).read_bytes() == (outs[1] / name).read_bytes()
        assert (outs[0] / name).stat().st_mtime_ns == kept.get(name, (outs[0] / name).stat().st_mtime_ns)
    first, second = (json.loads((out / "_summary.json").read_bytes()) for out in outs)
    assert first["shards"]["before"] >= 2
    for key in ("documents", "bytes", "languages", "lengths", "probabilities"):
        assert first[key] == second[key]


@pytest.mark.parametrize("errors", ["stop", "skip"])
def test_a_worker_that_is_killed(tmp_path: Path, errors: str) -> None:
    """As by a system that has no memory left: its file is named, others go on, and no process stays behind."""
    source = tmp_path / "in"
    source.mkdir()
    for shard in range(4):
        (source / f"{shard}.jsonl").write_bytes(json_lines(with_text(make_rows(20_000, shard))))
    process = spawn("annotate", source, "--workers", 2, "--errors", errors, "--output", f"{tmp_path}/out/")
    limit, children = time.monotonic() + 60, list[int]()
    while len(children) < 2:
        assert time.monotonic() < limit and process.poll() is None
        tasks = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        if not tasks.exists():
            process.kill()
            pytest.skip("needs Linux, to find the workers")
        found = [int(one) for one in tasks.read_text().split()]
        children = [one for one in found if b"spawn_main" in Path(f"/proc/{one}/cmdline").read_bytes()]
    time.sleep(0.5)
    os.kill(children[0], signal.SIGKILL)
    _, notes = process.communicate(timeout=60)
    assert process.returncode == 1
    assert b".jsonl: its worker ended with status -9; perhaps there was no memory for so many workers" in notes
    assert errors == "stop" or len(done(tmp_path / "out")) == 3
    assert not any(Path(f"/proc/{one}").exists() for one in children)
