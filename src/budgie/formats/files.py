# SPDX-License-Identifier: Apache-2.0
"""Files that are there as a whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO


def check_replaceable(path: Path) -> None:
    """Refuse a folder, a device or a pipe: a rename would replace the device itself; and a loop of links."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISREG(mode):
        raise FileExistsError(errno.EEXIST, "is there already and is not a regular file", str(path))


def replace_file(path: Path, data: bytes) -> None:
    """Write a file all at once."""
    with replacing(path) as file:
        file.write(data)


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A file to write: whatever happens, `path` holds the old contents or the new, never a part."""
    check_replaceable(path)
    path = path.resolve()  # a link stays one
    temporary = path.with_name(f".budgie-{os.urandom(8).hex()}.tmp")
    try:
        with _create(temporary, path) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise


def _create(temporary: Path, path: Path) -> BinaryIO:
    """Not tempfile: its files are closed to group and others. Errors name the file that was asked for."""
    try:
        return temporary.open("xb")
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
