# SPDX-License-Identifier: Apache-2.0
"""What of a corpus is done: a note beside the output for each shard, so that a later run goes on with the rest.

A note is begun before its shard, and written behind it. Where the input or the output is not what it says, a shard is
done again, as a whole; what has no note is of somebody else.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import budgie
from budgie.corpus.counts import Counts
from budgie.corpus.options import Options
from budgie.corpus.shards import FOLDER, Shard
from budgie.errors import ConfigError
from budgie.formats import places
from budgie.formats.places import Stamp, absolute, join, stamp

_NOTES = f"{FOLDER}/shards"
_AT_ONCE = 16  # notes that are read side by side: stores take their time for each


class Ledger:
    """The notes in an output folder."""

    def __init__(self, output: str, options: Options) -> None:
        self._output = output
        self._made = {"budgie": budgie.__version__, **options.of_output()}

    def begin(self, anew: bool) -> None:
        """All shards of a folder are made with the same options and by the same version."""
        name, made = join(self._output, f"{FOLDER}/options.json"), self._made
        before = _json(name)
        if before is None and not anew and not places.is_empty(self._output):
            raise ConfigError(
                f"{self._output} has files that no earlier run has written: take an empty folder, or --overwrite"
            )
        if before is not None and before != made and self._any_done():
            if not anew:
                differences = [key for key in {**before, **made} if before.get(key) != made.get(key)]
                told = "; ".join(
                    f"{key} {before.get(key)!r} then, {made.get(key)!r} now" for key in sorted(differences)
                )
                raise ConfigError(
                    f"{self._output} has shards that were made in another way ({told}): take another folder, or "
                    "--overwrite"
                )
            self._clear()
        if before != made:
            _write(name, made)

    def done(self, shards: Sequence[Shard]) -> list[Counts | None]:
        """What was found in each shard, where it is done."""
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            return list(pool.map(self._done, shards))

    def _done(self, shard: Shard) -> Counts | None:
        name = self._note(shard)
        note = _json(name)
        if note is None and not places.is_file(name):
            if places.is_file(shard.output):
                raise ConfigError(
                    f"{shard.output} is there, and no earlier run has written it: --overwrite replaces it"
                )
            return None
        try:
            return self._counts(shard, note or {})
        except (KeyError, TypeError, AttributeError, OSError):  # no note of ours, or one of a shard that was begun
            return None

    def _counts(self, shard: Shard, note: dict[str, Any]) -> Counts | None:
        if note["made"] != self._made:
            return None
        name, *version = note["input"]
        if name != absolute(shard.input):
            raise ConfigError(
                f"{shard.output} was made of {name}, and {shard.input} would take its place: take another folder, or "
                "--overwrite"
            )
        as_written = version == list(stamp(shard.input)) and stamp(shard.output).size == note["bytes"]
        return Counts.from_dict(note["counts"]) if as_written else None

    def begin_shard(self, shard: Shard) -> Stamp:
        """A shard is begun: what lies in its place from now on is of this run. Gives the stamp that its input has."""
        before = stamp(shard.input)
        _write(self._note(shard), {"made": self._made, "input": [absolute(shard.input), *before], "begun": True})
        return before

    def end_shard(self, shard: Shard, before: Stamp, counts: Counts) -> None:
        """It is done."""
        said = {"made": self._made, "input": [absolute(shard.input), *before], "bytes": stamp(shard.output).size}
        _write(self._note(shard), {**said, "counts": counts.to_dict()})

    def _note(self, shard: Shard) -> str:
        return join(self._output, f"{_NOTES}/{shard.relative}.json")

    def _notes(self) -> list[places.Found]:
        folder = join(self._output, _NOTES)
        return [] if places.is_empty(folder) else places.find(folder)

    def _any_done(self) -> bool:
        return any("counts" in (_json(note.name) or {}) for note in self._notes())

    def _clear(self) -> None:
        """Remove all shards that have notes: none of them is made as is asked for now."""
        for note in self._notes():
            places.remove(join(self._output, note.relative.removesuffix(".json")))
            places.remove(note.name)


def _json(name: str) -> dict[str, Any] | None:
    data = places.read(name)
    try:
        found = None if data is None else json.loads(data)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _write(name: str, value: dict[str, Any]) -> None:
    with places.writing(name) as file:
        file.write(json.dumps(value, indent=1).encode())  # names may be any bytes
