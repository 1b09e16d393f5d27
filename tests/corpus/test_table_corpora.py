# SPDX-License-Identifier: Apache-2.0
"""Corpora of tables: Parquet and Arrow into a folder, or into one file."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from conftest import Command
from corpus_material import TEXTS, files, json_lines, make_corpus, make_tables, read_lines, rows, with_text

import budgie as package

pa = pytest.importorskip("pyarrow", reason="pyarrow is part of the extra arrow")
import pyarrow.parquet as pq
from pyarrow import feather, ipc

ANSWER = ["language", "probability", "reliable"]


@pytest.fixture
def tables(tmp_path: Path) -> Path:
    return make_tables(tmp_path)


def languages(records: list[dict[str, Any]]) -> list[str | None]:
    return [None if one["text"] is None else package.identify(one["text"]).language for one in records]


@pytest.mark.parametrize("compression", ["snappy", "zstd", "none"])
def test_parquet(budgie: Command, tmp_path: Path, compression: str) -> None:
    """All columns pass through, as they are; answers stand behind them; the file is of the same kind."""
    source = make_tables(tmp_path, compression=compression)
    assert (
        budgie("annotate", f"{source}/*.parquet", "--tasks", "language", "--output", f"{tmp_path}/o/", notes=True)
        == b""
    )
    assert files(tmp_path / "o") == {f"part-{number}.parquet" for number in range(3)}
    for number in range(3):
        before, after = (pq.read_table(folder / f"part-{number}.parquet") for folder in (source, tmp_path / "o"))
        assert after.select(before.column_names).equals(before)
        assert after.column_names == [*before.column_names, *ANSWER]
        assert after.schema.metadata == {b"who": b"me"}
        assert after["language"].to_pylist() == languages(before.to_pylist())
        file = pq.ParquetFile(tmp_path / f"o/part-{number}.parquet")
        assert file.metadata.row_group(0).column(0).compression.lower() == compression.replace("none", "uncompressed")
    summary = json.loads((tmp_path / "o/_summary.json").read_bytes())
    given = with_text([row for number in range(3) for row in rows(50, 50 * number)])
    assert (summary["documents"], summary["without_text"]) == (len(given), 150 - len(given))


def test_annotation_is_that_of_texts(budgie: Command, tables: Path, tmp_path: Path) -> None:
    budgie("annotate", tables, "--output", f"{tmp_path}/o/", "--probabilities", notes=True)
    source = pq.read_table(tables / "part-1.parquet")
    pipeline = package.Pipeline(probabilities=True)
    expected = pa.table(pipeline.annotate_column(source, column="text", keep=source.column_names))
    assert pq.read_table(tmp_path / "o/part-1.parquet").to_pylist() == expected.to_pylist()


@pytest.mark.parametrize("tasks", ["language", "spans", "tokens"])
@pytest.mark.parametrize("least", [None, 0.3])
def test_filter(budgie: Command, tables: Path, tmp_path: Path, tasks: str, least: float | None) -> None:
    """The same texts are kept, with the same answers and counts, of a table and of JSON lines."""
    (tmp_path / "lines").mkdir()
    for number in range(3):
        table = pq.read_table(tables / f"part-{number}.parquet").to_pylist()
        (tmp_path / f"lines/part-{number}.jsonl").write_bytes(json_lines(with_text(table)))
    options = ["--keep", "german,ja", "--tasks", tasks] + ([] if least is None else ["--least", str(least)])
    for source in ("tables", "lines"):
        budgie("annotate", tmp_path / source, *options, "--output", f"{tmp_path}/{source}-out/", notes=True)
    kept = pq.read_table(tmp_path / "tables-out").to_pylist()
    lines = [one for number in range(3) for one in read_lines(tmp_path / f"lines-out/part-{number}.jsonl")]
    assert {one["language"] for one in kept} == {"de", "ja"}
    assert [(one["id"], one["language"]) for one in kept] == [(one["id"], one["language"]) for one in lines]
    found = package.Pipeline(tasks=tasks).annotate_batch([text for text in TEXTS if text is not None])
    sure = [one for one in found if (one.reliable if least is None else one.probability >= least)]
    assert {one["text"] for one in kept} == {one.text for one in sure if one.language in ("de", "ja")}
    of_tables, of_lines = (
        json.loads((tmp_path / f"{source}-out/_summary.json").read_bytes()) for source in ("tables", "lines")
    )
    for key in ("documents", "kept", "bytes", "kept_bytes", "languages", "lengths", "probabilities"):
        assert of_tables[key] == of_lines[key]
    assert of_tables["kept"] == len(kept)


def test_formats_of_arrow(budgie: Command, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    table = pa.Table.from_pylist(rows(30))
    feather.write_feather(table, folder / "a.feather", compression="lz4")
    with pa.OSFile(str(folder / "b.arrows"), "wb") as file, ipc.new_stream(file, table.schema) as writer:
        writer.write_table(table, max_chunksize=7)
    dictionary = table.set_column(1, "text", table["text"].dictionary_encode())
    large = dictionary.set_column(1, "text", table["text"].cast(pa.large_string()))
    for name, one in (("c", dictionary), ("d", large), ("e", table.slice(0, 0))):
        with pa.OSFile(str(folder / f"{name}.arrow"), "wb") as file, ipc.new_file(file, one.schema) as writer:
            writer.write_table(one)
    budgie("annotate", folder, "--tasks", "language", "--output", f"{tmp_path}/o/", notes=True)
    assert files(tmp_path / "o") == files(folder)
    for name in ("a.feather", "b.arrows", "c.arrow", "d.arrow"):
        found = feather.read_table(tmp_path / "o" / name)
        assert found["language"].to_pylist() == languages(rows(30))
        assert found["id"].to_pylist() == table["id"].to_pylist()
    assert feather.read_table(tmp_path / "o/e.arrow").num_rows == 0
    assert json.loads((tmp_path / "o/_summary.json").read_bytes())["documents"] == 4 * len(with_text(rows(30)))


@pytest.mark.parametrize("form", ["parquet", "arrow"])
def test_text_becomes_tables(budgie: Command, tmp_path: Path, form: str) -> None:
    source = make_corpus(tmp_path)
    budgie("annotate", source, "--format", form, "--output", f"{tmp_path}/o/", notes=True)
    assert files(tmp_path / "o") == {f"{name}.{form}" for name in ("a", "deep/b", "deep/er/c", "plain")}
    read = pq.read_table if form == "parquet" else feather.read_table
    given = with_text(rows(40))
    found = read(tmp_path / f"o/a.{form}").to_pylist()
    assert [{name: one[name] for name in given[0]} for one in found] == given
    assert [one["language"] for one in found] == [package.annotate(one["text"]).language for one in given]
    assert read(tmp_path / f"o/deep/er/c.{form}")["id"].to_pylist() == ["1", "2"]


def test_records_that_do_not_fit(budgie: Command, tmp_path: Path) -> None:
    """Fields have the types of the first records; nothing of later ones is lost in silence."""
    source = tmp_path / "a.jsonl"
    sound = [{"text": "x", "n": 1, "in": {"a": [1.5]}}] * 40_000
    odd = [
        {"text": "x", "n": 2**70},
        {"text": "x\ud800"},
        {"text": "x", "n": "one"},
        {"text": "x", "more": 1},
        {"text": "x", "in": {"b": 1}},
        {"text": "x", "n": 2.5},
    ]
    padding = [{"text": "word " * 5000}] * 800  # beyond what types are taken from
    source.write_bytes(json_lines([*sound, *padding, *odd, {"text": "y"}, {"text": "x", "n": None}]))
    out = tmp_path / "o.parquet"
    line = len(sound) + len(padding) + 1
    annotate = ("annotate", source, "--tasks", "language", "--output", out)
    budgie.fails(*annotate, message=f"{source}, line {line}: ")
    assert not out.exists()
    budgie(*annotate, "--errors", "skip", status=1)
    found = pq.read_table(out)
    assert found.num_rows == len(sound) + len(padding) + 2
    assert found["n"].null_count == len(padding) + 2 and found.schema.field("n").type == pa.int64()
    assert b"6 x broken record" in budgie.error


def test_one_file(budgie: Command, tables: Path, tmp_path: Path) -> None:
    source = tables / "part-0.parquet"
    budgie("annotate", source, "--tasks", "language", "--into", "found", "--output", tmp_path / "o.jsonl", notes=True)
    found = read_lines(tmp_path / "o.jsonl")
    assert [one["found"] and one["found"]["language"] for one in found] == languages(rows(50))
    assert [one["id"] for one in found] == [one["id"] for one in rows(50)]
    budgie(
        "annotate", tmp_path / "o.jsonl", "--keep", "de", "--field", "text", "--output", tmp_path / "p.arrow", status=1
    )
    assert b"no text in the field 'text'" in budgie.error
    budgie.fails("annotate", source, message=f"{source} is a table: --output FOLDER/ or FILE")
    budgie.fails(
        "annotate", source, source, "--output", tmp_path / "x.jsonl", message=f"--output {tmp_path}/x.jsonl is"
    )
    budgie.fails("annotate", source, "--output", source, message=f"--output {source} is one of the inputs")
    assert pq.read_table(source).num_rows == 50
    budgie.fails("identify", source, message=f"{source}: this looks like a Parquet file")


def test_numbers_that_json_has_not(budgie: Command, tmp_path: Path) -> None:
    import datetime

    day = datetime.datetime(2026, 11, 19, 23)
    table = pa.table({"text": ["x"], "n": [math.nan], "in": [{"m": [math.inf]}], "day": [day], "raw": [b"\xffa"]})
    pq.write_table(table, tmp_path / "a.parquet")
    budgie("annotate", tmp_path / "a.parquet", "--tasks", "language", "--output", tmp_path / "a.jsonl", notes=True)
    (found,) = read_lines(tmp_path / "a.jsonl")
    assert (found["n"], found["in"], found["day"], found["raw"]) == (None, {"m": [None]}, f"{day}.000000", "\ufffda")


def test_any_type_passes_through(budgie: Command, tmp_path: Path) -> None:
    """Also those that cannot be filtered, or that Python has no value for."""
    import decimal

    far = pa.array([253402300800, 0, None, 1], pa.int64())
    table = pa.table(
        {
            "text": pa.array(["Der Hund schläft unter dem Tisch.", "Where is it?", None, ""]).cast(pa.string_view()),
            "far": far.cast(pa.timestamp("s", "UTC")),
            "nano": far.cast(pa.duration("ns")),
            "price": pa.array([decimal.Decimal("1.10"), None, None, decimal.Decimal("9.99")], pa.decimal128(9, 2)),
            "map": pa.array([[("a", 1)], [], None, []], pa.map_(pa.string(), pa.int8())),
            "view": pa.array([b"1", None, b"3", b""], pa.binary_view()),
            "none": pa.nulls(4),
        }
    )
    for suffix in ("arrow", "parquet"):
        source = tmp_path / f"a.{suffix}"
        if suffix == "arrow":
            with pa.OSFile(str(source), "wb") as file, ipc.new_file(file, table.schema) as writer:
                writer.write_table(table)
        else:
            pq.write_table(table, source)
        before = pq.read_table(source) if suffix == "parquet" else table
        for keep, kept in (([], before), (["--keep", "de"], before.slice(0, 1))):
            out = tmp_path / f"b.{suffix}"
            budgie("annotate", source, "--tasks", "language", *keep, "--output", out, notes=True)
            found = pq.read_table(out) if suffix == "parquet" else ipc.open_file(out).read_all()
            assert found.select(before.column_names).equals(kept)
        budgie("annotate", source, "--tasks", "language", "--output", tmp_path / "c.jsonl", notes=True)
        assert [one["text"] for one in read_lines(tmp_path / "c.jsonl")] == table["text"].to_pylist()
    nothing = pa.table({"text": pa.nulls(3), "id": [1, 2, 3]})
    pq.write_table(nothing, tmp_path / "n.parquet")
    budgie("annotate", tmp_path / "n.parquet", "--tasks", "language", "--output", tmp_path / "m.parquet", notes=True)
    twice = pa.table([pa.array(["x"]), pa.array([1]), pa.array([2])], names=["text", "a", "a"])
    pq.write_table(twice, tmp_path / "t.parquet")
    annotate = ("annotate", tmp_path / "t.parquet", "--format", "jsonl", "--output", tmp_path / "t.jsonl")
    budgie.fails(*annotate, message=f"{tmp_path}/t.parquet: there are several columns of one name")


def test_values_that_are_there_again_and_again(budgie: Command, tmp_path: Path) -> None:
    """A small file of large texts: a batch of it is no larger than of others."""
    from budgie.corpus.tables.files import reading

    texts = pa.array([f"{n} " + "Das ist ein Satz. " * 4000 for n in range(3)])
    column = pa.DictionaryArray.from_arrays(pa.array([n % 3 for n in range(5000)], pa.int32()), texts)
    pq.write_table(pa.table({"text": column}), tmp_path / "a.parquet", store_schema=False)
    with reading(str(tmp_path / "a.parquet"), "parquet") as table:
        assert max(batch.nbytes for batch in table.batches(1 << 20)) < 3 << 20


def test_broken_tables(budgie: Command, tables: Path, tmp_path: Path) -> None:
    first = tables / "part-0.parquet"
    sound = first.read_bytes()
    out = f"{tmp_path}/o/"
    annotate = ("annotate", tables, "--workers", 1, "--output", out)
    pages = sound[:4] + bytes(200) + sound[204:]
    for broken in (b"", b"PAR1", sound[:-20], sound[: len(sound) // 2], pages, b"text\n" * 10):
        first.write_bytes(broken)
        budgie.fails(*annotate, message=f"{first}: cannot be read as Parquet (")
        assert not (tmp_path / "o/part-0.parquet").exists()
    budgie(*annotate, "--errors", "skip", status=1)
    assert files(tmp_path / "o") == {"part-1.parquet", "part-2.parquet"}
    (tables / "x.arrow").write_bytes(b"ARROW1 and nothing")
    budgie(*annotate, "--errors", "skip", status=1)
    assert b"x.arrow: cannot be read as Arrow (" in budgie.error


def test_columns_that_are_not_there(budgie: Command, tables: Path, tmp_path: Path) -> None:
    name, annotate = tables / "part-0.parquet", ("annotate", tables, "--workers", 1, "--output", f"{tmp_path}/o/")
    budgie.fails(*annotate, "--field", "body", message=f"{name}: no column 'body'; --field says which has the text, th")
    budgie.fails(*annotate, "--field", "id", message=f"{name}: ")
    budgie.fails(*annotate, "--into", "about", message=f"{name}: there is a field 'about' already")
    budgie.fails(*annotate, "--format", "conllu", message=f"{name} is a table: --format conllu is for text")
    labelled = pq.read_table(name).append_column("language", pa.array(["x"] * 50))
    pq.write_table(labelled, name)
    budgie.fails(*annotate, message=f"{name}: there is a field 'language' already; --into NAME gives")


def test_a_store(budgie: Command, tables: Path) -> None:
    fsspec = pytest.importorskip("fsspec", reason="fsspec is part of the extra arrow")
    store = fsspec.filesystem("memory")
    store.put(f"{tables}/", "/crawl/", recursive=True)
    annotate = ("annotate", "memory://crawl/*.parquet", "--workers", 1, "--tasks", "language")
    budgie(*annotate, "--output", "memory://labelled/", notes=True)
    with store.open("/labelled/part-2.parquet") as file:
        assert pq.read_table(file)["language"].to_pylist() == languages(rows(50, 100))
    assert store.exists("/labelled/_report.html")
    budgie(*annotate, "--output", "memory://labelled/", notes=True)
    assert b"3 of 3 files (3 by an earlier run)" in budgie.error
    store.rm("/labelled", recursive=True)
