# SPDX-License-Identifier: Apache-2.0
"""A model file of one's own goes where a spaCy pipeline goes."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any, Self

import budgie


class OwnModel:
    """What spaCy asks of a part of a pipeline to write and read it.

    The file of an embedded model is no part of the pipeline; a file of one's own is, since its path need not be one
    where the pipeline is read again. For the same reason no file is read before it is used.
    """

    def __init__(self, file_name: str, own: bool) -> None:
        self.file_name = file_name
        self.own = own

    @cached_property
    def file(self) -> budgie.Model:
        """The model."""
        return budgie.read_model(self.file_name)

    def to_bytes(self, **_: Any) -> bytes:
        """The file of one's own."""
        return self.file.to_bytes() if self.own else b""

    def from_bytes(self, data: bytes, **_: Any) -> Self:
        """Take that file."""
        if self.own:
            self.file = budgie.Model.from_bytes(data)
        return self

    def to_disk(self, path: str | Path, **_: Any) -> None:
        """Write the file of one's own."""
        if self.own:
            self.file.write(path)

    def from_disk(self, path: str | Path, **_: Any) -> Self:
        """Take that file."""
        if self.own:
            self.file = budgie.Model.read(path)
        return self
