# SPDX-License-Identifier: Apache-2.0
"""Ray: the one place where Budgie joins a cluster of machines, or makes one of this machine."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from budgie.errors import ConfigError, Error, MissingExtra

_HERE = "local"  # what Ray calls a cluster that it starts on this machine
_SECONDS = 10  # to answer at an address; Ray itself would go on asking for minutes


@contextmanager
def connect(address: str | None, workers: int | None) -> Iterator[int]:
    """Join the Ray cluster at an address; gives the number of workers to use, which is that of all cores by default.

    Without an address it is that of RAY_ADDRESS, which `ray job submit` sets, else Ray is started on this machine, with
    so many workers, and ended in the end. A cluster that somebody else has started goes on. Whether Ray shows its token
    to an address is for users to say (RAY_AUTH_MODE=token), since it opens all that is theirs.
    """
    try:
        import ray  # noqa: PLC0415
    except ImportError:
        raise MissingExtra(
            "this needs the extra ray: pip install 'budgie-nlp[ray]', or '.[ray]' in a checkout"
        ) from None
    joined = not ray.is_initialized()  # else whoever has joined a cluster leaves it, too
    if joined:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # else it warns of what will change
        _join(ray, address or os.environ.get("RAY_ADDRESS") or _HERE, workers)
    try:
        yield workers or max(1, int(ray.cluster_resources().get("CPU", 1)))
    except ray.exceptions.RayError as error:
        raise Error(f"Ray: {error}") from None
    finally:
        if joined:
            ray.shutdown()


def _join(ray: Any, address: str, workers: int | None) -> None:
    host, _, port = address.removeprefix("ray://").rpartition(":")
    new = {"num_cpus": workers, "include_dashboard": False} if address == _HERE else {}
    try:
        if port.isdecimal():
            socket.create_connection((host.strip("[]"), int(port)), _SECONDS).close()
        ray.init(address, logging_level="ERROR", **new)
    except (OSError, RuntimeError, ValueError) as error:  # nobody there, another version of Ray or Python, no address
        raise ConfigError(f"cannot join a Ray cluster at {address}: {error}") from None
