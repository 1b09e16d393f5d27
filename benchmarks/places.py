# SPDX-License-Identifier: Apache-2.0
"""Where the benchmarks find their data, and where they keep what they make."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PEERS = ROOT / ".peers"
WORK = ROOT / ".work" / "benchmarks"


class MaterialError(Exception):
    """The development data is missing or not as expected."""


def data_folder(name: str) -> Path:
    """A folder of the development data."""
    data = Path(os.environ.get("BUDGIE_DATA", ROOT.parent / "shared" / "data")) / name
    if not data.is_dir():
        raise MaterialError(f"{data}: no such folder; set BUDGIE_DATA to the folder that has {name}/ in it")
    return data
