# SPDX-License-Identifier: Apache-2.0
"""What an input is, by its name and by how it begins."""

from __future__ import annotations

import re
from typing import Literal, get_args

from budgie.errors import ConfigError, DataError
from budgie.formats import COMPRESSED
from budgie.formats.sources import Source

Form = Literal["text", "html", "jsonl", "csv", "tsv"]
FORMS: tuple[Form, ...] = get_args(Form)
NAMES = {"text": "plain text", "html": "HTML", "jsonl": "JSON lines", "csv": "CSV", "tsv": "TSV"}  # for people
FIELD = "text"  # what the field or the column of a text is called, unless somebody says otherwise

_SUFFIXES: dict[str, Form] = {
    ".html": "html", ".htm": "html", ".xhtml": "html", ".jsonl": "jsonl", ".ndjson": "jsonl", ".csv": "csv",
    ".tsv": "tsv",
}  # fmt: skip
# Tables that are no text, which corpora may have; the endings of their names.
TABLE_FORMS = ("parquet", "arrow")
_TABLES = {".parquet": "parquet", ".pq": "parquet", ".arrow": "arrow", ".feather": "arrow", ".arrows": "arrow"}
_BLOCK = 2**16  # bytes that are looked at
_LINES = 10  # that are looked at for objects
_ENOUGH = 64  # fewer bytes may be anything
_NULS = 0.01  # share of the bytes that no text has
_STRANGE = 0.2  # share of what is neither UTF-8 nor to be read that no text has
_CONTROLS = bytes(set(range(32)) - set(b"\b\t\n\v\f\r\x1b"))
_BINARY = {b"PK\x03\x04": "a zip file", b"BZh": "a bzip2 file", b"PAR1": "a Parquet file", b"%PDF": "a PDF file"}
_PAGE = re.compile(rb"\s*<(?:!doctype html|html)\b", re.IGNORECASE)  # how a page begins
_OBJECT = re.compile(rb'\s*\{\s*"(?:[^"\\]|\\.)*"\s*:')  # how an object of JSON begins
_SPREAD = re.compile(rb'\s*(?:\[\s*\{|\{\s*\n\s*"(?:[^"\\]|\\.)*"\s*:)')  # a list of them, and one on several lines


def find_form(source: Source, begin: bytes, form: Form | None, field: str | None) -> Form:
    """The format of an input: as it was said (`form`), by the name of the file, or by how it begins."""
    if form is None:
        block = begin[:_BLOCK]
        if objection := _objection(block):
            raise DataError(f"{source.shown}: {objection}; --input text reads it as it is")
        form = form_by_name(source.name) or _by_look(source, block, field)
    if form in ("text", "html") and field is not None:
        raise ConfigError(
            f"--field: {source.shown} is read as {NAMES[form]}; --input says what it is (jsonl, csv, tsv)"
        )
    return form


def _objection(block: bytes) -> str | None:
    """Why these bytes are no text."""
    width, order = _zeros(block)
    if width:
        code = f"UTF-{width}{order}"
        return f"this looks like {code} without a byte order mark: convert it (iconv -f {code} -t UTF-8)"
    if len(block) < _ENOUGH:
        return None
    strange = len(block) - len(block.translate(None, _CONTROLS))
    text = block.decode("utf-8", "replace")
    strange += text.count("\ufffd") - block.count("\ufffd".encode())
    if block.count(0) > _NULS * len(block) or strange > _STRANGE * len(text):
        what = next((what for magic, what in _BINARY.items() if block.startswith(magic)), "a binary file")
        return f"this looks like {what}, or text that is not UTF-8: convert it to UTF-8 text first"
    return None


def _zeros(block: bytes) -> tuple[int, str]:
    """The bits of a character and the order of its bytes, where zeros stand as they do in UTF-32 or UTF-16."""
    for width in (4, 2):
        half = width // 2
        whole = block[: len(block) // width * width]
        often = [2 * whole[place::width].count(0) * width > len(whole) for place in range(width)]
        if all(often[half:]) and not often[0]:
            return 8 * width, "LE"
        if all(often[:half]) and not often[-1]:
            return 8 * width, "BE"
    return 0, ""


def form_by_name(name: str) -> Form | None:
    """The format that the name of a file says."""
    for suffix in COMPRESSED:
        name = name.removesuffix(suffix)
    return next((form for suffix, form in _SUFFIXES.items() if name.lower().endswith(suffix)), None)


def table_form(name: str) -> str | None:
    """Whether the name of a file says that it is a table that is no text, and which."""
    return next((form for suffix, form in _TABLES.items() if name.lower().endswith(suffix)), None)


def _by_look(source: Source, block: bytes, field: str | None) -> Form:
    if field is None and _PAGE.match(block):
        return "html"
    if _SPREAD.match(block):
        raise DataError(
            f"{source.shown} looks like JSON, but not like one record a line; jq -c makes such lines "
            "(--input text reads it as it is)"
        )
    lines = [line for line in block.split(b"\n", _LINES)[:_LINES] if line.strip()]
    objects = sum(bool(_OBJECT.match(line)) for line in lines)
    if objects and 2 * objects >= len(lines):
        if field is None and not re.search(rb'"%b"\s*:' % FIELD.encode(), block):
            raise DataError(
                f'{source.shown} looks like JSON lines without a field "{FIELD}"; --field NAME says which has the text '
                "(--input text reads lines as they are)"
            )
        return "jsonl"
    if field is not None and lines:
        for form, delimiter in (("tsv", "\t"), ("csv", ","), ("csv", ";")):
            if field in [cell.strip('"\r') for cell in lines[0].decode("utf-8", "replace").split(delimiter)]:
                return form  # type: ignore[return-value]
    return "text"
