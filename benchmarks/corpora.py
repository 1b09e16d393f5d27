# SPDX-License-Identifier: Apache-2.0
"""`budgie annotate` of a corpus: what takes the time, one and two workers, this machine and Ray, memory.

    python -m benchmarks.corpora [--profile] [--engines] [--memory GB] [--docs]     # by default --profile

Documents of 1.3 KB are made of the development sentences of language identification, with a number and a URL beside
each. The profile is CPU time of one process with one thread for Arrow, too, the best of several rounds. Engines are
measured by the clock and need a quiet machine, and Ray (`make bench-corpora`).
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks import report
from benchmarks.langid.material import SEED, documents, read_languages
from benchmarks.markdown import table
from benchmarks.workers import progress
from budgie.corpus import Options, annotate_corpus
from budgie.corpus.models import models_for
from budgie.corpus.table_annotator import TableAnnotator
from budgie.corpus.tables import files, writers
from budgie.train.data.datasets import find

ROUNDS = 5
ROWS = 60_000  # of a shard
SHARDS = 8
LANGUAGE = Options(tasks=("language",))


MEASURED = """
import resource, sys
from budgie.cli import main
status = main(sys.argv[1:])
used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
print(sum(one.ru_utime + one.ru_stime for one in used), max(one.ru_maxrss for one in used) / 1024)
sys.exit(status)
"""


def write_shards(folder: Path, shards: int, rows: int) -> int:
    """Parquet as crawls have it; returns the bytes of all texts."""
    rng = random.Random(SEED)
    made = [documents(language, texts) for language, texts in read_languages(find("langid/dev") / "lingua_sentences")]
    texts = list(itertools.chain.from_iterable(made))
    size = 0
    folder.mkdir(parents=True)
    for shard in range(shards):
        some = [rng.choice(texts) for _ in range(rows)]
        size += sum(len(text.encode()) for text in some)
        urls = [f"https://example.org/{rng.getrandbits(64):x}" for _ in some]
        columns = {"id": range(shard * rows, (shard + 1) * rows), "url": urls, "text": some}
        pq.write_table(pa.table(columns), folder / f"part-{shard}.parquet")
    return size


# ---- what takes the time ---------------------------------------------------------------------------------------


class Stages:
    """CPU time of the parts of a run, by doubles of what they call."""

    def __init__(self) -> None:
        self.seconds: Counter[str] = Counter()

    def call(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*arguments: Any, **options: Any) -> Any:
            begin = time.process_time()
            try:
                return real(*arguments, **options)
            finally:
                self.seconds[name] += time.process_time() - begin

        return timed

    def each(self, name: str, real: Callable[..., Iterator[Any]]) -> Callable[..., Iterator[Any]]:
        def timed(*arguments: Any) -> Iterator[Any]:
            found, missing = real(*arguments), object()
            following = self.call(name, lambda: next(found, missing))
            return iter(following, missing)

        return timed

    def writer(self, real: Callable[..., Any]) -> Callable[..., Any]:
        @contextlib.contextmanager
        def timed(*arguments: Any) -> Iterator[Any]:
            with contextlib.ExitStack() as stack:
                yield self.call("writing", self.call("writing", stack.enter_context)(real(*arguments)))
                self.call("writing", stack.close)()

        return timed


def profile(folder: Path, rounds: int) -> str:
    """Of one shard, from Parquet to Parquet with a language."""
    size = write_shards(folder / "in", 1, ROWS)
    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)
    models_for(LANGUAGE)
    best: Counter[str] | None = None
    for _ in range(rounds):
        stages = Stages()
        real = files._Parquet.batches, TableAnnotator._answers, TableAnnotator._count, writers.open_writer
        files._Parquet.batches = stages.each("reading", real[0])  # type: ignore[method-assign]
        TableAnnotator._answers = stages.call("identifying languages", real[1])  # type: ignore[method-assign]
        TableAnnotator._count = stages.call("counting for the summary", real[2])  # type: ignore[method-assign]
        writers.open_writer = stages.writer(real[3])
        begin = time.process_time()
        annotate_corpus([str(folder / "in")], str(folder / "out"), LANGUAGE, overwrite=True)
        total = time.process_time() - begin
        files._Parquet.batches, TableAnnotator._answers, TableAnnotator._count, writers.open_writer = real  # type: ignore[method-assign]
        stages.seconds["all else"] = total - sum(stages.seconds.values())
        if best is None or total < sum(best.values()):
            best = stages.seconds
    assert best is not None
    total = sum(best.values())
    order = ("reading", "identifying languages", "writing", "counting for the summary", "all else")
    rows = [[name, f"{best[name]:.2f}", f"{100 * best[name] / total:.0f}"] for name in order]
    rows.append(["all", f"{total:.2f}", "100"])
    return (
        f"{ROWS:,} documents of {size / ROWS / 1e3:.2f} KB: {ROWS / total:,.0f} documents/s, {size / total / 1e6:.0f} "
        f"MB/s of text.\n\n{table(['part', 'CPU seconds', '%'], rows)}"
    )


# ---- engines ---------------------------------------------------------------------------------------------------


def run(source: Path, out: Path, options: Sequence[str]) -> tuple[float, float, float]:
    """Seconds, CPU seconds of the process and its children, and MB of the largest of these."""
    shutil.rmtree(out, ignore_errors=True)
    begin = time.perf_counter()
    command = [sys.executable, "-c", MEASURED, "annotate", str(source), *options, "--output", f"{out}/"]
    made = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    cpu, memory = map(float, made.stdout.split()[-2:])
    return time.perf_counter() - begin, cpu, memory


def engines(folder: Path, rounds: int) -> str:
    """Languages, and all that annotation finds, of several shards."""
    size = write_shards(folder / "in", SHARDS, ROWS)
    small = folder / "small"
    write_shards(small, SHARDS, ROWS // 20)
    rows = []
    kinds = ["local", *(["ray"] if find_spec("ray") else [])]
    for what, source, tasks, share in (("languages", folder / "in", "language", 1), ("all", small, "tags", 20)):
        for kind in kinds:
            alone = 0.0
            for workers in (1, 2):
                options = ["--engine", kind, "--workers", str(workers), "--threads", str(workers), "--tasks", tasks]
                progress(" ".join(options))
                seconds = min(run(source, folder / "out", options)[0] for _ in range(rounds))
                alone = alone or seconds
                rate = f"{size / share / seconds / 1e6:.1f}"
                rows.append([what, kind, str(workers), f"{seconds:.1f}", rate, f"{alone / seconds:.2f}"])
    return table(["found", "engine", "workers", "seconds", "MB/s", "× one worker"], rows)


# ---- memory ----------------------------------------------------------------------------------------------------


def memory(folder: Path, gigabytes: float) -> str:
    """Of one file in one row group, which is far larger than what may be held of it."""
    write_shards(folder / "piece", 1, ROWS)
    piece = pq.read_table(folder / "piece/part-0.parquet")
    rows = []
    for tasks, share in (("language", 1), ("tags", 20)):
        (folder / tasks).mkdir()
        times = int(gigabytes / share * 1e9 / piece.nbytes) + 1
        file = folder / tasks / "all.parquet"
        pq.write_table(pa.concat_tables([piece] * times), file, row_group_size=times * len(piece))
        seconds, cpu, most = run(folder / tasks, folder / "out", ["--workers", "1", "--threads", "2", "--tasks", tasks])
        sizes = [f"{gigabytes / share:.1f}", f"{file.stat().st_size / 1e9:.2f}"]
        rows.append([f"`{tasks}`", *sizes, f"{seconds:.0f}", f"{cpu:.0f}", f"{most:.0f}"])
    return table(["--tasks", "GB", "GB of the file", "seconds", "CPU seconds", "MB resident at most"], rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--profile", action="store_true", help="what takes the time from Parquet to Parquet")
    parser.add_argument("--engines", action="store_true", help="one and two workers, on this machine and by Ray")
    parser.add_argument("--memory", type=float, metavar="GB", help="memory, of one file of this size")
    options = report.parse(parser)
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as name:
        folder = Path(name)
        if options.engines:
            text = engines(folder, options.rounds)
        elif options.memory:
            text = memory(folder, options.memory)
        else:
            text = profile(folder, options.rounds)
    report.publish(text, None, options)


if __name__ == "__main__":
    main()
