# SPDX-License-Identifier: Apache-2.0
"""Budgie inside of Spark, Dask, Daft and datasets, by examples/: `make test-integrations` runs these tests."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest
from examples import run, skip_without

import budgie

TEXTS = [
    "Der Hund schläft unter dem Tisch. Die Katze auch.",
    None,
    "It rains. Let's go!",
    "",
    "研究生命的起源",
    "Où est la gare ?",
    "12",
]
# Not in the order of their numbers, and with nulls in other columns, too.
ROWS: list[dict[str, Any]] = [
    {
        "id": number,
        "text": TEXTS[number % len(TEXTS)],
        "score": None if number % 3 else number / 4,
        "visits": None if number % 5 else 2**60 + number,  # which is another as a float
        "links": [None, [], ["a"], ["b", None]][number % 4],
    }
    for number in range(100, 0, -1)
]


class Engine(NamedTuple):
    """An example, and the files by which to see that two workers had a part in it."""

    program: str
    needs: str
    parts: str
    source: str = "crawl.parquet"
    environment: Mapping[str, str] = MappingProxyType({})


ENGINES = {
    "spark": Engine(
        "spark_languages.py",
        "pyspark",
        "labelled.parquet/part-*.parquet",
        environment={"PYSPARK_PYTHON": sys.executable, "PYSPARK_SUBMIT_ARGS": "--master local[2] pyspark-shell"},
    ),
    "dask": Engine("dask_languages.py", "distributed", "labelled.parquet/part.*.parquet"),
    "datasets": Engine("datasets_languages.py", "datasets", "cache/**/cache-*_of_00002.arrow", "crawl.parquet/*"),
    "daft": Engine("daft_documents.py", "daft", "crawl.parquet/*"),  # has threads, which leave no files of their own
}


def write_crawl(folder: Path) -> None:
    """The rows as two files."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder.mkdir()
    types = {"id": "int64", "text": "string", "score": "float64", "visits": "int64", "links": pa.list_(pa.string())}
    for number, rows in enumerate((ROWS[:60], ROWS[60:])):
        pq.write_table(pa.Table.from_pylist(rows, pa.schema(types)), folder / f"part-{number}.parquet")


def by_number(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(rows, key=lambda row: row["id"])


def read_rows(path: Path) -> list[dict[str, Any]]:
    import pyarrow.parquet as pq

    return by_number(pq.read_table(path).to_pylist())


def rows_of_one_process() -> list[dict[str, Any]]:
    answers = budgie.load("langid").identify_batch([row["text"] or "" for row in ROWS])
    nothing = dict.fromkeys(budgie.Identification._fields)
    pairs = zip(ROWS, answers, strict=True)
    return by_number([row | (nothing if row["text"] is None else answer._asdict()) for row, answer in pairs])


@pytest.mark.parametrize("languages", [(), ("de", "fr")])
@pytest.mark.parametrize("name", ENGINES)
def test_rows_are_those_of_one_process(name: str, languages: tuple[str, ...], tmp_path: Path) -> None:
    engine = ENGINES[name]
    skip_without(engine.needs)
    write_crawl(tmp_path / "crawl.parquet")
    environment = {**engine.environment, "HF_HOME": str(tmp_path / "cache")}
    choice = [",".join(languages)] if languages else []
    run(engine.program, tmp_path / engine.source, tmp_path / "labelled.parquet", *choice, **environment)
    rows = rows_of_one_process()
    found = [{column: row[column] for column in rows[0]} for row in read_rows(tmp_path / "labelled.parquet")]
    assert found == [row for row in rows if not languages or (row["reliable"] and row["language"] in languages)]
    assert len(list(tmp_path.glob(engine.parts))) >= 2


def test_daft_has_whole_documents(tmp_path: Path) -> None:
    skip_without("daft")
    write_crawl(tmp_path / "crawl.parquet")
    run("daft_documents.py", tmp_path / "crawl.parquet", tmp_path / "annotated.parquet")
    for row in read_rows(tmp_path / "annotated.parquet"):
        if row["text"] is None:
            assert row["sentences"] is None and row["spans"] is None
            continue
        document = budgie.annotate(row["text"])
        assert [(one["start"], one["end"]) for one in row["spans"]] == [(one.start, one.end) for one in document.spans]
        found = [[(token["text"], token["tag"]) for token in one["tokens"]] for one in row["sentences"]]
        assert found == [[(token.text, token.tag) for token in one.tokens] for one in document.sentences]
