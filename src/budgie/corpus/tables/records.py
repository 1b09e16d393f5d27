# SPDX-License-Identifier: Apache-2.0
"""Records of text as a table: lines of plain text, JSON lines, CSV and TSV."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa

from budgie.errors import DataError
from budgie.formats.records import Batch, Records
from budgie.formats.sniffing import FIELD
from budgie.tasks.records import decode

_LOOKED_AT = 16  # batches of records, of a megabyte each, that the types of columns are taken from

_DOES_NOT_FIT = (pa.ArrowException, OverflowError, UnicodeEncodeError)
_INSTEAD = "--format jsonl keeps records as they are"

Rows = list[dict[str, Any]]


class RecordTable:
    """Cells of CSV and TSV are text. Fields of JSON have the types they have in the first records.

    A record with other fields or of other types than those has no place in the table: it is a broken one.
    """

    compression = None

    def __init__(self, records: Records, size: int) -> None:
        self._records, self._size = records, size
        batches = ((self._rows(batch), batch.lines) for batch in records if batch.texts)
        first = list(itertools.islice(batches, _LOOKED_AT))
        self._batches = itertools.chain(first, batches)
        self.schema = self._schema([row for rows, _ in first for row in rows])

    def _rows(self, batch: Batch) -> Rows:
        if not batch.fields:
            return [{FIELD: decode(text)} for text in batch.texts]
        columns = self._records.columns
        return [one if isinstance(one, dict) else dict(zip(columns, one, strict=True)) for one in batch.fields]

    def _schema(self, rows: Rows) -> Any:
        """The types of the first records, as many of them as agree."""
        shown, columns = self._records.source.shown, self._records.columns
        if columns:
            if len(set(columns)) < len(columns):
                raise DataError(f"{shown}: there are several columns of one name")
            return pa.schema([(name, pa.string()) for name in columns])
        while rows:
            try:
                found = pa.schema(list(pa.array(rows).type))
            except _DOES_NOT_FIT as error:
                if len(rows) == 1:
                    raise DataError(f"{shown}: its records are no table: {_reason(error)}; {_INSTEAD}") from None
                rows = rows[: len(rows) // 2]
                continue
            if empty := next((one.name for one in found if _is_empty(one.type)), None):
                raise DataError(f"{shown}: the field {empty!r} is an object without fields; {_INSTEAD}")
            return found
        return pa.schema([(FIELD, pa.string())])

    def batches(self, _size: int) -> Iterator[Any]:
        """Its rows, as many at a time as the records come."""
        for rows, lines in self._batches:
            yield from self._fitting(rows, lines)

    def _fitting(self, rows: Rows, lines: Sequence[int]) -> Iterator[Any]:
        """Batches of rows that fit into the table; a part with others is halved until each of these is by itself."""
        try:
            yield self._batch(rows)
        except _DOES_NOT_FIT as error:
            if len(rows) == 1:
                self._records.broken(self._records.source.shown, lines[0], f"{_reason(error)}; {_INSTEAD}")
                return
            half = len(rows) // 2
            yield from self._fitting(rows[:half], lines[:half])
            yield from self._fitting(rows[half:], lines[half:])

    def _batch(self, rows: Rows) -> Any:
        own = pa.schema(list(pa.array(rows).type))
        both = pa.unify_schemas([self.schema, own], promote_options="permissive")
        if both != self.schema:
            new = (one.name for one in both if one.name not in self.schema.names or one != self.schema.field(one.name))
            raise pa.ArrowInvalid(f"the field {next(new)!r} is not what it is in the first records")
        return pa.RecordBatch.from_struct_array(pa.array(rows, type=pa.struct(list(self.schema))))

    def share(self) -> float:
        """How much of the file was read."""
        return self._records.source.place / max(1, self._size)


def _is_empty(kind: Any) -> bool:
    """Whether there is an object without fields, for which Parquet has no place."""
    if pa.types.is_list(kind):
        return _is_empty(kind.value_type)
    return bool(pa.types.is_struct(kind)) and (kind.num_fields == 0 or any(_is_empty(one.type) for one in kind))


def _reason(error: Exception) -> str:
    return str(error).partition("\n")[0]
