# SPDX-License-Identifier: Apache-2.0
"""Files compressed by Zstandard, which Python reads by itself from 3.14 on."""

from __future__ import annotations

import importlib
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, cast

from budgie.errors import MissingExtra

_CHUNK = 2**12  # compressed bytes read at a time: they may become 30,000 times as many


def open_zst(path: Path) -> BinaryIO:
    """Open a .zst file for reading bytes."""
    make_decompressor, error = _implementation()
    return cast(BinaryIO, io.BufferedReader(_Decompressed(path.open("rb"), make_decompressor, error)))


def _implementation() -> tuple[Callable[[], Any], type[Exception]]:
    """What makes a decompressor of one frame, and what that raises."""
    try:
        zstd = importlib.import_module("compression.zstd")
    except ImportError:
        try:
            zstd = importlib.import_module("zstandard")
        except ImportError:
            raise MissingExtra(".zst files need a package: pip install 'budgie-nlp[zst]', or zstandard") from None
        return lambda: zstd.ZstdDecompressor().decompressobj(), zstd.ZstdError
    return zstd.ZstdDecompressor, zstd.ZstdError


class _Decompressed(io.RawIOBase):
    """Any number of frames, one behind the other. A file that ends within one is an error, as with .gz and .xz."""

    def __init__(self, file: BinaryIO, make_decompressor: Callable[[], Any], error: type[Exception]) -> None:
        self._file, self._make, self._error = file, make_decompressor, error
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
        self._file.close()
        super().close()
