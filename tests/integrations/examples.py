# SPDX-License-Identifier: Apache-2.0
"""Programs of examples/, as modules and as processes of their own."""

from __future__ import annotations

import contextlib
import os
import runpy
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
SECONDS = 300  # Spark takes one to start, or half a minute where the machine has other work


def skip_without(needs: str) -> None:
    pytest.importorskip(needs, reason=f"{needs} is not installed here; make test-integrations runs this test")


def load(name: str, needs: str) -> dict[str, Any]:
    """What a program defines."""
    skip_without(needs)
    return runpy.run_path(str(EXAMPLES / name))


def run(name: str, *arguments: object, **environment: str) -> None:
    """Run a program as its users do. Whatever it has started, and left behind, is ended."""
    command = [sys.executable, str(EXAMPLES / name), *map(str, arguments)]
    process = subprocess.Popen(
        command, env=os.environ | environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, process_group=0
    )
    try:
        said, _ = process.communicate(timeout=SECONDS)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    assert process.returncode == 0, said.decode(errors="replace")
