# SPDX-License-Identifier: Apache-2.0
"""Annotates tables: all columns of the input, and those of the answers behind them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from budgie.corpus.counts import BINS, Counts
from budgie.corpus.models import Models
from budgie.corpus.options import Options
from budgie.corpus.tables import Table
from budgie.errors import DataError
from budgie.formats.records import taken
from budgie.formats.sniffing import FIELD
from budgie.pipeline import Pipeline

# Bytes of a batch, about: tokens and tags take many times the memory of a text.
_FOR_LANGUAGES, _FOR_TOKENS = 16 << 20, 1 << 20


class TableAnnotator:
    """Annotates one table, whose texts are in one of its columns."""

    def __init__(self, options: Options, models: Models, counts: Counts, table: Table, name: str) -> None:
        self._options, self._models, self._counts, self._table = options, models, counts, table
        self._field, columns = options.field or FIELD, table.schema.names
        if self._field not in columns:
            there = ", ".join(columns) or "none"
            raise DataError(f"{name}: no column {self._field!r}; --field says which has the text, there are {there}")
        if len(set(columns)) < len(columns):
            raise DataError(f"{name}: there are several columns of one name")
        try:
            own = self._answers(models.pipeline, table.schema.empty_table()).schema
        except DataError as error:
            raise DataError(f"{name}: {error}") from None
        names = [options.into] if options.into else own.names
        if clash := set(names).intersection(columns):
            raise DataError(f"{name}: {taken(clash)}")
        added = [pa.field(options.into, pa.struct(list(own)))] if options.into else list(own)
        self.schema = pa.schema([*table.schema, *added], metadata=table.schema.metadata)

    def batches(self) -> Iterator[Any]:
        """The rows that are kept, and their answers."""
        models = self._models
        tokens = "tokens" in models.pipeline.tasks
        for batch in self._table.batches(_FOR_TOKENS if tokens else _FOR_LANGUAGES):
            texts = batch.column(self._field)
            found = self._answers(models.judge, batch)
            kept = self._kept(found) if models.keep else None
            self._count(texts, found, kept)
            rows = pa.Table.from_batches([batch])
            if kept is not None:
                rows, found = _filtered(rows, kept), found.filter(kept)
            if models.judges_first:
                found = self._answers(models.pipeline, rows)
            yield from self._joined(rows, found).to_batches()

    def _answers(self, pipeline: Pipeline, rows: Any) -> Any:
        options = self._options
        try:
            return pa.table(pipeline.annotate_column(rows, options.language, options.threads, column=self._field))
        except Exception:
            _go_on()
            raise

    def _kept(self, found: Any) -> Any:
        keep = self._models.keep
        assert keep is not None
        sure = found["reliable"]
        if keep.least is not None:
            sure = pc.greater_equal(pc.cast(found["probability"], "double"), keep.least)
        kept = pc.and_(pc.is_in(found["language"], pa.array(sorted(keep.labels))), sure)
        return pc.fill_null(kept, False)

    def _joined(self, rows: Any, found: Any) -> Any:
        columns = [one.combine_chunks() if one.num_chunks != 1 else one.chunk(0) for one in found.columns]
        if self._options.into:
            nulls = pc.is_null(rows[self._field]).combine_chunks()
            columns = [pa.StructArray.from_arrays(columns, fields=list(found.schema), mask=nulls)]
        return pa.table([*rows.columns, *columns], schema=self.schema)

    def _count(self, texts: Any, found: Any, kept: Any) -> None:
        """The same as Counts.add() of each text, by columns."""
        sizes = _sizes(texts)
        there = pc.is_valid(sizes)
        known = pa.table(
            {
                "language": found["language"],
                "bytes": sizes,
                "reliable": pc.cast(found["reliable"], "int64"),
                "kept": pc.cast(there if kept is None else kept, "int64"),
                "kept_bytes": sizes if kept is None else pc.if_else(kept, sizes, 0),
                "bits": _bits(sizes),
                "bin": pc.min_element_wise(
                    pc.cast(pc.floor(pc.multiply(pc.cast(found["probability"], "double"), BINS)), "int64"), BINS - 1
                ),
            }
        ).filter(there)
        self._counts.without_text += len(sizes) - known.num_rows
        self._counts.kept_bytes += pc.sum(known["kept_bytes"]).as_py() or 0
        sums = known.group_by("language").aggregate(
            [("language", "count"), ("bytes", "sum"), ("reliable", "sum"), ("kept", "sum")]
        )
        for row in sums.to_pylist():
            counts = self._counts.of(row["language"])
            counts.add(row["language_count"], row["bytes_sum"], row["reliable_sum"], row["kept_sum"])
        for row in pc.value_counts(known["bits"]).to_pylist():
            self._counts.lengths[row["values"]] += row["counts"]
        for row in pc.value_counts(known["bin"]).to_pylist():
            self._counts.probabilities[row["values"]] += row["counts"]


def _go_on() -> None:
    """Ctrl-C has ended a reader in C with an error of its own; Python raises what it has to in the next call: here."""


def _filtered(rows: Any, kept: Any) -> Any:
    """Some rows. Not every type can be filtered, but every one can be cut into pieces."""
    try:
        return rows.filter(kept)
    except pa.ArrowNotImplementedError:
        mask, pieces, start = kept.to_pylist(), [rows.slice(0, 0)], 0
        for stays, run in itertools.groupby(mask):
            count = len(list(run))
            if stays:
                pieces.append(rows.slice(start, count))
            start += count
        return pa.concat_tables(pieces)


def _sizes(texts: Any) -> Any:
    """The bytes of texts; those of a dictionary are measured once."""
    if pa.types.is_dictionary(texts.type):
        return _sizes(texts.dictionary).take(texts.indices)
    if pa.types.is_null(texts.type):
        texts = texts.cast(pa.string())
    if texts.type in (pa.string_view(), pa.binary_view()):
        texts = texts.cast(pa.large_binary())
    return pc.cast(pc.binary_length(texts), "int64")


def _bits(sizes: Any) -> Any:
    """The bits of a number, as int.bit_length() has them."""
    return pc.cast(pc.add(pc.floor(pc.log2(pc.max_element_wise(pc.cast(sizes, "double"), 0.5))), 1), "int64")
