# SPDX-License-Identifier: Apache-2.0
"""Parquet and Arrow files, read batch by batch: as much is in memory as a batch takes, however large the file is."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import ipc

from budgie.corpus.tables import MOST_ROWS, Table
from budgie.errors import DataError
from budgie.formats.places import is_url, open_reading

_BUFFER = 1 << 20  # bytes of a column that are read at a time
_LOOKED_AT = 64  # rows of a group, to see how large they are
_MAGIC = b"ARROW1"


@contextlib.contextmanager
def reading(name: str, form: str) -> Iterator[Table]:
    """A Parquet or Arrow file."""
    # A batch of an Arrow file may be all of it: in a map of a file, only what is looked at is read.
    mapped = form == "arrow" and not is_url(name) and Path(name).stat().st_size > 0
    with pa.memory_map(name) if mapped else open_reading(name) as file:
        with _readable(name, form):
            table = _Parquet(name, file) if form == "parquet" else _Arrow(name, file)
        yield table


@contextlib.contextmanager
def _readable(name: str, form: str) -> Iterator[None]:
    try:
        yield
    except (pa.ArrowException, OSError) as error:
        reason = str(error).partition("\n")[0]
        raise DataError(f"{name}: cannot be read as {form.capitalize()} ({reason})") from None


class _Parquet:
    def __init__(self, name: str, file: Any) -> None:
        # Pages are read when they are asked for: a whole row group may be more than there is memory for.
        self._file = pq.ParquetFile(file, pre_buffer=False, buffer_size=_BUFFER)
        self._name, self._read = name, 0
        self.schema, about = self._file.schema_arrow, self._file.metadata
        columns = about.row_group(0).num_columns if about.num_row_groups else 0
        self.compression = about.row_group(0).column(columns - 1).compression.lower() if columns else None

    def batches(self, size: int) -> Iterator[Any]:
        about = self._file.metadata
        with _readable(self._name, "parquet"):
            for number in range(about.num_row_groups):
                rows = self._rows_of_a_batch(number, size)
                for batch in self._file.iter_batches(rows, row_groups=[number]):
                    self._read += batch.num_rows
                    yield batch

    def _rows_of_a_batch(self, number: int, size: int) -> int:
        """What a file says of its bytes is of encoded ones: values that are there again and again count once."""
        group = self._file.metadata.row_group(number)
        first = next(self._file.iter_batches(_LOOKED_AT, row_groups=[number]), None)
        as_read = 0 if first is None else first.nbytes * group.num_rows // max(1, first.num_rows)
        return _rows_of_a_batch(group.num_rows, max(as_read, group.total_byte_size), size)

    def share(self) -> float:
        return float(self._read / max(1, self._file.metadata.num_rows))


class _Arrow:
    """The file format (Feather), or the stream format, which has no magic number."""

    compression = None

    def __init__(self, name: str, file: Any) -> None:
        self._name = name
        self._is_file = file.read(len(_MAGIC)) == _MAGIC
        file.seek(0)
        self._reader = ipc.open_file(file) if self._is_file else ipc.open_stream(file)
        self.schema, self._done = self._reader.schema, 0.0

    def batches(self, size: int) -> Iterator[Any]:
        with _readable(self._name, "arrow"):
            for batch in self._stored():
                rows = _rows_of_a_batch(batch.num_rows, batch.nbytes, size)
                for start in range(0, batch.num_rows, rows):
                    yield batch.slice(start, rows)

    def _stored(self) -> Iterator[Any]:
        if not self._is_file:
            yield from self._reader
            return
        count = self._reader.num_record_batches
        for number in range(count):
            yield self._reader.get_batch(number)
            self._done = (number + 1) / count

    def share(self) -> float:
        """How much of a stream there is nobody knows before its end."""
        return self._done


def _rows_of_a_batch(rows: int, size: int, wanted: int) -> int:
    return min(MOST_ROWS, max(1, rows * wanted // max(1, size)))
