# SPDX-License-Identifier: Apache-2.0
"""Text in, answers out: files, compressed files, standard input, as it comes."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, Protocol, cast

from budgie.errors import ConfigError, DataError
from budgie.formats import COMPRESSED

_CHUNK = 2**20  # bytes read at a time; a pipe gives what it has, so that answers do not wait for more


def write_answers(args: argparse.Namespace, answers: Callable[[str], Iterable[bytes]]) -> None:
    """Write what `answers` makes of each input, a piece as soon as it is there."""
    names = args.files or ["-"]
    with open_output(args.output, names) as output:
        for name in names:
            for piece in answers(name):
                output.write(piece)
                output.flush()


@contextlib.contextmanager
def open_output(name: str | None, inputs: Iterable[str]) -> Iterator[BinaryIO]:
    """The file of --output, which must not be an input and is there when it is complete, or standard output."""
    from budgie.formats.files import replacing

    if name is None or name == "-":
        yield sys.stdout.buffer
        return
    if any(one != "-" and _same_file(one, name) for one in inputs):
        raise ConfigError(f"--output {name} is one of the inputs; it would be lost")
    path = Path(name)
    if path.exists() and not path.is_file() and not path.is_dir():
        with path.open("wb") as device:  # or a pipe: nothing to rename
            yield device
        return
    from budgie.formats.compression import compressing

    with replacing(path) as file, compressing(file, path.suffix) as output:
        yield output


def _same_file(one: str, other: str) -> bool:
    try:
        return Path(one).samefile(other)
    except OSError:  # one of them is not there
        return False


class _Readable(Protocol):
    def read1(self, size: int, /) -> bytes: ...


def read(name: str) -> Iterator[bytes]:
    """The bytes of a file or of standard input, as they come."""
    if name == "-":
        yield from _chunks(cast(_Readable, sys.stdin.buffer))
    elif name.endswith(COMPRESSED):
        yield from _read_compressed(Path(name))
    else:
        with Path(name).open("rb") as file:
            yield from _chunks(file)


def _chunks(file: _Readable) -> Iterator[bytes]:
    while chunk := file.read1(_CHUNK):
        yield chunk


def _read_compressed(path: Path) -> Iterator[bytes]:
    from budgie.formats.compression import UNREADABLE, open_bytes

    with open_bytes(path) as file:
        try:
            yield from _chunks(cast(_Readable, file))
        except UNREADABLE as error:
            raise DataError(f"{path}: cannot be read ({error})") from None


def read_pieces(name: str) -> Iterator[list[bytes]]:
    """The lines that each chunk of a file or of standard input completes, without their ends (LF or CRLF)."""
    begun: list[bytes] = []  # parts of the last line; joined once, however long it grows
    for chunk in read(name):
        if b"\n" not in chunk:
            begun.append(chunk)
            continue
        *lines, last = b"".join([*begun, chunk]).split(b"\n")
        begun = [last]
        yield [line.removesuffix(b"\r") for line in lines]
    if last := b"".join(begun):
        yield [last.removesuffix(b"\r")]


def read_texts(name: str) -> Iterator[list[str]]:
    """The same lines as text: what is not UTF-8 becomes U+FFFD, and a byte order mark is left out."""
    for number, lines in enumerate(read_pieces(name)):
        piece = [line.decode("utf-8", "replace") for line in lines]
        if number == 0:
            piece[0] = piece[0].removeprefix("\ufeff")
        yield piece


def pretty(value: dict[str, Any]) -> str:
    """One JSON object, for people too."""
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"
