# SPDX-License-Identifier: Apache-2.0
"""Columns of those who speak Arrow, and answers that they take as they are (make columns installs them)."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from arrow_structs import chunks, read

import budgie
from budgie import DataError

TEXTS = [
    "Der Hund schläft unter dem Tisch.",
    None,
    "It rains. Let's go!",
    "",
    "研究生命的起源",
    None,
    "Où est la gare ?",
]
LANGUAGES = [text if text is None else budgie.identify(text).language for text in TEXTS]


def languages(source: Any, **options: Any) -> list[str | None]:
    return [row["language"] for row in read(budgie.identify_column(source, **options))]


def pyarrow_sources(pa: Any) -> Iterator[tuple[str, Any]]:
    column = pa.array(TEXTS)
    yield "array", column
    for name in ("large_string", "string_view", "binary", "large_binary", "binary_view"):
        yield name, pa.array(TEXTS, getattr(pa, name)())
    yield "dictionary", column.dictionary_encode()
    yield "chunks", pa.chunked_array([column[:2], column[2:2], column[2:]])
    yield "slice", pa.array(["x", None, *TEXTS, "y"])[2:-1]
    yield "slice of a dictionary", pa.array(["x", None, *TEXTS, "y"]).dictionary_encode()[2:-1]
    yield "slice of views", pa.array(["x", None, *TEXTS, "y"], pa.string_view())[2:-1]
    yield "table", pa.table({"text": column})
    yield "slice of a table", pa.table({"text": pa.array(["x", *TEXTS])}).slice(1)
    yield "batch", pa.RecordBatch.from_pydict({"text": column})
    yield "struct", pa.StructArray.from_arrays([column], ["text"])
    yield "slice of a struct", pa.StructArray.from_arrays([pa.array(["x", *TEXTS, "y"])], ["text"])[1:-1]
    yield "reader", pa.table({"text": column}).to_reader()


def test_pyarrow_in() -> None:
    pa = pytest.importorskip("pyarrow")
    for name, source in pyarrow_sources(pa):
        assert languages(source) == LANGUAGES, name
    assert languages(pa.array([None, None])) == [None, None]
    assert languages(pa.array([], pa.string())) == []
    assert languages(pa.table({"text": pa.array([], pa.string())})) == []
    nulls = pa.StructArray.from_arrays([pa.array(["x", "Où est la gare ?"])], ["text"], mask=pa.array([True, False]))
    assert languages(nulls) == [None, "fr"]
    with pytest.raises(DataError, match="Arrow type"):
        languages(pa.array([1, 2]))
    with pytest.raises(DataError, match="Arrow type"):
        languages(pa.array(TEXTS).dictionary_encode().dictionary_encode().cast(pa.string()).value_counts().field(1))


def test_pyarrow_out() -> None:
    pa = pytest.importorskip("pyarrow")
    found = pa.table(budgie.identify_column(pa.array(TEXTS)))
    found.validate(full=True)
    assert found["language"].to_pylist() == LANGUAGES and found.schema.field("language").type == pa.string()
    encoded = pa.table(budgie.identify_column(pa.array(TEXTS), dictionary=True))
    encoded.validate(full=True)
    assert encoded["language"].to_pylist() == LANGUAGES and pa.types.is_dictionary(encoded["language"].type)
    for columns in (
        budgie.annotate_column(pa.array(TEXTS), probabilities=True),
        budgie.annotate_column(pa.array(TEXTS), dictionary=True),
        budgie.spans_column(pa.array(TEXTS)),
        budgie.rank_column(pa.array(TEXTS)),
        budgie.segment_column(pa.array(TEXTS), offsets=True),
        budgie.tag_column(pa.array([["a", None], None, []]), "en", probabilities=True),
    ):
        made = pa.table(columns)
        made.validate(full=True)
        assert made.to_pylist() == read(columns)
    assert pa.RecordBatchReader.from_stream(budgie.identify_column(pa.array(TEXTS))).read_all() == found
    assert pa.table(budgie.identify_column(pa.array([], pa.string()))).schema == found.schema


def test_pyarrow_keeps_columns() -> None:
    pa = pytest.importorskip("pyarrow")
    table = pa.table(
        {
            "text": TEXTS,
            "id": range(len(TEXTS)),
            "tags": [["a"], None, [], ["b", None], ["c"], [], None],
            "kind": pa.array(list("ababxyz")).dictionary_encode(),
            "more": [{"x": n, "y": {"z": str(n)}} for n in range(len(TEXTS))],
        }
    )
    kept = ["more", "id", "kind", "tags", "text"]
    for source in (table, table.slice(2), pa.concat_tables([table, table.slice(3)])):
        found = pa.table(budgie.identify_column(source, column="text", keep=kept))
        found.validate(full=True)
        assert found.select(kept).combine_chunks() == source.select(kept).combine_chunks()
    big = pa.concat_tables([table] * 20_000).combine_chunks()  # several batches of answers for one of the source
    found = pa.table(budgie.identify_column(big, column="text", keep=kept, threads=2))
    found.validate(full=True)
    assert found["id"].num_chunks > 1
    assert found.select(kept).combine_chunks() == big.select(kept)
    assert found["language"].to_pylist() == LANGUAGES * 20_000


def test_polars() -> None:
    pl = pytest.importorskip("polars")
    series = pl.Series("text", TEXTS)
    sources = [
        series,
        series.to_frame(),
        pl.Series(["x", *TEXTS])[1:],
        pl.concat([series[:2], series[2:]], rechunk=False),
        series.cast(pl.Categorical),
        series.to_frame().select(pl.struct("text")).to_series(),
    ]
    for source in sources:
        found = pl.DataFrame(budgie.identify_column(source))
        assert found["language"].to_list() == LANGUAGES
        assert found.schema == {"language": pl.String, "probability": pl.Float32, "reliable": pl.Boolean}
    encoded = pl.DataFrame(budgie.identify_column(series, dictionary=True))
    assert encoded["language"].to_list() == LANGUAGES and encoded["language"].dtype == pl.Categorical
    for columns in (budgie.annotate_column(series), budgie.segment_column(series), budgie.spans_column(series)):
        assert pl.DataFrame(columns).to_dicts() == read(columns)
    words = pl.Series([["The", "cat"], None, []])
    expected = [budgie.tag(["The", "cat"], "en"), None, []]
    assert pl.DataFrame(budgie.tag_column(words, "en"))["tags"].to_list() == expected
    assert pl.DataFrame(budgie.tag_column(words[:1].list.to_array(2), "en"))["tags"].to_list() == expected[:1]
    lazy = series.to_frame().lazy()
    with pytest.raises(TypeError, match="not LazyFrame"):
        budgie.identify_column(lazy)
    in_lazy = lazy.with_columns(
        pl.col("text").map_batches(
            lambda one: pl.DataFrame(budgie.identify_column(one))["language"], return_dtype=pl.String
        )
    )
    assert in_lazy.collect()["text"].to_list() == LANGUAGES


def test_pandas() -> None:
    pd = pytest.importorskip("pandas", "2.2")
    pytest.importorskip("pyarrow")
    frame = pd.DataFrame({"text": TEXTS})
    assert languages(frame) == LANGUAGES
    assert languages(frame.astype("category")) == LANGUAGES
    if hasattr(pd.DataFrame, "from_arrow"):  # 3
        assert languages(frame["text"]) == LANGUAGES
        found = pd.DataFrame.from_arrow(budgie.identify_column(frame))
        assert [None if pd.isna(one) else one for one in found["language"]] == LANGUAGES


def test_duckdb() -> None:
    duckdb = pytest.importorskip("duckdb")
    pa = pytest.importorskip("pyarrow")
    connection = duckdb.connect()
    connection.register("texts", pa.table({"id": range(len(TEXTS)), "text": TEXTS}))
    relation = connection.sql("select * from texts order by id")
    assert languages(relation, column="text") == LANGUAGES
    columns = budgie.identify_column(pa.table({"text": TEXTS}), dictionary=True)
    assert repr(columns) == "<Columns language, probability, reliable>"  # and SQL finds it by its name
    assert [one for (one,) in connection.sql("select language from columns").fetchall()] == LANGUAGES
    documents = budgie.annotate_column(pa.table({"text": TEXTS}))
    rows = connection.sql("select t.text from (select unnest(sentences) as s from documents), unnest(s.tokens) as u(t)")
    assert sorted(text for (text,) in rows.fetchall()) == sorted(
        token.text for text in TEXTS if text for token in budgie.annotate(text).tokens
    )
    assert repr(documents).startswith("<Columns language")


SAME_CONNECTION = """
import duckdb, budgie
connection = duckdb.connect()
connection.sql("create table texts as select 'It rains.' as text from range(100000)")
source = {source}
relation = source.sql("select text from texts")
columns = budgie.identify_column(relation)
print(connection.sql("select language, count(*) from columns group by language").fetchall())
"""


def duckdb_reads(source: str) -> tuple[int, str]:
    call = [sys.executable, "-c", SAME_CONNECTION.format(source=source)]
    done = subprocess.run(call, capture_output=True, text=True, timeout=30, check=False)
    return done.returncode, (done.stdout or done.stderr).split("\n")[-2]  # a bar of progress may stand before


def test_duckdb_reads_answers_to_a_relation() -> None:
    """The trap: a connection that reads answers to a relation of its own waits for itself, or refuses to."""
    pytest.importorskip("duckdb")
    assert duckdb_reads("connection.cursor()") == (0, "[('en', 100000)]")
    try:
        code, said = duckdb_reads("connection")
    except subprocess.TimeoutExpired:
        return  # versions before 2
    assert (code != 0 and "ResourceInUse" in said) or said == "[('en', 100000)]"


def test_nanoarrow_and_arro3() -> None:
    na = pytest.importorskip("nanoarrow")
    arro3 = pytest.importorskip("arro3.core")
    array = na.Array(TEXTS, na.string())
    assert languages(array) == LANGUAGES
    found = na.ArrayStream(budgie.identify_column(array)).read_all().to_pylist()
    assert [row["language"] for row in found] == LANGUAGES
    assert languages(arro3.Array(array)) == LANGUAGES
    assert languages(arro3.ChunkedArray(array)) == LANGUAGES
    assert arro3.Table(budgie.identify_column(array))["language"].to_pylist() == LANGUAGES


def test_readers_that_stop_early() -> None:
    pa = pytest.importorskip("pyarrow")
    duckdb = pytest.importorskip("duckdb")
    batch = pa.RecordBatch.from_pydict({"text": ["Où est la gare ?"] * 1000})
    asked = 0

    def without_end() -> Iterator[Any]:
        nonlocal asked
        while True:
            asked += 1
            yield batch

    columns = budgie.identify_column(pa.RecordBatchReader.from_batches(batch.schema, without_end()), threads=2)
    assert duckdb.sql("select language from columns limit 2").fetchall() == [("fr",)] * 2
    read_by_duckdb = asked
    reader = pa.RecordBatchReader.from_stream(columns)
    kept = reader.read_next_batch()
    del reader, columns
    assert kept["language"].to_pylist() == ["fr"] * 1000
    assert asked == read_by_duckdb + 1 < 100


def failing_source() -> Any:
    """One that no Python is run for when it is given back, which readers do with an error at hand."""
    pa = pytest.importorskip("pyarrow")
    batch = pa.RecordBatch.from_pydict({"text": TEXTS})

    def batches() -> Iterator[Any]:
        yield batch
        raise OSError("the disk is full")

    return pa.RecordBatchReader.from_batches(batch.schema, batches())


READERS: dict[str, Callable[[Any], Any]] = {
    "pyarrow": lambda columns: pytest.importorskip("pyarrow").table(columns),
    "polars": lambda columns: pytest.importorskip("polars").DataFrame(columns),
    "duckdb": lambda columns: pytest.importorskip("duckdb").sql("select * from columns").fetchall(),
    "nanoarrow": lambda columns: pytest.importorskip("nanoarrow").ArrayStream(columns).read_all(),
    "arro3": lambda columns: pytest.importorskip("arro3.core").Table(columns),
}


@pytest.mark.parametrize("name", READERS)
def test_errors_come_through(name: str) -> None:
    """One that is seen before there are batches, and one in the middle of them."""
    reader = READERS[name]
    with pytest.raises(Exception, match="no table but one column"):
        reader(budgie.identify_column(chunks(TEXTS), column="text"))
    with pytest.raises(Exception, match="the disk is full"):
        reader(budgie.identify_column(failing_source()))
