# SPDX-License-Identifier: Apache-2.0
"""Compressed files, to read and to write."""

from __future__ import annotations

import gzip
import lzma
import zlib
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, cast

from budgie.formats.zst import compress_zst, open_zst

UNREADABLE = (OSError, EOFError, lzma.LZMAError, zlib.error)  # what a plain or compressed file may raise

_OPEN: Mapping[str, Callable[[Any], Any]] = {".gz": gzip.open, ".xz": lzma.open, ".zst": open_zst}
_COMPRESS: Mapping[str, Callable[[BinaryIO], Any]] = {
    ".gz": lambda file: gzip.GzipFile("", "wb", 6, file, mtime=0),
    ".xz": partial(lzma.open, mode="wb"),
    ".zst": compress_zst,
}


def open_bytes(path: Path) -> BinaryIO:
    """Open a plain, .gz, .xz or .zst file for reading bytes."""
    return decompressed(path, path.suffix) if path.suffix in _OPEN else path.open("rb")


def decompressed(file: Path | BinaryIO, suffix: str) -> BinaryIO:
    """What a compressed file holds; a file that was open already stays so when this is closed."""
    return cast(BinaryIO, _OPEN[suffix](file))


def compressing(file: BinaryIO, suffix: str) -> AbstractContextManager[BinaryIO]:
    """What compresses into a file, as its name says, or the file itself."""
    return cast(BinaryIO, _COMPRESS[suffix](file)) if suffix in _COMPRESS else nullcontext(file)
