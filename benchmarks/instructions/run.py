# SPDX-License-Identifier: Apache-2.0
"""Counts instructions with callgrind (Debian's valgrind) and compares them with the committed table.

    python -m benchmarks.instructions.run                        # measure and compare with table.json
    python -m benchmarks.instructions.run --record               # measure and write table.json and table.md
    python -m benchmarks.instructions.run --python OTHER/bin/python   # another build, such as an older one

A round more costs so many instructions more: start, import and load cancel out. valgrind knows AVX2, but not AVX-512,
so the numbers are those of the kernels for x86-64-v3.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.markdown import table
from benchmarks.workers import progress

HERE = Path(__file__).parent
TABLE, PAGE = HERE / "table.json", HERE / "table.md"
UNITS = {
    "identify": "text of 120 characters",
    "identify documents": "character of a text of 1,000",
    "spans": "text of 120 characters",
    "tag": "word",
    "segment": "character",
    "preorder": "word",
    "preorder, beam 4": "word",
}
TOLERANCE = 0.02
ROUNDS = (1, 4)


def count(python: str, task: str, rounds: int) -> tuple[int, int]:
    """Instructions of a whole process, and how many units one round has."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out"]
        done = subprocess.run(
            [*command, python, str(HERE / "worker.py"), task, str(rounds)],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"},
        )
    collected = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode or not collected:
        raise SystemExit(f"{task}: {done.stderr[-2000:]}")
    return int(collected[1]), int(done.stdout)


def measure(python: str, tasks: list[str]) -> dict[str, float]:
    """Instructions for one unit of each task."""
    result = {}
    for task in tasks:
        few, more = (count(python, task, rounds) for rounds in ROUNDS)
        result[task] = round((more[0] - few[0]) / (ROUNDS[1] - ROUNDS[0]) / few[1], 1)
        progress(f"{task}: {result[task]:,} a {UNITS[task]}")
    return result


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", default=sys.executable, help="interpreter in whose environment Budgie is installed")
    parser.add_argument("--task", action="append", choices=list(UNITS), help="only this task; may be given again")
    parser.add_argument("--record", action="store_true", help="write the table instead of comparing with it")
    options = parser.parse_args()
    if not shutil.which("valgrind"):
        raise SystemExit("this needs valgrind: apt-get install valgrind")
    found = measure(options.python, options.task or list(UNITS))
    before = json.loads(TABLE.read_text("utf-8")) if TABLE.exists() else {}
    if options.record:
        TABLE.write_text(json.dumps(before | found, indent=1) + "\n", "utf-8")
    rows = [
        [task, UNITS[task], f"{found[task]:,.0f}", f"{100 * (found[task] / before[task] - 1):+.1f} %" if before else ""]
        for task in found
    ]
    text = table(["task", "instructions for one", "", "against the table"], rows)
    if options.record:
        PAGE.write_text(f"`python -m benchmarks.instructions.run --record`\n\n{text}", "utf-8")
    print(text)
    worse = [task for task in found if before and found[task] > (1 + TOLERANCE) * before[task]]
    if worse and not options.record:
        print(f"more than {TOLERANCE:.0%} above the table: {', '.join(worse)}")
    return int(bool(worse) and not options.record)


if __name__ == "__main__":
    sys.exit(main())
