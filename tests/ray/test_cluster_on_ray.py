# SPDX-License-Identifier: Apache-2.0
"""Clustering on Ray: the same as in one process, to the byte, whoever does what and whoever is lost."""

from __future__ import annotations

import gzip
import lzma
import os
import random
import signal
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from conftest import spawn

from budgie._core import BigramCounter, Bigrams, Exchange, WordCounter
from budgie.clusters import State, cluster
from budgie.errors import ConfigError, DataError, Error

pytest.importorskip("ray.util", reason="Ray is not installed here; make ray runs these tests")


def text_of(sentences: int, seed: int = 0) -> str:
    """Words that depend on the one before, the frequent and the rare, in upper and lower case, with digits."""
    draw = random.Random(seed)
    lines = []
    for _ in range(sentences):
        word, sentence = draw.randrange(50), []
        for _ in range(draw.randint(0, 12)):
            word = (7 * word + min(draw.randrange(50), draw.randrange(50))) % (60 + draw.randrange(400))
            sentence.append(draw.choice(("w{}", "W{}", "é{}", "Ω{}")).format(word))
        lines.append(" ".join(sentence))
    return "\n".join(lines)


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Files that end within a line, begin with a byte order mark, are compressed, empty, or no UTF-8."""
    folder = tmp_path_factory.mktemp("texts")
    contents = {
        "one.txt": text_of(900, 1).encode(),
        "marked.txt": b"\xef\xbb\xbf" + text_of(300, 2).encode() + b"\n\xef\xbb\xbfw1 w2",
        "empty.txt": b"",
        "two.txt.xz": lzma.compress(text_of(400, 3).encode()),
        "three.txt.gz": gzip.compress(text_of(300, 4).encode("latin-1", "replace") + b"\n"),
        "broken.txt": text_of(300, 5).encode()[:-1] + b" \xff\xe2\x82 \xe2\x82\n\n\xe2" + b" w1 w2\xff" * 500,
    }
    for name, data in contents.items():
        (folder / name).write_bytes(data)
    return [folder / name for name in contents]


@pytest.mark.parametrize("workers", [1, 2, 3])
@pytest.mark.parametrize("two_sided", [False, True], ids=["one-sided", "two-sided"])
@pytest.mark.parametrize("folding", [False, True], ids=["as-is", "folded"])
def test_the_same_table(
    workers: int,
    two_sided: bool,
    folding: bool,
    texts: list[Path],
    ray_here: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("budgie.clusters.on_ray._PIECE", 5000)  # bytes; a file has several pieces
    run = partial(
        cluster, texts, 8, 700, two_sided=two_sided, fold_case=folding, fold_digits=folding, cycles=2, rounds=4
    )
    here, there = run(), run(engine="ray", workers=workers)
    here.write(tmp_path / "here.tsv")
    there.write(tmp_path / "there.tsv")
    assert (tmp_path / "there.tsv").read_bytes() == (tmp_path / "here.tsv").read_bytes()
    assert replace(there, seconds=here.seconds) == here


def test_threads_of_workers(texts: list[Path], ray_here: Any) -> None:
    assert cluster(texts, 8, engine="ray", threads=3).table == cluster(texts, 8).table


def test_progress(texts: list[Path], ray_here: Any) -> None:
    shown: list[State] = []
    found = cluster(texts, 8, engine="ray", workers=2, report=shown.append)
    assert list(dict.fromkeys(state.task for state in shown)) == ["counting words", "counting pairs", "clustering"]
    assert max(state.words for state in shown) == found.tokens
    assert (shown[-1].done, shown[-1].round) == (1.0, found.rounds)
    assert shown[-1].likelihood == found.likelihood


def test_refusals(texts: list[Path], ray_here: Any, tmp_path: Path) -> None:
    short = tmp_path / "short.txt.xz"
    short.write_bytes(lzma.compress(random.Random(0).randbytes(10_000))[:5000])
    with pytest.raises(DataError, match=r"short\.txt\.xz: cannot be read") as raised:
        cluster([*texts, short], engine="ray")
    assert "\n" not in str(raised.value)
    with pytest.raises(FileNotFoundError, match=r"none\.xz"):
        cluster([tmp_path / "none.xz"], engine="ray")
    for workers, threads, room in ((4, 1, 3), (2, 2, 1), (None, 4, 0)):
        with pytest.raises(ConfigError, match=f"enough for {room}, not for {workers or 1} workers of {threads} thr"):
            cluster(texts, engine="ray", workers=workers, threads=threads)
    with pytest.raises(ConfigError, match="for the engine ray"):
        cluster(texts, workers=2)
    with pytest.raises(ConfigError, match="no engine 'spark'"):
        cluster(texts, engine="spark")


# ---- workers that are lost -------------------------------------------------------------------------------------


def test_counting_goes_on_when_a_worker_is_lost(texts: list[Path], ray_here: Any, tmp_path: Path) -> None:
    from budgie.clusters.on_ray import OnRay

    here, lost = os.getpid(), tmp_path / "lost"

    def make() -> WordCounter:
        if os.getpid() != here and not lost.exists():
            lost.touch()
            os._exit(1)
        return WordCounter(False, False)

    found = OnRay(2, 1).count(make, texts, lambda _: None)
    assert lost.exists()
    assert found.words == cluster(texts, 8).tokens


@pytest.fixture(scope="module")
def bigrams() -> Bigrams:
    text = text_of(1500).encode()
    words = WordCounter(False, False)
    words.read(text)
    words.finish_file()
    pairs = BigramCounter(words.keep(1000, 1), False, False)
    pairs.read(text)
    pairs.finish_file()
    return pairs.take()


@pytest.mark.parametrize("two_sided", [False, True], ids=["one-sided", "two-sided"])
@pytest.mark.parametrize("lost", [(0,), (1,), (0, 1)], ids=str)
def test_lost_workers_are_made_anew(two_sided: bool, lost: tuple[int, ...], bigrams: Bigrams, ray_here: Any) -> None:
    from budgie.clusters.on_ray import ExchangeOnRay

    make = partial(Exchange, bigrams, 6, two_sided, 1, 4, 1, 60)
    alone, shared = make(), ExchangeOnRay(make, 2, 1)
    batches = 0
    while alone.advance(1, 0.0):
        assert shared.advance(1, 0.0)
        batches += 1
        if batches in (20, 75):
            for share in lost:
                ray_here.kill(shared._replicas[share])
    while shared.advance(1, 1.0):
        pass
    assert batches > 75
    assert (shared.round, shared.last_moves) == (alone.round, alone.last_moves)
    assert shared.classes == alone.classes
    assert shared.mutual_information == alone.mutual_information


def test_workers_lost_again_and_again(bigrams: Bigrams, ray_here: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from budgie.clusters.on_ray import ExchangeOnRay

    monkeypatch.setattr("budgie.clusters.on_ray._MOST_LOSSES", 0)
    shared = ExchangeOnRay(partial(Exchange, bigrams, 6, False, 1, 4, 1, 60), 2, 1)
    shared.advance(1, 0.0)
    ray_here.kill(shared._replicas[1])
    with pytest.raises(Error, match="lost again and again"):
        shared.advance(1, 0.0)


# ---- the command -----------------------------------------------------------------------------------------------


def test_command(texts: list[Path], tmp_path: Path, own_token: None) -> None:
    for engine in ((), ("--engine", "ray", "--workers", 2)):
        out = tmp_path / f"{len(engine)}.tsv"
        process = spawn("cluster", *texts, "--classes", 9, "--cycles", 1, "--out", out, *engine)
        output, error = process.communicate(timeout=120)
        assert (process.returncode, output) == (0, b""), error
        assert error.count(b"\n") == 1, error  # the summary, and nothing of Ray's
        assert b" words in 9 classes from " in error
    assert (tmp_path / "4.tsv").read_bytes() == (tmp_path / "0.tsv").read_bytes()


def test_interrupted_command_leaves_nothing(tmp_path: Path, own_token: None) -> None:
    text, out = tmp_path / "text.txt", tmp_path / "out"
    text.write_text(text_of(40_000))
    out.mkdir()
    options = ("--cycles", 100, "--out", out / "clusters.tsv", "--engine", "ray", "--workers", 2)
    process = spawn("cluster", text, *options, start_new_session=True)
    time.sleep(15)  # it has begun by then
    assert process.poll() is None
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does, to all that run in it
    assert process.wait(timeout=30) == 130
    assert list(out.iterdir()) == []
