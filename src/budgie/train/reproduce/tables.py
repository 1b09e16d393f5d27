# SPDX-License-Identifier: Apache-2.0
"""What several tables have in common."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

_ROUNDS = 5  # of a measurement of time; the best counts


def seconds(work: Callable[[], object]) -> float:
    """Processor time of one thread, the best of several rounds."""
    best = float("inf")
    for _ in range(_ROUNDS):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def write_table(lines: Sequence[str], out: str | None) -> None:
    """To standard output, and to a file where one is wanted."""
    table = "\n".join(lines) + "\n"
    sys.stdout.write(table)
    if out:
        Path(out).write_text(table, encoding="utf-8")
