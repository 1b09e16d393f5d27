# SPDX-License-Identifier: Apache-2.0
"""A small corpus in every format, written by hand."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

TEXTS: list[str | None] = [
    "Der Hund schläft unter dem Tisch und träumt von Katzen.",
    "The student reads a book about the history of the city.",
    "Nobody knows where the station is. Il pleut depuis hier soir, et il fait froid.",
    None,
    "我们昨天看了两部电影。",
    "",
    "今日は天気がいい。公園に行こう。",
    "Hallo",
    "12 34",
]


def rows(count: int, first: int = 0) -> list[dict[str, Any]]:
    """Records with a text, a number that no float holds, and a field inside of another."""
    return [
        {"id": 2**60 + first + n, "text": TEXTS[(first + n) % len(TEXTS)], "about": {"url": f"https://e.org/{n}"}}
        for n in range(count)
    ]


def with_text(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [one for one in records if one["text"] is not None]


def json_lines(records: list[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(one) + "\n" for one in records).encode()


def files(folder: Path) -> set[str]:
    """What data there is in an output folder."""
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    return {name for name in found if not name.startswith("_")}


def done(folder: Path) -> set[str]:
    """What there are notes of in an output folder, of all that is done."""
    notes = folder / "_budgie/shards"
    names = (path for path in notes.rglob("[!.]*.json") if "counts" in json.loads(path.read_bytes() or b"{}"))
    return {path.relative_to(notes).as_posix().removesuffix(".json") for path in names}


def read_lines(path: Path) -> list[dict[str, Any]]:
    data = path.read_bytes()
    return [json.loads(line) for line in (gzip.decompress(data) if path.suffix == ".gz" else data).splitlines()]


def make_corpus(tmp_path: Path) -> Path:
    """Text of several kinds, which nothing has to be installed for."""
    folder = tmp_path / "in"
    (folder / "deep/er").mkdir(parents=True)
    (folder / "a.jsonl").write_bytes(json_lines(with_text(rows(40))))
    (folder / "deep/b.jsonl.gz").write_bytes(gzip.compress(json_lines(with_text(rows(30, 100)))))
    (folder / "deep/er/c.csv").write_text('id,text\n1,"Der Hund, der schläft."\n2,Where is it?\n')
    (folder / "plain.txt").write_text("Der Hund schläft.\n\nWhere is the station?\n")
    return folder


def make_tables(tmp_path: Path, files: int = 3, count: int = 50, **options: Any) -> Path:
    """A folder of Parquet files."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder = tmp_path / "tables"
    folder.mkdir()
    for number in range(files):
        table = pa.Table.from_pylist(rows(count, number * count)).replace_schema_metadata({"who": "me"})
        pq.write_table(table, folder / f"part-{number}.parquet", **{"row_group_size": 20, **options})
    return folder
