# SPDX-License-Identifier: Apache-2.0
"""Corpora on a Ray cluster of several nodes, some of which die: `make ray` runs these tests."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("ray.util", reason="Ray is not installed here; make ray runs these tests")
pytest.importorskip(
    "ray.data", reason="the parts that Ray Data needs are not installed here; make ray runs these tests"
)
pq = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed here; make ray runs these tests")
import pyarrow as pa
import ray
from ray.cluster_utils import Cluster

from budgie.corpus import annotate_corpus

SENTENCES = (
    "Der Hund schläft unter dem Tisch.",
    "Where is the station?",
    "Il pleut depuis hier soir.",
    "我们昨天看了两部电影。",
    "今日は天気がいい。",
)
SHARDS, ROWS = 12, 6000
SAME = ("documents", "kept", "bytes", "without_text", "skipped", "languages", "lengths", "probabilities")
SECONDS = 240  # that a run may take


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus")
    for shard in range(SHARDS):
        texts = [" ".join(SENTENCES[(shard + row + n) % 5] for n in range(row % 7)) for row in range(ROWS)]
        pq.write_table(
            pa.table({"id": range(ROWS), "text": [text or None for text in texts]}), folder / f"{shard}.parquet"
        )
    (folder / "lines.jsonl.gz").write_bytes(b"")
    return folder


@pytest.fixture(scope="module")
def alone(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """What one process makes of it."""
    out = tmp_path_factory.mktemp("alone") / "out"
    return out, annotate_corpus([str(corpus)], str(out)).summary()


@pytest.fixture
def cluster(own_token: None) -> Iterator[Any]:
    """Three nodes of one core each; this process is on the first."""
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    made.workers = [made.add_node(num_cpus=1) for _ in range(2)]
    ray.init(made.address, logging_level="ERROR")
    made.wait_for_nodes()
    yield made
    ray.shutdown()
    made.shutdown()


def done(out: Path) -> int:
    """How many shards are done."""
    notes = [path for path in out.glob("_budgie/shards/[!.]*.json")]
    return sum("counts" in json.loads(path.read_bytes() or b"{}") for path in notes)


def same(found: Path, expected: Path) -> bool:
    """Every shard byte for byte, and nothing else."""
    names = {one.name for one in expected.iterdir()} - {"_summary.json", "_report.html", "_budgie"}
    assert {one.name for one in found.iterdir() if not one.name.startswith((".", "_"))} == names
    return all((found / name).read_bytes() == (expected / name).read_bytes() for name in names)


def in_the_middle(corpus: Path, out: Path, kill: Callable[[], None]) -> dict[str, Any]:
    """Runs on Ray, and kills when some shards are done and others are not."""
    errors: list[BaseException] = []

    def wait_and_kill() -> None:
        try:
            while not 2 <= done(out) <= SHARDS // 2:
                time.sleep(0.02)
            kill()
        except BaseException as error:
            errors.append(error)

    killer = threading.Thread(target=wait_and_kill, daemon=True)
    killer.start()
    summary = annotate_corpus([str(corpus)], str(out), engine="ray").summary()
    killer.join(10)
    assert not errors and not killer.is_alive()
    return summary


def test_rows_and_answers_are_those_of_one_machine(
    cluster: Any, corpus: Path, alone: tuple[Path, dict[str, Any]], tmp_path: Path
) -> None:
    out = tmp_path / "out"
    summary = annotate_corpus([str(corpus)], str(out), engine="ray", workers=3).summary()
    assert (summary["engine"], summary["workers"]) == ("ray", 3)
    assert same(out, alone[0])
    assert {key: summary[key] for key in SAME} == {key: alone[1][key] for key in SAME}
    again = annotate_corpus([str(corpus)], str(out), engine="ray", workers=3)
    assert (again.before, again.done) == (SHARDS + 1, 0)


def test_a_node_dies(cluster: Any, corpus: Path, alone: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    """With all its workers: nothing is lost, and nothing is there twice."""
    out = tmp_path / "out"
    summary = in_the_middle(corpus, out, lambda: cluster.remove_node(cluster.workers[0], allow_graceful=False))
    assert len([node for node in ray.nodes() if node["Alive"]]) == 2
    assert same(out, alone[0])
    assert {key: summary[key] for key in SAME} == {key: alone[1][key] for key in SAME}
    assert summary["shards"]["now"] == SHARDS + 1


def test_a_worker_dies(cluster: Any, corpus: Path, alone: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    out = tmp_path / "out"

    def kill() -> None:
        processes = [one for one in Path("/proc").iterdir() if one.name.isdecimal()]
        workers = [one for one in processes if b"MapWorker(MapBatches(BudgieWorker)" in title(one)]
        os.kill(int(workers[0].name), signal.SIGKILL)

    summary = in_the_middle(corpus, out, kill)
    assert same(out, alone[0])
    assert {key: summary[key] for key in SAME} == {key: alone[1][key] for key in SAME}


def title(process: Path) -> bytes:
    try:
        return (process / "cmdline").read_bytes()
    except OSError:  # it is gone
        return b""


def test_the_command(own_token: None, corpus: Path, alone: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    """Ray is started for it; names of files begin in its folder; a broken shard is an error, or is left out."""
    command = [sys.executable, "-m", "budgie", "annotate", corpus.name, "--engine", "ray", "--workers", "2"]
    run = subprocess.run(
        [*command, "--output", f"{tmp_path}/out/"], cwd=corpus.parent, capture_output=True, timeout=SECONDS, check=False
    )
    assert run.returncode == 0, run.stderr
    assert b"budgie: 13 of 13 files, " in run.stderr  # and what Ray has to say
    assert same(tmp_path / "out", alone[0])
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "0.parquet").write_bytes(b"PAR1")
    (broken / "1.parquet").write_bytes((corpus / "1.parquet").read_bytes())
    command[4] = str(broken)
    for errors, rows in (("stop", None), ("skip", 1)):
        out = tmp_path / errors
        run = subprocess.run(
            [*command, "--errors", errors, "--output", f"{out}/"], capture_output=True, timeout=SECONDS, check=False
        )
        assert run.returncode == 1
        assert b"0.parquet: cannot be read as Parquet" in run.stderr and b"Traceback" not in run.stderr
        if rows:
            assert json.loads((out / "_summary.json").read_bytes())["shards"]["failed"] == 1
            assert (out / "1.parquet").read_bytes() == (alone[0] / "1.parquet").read_bytes()


def test_interrupted(own_token: None, corpus: Path, alone: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    """Ctrl-C ends all of it, and the same command goes on."""
    out = tmp_path / "out"
    command = [sys.executable, "-m", "budgie", "annotate", str(corpus), "--engine", "ray", "--output", f"{out}/"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE)
    limit = time.monotonic() + SECONDS
    while not done(out):
        assert time.monotonic() < limit and process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, notes = process.communicate(timeout=60)
    assert process.returncode == 130, notes
    before = done(out)
    assert annotate_corpus([str(corpus)], str(out)).before >= before
    assert same(out, alone[0])
