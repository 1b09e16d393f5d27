# SPDX-License-Identifier: Apache-2.0
"""Tables in files, batch by batch: Parquet, Arrow (Feather), and records of text as tables. Needs pyarrow."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any, Protocol

from budgie.errors import MissingExtra

if find_spec("pyarrow") is None:
    raise MissingExtra("Parquet and Arrow files need pyarrow: pip install 'budgie-nlp[arrow]'")

MOST_ROWS = 1 << 16  # of a batch


class Table(Protocol):
    """What is read of one file."""

    @property
    def schema(self) -> Any:
        """Its columns."""

    @property
    def compression(self) -> str | None:
        """How a Parquet file is compressed; None of others."""

    def batches(self, size: int) -> Iterator[Any]:
        """Its record batches, of about so many bytes."""

    def share(self) -> float:
        """How much of the file was read, from 0 to 1."""
