# SPDX-License-Identifier: Apache-2.0
"""Files compressed by Zstandard, which Python reads by itself from 3.14 on."""

from __future__ import annotations

import contextlib
import importlib
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, cast

from budgie.errors import MissingExtra

_BUILT_IN = "compression.zstd"
_CHUNK = 2**12  # compressed bytes read at a time: they may become 30,000 times as many


def open_zst(file: Path | BinaryIO) -> BinaryIO:
    """Open a .zst file, or what one holds, for reading bytes; a file that was open already stays so."""
    zstd = _implementation()
    frame = zstd.ZstdDecompressor if zstd.__name__ == _BUILT_IN else lambda: zstd.ZstdDecompressor().decompressobj()
    return cast(BinaryIO, io.BufferedReader(_Decompressed(file, frame, zstd.ZstdError)))


def compress_zst(file: BinaryIO) -> BinaryIO:
    """What compresses into a file."""
    zstd = _implementation()
    return cast(BinaryIO, zstd.open(file, "wb") if zstd.__name__ == _BUILT_IN else zstd.open(file, "wb", closefd=False))


def _implementation() -> Any:
    for name in (_BUILT_IN, "zstandard"):
        with contextlib.suppress(ImportError):
            return importlib.import_module(name)
    raise MissingExtra(".zst files need the extra zst: pip install 'budgie-nlp[zst]', or '.[zst]' in a checkout")


class _Decompressed(io.RawIOBase):
    """Any number of frames, one behind the other. A file that ends within one is an error, as with .gz and .xz."""

    def __init__(self, file: Path | BinaryIO, frame: Callable[[], Any], error: type[Exception]) -> None:
        self._own = isinstance(file, Path)
        self._file = file.open("rb") if isinstance(file, Path) else file
        self._make, self._error = frame, error
        self._frame: Any = None
        self._read = b""  # and not yet decompressed
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._ready:
            self._read = self._read or self._file.read(_CHUNK)
            if not self._read:
                if self._frame is not None:
                    raise EOFError("the file ends too early")
                return 0
            self._frame = self._frame or self._make()
            try:
                self._ready = memoryview(self._frame.decompress(self._read))
            except self._error as error:
                raise OSError(str(error)) from None
            self._read = b""
            if self._frame.eof:
                self._read, self._frame = self._frame.unused_data, None
        count = min(len(buffer), len(self._ready))
        buffer[:count] = self._ready[:count]
        self._ready = self._ready[count:]
        return count

    def close(self) -> None:
        if self._own:
            self._file.close()
        super().close()
