# SPDX-License-Identifier: Apache-2.0
"""Who annotates shards: processes here, or workers of Ray."""

from __future__ import annotations

from budgie.corpus.work import Engine
from budgie.errors import ConfigError

ENGINES = ("local", "ray")


def engine_of(name: str, address: str | None, workers: int | None, threads: int, shards: int) -> tuple[Engine, int]:
    """An engine by its name, and how many threads each of its workers has.

    The threads of this machine are shared out among `workers` that work at a time, by default one each. Those of Ray
    have one thread.
    """
    if name == "ray":
        from budgie.corpus.on_ray import OnRay  # noqa: PLC0415

        return OnRay(address, workers), 1
    if name not in ENGINES:
        raise ConfigError(f"there is no engine {name!r}, but {' and '.join(ENGINES)}")
    if address is not None:
        raise ConfigError("an address goes with the engine ray")
    from budgie.corpus.local import Local  # noqa: PLC0415

    workers = max(1, min(workers or threads, shards))
    return Local(workers), max(1, threads // workers)
