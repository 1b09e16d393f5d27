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
        if self._records.columns:
            return pa.schema([(name, pa.string()) for name in self._records.columns])
        if not rows:
            return pa.schema([(FIELD, pa.string())])
        try:
            return pa.schema(list(pa.array(rows).type))
        except pa.ArrowException as error:
            raise DataError(
                f"{self._records.source.shown}: its records are no table: {_reason(error)}; --format jsonl keeps them "
                "as they are"
            ) from None

    def batches(self, _size: int) -> Iterator[Any]:
        """Its rows, as many at a time as the records come."""
        for rows, lines in self._batches:
            for some in self._fitting(rows, lines):
                yield pa.RecordBatch.from_struct_array(pa.array(some, type=pa.struct(list(self.schema))))

    def _fitting(self, rows: Rows, lines: Sequence[int]) -> Iterator[Rows]:
        """Rows that fit into the table; a part with others is halved until each of these is by itself."""
        fault = self._fault(rows)
        if not fault:
            yield rows
        elif len(rows) == 1:
            self._records.broken(self._records.source.shown, lines[0], f"{fault}; --format jsonl has no such limits")
        else:
            half = len(rows) // 2
            yield from self._fitting(rows[:half], lines[:half])
            yield from self._fitting(rows[half:], lines[half:])

    def _fault(self, rows: Rows) -> str:
        try:
            own = pa.schema(list(pa.array(rows).type))
            both = pa.unify_schemas([self.schema, own], promote_options="permissive")
        except pa.ArrowException as error:
            return _reason(error)
        if both == self.schema:
            return ""
        new = next(one.name for one in both if one.name not in self.schema.names or one != self.schema.field(one.name))
        return f"the field {new!r} is not what it is in the first records"

    def share(self) -> float:
        """How much of the file was read."""
        return self._records.source.place / max(1, self._size)


def _reason(error: Exception) -> str:
    return str(error).partition("\n")[0]
