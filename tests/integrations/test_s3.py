# SPDX-License-Identifier: Apache-2.0
"""Corpora in a store that speaks S3, on this machine: `make test-s3` runs these tests."""

from __future__ import annotations

import io
import json
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest
from conftest import Command

import budgie as package

MISSING = "moto and s3fs are not installed here; make test-s3 runs these tests"
server = pytest.importorskip("moto.server", reason=MISSING)
s3fs = pytest.importorskip("s3fs", reason=MISSING)
pq = pytest.importorskip("pyarrow.parquet", reason=MISSING)
import pyarrow as pa

TEXTS = ["Der Hund schläft unter dem Tisch.", None, "Where is the station?", "Il pleut depuis hier soir."] * 500


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A bucket with two files in it."""
    running = server.ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    running.start()
    host, port = running.get_host_and_port()
    urllib.request.urlopen(f"http://{host}:{port}/moto-api/reset", b"").close()  # buckets of the tests before
    for name, value in {
        "AWS_ENDPOINT_URL": f"http://{host}:{port}",
        "AWS_ACCESS_KEY_ID": "testing",
        "AWS_SECRET_ACCESS_KEY": "testing",
        "AWS_DEFAULT_REGION": "us-east-1",
    }.items():
        monkeypatch.setenv(name, value)
    s3fs.S3FileSystem.clear_instance_cache()
    files = s3fs.S3FileSystem()
    files.mkdir("bucket")
    table = pa.table({"id": range(len(TEXTS)), "text": TEXTS})
    buffer = io.BytesIO()
    pq.write_table(table, buffer)
    files.pipe("bucket/crawl/a.parquet", buffer.getvalue())
    files.pipe("bucket/crawl/deep/b.jsonl", b"".join(b'{"text": "%d Hunde schlafen."}\n' % n for n in range(50)))
    yield files
    running.stop()
    s3fs.S3FileSystem.clear_instance_cache()


def test_s3(budgie: Command, store: Any) -> None:
    annotate = ("annotate", "s3://bucket/crawl", "--tasks", "language", "--workers", 1, "--output", "s3://bucket/out/")
    budgie(*annotate, notes=True)
    found = sorted(name for name in store.find("bucket/out") if "/_budgie/" not in name)
    names = ("_report.html", "_summary.json", "a.parquet", "deep/b.jsonl")
    assert found == [f"bucket/out/{name}" for name in names]
    with store.open("bucket/out/a.parquet") as file:
        languages = pq.read_table(file)["language"].to_pylist()
    assert languages == [None if text is None else package.identify(text).language for text in TEXTS]
    lines = [json.loads(line) for line in store.cat("bucket/out/deep/b.jsonl").splitlines()]
    assert [one["language"] for one in lines] == ["de"] * 50
    before = {name: store.info(name)["LastModified"] for name in found}
    budgie(*annotate, notes=True)
    assert b"2 of 2 files (2 by an earlier run)" in budgie.error
    store.pipe("bucket/crawl/c.txt", b"Wer ist das?\n")
    store.pipe("bucket/crawl/deep/b.jsonl", b'{"text": "Il pleut depuis hier soir."}\n')
    budgie(*annotate, notes=True)
    assert b"3 of 3 files (1 by an earlier run)" in budgie.error
    assert store.info("bucket/out/a.parquet")["LastModified"] == before["bucket/out/a.parquet"]
    assert json.loads(store.cat("bucket/out/deep/b.jsonl"))["language"] == "fr"


def test_s3_what_is_not_whole_is_not_there(budgie: Command, store: Any) -> None:
    store.pipe("bucket/crawl/a.parquet", store.cat("bucket/crawl/a.parquet")[:-100])
    annotate = ("annotate", "s3://bucket/crawl/*.parquet", "--workers", 1, "--output", "s3://bucket/out/")
    budgie.fails(*annotate, message="s3://bucket/crawl/a.parquet: cannot be read as Parquet (")
    store.invalidate_cache()
    assert not store.exists("bucket/out/a.parquet")


def test_s3_for_other_commands(budgie: Command, store: Any) -> None:
    lines = budgie("identify", "s3://bucket/crawl/deep/b.jsonl", "--no-text").splitlines()
    assert [line.split(b"\t")[0] for line in lines] == [b"de"] * 50
    budgie("identify", "s3://bucket/crawl/deep/b.jsonl", "--json", "--output", "s3://bucket/one.jsonl.gz")
    assert store.cat("bucket/one.jsonl.gz").startswith(b"\x1f\x8b")
    budgie.fails("identify", "s3://bucket/nothing.txt", message="")


def test_s3_is_not_there(budgie: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody answers, or nobody may read: an error and no traceback."""
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "testing")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "testing")
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    s3fs.S3FileSystem.clear_instance_cache()
    budgie.fails("annotate", "s3://bucket/crawl/*.parquet", "--output", "s3://bucket/out/", message="s3://bucket/")
