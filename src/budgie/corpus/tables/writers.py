# SPDX-License-Identifier: Apache-2.0
"""Writers of tables, batch by batch."""

from __future__ import annotations

import contextlib
import json
import math
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import ipc

_GROUP = 64 << 20  # bytes of a row group in memory, which is all that is held of the output


Write = Callable[[Any], None]  # the next batch


@contextlib.contextmanager
def open_writer(form: str, file: BinaryIO, schema: Any, compression: str | None) -> Iterator[Write]:
    """Writes Parquet, compressed as the input was, Arrow's file format or JSON lines."""
    if form == "jsonl":
        yield lambda batch: _write_lines(file, batch)
    elif form == "arrow":
        with ipc.new_file(file, schema) as writer:
            yield writer.write_batch
    else:
        codec = "none" if compression == "uncompressed" else compression or "zstd"
        with pq.ParquetWriter(file, schema, compression=codec) as writer:
            groups = _RowGroups(writer)
            yield groups.write
            groups.flush()


class _RowGroups:
    """Row groups of one size, whatever the batches."""

    def __init__(self, writer: Any) -> None:
        self._writer = writer
        self._held: list[Any] = []
        self._size = 0

    def write(self, batch: Any) -> None:
        self._held.append(batch)
        self._size += batch.nbytes
        if self._size >= _GROUP:
            self.flush()

    def flush(self) -> None:
        table = pa.Table.from_batches(self._held, self._writer.schema)
        self._held, self._size = [], 0
        if table.num_rows:
            self._writer.write_table(table, row_group_size=table.num_rows)


def _write_lines(file: BinaryIO, batch: Any) -> None:
    # Python has no time of nanoseconds, and no year 10,000.
    times = [number for number, field in enumerate(batch.schema) if pa.types.is_temporal(field.type)]
    for number in times:
        column = batch.column(number)
        shown = column.cast("int64") if pa.types.is_duration(column.type) else column.cast("string")
        batch = batch.set_column(number, batch.schema.field(number).name, shown)
    file.write(b"".join(_line(row) for row in batch.to_pylist()))


def _line(row: dict[str, Any]) -> bytes:
    """What JSON has no place for becomes text, and what is no number null."""
    try:
        text = json.dumps(row, ensure_ascii=False, default=_text, allow_nan=False)
    except ValueError:
        text = json.dumps(_finite(row), ensure_ascii=False, default=_text)
    return text.encode("utf-8", "replace") + b"\n"


def _text(value: Any) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _finite(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {name: _finite(one) for name, one in value.items()}
    return [_finite(one) for one in value] if isinstance(value, list) else value
