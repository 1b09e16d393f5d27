# SPDX-License-Identifier: Apache-2.0
"""Memory of a process. Standard library only: workers import it in the peers' environments."""

from __future__ import annotations

import resource
import sys
from pathlib import Path


def peak_memory(process: int | str = "self") -> int:
    """Most bytes ever resident. Not ru_maxrss where it can be helped: that counts the parent's memory before exec."""
    status = Path(f"/proc/{process}/status")
    if status.exists():
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
