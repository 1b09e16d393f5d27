# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C ends any call at once: on one long text and on many small ones, on one thread and on two.

What a call has made until then has to be freed, which takes Python longer the more there is.

This file is also the program that is interrupted: `python tests/tasks/test_stop.py langid`.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest

import budgie
from budgie import _core

AFTER = 0.3  # seconds of work after which the signal comes
AT_ONCE = 0.5  # seconds until the exception is there; 0.2 is what we promise, but machines may be busy
LATE = 3.0  # the same where millions of answers are there already
FREED = 0.5 * LATE  # seconds that freeing them may take: half as many as making them; a third is what it does
MANY = 10_000_000
Calls = Iterator[tuple[str, Callable[[], object]]]


def langid() -> Calls:
    model, long, blank = (
        budgie.load("langid"),
        "Some words of a long document. " * 16_000_000,
        "\N{NO-BREAK SPACE}" * 500_000_000,
    )
    yield "identify", partial(model.identify, long)
    yield "identify what has no words", partial(model.identify, blank)
    yield "rank", partial(model.rank, long)
    yield "spans", partial(model.spans, long)
    yield "letters", partial(model.letters, long)
    yield "scores", partial(model.scores, long)
    for threads in (1, 2):
        for size, texts in {"long": [long] * 2, "small": ["a", "b"] * (MANY // 2)}.items():
            how = f"{size}, {threads} threads"
            yield f"identify_batch, {how}", partial(model.identify_batch, texts, threads=threads)
            yield f"rank_batch, {how}", partial(model.rank_batch, texts, threads=threads)
            yield f"spans_batch, {how}", partial(model.spans_batch, texts, threads=threads)


def tagging() -> Calls:
    model, long = budgie.load("pos-en"), [f"word{number}" for number in range(1_000_000)]
    yield "tag", partial(model.tag, long)
    yield "rank", partial(model.rank, long)
    yield "tag one word", partial(model.tag, ["a" * 100_000_000])
    book = "a" * 10_000_000
    yield "tag one word again and again", partial(model.tag, [book] * 200_000)
    yield "tag a long word and its copies", partial(model.tag, [bytes([97]) * 10_000_000 for _ in range(20)] * 500)
    for threads in (1, 2):
        for size, sentences in {"long": [long] * 4, "small": [["a"]] * MANY}.items():
            how = f"{size}, {threads} threads"
            yield f"tag_batch, {how}", partial(model.tag_batch, sentences, threads)
            yield f"tag_batch with both, {how}", partial(model.tag_batch, sentences, threads, probabilities=True)
            yield f"probabilities, {how}", partial(model.probabilities, sentences, threads)


def segmentation() -> Calls:
    model, long = budgie.load("seg-ja"), "灯塔看守人在早饭前数了十一艘船，并把它们的名字写进了书里。" * 1_000_000
    unit, loop = "a" * 500_000_000, "一" * 5_000_000
    yield "segment", partial(model.segment, long)
    yield "spans", partial(model.spans, long)
    yield "segment one unit", partial(model.segment, unit)
    for threads in (1, 2):
        for size, texts in {"long": [long] * 2, "small": ["中"] * MANY}.items():
            how = f"{size}, {threads} threads"
            yield f"segment_batch, {how}", partial(model.segment_batch, texts, threads)
            yield f"spans_batch, {how}", partial(model.spans_batch, texts, threads)
    slow = budgie.load("seg-ja", dictionary=["一" * 999 + "二"])
    yield "segment with a dictionary", partial(slow.segment, loop)
    words = ["".join(chr(0x4E00 + (number * 7919 >> bits) % 5000) for bits in (0, 3, 6, 9)) for number in range(2**21)]
    yield "a dictionary", partial(_core.Dictionary, words)


def preordering() -> Calls:
    long = [f"word{number % 100_000}" for number in range(1_000_000)]
    for beam in (1, 64):
        model = budgie.load("preorder-en-ja", beam=beam)
        yield f"reorder, beam {beam}", partial(model.reorder, long)
        for threads in (1, 2):
            for size, sentences in {"long": [long] * 4, "small": [["a", "b"]] * (MANY // 2)}.items():
                how = f"{size}, beam {beam}, {threads} threads"
                yield f"reorder_batch, {how}", partial(model.reorder_batch, sentences, threads)
                yield f"permutations, {how}", partial(model.permutations, sentences, threads)


def annotation() -> Calls:
    pipeline, long = budgie.Pipeline(), "The house isn't big, and nobody asked why. " * 500_000
    document = pipeline.annotate(long)
    yield "annotate", partial(pipeline.annotate, long)
    for threads in (1, 2):
        yield f"annotate_batch, {threads} threads", partial(pipeline.annotate_batch, [long] * 2, threads=threads)
    for write in (document.to_json, document.to_conllu, document.to_tsv):
        yield write.__name__, write


def late() -> Calls:
    model = budgie.load("langid")
    yield "rank_batch, late", partial(model.rank_batch, ["a", "b"] * (MANY // 2), k=20)


TASKS = {
    "langid": langid,
    "tagging": tagging,
    "segmentation": segmentation,
    "preordering": preordering,
    "annotation": annotation,
}


def interrupt(call: Callable[[], object], after: float) -> dict[str, Any]:
    """How many seconds after the signal a call ends, on the clock and of the processor, and what else went on."""
    ticks, sent = 0, (0.0, 0.0)

    def tick() -> None:
        nonlocal ticks, sent
        end = time.perf_counter() + after
        while time.perf_counter() < end:
            ticks += 1
            time.sleep(0.002)
        sent = time.perf_counter(), time.process_time()
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=tick)
    thread.start()
    try:
        call()
    except KeyboardInterrupt:
        ended = time.perf_counter(), time.process_time()
    else:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        raise SystemExit("the call was over before the signal came")
    thread.join()
    return {"wall": round(ended[0] - sent[0], 3), "cpu": round(ended[1] - sent[1], 3), "ticks": ticks}


def interrupted(task: str) -> list[dict[str, Any]]:
    from conftest import skip_if_missing  # not to be found by the process below

    done = subprocess.run([sys.executable, __file__, task], capture_output=True, text=True, timeout=600, check=False)
    skip_if_missing(done.stderr)
    assert (done.returncode, done.stderr) == (0, "")
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("task", TASKS)
def test_calls_end_at_once(task: str) -> None:
    results = interrupted(task)
    assert len(results) > 5
    assert not [one for one in results if min(one["wall"], one["cpu"]) > AT_ONCE]
    # Meanwhile another thread of Python ran on, however busy the machine is.
    assert not [one for one in results if one["ticks"] < 1]


def test_a_call_that_has_made_much_ends_when_that_is_freed() -> None:
    (one,) = interrupted("late")
    assert min(one["wall"], one["cpu"]) < AT_ONCE + FREED
    assert one["ticks"] > 10


if __name__ == "__main__":
    is_late = sys.argv[1] == "late"
    for name, call in (late if is_late else TASKS[sys.argv[1]])():
        result = interrupt(call, LATE if is_late else AFTER)
        sys.stdout.write(json.dumps({"call": name, **result}) + "\n")
        sys.stdout.flush()
