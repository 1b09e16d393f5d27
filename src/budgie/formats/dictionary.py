# SPDX-License-Identifier: Apache-2.0
"""The dictionary of a user: words that a segmenter must keep whole."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator

from budgie.errors import DataError

_LONGEST = 1000  # characters of a line
_LINE_BYTES = 4 * _LONGEST + 6  # the longest UTF-8 of that, with a byte order mark, CR, LF and one more
_CONTROL = re.compile("[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029]")  # a tab has a message of its own
_BOM = "\ufeff"
# The format of other segmenters: a Chinese or Japanese word, its frequency and perhaps a tag.
_FREQUENCY = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]+ +\d+( +[A-Za-z]+)?")


def read_dictionary(source: str | os.PathLike[str] | Iterable[str]) -> list[str]:
    """The distinct words of a file (named by its path) or of an iterable of str, in their order.

    A file is UTF-8 with one word a line and nothing else: no frequency, no comments (`#` is a character like any
    other). Words may have spaces, hyphens and symbols inside; white space around them and blank lines are skipped, and
    so is a byte order mark before the first line. The words of an iterable are taken as they are, but for white space
    around them: what this returns, it would return again.
    """
    if isinstance(source, (str, os.PathLike)):
        return list(dict.fromkeys(_words_of_file(os.fspath(source))))
    if isinstance(source, (bytes, bytearray)):
        raise TypeError("a dictionary is the path of a file, as str, or an iterable of str; this is bytes")
    return list(dict.fromkeys(_words(source)))


def _words_of_file(path: str) -> Iterator[str]:
    from pathlib import Path  # noqa: PLC0415  importing these costs more than loading a model

    from budgie.formats.compression import UNREADABLE, open_bytes  # noqa: PLC0415

    number = 0
    try:
        with open_bytes(Path(path)) as file:
            # Not by `for line in file`: a file that is no list of words may be one line of gigabytes.
            for number, line in enumerate(iter(lambda: file.readline(_LINE_BYTES), b""), 1):
                where = f"{path}, line {number}"
                if len(line) == _LINE_BYTES:
                    raise _too_long(where)
                text = _decode(line, where)
                if word := _check(text.removeprefix(_BOM) if number == 1 else text, where):
                    yield word
    except UNREADABLE as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else f"cannot be read ({error})"
        if isinstance(error, FileNotFoundError):
            reason += " (words that are no file are given as a list)"
        raise DataError(f"{path}: {reason}" if number == 0 else f"{path}, after line {number}: {reason}") from None


def _decode(line: bytes, where: str) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as error:
        place = f"{where}, byte {error.start + 1} of the line"
        raise DataError(f"{place}: this is not UTF-8; convert the dictionary to UTF-8") from None


def _words(items: Iterable[str]) -> Iterator[str]:
    for number, item in enumerate(items, 1):
        if not isinstance(item, str):
            raise TypeError(f"word {number} of the dictionary is {type(item).__name__}, not str")
        where = f"the dictionary, word {number}"
        if not item.isascii():
            try:
                item.encode()
            except UnicodeEncodeError:
                raise DataError(f"{where}: {item[:20]!r} is not valid Unicode") from None
        if word := _check(item, where):
            yield word


def _check(line: str, where: str) -> str:
    """The word of a line, empty where the line is blank."""
    line = line.rstrip("\r\n")
    if len(line) > _LONGEST:
        raise _too_long(where)
    if found := _CONTROL.search(line):
        raise DataError(f"{where}: the control character U+{ord(found[0]):04X}; remove it, a word is text")
    word = line.strip()
    if "\t" in word or _FREQUENCY.fullmatch(word):
        what = "a tab" if "\t" in word else "a frequency"
        raise DataError(f"{where}: {what}; a dictionary has one word a line and nothing else, such as a frequency")
    return word


def _too_long(where: str) -> DataError:
    return DataError(f"{where}: more than {_LONGEST:,} characters; a dictionary has one word a line")
