# SPDX-License-Identifier: Apache-2.0
"""Columns in and columns out, beside the way through lists: the same answers, CPU time, two threads, memory.

    make bench-columns        # python -m benchmarks.columns in the environment of `make columns`
    python -m benchmarks.columns --memory 10     # GB that go through

Texts are the development sentences of language identification. CPU time is that of one process and all its threads, the
best of several rounds, ways taking turns; two threads against one are measured by the clock and need a quiet machine.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from importlib.metadata import version
from typing import Any

import polars as pl
import pyarrow as pa

import budgie
from benchmarks.langid.material import read_languages
from benchmarks.markdown import table
from benchmarks.memory import peak_memory
from budgie.train.data.datasets import find

ROUNDS = 5
CHUNK = 20_000  # rows of a batch in the stream whose memory is measured

Way = Callable[[pl.DataFrame], pl.DataFrame]


def by_column(frame: pl.DataFrame) -> pl.DataFrame:
    return pl.DataFrame(budgie.identify_column(frame))


def by_dictionary(frame: pl.DataFrame) -> pl.DataFrame:
    return pl.DataFrame(budgie.identify_column(frame, dictionary=True))


def by_lists(frame: pl.DataFrame) -> pl.DataFrame:
    found = budgie.load("langid").identify_batch(frame["text"].to_list())
    language, probability, reliable = zip(*found, strict=True)
    return pl.DataFrame(
        {"language": language, "probability": probability, "reliable": reliable},
        schema={"language": pl.String, "probability": pl.Float32, "reliable": pl.Boolean},
    )


WAYS: dict[str, Way] = {
    "lists there and back": by_lists,
    "`identify_column`": by_column,
    "the same, `dictionary=True`": by_dictionary,
}


def timed(clock: Callable[[], float], call: Callable[[], Any]) -> float:
    begin = clock()
    call()
    return clock() - begin


def sentences() -> pl.DataFrame:
    lines = [line for _, texts in read_languages(find("langid/dev") / "lingua_sentences") for line in texts]
    return pl.DataFrame({"text": lines})


def compare_ways(frame: pl.DataFrame, rounds: int) -> None:
    assert by_lists(frame).equals(by_column(frame)), "answers differ"
    assert by_dictionary(frame)["language"].to_list() == by_column(frame)["language"].to_list(), "answers differ"
    print(f"All {len(frame):,} sentences have the same answers in each way.\n")
    times = [
        {name: timed(time.process_time, lambda w=way: w(frame)) for name, way in WAYS.items()} for _ in range(rounds)
    ]
    best = {name: min(one[name] for one in times) for name in WAYS}
    lists = best["lists there and back"]
    rows = [[name, f"{cpu:.2f}", f"{lists / cpu:.2f}"] for name, cpu in best.items()]
    print(table(["way", "CPU seconds", "× less than lists"], rows))


def compare_threads(frame: pl.DataFrame, rounds: int) -> None:
    def wall(threads: int) -> float:
        return timed(time.perf_counter, lambda: pl.DataFrame(budgie.identify_column(frame, threads=threads)))

    times = [(wall(1), wall(2)) for _ in range(rounds)]
    one, two = (min(column) for column in zip(*times, strict=True))
    print(
        table(["threads", "seconds", "× one"], [["1", f"{one:.2f}", "1.00"], ["2", f"{two:.2f}", f"{one / two:.2f}"]])
    )


def through_memory(frame: pl.DataFrame, gigabytes: float, call: Callable[..., budgie.Columns]) -> None:
    """A stream that is made as it is read, and answers that are thrown away as they come."""
    piece = frame["text"][:CHUNK].to_arrow()
    batch = pa.RecordBatch.from_arrays([piece], ["text"])
    size = sum(map(len, (text.encode() for text in frame["text"][:CHUNK])))
    count = int(gigabytes * 1e9 / size) + 1

    def batches() -> Iterator[Any]:
        for _ in range(count):
            yield batch

    del frame
    before = peak_memory()
    source = pa.RecordBatchReader.from_batches(batch.schema, batches())
    rows = 0
    for answers in pa.RecordBatchReader.from_stream(call(source, threads=2)):
        rows += len(answers)
    print(
        f"{rows:,} rows, {count * size / 1e9:.1f} GB of text: at most {peak_memory() / 1e6:.0f} MB resident, "
        f"{before / 1e6:.0f} MB before"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--threads", action="store_true", help="two threads against one, by the clock")
    parser.add_argument("--memory", type=float, metavar="GB", help="memory, while so much text goes through")
    parser.add_argument("--annotate", action="store_true", help="the same of annotation, with all models")
    options = parser.parse_args()
    frame = sentences()
    if options.memory:
        call = budgie.annotate_column if options.annotate else budgie.identify_column
        through_memory(frame.head(CHUNK), options.memory, call)
    elif options.threads:
        compare_threads(frame, options.rounds)
    else:
        print(f"polars {version('polars')}, pyarrow {version('pyarrow')}.\n")
        compare_ways(frame, options.rounds)


if __name__ == "__main__":
    main()
