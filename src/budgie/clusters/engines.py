# SPDX-License-Identifier: Apache-2.0
"""Who does the work of clustering: this process, or workers of Ray (budgie.clusters.on_ray), who are asked the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from budgie._core import BigramCounter, Exchange, WordCounter
from budgie.clusters.text import Piece, chunks_of
from budgie.errors import ConfigError

if TYPE_CHECKING:
    from budgie.clusters.on_ray import OnRay

Counter = TypeVar("Counter", bound=WordCounter | BigramCounter)


@contextmanager
def engine_of(name: str, address: str | None, workers: int | None, threads: int) -> Iterator[Local | OnRay]:
    """An engine by its name; an address, and workers of so many threads each, are for that of Ray."""
    if name == "ray":
        from budgie.ray_cluster import connect  # noqa: PLC0415

        with connect(address, workers and workers * threads):
            from budgie.clusters.on_ray import OnRay  # noqa: PLC0415

            yield OnRay(workers, threads)
    elif name != "local":
        raise ConfigError(f"there is no engine {name!r}, but local and ray")
    elif address is not None or workers is not None:
        raise ConfigError("an address and a number of workers are for the engine ray")
    else:
        yield Local()


class Local:
    """This process."""

    def count(self, make: Callable[[], Counter], paths: Sequence[Path], show: Callable[[Counter], None]) -> Counter:
        """A counter that has read the files; it is shown now and then on the way."""
        counter = make()
        for path in paths:
            read_piece(counter, Piece(path), show)
        return counter

    def exchange(self, make: Callable[[], Exchange]) -> Exchange:
        """The exchange itself; other engines have something that is asked the same."""
        return make()


def read_piece(counter: Counter, piece: Piece, show: Callable[[Counter], None] = lambda _: None) -> None:
    """Count what a piece of text has; its end is the end of a sentence."""
    for chunk in chunks_of(piece):
        counter.read(chunk)
        show(counter)
    counter.finish_file()
