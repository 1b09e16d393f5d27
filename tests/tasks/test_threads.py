# SPDX-License-Identifier: Apache-2.0
"""A loaded model never changes: threads, processes, pickling and long lives come for free."""

from __future__ import annotations

import copy
import gc
import multiprocessing
import os
import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from conftest import SENTENCES, random_model

import budgie
from budgie import Identification, LanguageIdentifier, Model, ModelError

TEXTS: list[str | bytes] = [
    *SENTENCES,
    *(sentence.encode() for sentence in SENTENCES),
    "",
    "x" * 20_000,
    " ".join(SENTENCES),
]
LONG = " ".join(SENTENCES) * 400

on_linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")


def run(program: str, **options: str) -> str:
    """Run a program in a fresh interpreter; it must say nothing on stderr."""
    result = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env=os.environ | options,
    )
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout.strip()


def resident() -> int:
    """Bytes of memory that this process has now."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")


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


# ---- the life of a process -------------------------------------------------------------------------------------


def test_the_import_starts_no_threads_and_needs_nothing() -> None:
    program = """
import os, sys
before = set(os.environ.items())
import budgie
heavy = {"numpy", "torch", "rich", "argparse", "tarfile", "multiprocessing", "concurrent.futures"}
print(len(os.listdir("/proc/self/task")), sorted(heavy & sys.modules.keys()), set(os.environ.items()) == before)
"""
    assert run(program) == "1 [] True"


@pytest.mark.parametrize(
    "holder",
    [
        "held = identifier",
        "held = [identifier]; held.append(held)",
        "import functools; held = functools.cache(lambda: identifier); held()",
        "stream = identifier.identify_stream(iter(lambda: 'abc', None)); held = next(stream)",
        "import threading; work = lambda: [identifier.identify('a') for _ in iter(int, 1)]; "
        "threading.Thread(target=work, daemon=True).start()",
        "import atexit; atexit.register(lambda: identifier.identify('last words'))",
    ],
)
def test_python_ends_quietly_with_a_model_alive(model_file: Path, holder: str) -> None:
    run(f"import budgie; identifier = budgie.load({str(model_file)!r}); identifier.identify('abc'); {holder}")


@pytest.mark.parametrize(
    "call",
    [
        "load('langid').identify('some words ' * 100_000)",
        "load('langid').identify_batch(['some words'] * 2000, threads=2)",
        "load('pos-en').tag_batch([['some', 'words'] * 50] * 100, 2)",
        "load('seg-zh').segment_batch(['灯塔看守人' * 10] * 100, 2)",
        "load('preorder-en-ja').reorder_batch([['some', 'words'] * 50] * 10, 2)",
    ],
)
def test_python_ends_quietly_while_threads_work(call: str) -> None:
    # Before 3.14, such threads are ended when they ask for the GIL.
    model, call = call.split(".", 1)
    program = f"""
import threading, time
from budgie import load
model = {model}
def work():
    while True:
        model.{call}
for _ in range(4):
    threading.Thread(target=work, daemon=True).start()
time.sleep(0.2)
"""
    run(program)


def test_a_subinterpreter_works_or_says_no() -> None:
    # A crash would be a signal; an ImportError is fine.
    program = """
import budgie
try:
    import _xxsubinterpreters as interpreters
except ImportError:
    import _interpreters as interpreters
try:
    interpreters.run_string(interpreters.create(), "import budgie")
except Exception:
    pass
"""
    subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=60, check=True)


# ---- memory ----------------------------------------------------------------------------------------------------


@on_linux
def test_memory_does_not_grow_with_calls() -> None:
    identifier = LanguageIdentifier(random_model())

    def work(calls: int) -> None:
        for number in range(calls // 4):
            text = f"{number} fresh words {number * 7919:x} {SENTENCES[number % 10]}"
            identifier.identify(text)
            identifier.rank(text.encode())
            identifier.spans(text)
            identifier.identify_batch([text])

    work(20_000)
    gc.collect()
    before = resident()
    work(200_000)
    gc.collect()
    assert resident() - before < 1_000_000


@on_linux
def test_memory_does_not_grow_with_errors(identifier: LanguageIdentifier) -> None:
    def work(calls: int) -> None:
        for number in range(calls):
            with pytest.raises(TypeError):
                identifier.identify_batch([f"text {number}", b"bytes", None])  # type: ignore[list-item]

    work(1000)
    before = resident()
    work(10_000)
    assert resident() - before < 1_000_000


@on_linux
def test_memory_does_not_grow_with_loading() -> None:
    data = random_model().to_bytes()

    def work(times: int) -> None:
        for _ in range(times):
            LanguageIdentifier(Model.from_bytes(data)).identify("some text")

    work(100)
    gc.collect()
    before = resident()
    work(1000)
    gc.collect()
    assert resident() - before < 2_000_000


# What is asked of each model, for texts by the thousand and by the million.
HUNGRY = {
    "langid": [
        "model.identify_batch(['some text'] * count, threads=threads)",
        "[model.identify('some text') for _ in range(count)]",
        "model.rank_batch(['some text'] * (count // 4), threads=threads)",
        "model.spans_batch(['some text'] * (count // 4), threads=threads)",
    ],
    "pos-en": [
        "model.tag_batch([['some', 'text']] * count, threads)",
        "model.tag_batch([['some', 'text']] * count, threads, probabilities=True)",
        "model.rank(['some', 'text'] * (count // 20))",
    ],
    "seg-zh": [
        "model.segment_batch(['灯塔'] * count, threads)",
        "model.spans_batch(['灯塔'] * count, threads)",
        "model.spans('灯塔' * count)",
    ],
    "preorder-en-ja": [
        "model.reorder_batch([['some', 'text']] * (count // 2), threads)",
        "model.permutations([['some', 'text']] * (count // 2), threads)",
    ],
}


@on_linux
@pytest.mark.parametrize("threads", [1, 8])
@pytest.mark.parametrize(("name", "call"), [(name, call) for name, calls in HUNGRY.items() for call in calls])
def test_lack_of_memory_is_a_memory_error(name: str, call: str, threads: int) -> None:
    program = f"""
import resource, budgie
model, threads = budgie.load({name!r}), {threads}
def ask(count): return {call}
expected = ask(100)
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
outcomes = set()
for count, rooms in (20_000, (1, 2, 3, 4, 6, 8, 12, 16)), (1_000_000, (2, 10, 40, 80)):
    for room in rooms:
        resource.setrlimit(resource.RLIMIT_AS, (used + room * 2**20, resource.RLIM_INFINITY))
        try:
            outcomes.add(ask(count)[0] == expected[0])
        except MemoryError:
            outcomes.add("MemoryError")
        resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        assert ask(100) == expected
print(sorted(map(str, outcomes)))
"""
    assert run(program) in ("['MemoryError']", "['MemoryError', 'True']")


def test_answers_outlive_the_model() -> None:
    identifier = LanguageIdentifier(random_model())
    answers = identifier.identify_batch(TEXTS)
    twins = [Identification(answer.language, answer.probability, answer.reliable) for answer in answers]
    del identifier
    gc.collect()
    assert answers == twins
