# SPDX-License-Identifier: Apache-2.0
"""Records with a text each: lines, paragraphs or the whole of plain text, JSON lines, rows of CSV and TSV.

They come in batches, as the input does: a call for each would take longer than to identify its language.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from budgie.errors import ConfigError, DataError
from budgie.formats.sniffing import FIELD, NAMES, Form, find_form
from budgie.formats.sources import Source, lines
from budgie.tasks.records import decode

if TYPE_CHECKING:
    from budgie.formats.tables import Rows

_SHOWN = 20  # names of fields

Unit = Literal["line", "paragraph", "file"]
Fields = dict[str, Any] | list[str]  # an object of JSON, or the cells of a row
Broken = Callable[[str, int, str], None]  # what is done with a broken record: its source, its line, what is wrong


class Batch(NamedTuple):
    """Some records. Texts are bytes in plain text, and str where something had to be decoded anyway."""

    texts: list[bytes] | list[str]
    raw: list[bytes]  # as they came, but for the end of the line
    lines: Sequence[int]  # on which each begins, from 1
    fields: Sequence[Fields] = ()  # none in plain text

    def decoded(self) -> list[str]:
        """The texts."""
        return [decode(text) for text in self.texts]

    def some(self, places: Sequence[int]) -> Batch:
        """Those at some places."""
        columns = (self.texts, self.raw, self.lines, self.fields)
        return Batch(*([column[place] for place in places] if column else column for column in columns))  # type: ignore[arg-type]


def stop(source: str, line: int, fault: str) -> None:
    """A broken record ends everything."""
    raise DataError(f"{source}, line {line}: {fault}")


class Reading(NamedTuple):
    """How to read."""

    form: Form | None = None  # None: by the name of the file, or by how it begins
    field: str | None = None  # None: the usual name
    unit: Unit | None = None  # of plain text; None: the usual one
    usual_unit: Unit = "line"
    broken: Broken = stop


class Records:
    """The records of one input, in batches. What comes before an error is given before that is raised."""

    def __init__(self, name: str, reading: Reading = Reading()) -> None:
        self.source = Source(name)
        chunks = self.source.chunks()
        begin = next(chunks)
        self.form = find_form(self.source, begin, reading.form, reading.field)
        if self.form == "html":  # which is read as a whole; all that follows is plain text
            self.form, chunks, begin = "text", iter(()), _text_of(itertools.chain([begin], chunks))
        self.field = reading.field or FIELD
        self.header, self.columns = b"", list[str]()  # of a table
        if self.form != "text" and reading.unit is not None:
            raise ConfigError(
                f"{self.source.shown} is read as {NAMES[self.form]}, where a text is what a record has, and no "
                f"{reading.unit}; --input text reads it as plain text"
            )
        self.broken = reading.broken
        self._hinted = False  # whether somebody was told which fields there are
        self.reserved = frozenset[str]()  # names of fields that no object of JSON may have, since answers take them
        self._batches = self._read(itertools.chain([begin], chunks), reading.unit or reading.usual_unit)

    def __iter__(self) -> Iterator[Batch]:
        return self._batches

    def _read(self, chunks: Iterator[bytes], unit: Unit) -> Iterator[Batch]:
        if self.form == "text":
            return _PLAIN[unit](chunks)
        if self.form == "jsonl":
            return self._sound(_objects(lines(chunks), self.field))
        return self._sound(self._rows(chunks))

    def _rows(self, chunks: Iterator[bytes]) -> Iterator[_Found | None]:
        from budgie.formats.tables import Rows  # noqa: PLC0415

        rows = Rows(chunks, self.form == "tsv")
        self.header, self.columns = rows.header.raw, rows.header.cells
        if rows.header.fault:
            raise DataError(f"{self.source.shown}, line {rows.header.line}: {rows.header.fault}")
        if self.columns and self.field not in self.columns:
            raise DataError(
                f"{self.source.shown}: no column {self.field!r}; --field says which has the text, there are "
                f"{', '.join(self.columns)}"
            )
        if self.columns.count(self.field) > 1:
            raise DataError(
                f"{self.source.shown}: there are several columns {self.field!r}; give them names of their own"
            )
        return _cells(rows, self.columns.index(self.field) if self.columns else 0)

    def _sound(self, found: Iterable[_Found | None]) -> Iterator[Batch]:
        """The records that are not broken."""
        batch: list[_Found] = []
        try:
            for one in found:
                fault = one and self._fault(one)
                if one is not None and not fault:
                    batch.append(one)
                    continue
                yield _batch(batch)
                batch = []
                if one is not None and fault:
                    self.broken(self.source.shown, one.line, fault)
        except Exception:
            yield _batch(batch)
            raise
        yield _batch(batch)

    def _fault(self, one: _Found) -> str:
        """What is wrong with a record, if anything is: there must be a place for its answer, too."""
        if isinstance(one.fields, list):
            return one.fault
        if not one.fault:
            return "" if self.reserved.isdisjoint(one.fields) else taken(self.reserved.intersection(one.fields))
        if self._hinted or self.field in one.fields or not (names := _names_of_texts(one.fields)):
            return one.fault
        self._hinted = True
        return f"{one.fault}; --field says which has the text, there are {', '.join(names)}"


def taken(names: Iterable[str]) -> str:
    """What is wrong with a record, or with a table, that has fields of these names."""
    return f"there is a field {min(names)!r} already; --into NAME gives the answer a place"


# ---- records with fields; None between them says that the next has to be waited for ----------------------------


class _Found(NamedTuple):
    """A record, or what is wrong with it."""

    text: str
    raw: bytes
    line: int
    fields: Fields
    fault: str = ""


def _batch(found: list[_Found]) -> Batch:
    return Batch([one.text for one in found], [one.raw for one in found], [one.line for one in found],
                 [one.fields for one in found])  # fmt: skip


def _objects(pieces: Iterator[list[bytes]], field: str) -> Iterator[_Found | None]:
    """JSON lines; blank ones are no records."""
    first = 1
    for piece in pieces:
        for number, line in enumerate(piece, first):
            if line.strip():
                yield _object(line, number, field)
        first += len(piece)
        yield None


def _object(line: bytes, number: int, field: str) -> _Found:
    try:
        fields = json.loads(line.decode("utf-8", "replace"))
    except RecursionError:
        return _Found("", line, number, {}, "nested too deeply")
    except json.JSONDecodeError as error:
        return _Found("", line, number, {}, f"not JSON ({error.msg} at character {error.pos + 1})")
    except ValueError as error:  # a number without end
        return _Found("", line, number, {}, str(error))
    if not isinstance(fields, dict):
        return _Found("", line, number, {}, "not an object of JSON")
    text = value(fields, field)
    if not isinstance(text, str):
        fault = f"no text in the field {field!r}" if text is None else f"the field {field!r} is no text"
        return _Found("", line, number, fields, fault)
    return _Found(text, line, number, fields)


def value(fields: dict[str, Any], name: str) -> Any:
    """What a field holds, or None; `a.b` is also the field b of an object in the field a."""
    if name in fields or "." not in name:
        return fields.get(name)
    first, _, rest = name.partition(".")
    inner = fields.get(first)
    return value(inner, rest) if isinstance(inner, dict) else None


def _names_of_texts(fields: dict[str, Any]) -> list[str]:
    """The first fields that --field could name, as people see them."""
    objects = [(name, one) for name, one in fields.items() if isinstance(one, dict)]
    inside = ((f"{name}.{inner}", text) for name, one in objects for inner, text in one.items())
    names = dict.fromkeys(name for name, text in itertools.chain(fields.items(), inside) if isinstance(text, str))
    return [repr(name) for name in itertools.islice(names, _SHOWN)]


def _cells(rows: Rows, place: int) -> Iterator[_Found | None]:
    """Rows of a table, with their text in the column `place`."""
    for row in rows:
        yield _Found("" if row.fault else row.cells[place], row.raw, row.line, row.cells, row.fault)
        if not rows.waiting:
            yield None


# ---- plain text ------------------------------------------------------------------------------------------------


def _lines(chunks: Iterator[bytes]) -> Iterator[Batch]:
    first = 1
    for raw in lines(chunks):
        texts = [line.removesuffix(b"\r") for line in raw]
        yield Batch(texts, raw, range(first, first + len(raw)))
        first += len(raw)


def _paragraphs(chunks: Iterator[bytes]) -> Iterator[Batch]:
    from budgie.formats.paragraphs import paragraphs  # noqa: PLC0415

    for found in paragraphs(chunks):
        places = [line for line, text in found if text.strip()]
        texts = [text.rstrip() for _, text in found if text.strip()]
        yield Batch(texts, texts, places)


def _whole(chunks: Iterator[bytes]) -> Iterator[Batch]:
    text = [b"".join(chunks)]
    yield Batch(text, text, [1])


def _text_of(page: Iterable[bytes]) -> bytes:
    from budgie.formats.html_text import plain_text  # noqa: PLC0415

    return plain_text(decode(b"".join(page))).encode()


_PLAIN = {"line": _lines, "paragraph": _paragraphs, "file": _whole}
