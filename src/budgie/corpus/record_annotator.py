# SPDX-License-Identifier: Apache-2.0
"""Annotates records as text: plain text, JSON lines or tables of text in, CoNLL-U, JSON lines, columns or HTML out."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from budgie.corpus.counts import Counts
from budgie.corpus.models import Models
from budgie.corpus.options import Options
from budgie.formats.record_writers import RecordWriter, one_line, utf8
from budgie.formats.records import Batch, Records
from budgie.formats.sources import STANDARD_INPUT
from budgie.tasks.records import decode

if TYPE_CHECKING:
    from budgie.document import Document

_NAMES = ("language", "reliable", "spans", "sentences")  # of what JSON has of a document


class RecordAnnotator:
    """Annotates inputs one after the other: texts are numbered from the first to the last, and documents named."""

    def __init__(self, options: Options, models: Models, counts: Counts) -> None:
        self._options, self._models, self._counts = options, models, counts
        self._texts = 0  # so far
        self._names: dict[str, int] = {}  # of documents so far, and how many were to have each

    def writer(self, format: str) -> Callable[[Records], Iterator[bytes]]:
        """What makes pieces of output of an input."""
        writers = {"conllu": self._conllu, "jsonl": self._jsonl, "tsv": self._tsv, "html": self._html}
        return writers[format]

    def _annotated(self, records: Records) -> Iterator[tuple[Batch, list[Document]]]:
        """The records of an input, or those that are kept, and what was found in them."""
        models, options = self._models, self._options
        for read in records:
            batch, texts = read, read.decoded()
            if models.keep is None:
                documents = models.pipeline.annotate_batch(texts, options.language, options.threads)
                places: Iterable[int] = range(len(documents))
                answers = [(one.language, one.probability, one.reliable) for one in documents]
            else:
                documents = models.judge.annotate_batch(texts, threads=options.threads)
                answers = [(one.language, one.probability, one.reliable) for one in documents]
                places = models.keep.places(answers)
                batch, documents = batch.some(places), [documents[place] for place in places]
                if models.judges_first:
                    documents = models.pipeline.annotate_batch(batch.decoded(), threads=options.threads)
            self._count(texts, answers, places)
            yield batch, documents

    def _count(self, texts: list[str], answers: list[tuple[str, float, bool]], places: Iterable[int]) -> None:
        sizes = [len(text) if text.isascii() else len(utf8(text)) for text in texts]
        kept = [False] * len(texts)
        for place in places:
            kept[place] = True
        self._counts.add(answers, sizes, kept)

    def _conllu(self, records: Records) -> Iterator[bytes]:
        """Plain text is one document and has paragraphs, a record is a document of its own."""
        plain, name, file = records.form == "text", self._name(records), _file(records)
        begin, number = f"# newdoc id = {name}\n" if plain else "", 0
        for batch, documents in self._annotated(records):
            rows = []
            for line, document in zip(batch.lines, documents, strict=True):
                number += 1
                label = f"{name}-p{number}" if plain else f"{name}-{number}"
                if sentences := document.to_conllu(f"{label}-s"):
                    begin += f"# {'newpar' if plain else 'newdoc'} id = {label}\n"
                    begin += f"# file = {file}\n# line = {line}\n" if self._options.where else ""
                    rows += [begin.encode(), sentences.encode()]
                    begin = ""
            yield b"".join(rows)

    def _jsonl(self, records: Records) -> Iterator[bytes]:
        writer = RecordWriter(records, _NAMES, self._options.into, self._options.where)
        for batch, documents in self._annotated(records):
            found = (document.to_json().encode() for document in documents)
            yield b"".join(writer.joined(batch, number, one) for number, one in enumerate(found))

    def _tsv(self, records: Records) -> Iterator[bytes]:
        file = _file(records)
        for batch, documents in self._annotated(records):
            rows = []
            for line, document in zip(batch.lines, documents, strict=True):
                self._texts += 1
                place = f"{file}\t{line}\t" if self._options.where else ""
                rows.append(document.to_tsv(f"{place}{self._texts}\t").encode())
            yield b"".join(rows)

    def _html(self, records: Records) -> Iterator[bytes]:
        from budgie.formats.document_html import pieces  # noqa: PLC0415

        for _, documents in self._annotated(records):
            _, *articles, _ = pieces(documents)
            yield utf8("".join(articles))

    def _name(self, records: Records) -> str:
        """What ids of an input begin with: the name of the file, without what ids must not have."""
        source = _file(records)
        name = own = "stdin" if source == STANDARD_INPUT else re.sub(r"\s", "_", Path(source).name)
        while own in self._names:
            self._names[name] += 1
            own = f"{name}-{self._names[name]}"
        self._names[own] = 1
        return own


def html_frame() -> tuple[bytes, bytes]:
    """What stands before all pieces of HTML, and behind them."""
    from budgie.formats.document_html import pieces  # noqa: PLC0415

    begin, end = pieces(())
    return utf8(begin), utf8(end)


def _file(records: Records) -> str:
    """The name of an input as a row shows it; names of files may be any bytes."""
    return one_line(decode(os.fsencode(records.source.name)))
