# SPDX-License-Identifier: Apache-2.0
"""What a program pays before its first answer: CPU time and memory of import, load and one call, the best of several.

python -m benchmarks.start                            # this environment
python -m benchmarks.start OLD/bin/python NEW/bin/python   # others, such as wheels of two commits
"""

from __future__ import annotations

import subprocess
import sys

from benchmarks.markdown import table

ROUNDS = 15
STEPS = {
    "Python alone": "",
    "import": "import budgie",
    "langid": "import budgie; budgie.load('langid').identify('Der Hund schläft unter dem Tisch.')",
    "seg-zh": "import budgie; budgie.load('seg-zh').segment('研究生命的起源')",
}
REPORT = (
    "\nimport resource; used = resource.getrusage(resource.RUSAGE_SELF)"
    "\nprint(used.ru_utime + used.ru_stime, used.ru_maxrss)"
)


def measure(python: str, code: str) -> tuple[float, float]:
    """Milliseconds of CPU, the least of all rounds, and MB of memory, the most."""
    runs = [
        subprocess.run([python, "-c", code + REPORT], capture_output=True, text=True, check=True).stdout.split()
        for _ in range(ROUNDS)
    ]
    return min(float(cpu) for cpu, _ in runs) * 1000, max(float(memory) for _, memory in runs) / 1024


def main() -> None:
    for python in sys.argv[1:] or [sys.executable]:
        rows = [[step, *(f"{value:.1f}" for value in measure(python, code))] for step, code in STEPS.items()]
        print(table(["up to the first answer of", "CPU ms", "memory MB"], rows))


if __name__ == "__main__":
    main()
