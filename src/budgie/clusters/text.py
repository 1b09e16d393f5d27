# SPDX-License-Identifier: Apache-2.0
"""Text in pieces, which may be counted one by one: files, or so many lines of a file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from budgie.errors import DataError
from budgie.formats import COMPRESSED
from budgie.formats.compression import UNREADABLE, open_bytes

_CHUNK = 2**20  # bytes given to the core at a time
_BOM = b"\xef\xbb\xbf"


class Piece(NamedTuple):
    """Whole lines of a file: its bytes from `begin` on, before `end`."""

    path: Path
    begin: int = 0
    end: int | None = None


def pieces_of(paths: Sequence[Path], size: int) -> Iterator[Piece]:
    """The files in pieces that end with the line where they have `size` bytes; compressed ones stay whole."""
    for path in paths:
        begin = 0
        if path.suffix not in COMPRESSED:
            with path.open("rb") as file:
                length = file.seek(0, 2)
                while begin + size < length:
                    file.seek(begin + size - 1)
                    while (part := file.readline(_CHUNK)) and not part.endswith(b"\n"):
                        pass
                    if (end := file.tell()) >= length:
                        break
                    yield Piece(path, begin, end)
                    begin = end
        yield Piece(path, begin)


def chunks_of(piece: Piece) -> Iterator[bytes]:
    """The text of a piece, without a byte order mark."""
    with open_bytes(piece.path) as file:
        try:
            at = file.seek(piece.begin) if piece.begin else 0
            while chunk := file.read(_CHUNK if piece.end is None else min(_CHUNK, piece.end - at)):
                yield chunk if at else chunk.removeprefix(_BOM)
                at += len(chunk)
        except UNREADABLE as error:
            raise DataError(f"{piece.path}: cannot be read ({error})") from None
