# SPDX-License-Identifier: Apache-2.0
"""The bytes of a file or of standard input, and their lines, as they come: decompressed, and in UTF-8."""

from __future__ import annotations

import codecs
import contextlib
import io
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, cast

from budgie.errors import DataError
from budgie.formats import MAGIC
from budgie.formats.places import is_file, open_reading

STANDARD_INPUT = "-"
_CHUNK = 2**20  # bytes read at a time; a pipe gives what it has, so that answers do not wait for more

# The longest first: two bytes of UTF-32 are those of UTF-16.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


class Source:
    """One input. Text with a byte order mark is decoded as that says; the mark is left out."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.shown = "standard input" if name == STANDARD_INPUT else name  # to people
        self.bytes = 0  # read so far, decompressed
        self.place = 0  # how many bytes of the file itself were read, where that is known

    def chunks(self) -> Iterator[bytes]:
        """All bytes; what comes before damage is given before the error is raised."""
        chunks = self._decompressed()
        first = next(chunks, b"")
        while len(first) < len(codecs.BOM_UTF32_LE) and (more := next(chunks, b"")):
            first += more
        mark, encoding = next(((mark, name) for mark, name in _MARKS if first.startswith(mark)), (b"", "utf-8"))
        first = first.removeprefix(mark)
        if encoding == "utf-8":
            yield first
            yield from chunks
            return
        decode = codecs.getincrementaldecoder(encoding)("replace").decode
        yield decode(first).encode()
        for chunk in chunks:
            yield decode(chunk).encode()
        yield decode(b"", True).encode()

    def _decompressed(self) -> Iterator[bytes]:
        with contextlib.ExitStack() as stack:
            if self.name == STANDARD_INPUT:
                file, waits = cast(io.BufferedReader, sys.stdin.buffer), False
            else:
                file, waits = stack.enter_context(open_reading(self.name)), is_file(self.name)
            raw = cast(BinaryIO, file)
            begin = file.peek(max(map(len, MAGIC.values())))
            suffix = next((one for one, magic in MAGIC.items() if begin.startswith(magic)), Path(self.name).suffix)
            if suffix not in MAGIC:
                yield from self._counted(raw, raw, waits)
                return
            from budgie.formats.compression import UNREADABLE, decompressed  # noqa: PLC0415

            try:
                yield from self._counted(stack.enter_context(decompressed(raw, suffix)), raw, waits)
            except UNREADABLE as error:
                raise DataError(f"{self.shown}: cannot be read ({error})") from None

    def _counted(self, file: BinaryIO, raw: BinaryIO, waits: bool) -> Iterator[bytes]:
        """Chunks of full size, or what a pipe has; `raw` is the file as it lies on the disk."""
        parts, size, damage, seekable = list[bytes](), 0, None, raw.seekable()
        while damage is None:
            try:
                part = cast(io.BufferedReader, file).read1(_CHUNK)
            except Exception as error:  # raised again when all that came before is given
                part, damage = b"", error
            parts.append(part)
            size += len(part)
            self.bytes += len(part)
            self.place = raw.tell() if seekable else 0
            if size >= _CHUNK or not part or not waits:
                yield b"".join(parts)
                parts, size = [], 0
            if not part:
                break
        if damage is not None:
            raise damage


def lines(chunks: Iterable[bytes]) -> Iterator[list[bytes]]:
    """The lines that each chunk completes, without LF."""
    begun: list[bytes] = []  # parts of the last line; joined once, however long it grows
    for chunk in chunks:
        if b"\n" not in chunk:
            begun.append(chunk)
            continue
        *complete, last = b"".join([*begun, chunk]).split(b"\n")
        begun = [last]
        yield complete
    if last := b"".join(begun):
        yield [last]
