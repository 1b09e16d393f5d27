# SPDX-License-Identifier: Apache-2.0
"""Do time and memory grow linearly with a line of Chinese text, which has no space to begin anew at?

python -m benchmarks.segmentation.scale [--megabytes 1,10,100] [--model FILE]
"""

from __future__ import annotations

import argparse
import multiprocessing
import time
from concurrent.futures import ProcessPoolExecutor

from benchmarks.markdown import table
from benchmarks.memory import peak_memory
from benchmarks.segmentation.corpora import Corpus

import budgie


def main() -> None:
    """Measure each size in a process of its own and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--megabytes", default="1,10,100", help="sizes of the line")
    parser.add_argument("--model", default="seg-zh", help="an embedded model or a file")
    options = parser.parse_args()
    rows = []
    # New processes, so that no size finds the memory that a smaller one gave back.
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), max_tasks_per_child=1) as processes:
        for size in map(int, options.megabytes.split(",")):
            seconds, words, answer, peak = processes.submit(measured, options.model, size).result()
            speed, share = f"{size / seconds:.2f}", f"{answer / words:.0f}"
            rows.append((f"{size} MB", f"{words:,}", f"{seconds:.3f}", speed, f"{peak / 1e6:.0f}", share))
    print(table(("one line of", "words", "CPU s", "MB/s", "peak MB", "of it the answer's, bytes a word"), rows))


def measured(model: str, megabytes: int) -> tuple[float, int, int, int]:
    """CPU time and number of words, and memory: what the answer added to the peak, and the peak."""
    segmenter = budgie.load(model)
    text = line(megabytes * 1_000_000)
    segmenter.segment(text[:100])
    before, start = peak_memory(), time.process_time()
    words = segmenter.segment(text, spaces=True)
    seconds = time.process_time() - start
    peak = peak_memory()
    if "".join(words) != text:
        raise ValueError(f"the words of {megabytes} MB are not the text")
    return seconds, len(words), peak - before, peak


def line(size: int) -> str:
    """So many bytes of the test text of zh-pku, without its line breaks."""
    text = "".join(sentence.text for sentence in Corpus("zh-pku").test)
    characters = len(text) * size // len(text.encode())
    return (text * (characters // len(text) + 1))[:characters]


if __name__ == "__main__":
    main()
