# SPDX-License-Identifier: Apache-2.0
"""Text in, answers out: files, compressed files, standard input, as it comes."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from budgie.cli.progress import Progress
from budgie.errors import ConfigError, DataError, message_of
from budgie.formats.records import Reading, Records
from budgie.formats.sniffing import FORMS, NAMES, Form
from budgie.formats.sources import STANDARD_INPUT

STANDARD_OUTPUT = "-"


def write_answers(
    args: argparse.Namespace,
    answers: Callable[[Records], Iterable[bytes]],
    reading: Reading = Reading(),
    read: Callable[[str, Reading], Records] = Records,
    frame: tuple[bytes, bytes] = (b"", b""),
) -> int:
    """Write what `answers` makes of each input, a piece as soon as it is there, in a frame. Returns the exit status.

    Whatever is wrong with an input ends the command, or with --errors skip is reported and left out; the status is 1.
    """
    names = args.files or [STANDARD_INPUT]
    form: Form | None = args.input if args.input in FORMS else None if args.input == "auto" else "text"
    to_terminal = args.output in (None, STANDARD_OUTPUT) and sys.stdout.isatty()
    with open_output(args.output, names) as output, Progress(names, not to_terminal) as progress:
        faults = _Faults(progress, args.errors == "skip")
        reading = reading._replace(form=form, field=args.field, broken=faults.record)
        first: Records | None = None

        def pieces(name: str) -> Iterator[tuple[Records, bytes]]:
            nonlocal first
            try:
                records = read(name, reading)
                first = first or records
                _check_alike(first, records)
                for piece in answers(records):
                    yield records, piece
            except (DataError, OSError) as error:
                faults.input(error)

        output.write(frame[0])
        for name in names:
            for records, piece in pieces(name):
                output.write(piece)
                output.flush()
                progress.show(records.source)
            progress.end_of(name)
        output.write(frame[1])
    return faults.status()


class _Faults:
    """What is done with broken records, and with inputs that cannot be read."""

    def __init__(self, progress: Progress, skip: bool) -> None:
        self._progress, self._skip = progress, skip
        self._records = self._inputs = 0  # left out

    def record(self, source: str, line: int, fault: str) -> None:
        if not self._skip:
            raise DataError(f"{source}, line {line}: {fault}; --errors skip goes on without such records")
        self._records += 1
        self._progress.say(f"{source}, line {line}: {fault}; left out")

    def input(self, error: DataError | OSError) -> None:
        if not self._skip:
            raise error
        self._inputs += 1
        self._progress.say(f"{message_of(error)}; the rest of this input is left out")

    def status(self) -> int:
        counts = (self._records, "broken record"), (self._inputs, "input or a part of it")
        left_out = [f"{count:,} x {what}" for count, what in counts if count]
        if left_out:
            self._progress.say(f"the output is not complete, left out: {', '.join(left_out)}")
        return 1 if left_out else 0


def _check_alike(first: Records, records: Records) -> None:
    if records.form != first.form:
        raise ConfigError(
            f"{records.source.shown} is read as {NAMES[records.form]}, {first.source.shown} as {NAMES[first.form]}: "
            "take them one by one, or say --input"
        )


@contextlib.contextmanager
def open_output(name: str | None, inputs: Iterable[str]) -> Iterator[BinaryIO]:
    """The file of --output, which must not be an input and is there when it is complete, or standard output."""
    if name is None or name == STANDARD_OUTPUT:
        yield sys.stdout.buffer
        return
    if any(same_file(one, name) for one in inputs):
        raise ConfigError(f"--output {name} is one of the inputs; it would be lost")
    path = Path(name)
    if path.exists() and not path.is_file() and not path.is_dir():
        with path.open("wb") as device:  # or a pipe: nothing to rename
            yield device
        return
    from budgie.formats.compression import compressing
    from budgie.formats.files import replacing
    from budgie.formats.places import is_url, writing

    with writing(name) if is_url(name) else replacing(path) as file, compressing(file, path.suffix) as output:
        yield output


def same_file(one: str, other: str) -> bool:
    """Whether two names are of one file; standard input may be a file, too."""
    if one == other:
        return True
    try:
        if one != STANDARD_INPUT:
            return Path(one).samefile(other)
        given = os.fstat(sys.stdin.fileno())  # `< FILE`; a terminal may well be both
        return stat.S_ISREG(given.st_mode) and os.path.samestat(given, Path(other).stat())
    except OSError:  # one of them is not there
        return False


def pretty(value: dict[str, Any]) -> str:
    """One JSON object, for people too."""
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"
