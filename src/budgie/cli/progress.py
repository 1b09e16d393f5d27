# SPDX-License-Identifier: Apache-2.0
"""How far a command is, on one line of a terminal; nothing where standard error is no terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from budgie.formats.sources import STANDARD_INPUT, Source

_SECONDS = 0.2  # between two looks
_WIDTH = 60


class Progress:
    """Bytes of text read, how fast, and how long it will take where the size of all inputs is known."""

    def __init__(self, names: Sequence[str], shown: bool) -> None:
        self._shown = shown and sys.stderr.isatty()
        self._begin = self._last = time.monotonic()
        self._bytes = self._done = 0  # of text and of files, of the inputs that were read
        self._current = 0  # bytes of text of the input that is being read
        self._sizes = {name: _size(name) for name in names} if self._shown else {}
        self._total = sum(filter(None, (self._sizes[name] for name in names))) if self._shown else 0
        self._known = None not in self._sizes.values()
        self._visible = False

    def show(self, source: Source) -> None:
        """Say how far the reading of an input is, now and then."""
        self._current = source.bytes
        if not self._shown or (now := time.monotonic()) - self._last < _SECONDS:
            return
        self._last = now
        text, seconds = (self._bytes + self._current) / 1e6, now - self._begin
        line = f"{text:,.1f} MB, {text / seconds:,.1f} MB/s"
        done = self._done + source.place
        if self._known and 0 < done <= self._total:
            left = int(seconds * (self._total - done) / done)
            line += f", {100 * done // self._total} %, {left // 3600}:{left // 60 % 60:02}:{left % 60:02} left"
        sys.stderr.write(f"\r{line:<{_WIDTH}}")
        sys.stderr.flush()
        self._visible = True

    def end_of(self, name: str) -> None:
        """An input was read."""
        self._bytes, self._current = self._bytes + self._current, 0
        self._done += self._sizes.get(name) or 0

    def say(self, message: str) -> None:
        """A line of standard error that stays."""
        self._clear()
        sys.stderr.write(f"budgie: {message}\n")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._clear()

    def _clear(self) -> None:
        if self._visible:
            sys.stderr.write(f"\r{'':<{_WIDTH}}\r")
            self._visible = False


def _size(name: str) -> int | None:
    """Bytes of a file; None where nobody knows."""
    path = Path(name)
    return path.stat().st_size if name != STANDARD_INPUT and path.is_file() else None
