# SPDX-License-Identifier: Apache-2.0
"""The shards of a corpus: one file in, one file out."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from budgie.corpus.options import Options
from budgie.errors import ConfigError
from budgie.formats import COMPRESSED
from budgie.formats.places import Found, absolute, find, is_url, join
from budgie.formats.sniffing import TABLE_FORMS, form_by_name, table_form
from budgie.pipeline import known_tasks

# What else is in the folder of the output: Spark, DuckDB and others leave out what begins so.
FOLDER, SUMMARY, REPORT = "_budgie", "_summary.json", "_report.html"
_PLAIN = (".txt", ".text")  # endings of plain text, which give way to those of the output


class Shard(NamedTuple):
    """A file to annotate and the file to write."""

    input: str
    output: str
    relative: str  # name of the output in its folder
    form: str | None  # of the input; None: by its name, or by how it begins
    format: str  # of the output


def plan(inputs: Iterable[str], output: str, options: Options) -> list[Shard]:
    """The shards of all files that the inputs stand for, in order; a file that several stand for has one."""
    shards: dict[str, Shard] = {}
    known = set[str]()
    for found in (one for name in inputs for one in _outside(name, output)):
        if (place := absolute(found.name)) in known:
            continue
        known.add(place)
        form = options.input or table_form(found.name)
        format = options.format or (form if form in TABLE_FORMS else "jsonl")
        check_form(found.name, form, format, options)
        relative = _renamed(found.relative, form, format)
        shard = Shard(found.name, join(output, relative), relative, form, format)
        if (other := shards.setdefault(shard.output, shard)) is not shard:
            raise ConfigError(f"{other.input} and {shard.input} would both be written to {shard.output}")
    _check_places(shards.values(), output, known)
    return list(shards.values())


def _check_places(shards: Iterable[Shard], output: str, inputs: set[str]) -> None:
    """What is written lies in the folder and nowhere else, whatever links there are, and is none of the inputs."""
    for shard in shards:
        first, *others = PurePosixPath(shard.relative).parts
        if ".." in (first, *others) or first == FOLDER or shard.relative in (SUMMARY, REPORT):
            raise ConfigError(f"{shard.input} would be written to {shard.output}, where it must not be")
    for name in [*(shard.output for shard in shards), *(join(output, one) for one in (SUMMARY, REPORT, FOLDER))]:
        if not is_url(name) and Path(absolute(output)) not in Path(absolute(name)).parents:
            raise ConfigError(f"{name} is a link that leads out of {output}: take another folder")
        if absolute(name) in inputs:
            raise ConfigError(f"{name} is one of the inputs; it would be lost")


def plan_one(name: str, output: str, options: Options) -> Shard:
    """The only shard of one file, which is written to another."""
    form = options.input or table_form(name)
    format = options.format or table_form(output) or "jsonl"
    check_form(name, form, format, options)
    return Shard(name, output, PurePosixPath(output).name, form, format)


def check_form(name: str, form: str | None, format: str, options: Options) -> None:
    """Refuse what a format has no place for, or would not show."""
    if form in TABLE_FORMS or format in TABLE_FORMS:
        import budgie.corpus.tables  # noqa: F401, PLC0415  (says what is missing, before anything is done)
    if form in TABLE_FORMS and format not in (*TABLE_FORMS, "jsonl"):
        raise ConfigError(f"{name} is a table: --format {format} is for text; take parquet, arrow or jsonl")
    rows = ("jsonl", *TABLE_FORMS)
    if format not in rows and "tokens" not in known_tasks(options.tasks):
        asked = ",".join(options.tasks)
        raise ConfigError(f"--tasks {asked} finds no tokens; --format {', '.join(rows)} show the languages")
    if options.into is not None and format not in rows:
        raise ConfigError(f"--into goes with --format {', '.join(rows)}")
    if options.where and (format in ("html", *TABLE_FORMS) or form in TABLE_FORMS):
        raise ConfigError("--where goes with --format conllu, jsonl or tsv, and with text")


def _renamed(relative: str, form: str | None, format: str) -> str:
    """The name that a file has in the output: with the ending of its format, and compressed as before."""
    stem, compressed = relative, ""
    if PurePosixPath(relative).suffix in COMPRESSED:
        compressed = PurePosixPath(relative).suffix
        stem = relative.removesuffix(compressed)
    same = table_form(stem) == format or (form_by_name(stem) == format == "jsonl")
    if not same:
        suffix = PurePosixPath(stem).suffix
        known = form is not None or suffix in _PLAIN or form_by_name(stem) is not None
        stem = f"{stem.removesuffix(suffix) if known else stem}.{format}"
    return stem if format in TABLE_FORMS else stem + compressed


def _outside(name: str, output: str) -> list[Found]:
    """The files that a name stands for; those of the output are none of them, where it lies among the inputs."""
    every = find(name)
    found = [one for one in every if not _is_inside(one.name, output)]
    if not found:
        raise ConfigError(f"{every[0].name} is inside of the folder {output}, which is to be written: take another")
    return found


def _is_inside(name: str, folder: str) -> bool:
    if is_url(name) or is_url(folder):
        return name.startswith(f"{folder.rstrip('/')}/")
    return Path(absolute(folder)) in Path(absolute(name)).parents
