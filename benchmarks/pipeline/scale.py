# SPDX-License-Identifier: Apache-2.0
"""Time and memory of `budgie annotate` on files of growing size: both should be what a small file lets expect.

    python -m benchmarks.pipeline.scale [--megabytes 10,100,1000] [--threads 2] [--docs]

The text is sentences of the web in many languages, eight to a paragraph; the output, CoNLL-U, is counted and thrown
away. A file of 1 GB takes a quarter of an hour or so.
"""

from __future__ import annotations

import argparse
import itertools
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from benchmarks import report
from benchmarks.markdown import table
from benchmarks.memory import peak_memory
from benchmarks.pipeline import material

SEED = 2017
READ = 1 << 20  # bytes of the output at a time


class Run(NamedTuple):
    """What one file took."""

    bytes: int  # of the file
    tokens: int
    cpu_s: float
    wall_s: float
    peak_bytes: int  # of the command


def main() -> None:
    """Measure each size and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--megabytes", default="10,100,1000", help="sizes of the file")
    parser.add_argument("--threads", default="2", help="of the command")
    options = report.parse(parser)
    rows = []
    for size in map(int, options.megabytes.split(",")):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "text.txt")
            write(file, size * 1_000_000)
            found = measured(file, options.threads)
        rows.append(
            (
                f"{size:,} MB",
                f"{found.tokens:,}",
                f"{found.cpu_s:,.1f}",
                f"{found.wall_s:,.1f}",
                f"{found.tokens / found.cpu_s:,.0f}",
                f"{found.bytes / found.wall_s / 1e6:.2f}",
                f"{found.peak_bytes / 1e6:.0f}",
            )
        )
    header = ("file", "tokens", "CPU s", "wall s", "tokens a CPU second", "MB a second", "peak MB")
    report.publish(table(header, rows), None, options)


def write(file: Path, size: int) -> None:
    """So many bytes of paragraphs, those of all languages mixed, again and again."""
    texts = [text.strip() for language in material.web_languages() for text in material.web(language).texts]
    random.Random(SEED).shuffle(texts)
    left = size
    with file.open("wb") as out:
        for text in itertools.cycle(texts):
            paragraph = (text + "\n\n").encode()
            if left < len(paragraph):
                break
            out.write(paragraph)
            left -= len(paragraph)


def measured(file: Path, threads: str) -> Run:
    """Run the command, count the tokens that it writes, and see what it took."""
    command = [sys.executable, "-m", "budgie", "annotate", str(file), "--format", "conllu", "--threads", threads]
    start = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        tokens, last, peak = 0, b"\n", 0
        while piece := process.stdout.read(READ):
            tokens += count(last + piece)
            last, peak = piece[-1:], peak_memory(process.pid)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"benchmarks/pipeline: {' '.join(command[2:])} failed with status {process.returncode}")
    wall = time.perf_counter() - start
    return Run(file.stat().st_size, tokens, used.ru_utime + used.ru_stime, wall, peak)


def count(conllu: bytes) -> int:
    """Words of CoNLL-U that begin behind a line end of this piece: lines that begin with a digit."""
    return sum(conllu.count(b"\n%d" % digit) for digit in range(1, 10))


if __name__ == "__main__":
    main()
