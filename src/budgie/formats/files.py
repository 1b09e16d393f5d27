# SPDX-License-Identifier: Apache-2.0
"""Files that are there as a whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
from pathlib import Path


def check_replaceable(path: Path) -> None:
    """Refuse a folder, a device or a pipe: a rename would replace the device itself."""
    if path.exists() and not path.is_file():
        raise FileExistsError(errno.EEXIST, "is there already and is not a regular file", str(path))


def replace_file(path: Path, data: bytes) -> None:
    """Write a file all at once: whatever happens, `path` holds the old contents or the new, never a part."""
    check_replaceable(path)
    temporary = path.with_name(f".budgie-{os.urandom(8).hex()}.tmp")
    try:
        with temporary.open("xb") as file:  # not tempfile: its files are closed to group and others
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
