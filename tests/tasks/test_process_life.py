# SPDX-License-Identifier: Apache-2.0
"""What the life of a process asks of a model: it starts and ends quietly, and its memory does not grow."""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import SENTENCES, random_model, skip_if_missing

import budgie as package
from budgie import Identification, LanguageIdentifier, Model

TEXTS: list[str | bytes] = [
    *SENTENCES,
    *(sentence.encode() for sentence in SENTENCES),
    "",
    "x" * 20_000,
    " ".join(SENTENCES),
]

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
    skip_if_missing(result.stderr)
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout.strip()


def resident() -> int:
    """Bytes of memory that this process has now."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")


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
        "load('seg-ja').segment_batch(['灯塔看守人' * 10] * 100, 2)",
        "load('preorder-en-ja').reorder_batch([['some', 'words'] * 50] * 10, 2)",
        "load('pos-en').tag_batch([(word for word in words) for _ in range(1000)], 2)",
        "load('pos-en').tag_batch([Words(words)] * 1000)",
        "load('pos-en').tag(Words(words))",
        "load('pos-en').rank(Words(words[:100]))",
        "load('preorder-en-ja').reorder_batch([Words(words[:10])] * 100, 2)",
        "load('preorder-en-ja').reorder(Words(words[:100]))",
    ],
)
def test_python_ends_quietly_while_threads_work(call: str) -> None:
    # Before 3.14, such threads are ended when they ask for the GIL; also in Python code that makes words of a sentence.
    model, call = call.split(".", 1)
    program = f"""
import sys, threading, time
from budgie import load
model = {model}
sys.setswitchinterval(1e-5)
words = ["some", "words"] * 20
class Words(list):
    def __iter__(self):
        for word in self[:]:
            for _ in range(100):
                pass
            yield word
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
    "seg-ja": [
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


@on_linux
def test_lack_of_memory_for_what_a_document_is_written_as() -> None:
    program = """
import resource
from budgie import Document, annotate
outcomes = set()
for write in (Document.to_json, Document.to_conllu, Document.to_tsv, lambda document: document.__reduce__()[1][1]):
    sentence = "Some words here. "
    size = len(write(annotate(sentence * 100, "en"))) // 100
    # Memory of the core doubles: where nearly all of it is used, it is most likely to be enough when Python's is not.
    document = annotate(sentence * int(0.9 * 2**22 / size), "en")
    write(document)
    used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
    for room in range(100):
        resource.setrlimit(resource.RLIMIT_AS, (used + room * 2**17, resource.RLIM_INFINITY))
        try:
            outcomes.add(len(write(document)) > 0)
        except MemoryError:
            outcomes.add("MemoryError")
        resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print(sorted(map(str, outcomes)))
"""
    assert run(program) == "['MemoryError', 'True']"


COLLECTED = {
    "langid": ["identify_batch(['some text'] * 50_000)", "rank_batch(['some text'] * 5_000)", "spans('some text' * 9)"],
    "pos-en": ["tag_batch([['some', 'text']] * 50_000, 2)", "tag(['some', 'text'] * 50_000)"],
    "seg-ja": ["segment_batch(['灯塔'] * 50_000)", "spans('灯塔' * 50_000)"],
    "preorder-en-ja": ["reorder_batch([['some', 'text']] * 50_000)"],
}


@pytest.mark.parametrize(("name", "call"), [(name, call) for name, calls in COLLECTED.items() for call in calls])
def test_no_garbage_is_collected_while_answers_are_made(name: str, call: str) -> None:
    program = f"""
import gc, budgie
model, collected = budgie.load({name!r}), []
gc.collect()
gc.callbacks.append(lambda phase, info: collected.append(phase))
answers = model.{call}
during = len(collected)
print(during <= 2, gc.isenabled())
"""
    assert run(program) == "True True"


@pytest.mark.parametrize("enabled", [True, False])
def test_the_garbage_collector_is_left_as_it_was(enabled: bool) -> None:
    tagger, sentences = package.load("pos-en"), [["some", "text"]] * 1000
    before = gc.isenabled()
    try:
        (gc.enable if enabled else gc.disable)()
        for wrong in ([], [None], [["a"], ["b", None]]):
            with contextlib.suppress(TypeError):
                tagger.tag_batch([*sentences, *wrong])
            assert gc.isenabled() == enabled
        with pytest.raises(KeyboardInterrupt):
            signal_soon(tagger.tag_batch, sentences * 1000)
        assert gc.isenabled() == enabled
    finally:
        (gc.enable if before else gc.disable)()


def signal_soon(call: Callable[..., object], *arguments: object) -> None:
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        call(*arguments)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_answers_outlive_the_model() -> None:
    identifier = LanguageIdentifier(random_model())
    answers = identifier.identify_batch(TEXTS)
    twins = [Identification(answer.language, answer.probability, answer.reliable) for answer in answers]
    del identifier
    gc.collect()
    assert answers == twins
