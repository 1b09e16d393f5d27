# SPDX-License-Identifier: Apache-2.0
"""Lines of text from plain and compressed files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from budgie.errors import DataError
from budgie.formats.compression import UNREADABLE, open_bytes


def read_lines(path: Path) -> Iterator[str]:
    """The lines of a UTF-8 file without their ends; LF and CRLF, a leading BOM and a missing last LF are all fine."""
    number = 0
    try:
        with open_bytes(path) as file:
            # bytes split at LF only: a str would also break at U+2028, form feeds and other characters of the text
            for number, line in enumerate(file, 1):
                text = line.rstrip(b"\r\n").decode("utf-8")
                yield text.removeprefix("\ufeff") if number == 1 else text
    except UnicodeDecodeError as error:
        raise DataError(
            f"{path}, line {number}, byte {error.start + 1} of the line: this is not UTF-8; convert the file to UTF-8"
        ) from None
    except UNREADABLE as error:
        if number == 0 and isinstance(error, OSError) and error.strerror:
            raise DataError(f"{path}: {error.strerror}") from None
        raise DataError(f"{path}, after line {number}: cannot be read ({error})") from None
    if number == 0:
        raise DataError(f"{path} is empty")
