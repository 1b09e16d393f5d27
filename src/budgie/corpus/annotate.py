# SPDX-License-Identifier: Apache-2.0
"""Annotates a shard: what it is decides how. The output is there as a whole or not at all."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Any

from budgie.corpus.counts import Counts
from budgie.corpus.models import models_for
from budgie.corpus.options import Options
from budgie.corpus.record_annotator import RecordAnnotator, html_frame
from budgie.corpus.shards import Shard
from budgie.errors import DataError
from budgie.formats.places import stamp, writing
from budgie.formats.records import Reading, Records
from budgie.formats.sniffing import FORMS, TABLE_FORMS

_TOLD = 0.1  # seconds between two words on how far a shard is

Tell = Callable[[float], None]  # how much of a shard is done, from 0 to 1


def annotate_shard(shard: Shard, options: Options, tell: Tell = lambda _: None) -> Counts:
    """Annotate a file, and count what was found."""
    counts, tell = Counts(), _now_and_then(tell)
    if shard.form in TABLE_FORMS:
        from budgie.corpus.tables.files import reading  # noqa: PLC0415

        with reading(shard.input, shard.form) as table:
            _write_table(shard, options, counts, table, tell)
        return counts
    records, size = Records(shard.input, _reading(options, counts)), max(1, stamp(shard.input).size)
    if shard.format in TABLE_FORMS:
        from budgie.corpus.tables.records import RecordTable  # noqa: PLC0415

        _write_table(shard, options, counts, RecordTable(records, size), tell)
        return counts
    from budgie.formats.compression import compressing  # noqa: PLC0415

    begin, end = html_frame() if shard.format == "html" else (b"", b"")
    pieces = RecordAnnotator(options, models_for(options), counts).writer(shard.format)(records)
    with writing(shard.output) as file, compressing(file, PurePosixPath(shard.output).suffix) as output:
        output.write(begin)
        for piece in pieces:
            output.write(piece)
            tell(records.source.place / size)
        output.write(end)
        _check_some(shard, counts)
    return counts


def _write_table(shard: Shard, options: Options, counts: Counts, table: Any, tell: Tell) -> None:
    from budgie.corpus.table_annotator import TableAnnotator  # noqa: PLC0415
    from budgie.corpus.tables.writers import open_writer  # noqa: PLC0415

    annotator = TableAnnotator(options, models_for(options), counts, table, shard.input)
    with (
        writing(shard.output) as file,
        open_writer(shard.format, file, annotator.schema, table.compression) as write,
    ):
        for batch in annotator.batches():
            write(batch)
            tell(table.share())
        _check_some(shard, counts)


def _check_some(shard: Shard, counts: Counts) -> None:
    """Where every record is broken, it is the file that is not what was asked for."""
    if counts.skipped and not counts.documents and not counts.without_text:
        raise DataError(f"{shard.input}: all of its {counts.skipped:,} records are broken, as {counts.examples[0]}")


def _now_and_then(tell: Tell) -> Tell:
    last = time.monotonic()

    def told(share: float) -> None:
        nonlocal last
        if (now := time.monotonic()) - last >= _TOLD:
            last = now
            tell(min(share, 1.0))

    return told


def _reading(options: Options, counts: Counts) -> Reading:
    def broken(source: str, line: int, fault: str) -> None:
        message = f"{source}, line {line}: {fault}"
        if not options.skip:
            raise DataError(f"{message}; --errors skip goes on without such records")
        counts.skip(message)

    form = options.input if options.input in FORMS else None
    return Reading(form, options.field, options.unit, "paragraph", broken)  # type: ignore[arg-type]
