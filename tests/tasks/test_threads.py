# SPDX-License-Identifier: Apache-2.0
"""A loaded model never changes: threads, processes and pickling come for free."""

from __future__ import annotations

import copy
import gc
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from conftest import SENTENCES, random_model

import budgie
from budgie import LanguageIdentifier, Model, ModelError

if TYPE_CHECKING:
    from budgie._core import Route

TEXTS: list[str | bytes] = [
    *SENTENCES,
    *(sentence.encode() for sentence in SENTENCES),
    "",
    "x" * 20_000,
    " ".join(SENTENCES),
]
LONG = " ".join(SENTENCES) * 400


def in_threads(count: int, work: Callable[[int], object]) -> list[object]:
    """Run work(0) … work(count - 1), all at the same moment."""
    start = threading.Barrier(count)

    def task(number: int) -> object:
        start.wait()
        return work(number)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(task, range(count)))


# ---- threads ---------------------------------------------------------------------------------------------------


def test_many_threads_use_one_model(identifier: LanguageIdentifier) -> None:
    expected = [identifier.identify(text) for text in TEXTS]
    ranked, cut = [identifier.rank(text) for text in TEXTS], [identifier.spans(text) for text in TEXTS[:5]]

    def work(number: int) -> bool:
        for _ in range(10):
            same = [identifier.identify(text) for text in TEXTS] == expected
            same &= identifier.identify_batch(TEXTS * 10, threads=1 + number % 3) == expected * 10
            same &= [identifier.rank(text) for text in TEXTS] == ranked
            same &= [identifier.spans(text) for text in TEXTS[:5]] == cut
            if not same:
                return False
        return True

    assert in_threads(16, work) == [True] * 16


def test_many_threads_load_models_at_once(model_file: Path, identifier: LanguageIdentifier) -> None:
    expected = identifier.identify_batch(TEXTS)
    others = [random_model(seed).to_bytes() for seed in range(4)]

    def work(number: int) -> bool:
        if number % 2:
            return LanguageIdentifier(Model.from_bytes(others[number % 4])).identify("text").language != "und"
        return budgie.load(model_file).identify_batch(TEXTS) == expected

    assert in_threads(32, work) == [True] * 32


CALLS: dict[str, Callable[[LanguageIdentifier], object]] = {
    "identify": lambda identifier: identifier.identify(LONG * 20),
    "identify_batch": lambda identifier: identifier.identify_batch([LONG] * 20),
    "identify_batch on two threads": lambda identifier: identifier.identify_batch([LONG] * 130, threads=2),
    "rank": lambda identifier: identifier.rank(LONG * 20),
    "rank_batch": lambda identifier: identifier.rank_batch([LONG] * 20),
    "spans": lambda identifier: identifier.spans(LONG),
    "letters": lambda identifier: identifier.letters(LONG * 50),
    "scores": lambda identifier: identifier.scores(LONG * 20),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_other_threads_go_on_meanwhile(
    identifier: LanguageIdentifier, call: Callable[[LanguageIdentifier], object]
) -> None:
    times: list[float] = []

    def work() -> None:
        times.append(time.perf_counter())
        call(identifier)
        times.append(time.perf_counter())

    thread = threading.Thread(target=work)
    thread.start()
    ticks = []
    while thread.is_alive():
        ticks.append(time.perf_counter())
        time.sleep(0.0005)
    began, ended = times
    inside = sum(began < tick < ended for tick in ticks)
    # With the GIL held there would be one tick at each end.
    assert inside > 5, f"{inside} ticks in {ended - began:.3f} s"


def test_other_threads_have_their_turn_while_a_batch_is_read() -> None:
    tagger = budgie.load("pos-en")
    sentences: list[list[str]] = [["some", "words"]] * 3_000_000
    sentences.append(["and", None])  # type: ignore[list-item]  # so nothing but reading is done

    def longest_wait() -> float:
        gaps, last = [], time.perf_counter()
        with ThreadPoolExecutor(1) as pool:
            reading = pool.submit(tagger.tag_batch, sentences)
            while not reading.done():
                time.sleep(0.0005)
                now = time.perf_counter()
                gaps.append(now - last)
                last = now
            with pytest.raises(TypeError, match="word 1 of sentence 3000000 of the batch"):
                reading.result()
        return max(gaps) / sum(gaps)

    assert min(longest_wait() for _ in range(4)) < 0.3  # and not most of the time


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_there_are_no_more_threads_than_cores(identifier: LanguageIdentifier) -> None:
    texts = [LONG] * 100
    expected = identifier.identify_batch(texts)
    before = len(list(Path("/proc/self/task").iterdir()))
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(identifier.identify_batch, texts, None, 1000)
        most = 0
        while not running.done():
            most = max(most, len(list(Path("/proc/self/task").iterdir())))
            time.sleep(0.001)
        assert running.result() == expected
    assert 0 < most - before <= max(2, os.cpu_count() or 1)


def test_texts_of_a_running_batch_may_go(identifier: LanguageIdentifier) -> None:
    expected = identifier.identify(LONG)
    texts = [LONG + str(number) for number in range(100)]
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(identifier.identify_batch, texts)
        time.sleep(0.01)
        texts.clear()
        gc.collect()
        assert all(answer.language == expected.language for answer in running.result())


def test_a_model_may_go_while_it_is_in_use() -> None:
    identifier = LanguageIdentifier(random_model())
    expected = identifier.identify(LONG)
    with ThreadPoolExecutor(4) as pool:
        running = [pool.submit(identifier.identify_batch, [LONG] * 10) for _ in range(4)]
        del identifier
        gc.collect()
        assert all(future.result() == [expected] * 10 for future in running)


# ---- processes -------------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_processes_give_the_same_answers(identifier: LanguageIdentifier, method: str) -> None:
    expected = identifier.identify_batch(TEXTS, threads=2)  # used before the fork, on threads
    with multiprocessing.get_context(method).Pool(1) as pool:
        assert pool.map(identifier.identify, TEXTS) == expected
        assert pool.apply(identifier.identify_batch, (TEXTS * 20, None, 2)) == expected * 20


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_fork_from_a_thread_while_others_predict(identifier: LanguageIdentifier) -> None:
    expected = identifier.identify_batch(TEXTS)
    stop = threading.Event()

    def predict() -> None:
        while not stop.is_set():
            identifier.identify_batch(TEXTS * 10, threads=2)

    def fork() -> int:
        child = os.fork()
        if child == 0:
            same = identifier.identify_batch(TEXTS * 10, threads=2) == expected * 10
            os._exit(0 if same else 1)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

    with ThreadPoolExecutor(3) as pool:
        predicting = [pool.submit(predict) for _ in range(2)]
        try:
            assert [pool.submit(fork).result(timeout=30) for _ in range(5)] == [0] * 5
        finally:
            stop.set()
        for future in predicting:
            future.result()


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_fork_while_another_thread_loads_models() -> None:
    loading, forked = threading.Event(), threading.Event()

    class Slow(budgie.Pipeline):
        def _route(self, label: str) -> Route:
            if label == "de":
                loading.set()
                assert forked.wait(30)
            return super()._route(label)

    pipeline = Slow()
    with ThreadPoolExecutor(1) as pool:
        found = pool.submit(pipeline.annotate, "Guten Tag.", "de")
        assert loading.wait(30)
        child = os.fork()
        if child == 0:
            signal.alarm(20)  # which ends a child that waits for a lock
            tags = [token.tag for token in pipeline.annotate("Good day.", "en").tokens]
            os._exit(0 if tags == ["ADJ", "NOUN", "PUNCT"] else 1)
        forked.set()
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert len(found.result().tokens) == 3


# ---- pickling and copying --------------------------------------------------------------------------------------


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_pickles_are_the_file(identifier: LanguageIdentifier, protocol: int) -> None:
    pickled = pickle.dumps(identifier, protocol)
    assert len(pickled) < len(identifier.model.to_bytes()) * (1.01 if protocol > 2 else 2) + 500
    again = pickle.loads(pickled)
    assert again.identify_batch(TEXTS) == identifier.identify_batch(TEXTS)
    assert again.model.to_bytes() == identifier.model.to_bytes()


def test_copies_answer_the_same(identifier: LanguageIdentifier) -> None:
    for twin in (copy.copy(identifier), copy.deepcopy(identifier)):
        assert twin.identify_batch(TEXTS) == identifier.identify_batch(TEXTS)


def test_a_damaged_pickle_is_an_error(identifier: LanguageIdentifier) -> None:
    pickled = pickle.dumps(identifier)
    for length in range(0, len(pickled), len(pickled) // 10 + 1):
        with pytest.raises((EOFError, pickle.UnpicklingError)):
            pickle.loads(pickled[:length])
    middle = len(pickled) // 2
    with pytest.raises(ModelError, match="damaged: the checksum does not match"):
        pickle.loads(pickled[:middle] + bytes([pickled[middle] ^ 1]) + pickled[middle + 1 :])
