# SPDX-License-Identifier: Apache-2.0
"""How far a command is: on one line of a terminal; of a corpus, which takes hours, on lines of a log, too."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Self

from budgie.formats.places import is_file, stamp
from budgie.formats.sources import STANDARD_INPUT, Source

if TYPE_CHECKING:
    from budgie.corpus.run import Run

_SECONDS = 0.2  # between two looks
_SECONDS_A_LINE = 30  # of a log
_WIDTH = 78


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
            line += f", {100 * done // self._total} %, {_clock(seconds * (self._total - done) / done)} left"
        _overwrite(line)
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
            _overwrite("", "\r")
            self._visible = False


class CorpusProgress:
    """Files and bytes of input that are done, how fast, and how long the rest will take."""

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()
        self._begin = self._last = time.monotonic()
        self._first: float | None = None  # bytes that earlier runs have done
        self._visible = False
        self.run: Run | None = None

    def show(self, done: float, run: Run) -> None:
        """Say so, if it is time."""
        self.run = run
        if self._first is None:
            self._first = done
        now = time.monotonic()
        if now - self._last < (_SECONDS if self._terminal else _SECONDS_A_LINE):
            return
        self._last, size = now, sum(run.sizes)
        rate = (done - self._first) / (now - self._begin)
        line = f"{run.before + run.done:,} of {len(run.shards):,} files, {done / 1e6:,.1f} MB, {rate / 1e6:,.1f} MB/s"
        if rate > 0:
            line += f", {100 * done / size:.0f} %, {_clock((size - done) / rate)} left"
        if self._terminal:
            _overwrite(line)
            self._visible = True
        else:
            sys.stderr.write(f"budgie: {line}\n")

    def say(self, message: str) -> None:
        """A line that stays."""
        self.__exit__()
        sys.stderr.write(f"budgie: {message}\n")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._visible:
            _overwrite("", "\r")
            self._visible = False


def _overwrite(line: str, end: str = "") -> None:
    sys.stderr.write(f"\r{line:<{_WIDTH}}{end}")
    sys.stderr.flush()


def _clock(seconds: float) -> str:
    left = int(seconds)
    return f"{left // 3600}:{left // 60 % 60:02}:{left % 60:02}"


def _size(name: str) -> int | None:
    """Bytes of a file; None where nobody knows."""
    return stamp(name).size if name != STANDARD_INPUT and is_file(name) else None
