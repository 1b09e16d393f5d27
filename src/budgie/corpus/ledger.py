# SPDX-License-Identifier: Apache-2.0
"""What of a corpus is done: a note beside the output for each shard, so that a later run goes on with the rest.

A note is written behind its shard. Without one, or where the input or the output is not what it says, a shard is done
again, as a whole.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import budgie
from budgie.corpus.counts import Counts
from budgie.corpus.options import Options
from budgie.corpus.shards import Shard
from budgie.errors import ConfigError
from budgie.formats import places
from budgie.formats.places import Stamp, absolute, join, stamp

_FOLDER = "_budgie"  # Spark, DuckDB and others leave out what begins so
_NOTES = f"{_FOLDER}/shards"
_AT_ONCE = 16  # notes that are read side by side: stores take their time for each


class Ledger:
    """The notes in an output folder."""

    def __init__(self, output: str, options: Options) -> None:
        self._output = output
        self._made = {"budgie": budgie.__version__, **options.of_output()}

    def begin(self, anew: bool) -> None:
        """All shards of a folder are made with the same options and by the same version."""
        name, made = join(self._output, f"{_FOLDER}/options.json"), self._made
        before = _json(name)
        if before is None and not anew and _has_files(self._output):
            raise ConfigError(
                f"{self._output} has files that no earlier run has written: take an empty folder, or --overwrite"
            )
        if before is not None and before != made and not anew and _has_files(join(self._output, _NOTES)):
            differences = [key for key in {**before, **made} if before.get(key) != made.get(key)]
            told = "; ".join(f"{key} {before.get(key)!r} then, {made.get(key)!r} now" for key in sorted(differences))
            raise ConfigError(
                f"{self._output} has shards that were made in another way ({told}): take another folder, or --overwrite"
            )
        if before != made:
            _write(name, made)

    def done(self, shards: Sequence[Shard]) -> list[Counts | None]:
        """What was found in each shard, where it is done."""
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            return list(pool.map(self._done, shards))

    def _done(self, shard: Shard) -> Counts | None:
        note = _json(self._note(shard))
        if note is None or note["made"] != self._made:
            return None
        name, *version = note["input"]
        if name != absolute(shard.input):
            raise ConfigError(
                f"{shard.output} was made of {name}, and {shard.input} would take its place: take another folder, or "
                "--overwrite"
            )
        if version != list(stamp(shard.input)):
            return None
        try:
            if stamp(shard.output).size != note["bytes"]:
                return None
        except FileNotFoundError:
            return None
        return Counts.from_dict(note["counts"])

    def note(self, shard: Shard, before: Stamp, counts: Counts) -> None:
        """A shard is done; `before` is the stamp that its input had when it was begun."""
        said = {"made": self._made, "input": [absolute(shard.input), *before], "bytes": stamp(shard.output).size}
        _write(self._note(shard), {**said, "counts": counts.to_dict()})

    def _note(self, shard: Shard) -> str:
        return join(self._output, f"{_NOTES}/{shard.relative}.json")


def _has_files(folder: str) -> bool:
    try:
        return bool(places.find(folder)) if places.is_folder(folder) else False
    except ValueError:
        return False


def _json(name: str) -> dict[str, Any] | None:
    data = places.read(name)
    try:
        found: dict[str, Any] | None = None if data is None else json.loads(data)
    except ValueError:
        return None
    return found


def _write(name: str, value: dict[str, Any]) -> None:
    with places.writing(name) as file:
        file.write(json.dumps(value, ensure_ascii=False, indent=1).encode("utf-8", "replace"))
