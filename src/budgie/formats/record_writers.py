# SPDX-License-Identifier: Apache-2.0
"""Writers of answers to records: what a record had, and the answer."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from typing import Any

from budgie.errors import DataError
from budgie.formats.records import Batch, Fields, Records, taken
from budgie.formats.sniffing import FIELD
from budgie.tasks.records import decode

Json = dict[str, Any]

_ENCODER = json.JSONEncoder(ensure_ascii=False)  # json.dumps would make one for each
_PLACE = ("file", "line")  # names of what --where adds
_TO_SPACE = {ord(character): " " for character in "\t\r\n"}


def utf8(text: str) -> bytes:
    """Lone surrogates, which JSON may have, become U+FFFD."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()


def json_bytes(value: Json | str) -> bytes:
    """JSON on a line; lone surrogates stay as they are written in JSON."""
    try:
        return _ENCODER.encode(value).encode()
    except UnicodeEncodeError:
        return json.dumps(value).encode()


def one_line(text: str) -> str:
    """One text is one row, whatever is in it."""
    return text.translate(_TO_SPACE)


def tsv_row(cells: Iterable[str]) -> bytes:
    """A row; cells that could be taken for something else are put into quotes."""
    return utf8("\t".join(map(_quoted, cells))) + b"\n"


def _quoted(cell: str) -> str:
    if cell[:1] == '"' or any(character in cell for character in "\t\r\n"):
        return '"' + cell.replace('"', '""') + '"'
    return cell


class RecordWriter:
    """Writes the records of an input with answers, as JSON lines or as rows.

    `names` are those of the fields of an answer in JSON, which no record may have already; `into` is the field of the
    record that the answer goes into, where its own fields do not stand beside those of the record; `where` adds the
    file and the line; without `text` that of the record is left out.
    """

    def __init__(
        self,
        records: Records,
        names: Iterable[str] = (),
        into: str | None = None,
        where: bool = False,
        text: bool = True,
    ) -> None:
        self._records, self._into, self._where, self._text = records, into, where, text
        if names := [*names]:
            self._reserve([*_PLACE, *names] if where else names)

    def _reserve(self, names: Sequence[str]) -> None:
        """Nothing of a record may be lost: one that has such a field is broken, and a table that has such a column."""
        columns = self._records.columns
        if len(set(columns)) < len(columns):
            raise DataError(f"{self._records.source.shown}: JSON has no place for several columns of one name")
        self._records.reserved = frozenset(names if self._into is None else [self._into])
        self._check(self._records.reserved)

    def json(self, batch: Batch, number: int, answer: Json) -> bytes:
        """The record `number` of a batch and its answer."""
        return self.joined(batch, number, json_bytes(answer))

    def joined(self, batch: Batch, number: int, answer: bytes) -> bytes:
        """The same for an answer that is JSON already."""
        if self._where:
            place = zip(_PLACE, (self._records.source.name, batch.lines[number]), strict=True)
            answer = _join(json_bytes(dict(place)), answer)
        if self._into is not None:
            answer = b"{%b: %b}" % (json_bytes(self._into), answer)
        if batch.fields:
            record = self._record(batch, number)
        else:
            record = json_bytes({FIELD: decode(batch.texts[number])} if self._text else {})
        return _join(record, answer) + b"\n"

    def _record(self, batch: Batch, number: int) -> bytes:
        """The fields of a record, to which others will be added."""
        fields = batch.fields[number]
        record = fields if isinstance(fields, dict) else dict(zip(self._records.columns, fields, strict=True))
        if not self._text:
            record = _without(record, self._records.field)
        elif isinstance(fields, dict):
            return decode(batch.raw[number]).strip().encode()  # as it came, to the last digit of its numbers
        return json_bytes(record)

    def header(self, answer: Sequence[str]) -> bytes:
        """The names of the columns of an answer, and of what stands beside it."""
        names = [name if self._into is None else f"{self._into}.{name}" for name in answer]
        names += _PLACE if self._where else []
        self._check(names)
        return tsv_row([*names, *self._cells(self._records.columns)])

    def beside(self, batch: Batch) -> list[bytes]:
        """What stands behind the columns of the answers: what a record has beside its text, and the text."""
        if self._records.columns:
            endings = [b"\t" + tsv_row(self._cells(cells)) for cells in batch.fields]
        elif not self._text:
            endings = [b"\n"] * len(batch.texts)
        else:
            texts = (text if isinstance(text, bytes) else utf8(one_line(text)) for text in batch.texts)
            endings = [b"\t%b\n" % text for text in texts]
        if self._where:
            return [b"\t" + self.place(batch, number) + ending for number, ending in enumerate(endings)]
        return endings

    def place(self, batch: Batch, number: int) -> bytes:
        """The columns of the file and of the line."""
        return b"%b\t%d" % (os.fsencode(self._records.source.name), batch.lines[number])

    def _cells(self, cells: Fields) -> list[str]:
        pairs = zip(self._records.columns, cells, strict=True)
        return [cell for column, cell in pairs if self._text or column != self._records.field]

    def _check(self, names: Iterable[str]) -> None:
        if clash := set(names).intersection(self._records.columns):
            raise DataError(f"{self._records.source.shown}: {taken(clash)}")


def _join(record: bytes, answer: bytes) -> bytes:
    """Two objects of JSON as one; the second has fields."""
    return answer if record == b"{}" else record[:-1] + b", " + answer[1:]


def _without(record: Json, field: str) -> Json:
    """A record without its text."""
    first, _, rest = (field, "", "") if field in record else field.partition(".")
    inner = record[first]
    others = {name: value for name, value in record.items() if name != first}
    return {**others, first: _without(inner, rest)} if rest else others
