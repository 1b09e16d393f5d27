# SPDX-License-Identifier: Apache-2.0
"""Columns of texts in, columns of answers out, by the Arrow PyCapsule interface."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

from budgie import _core
from budgie.errors import ConfigError, DataError
from budgie.tasks.batches import names, positive


class ArrowStream(Protocol):
    """A table, or a column: of polars, pyarrow, pandas, DuckDB and many others."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...


class ArrowArray(Protocol):
    """The same in one piece."""

    def __arrow_c_array__(self, requested_schema: Any = None) -> Any: ...


Table = ArrowStream | ArrowArray


class Columns:
    """Answers to the texts of a column: a table for whoever reads Arrow streams.

    Nothing is computed before a reader asks, and then batch by batch. Each reader reads the source anew.
    """

    __slots__ = ("_column", "_keep", "_source", "_task", "_threads")

    def __init__(
        self, task: _core.ColumnTask, source: Table, column: str | None, keep: Iterable[str], threads: int
    ) -> None:
        if not (hasattr(source, "__arrow_c_stream__") or hasattr(source, "__arrow_c_array__")):
            raise TypeError(
                "a table or a column that speaks the Arrow PyCapsule interface is needed, not "
                f"{type(source).__name__}; the calls with _batch take lists"
            )
        if column is not None and not isinstance(column, str):
            raise TypeError(f"column must be the name of one, not {column!r}")
        self._keep = [keep] if isinstance(keep, str) else list(names("keep", keep))
        if wrong := [name for name in self._keep if not isinstance(name, str)]:
            raise TypeError(f"keep must be a list of names, not with {wrong[0]!r} in it")
        if len(set(self._keep)) < len(self._keep):
            raise ConfigError(f"keep names a column twice: {', '.join(self._keep)}")
        self._task, self._source, self._column = task, source, column
        self._threads = positive("threads", threads)

    def __repr__(self) -> str:
        return f"<Columns {', '.join([*self._keep, *self._task.names])}>"

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """A capsule of the stream of answers. Their types are what they are, whatever is requested."""
        import threading  # noqa: PLC0415

        main_thread = threading.main_thread().ident or 0
        capsules = _capsules(self._source)
        try:
            return _core.answer(self._task, capsules, self._column, self._keep, self._threads, main_thread)
        except ValueError as error:
            raise DataError(str(error)) from None


def _capsules(source: Any) -> tuple[Any, ...]:
    """Of a stream, or of the type of an array and the array."""
    if hasattr(source, "__arrow_c_stream__"):
        return (source.__arrow_c_stream__(),)
    return tuple(source.__arrow_c_array__())
