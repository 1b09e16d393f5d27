# SPDX-License-Identifier: Apache-2.0
"""Readers of labelled text: tables, folders of one file a label, and the Baldwin and Lui (2010) archive."""

from __future__ import annotations

import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from budgie.errors import DataError
from budgie.formats import COMPRESSED
from budgie.formats.compression import UNREADABLE
from budgie.formats.lines import read_lines

TEXT_SUFFIXES = tuple(f".txt{suffix}" for suffix in ("", *COMPRESSED))


@dataclass(frozen=True, slots=True)
class Example:
    """A text and its label; `source` is the sub-folder it came from, empty where there is none."""

    label: str
    text: str
    source: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """One document of the Baldwin and Lui data; `fold` is the authors' cross-validation fold, 0 to 9."""

    name: str
    text: str
    language: str
    fold: int


def read_labelled(path: Path) -> Iterator[Example]:
    """Stream labelled text from a table (`read_table`) or a folder (`read_folder`)."""
    found = False
    for example in read_folder(path) if path.is_dir() else read_table(path):
        found = True
        yield example
    if not found:
        raise DataError(f"{path} holds no text")


def read_table(path: Path) -> Iterator[Example]:
    """One example a line, label TAB text; blank lines are skipped."""
    for number, line in enumerate(read_lines(path), 1):
        if not line.strip():
            continue
        label, tab, text = line.partition("\t")
        if not tab:
            raise DataError(f"{path}, line {number}: no tab; each line must be a label, a tab and a text")
        if not label.strip():
            raise DataError(f"{path}, line {number}: the label before the tab is empty")
        if text.strip():
            yield Example(label.strip(), text.strip())


def read_folder(folder: Path) -> Iterator[Example]:
    """One example a line from LABEL.txt, plain or compressed, in `folder` or in a sub-folder, its source."""
    files = text_files(folder)
    if not files:
        raise DataError(f"{folder} holds no files named LABEL.txt, LABEL.txt.gz, LABEL.txt.xz or LABEL.txt.zst")
    for path in files:
        source = "" if path.parent == folder else path.parent.name
        for line in read_lines(path):
            if line.strip():
                yield Example(label_of(path), line.strip(), source)


def text_files(folder: Path) -> list[Path]:
    """Every text file of `folder` and of its sub-folders, in a fixed order."""
    candidates = [*folder.glob("*"), *folder.glob("*/*")]
    return sorted(path for path in candidates if path.is_file() and path.name.endswith(TEXT_SUFFIXES))


def label_of(path: Path) -> str:
    """The label a file is named after: all before .txt."""
    return path.name[: path.name.rindex(".txt")]


def read_baldwin_lui(path: Path, corpus: Literal["Wikipedia", "TCL"]) -> list[Document]:
    """One corpus of naacl2010-langid.tar.xz, in the order of its meta file.

    Languages come from the meta file alone. Each document is decoded by the encoding named there; bytes that
    do not fit become U+FFFD, as a user's program would do.
    """
    root = "naacl2010-langid"
    files: dict[str, bytes] = {}
    try:
        with tarfile.open(path, "r:*") as archive:
            for member in archive:
                if member.isfile() and member.name.startswith((f"{root}/{corpus}/", f"{root}/{corpus}.meta")):
                    content = archive.extractfile(member)
                    assert content is not None  # isfile() says so
                    files[member.name.removeprefix(f"{root}/")] = content.read()
    except (*UNREADABLE, tarfile.TarError) as error:
        raise DataError(f"{path} is not a readable archive ({error}); download it again") from None
    meta = files.get(f"{corpus}.meta")
    if meta is None:
        raise DataError(f"{path} holds no {corpus}.meta; it must be the archive of Baldwin and Lui (2010)")
    documents = []
    for number, line in enumerate(meta.decode("utf-8", "replace").splitlines(), 1):
        where = f"{path}, {corpus}.meta, line {number}"
        fields = line.split("\t")
        if len(fields) != 4 or not fields[3].isdecimal():
            raise DataError(f"{where}: not four fields (file, encoding, language, fold)")
        name, encoding, language, fold = fields
        raw = files.get(f"{corpus}/{name}")
        if raw is None:
            raise DataError(f"{where}: the archive lacks {corpus}/{name}")
        try:
            text = raw.decode(encoding, "replace")
        except LookupError:
            raise DataError(f"{where}: unknown encoding {encoding}") from None
        documents.append(Document(name, text, language, int(fold)))
    return documents
