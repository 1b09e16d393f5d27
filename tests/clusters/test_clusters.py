# SPDX-License-Identifier: Apache-2.0
"""Exchange clustering: the algorithm against its definition, the counting, the tables, the command."""

from __future__ import annotations

import gzip
import itertools
import lzma
import os
import pty
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest
from benchmarks.clusters import reference
from conftest import Command, spawn
from hypothesis import given, settings
from hypothesis import strategies as st

from budgie._core import BigramCounter, Exchange, WordCounter, WordCounts
from budgie.clusters import ClusterTable, State, cluster, read_clusters
from budgie.clusters.progress import text_of
from budgie.errors import ConfigError, DataError

MODELS = pytest.mark.parametrize("two_sided", [False, True], ids=["one-sided", "two-sided"])


def made_up_text(
    words: int = 60, classes: int = 6, sentences: int = 600, seed: int = 0
) -> tuple[bytes, dict[str, int]]:
    """Text of a class bigram model, and the classes; the number of a word is its frequency's rank within its class."""
    draw = random.Random(seed)
    class_of = {f"w{i}": i % classes for i in range(words)}
    members = [[word for word, c in class_of.items() if c == one] for one in range(classes)]
    follow = [draw.sample(range(classes), 2) for _ in range(classes)]
    lines = []
    for _ in range(sentences):
        c, sentence = draw.randrange(classes), []
        for _ in range(draw.randint(1, 12)):
            weights = [1 / (1 + rank) for rank in range(len(members[c]))]
            sentence.append(draw.choices(members[c], weights)[0])
            c = draw.choices(follow[c], [3, 1])[0]
        lines.append(" ".join(sentence))
    return "\n".join(lines).encode(), class_of


def count(
    text: bytes, least: int = 1, most: int = 1000, cuts: Iterable[int] = (), folding: tuple[bool, bool] = (False, False)
) -> tuple[WordCounts, BigramCounter]:
    """Both passes over a text that comes in pieces."""
    borders = [0, *sorted(cuts), len(text)]
    chunks = [text[a:b] for a, b in itertools.pairwise(borders)]
    words = WordCounter(*folding)
    for chunk in chunks:
        words.read(chunk)
    words.finish_file()
    kept = words.keep(most, least)
    bigrams = BigramCounter(kept, *folding)
    for chunk in chunks:
        bigrams.read(chunk)
    bigrams.finish_file()
    assert bigrams.words == words.words
    return kept, bigrams


def table_of(kept: WordCounts, exchange: Exchange) -> dict[str, int]:
    return dict(zip(kept.words, exchange.classes, strict=True))


def write(folder: Path, text: bytes | str, name: str = "text.txt") -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


# ---- the algorithm ---------------------------------------------------------------------------------------------


@MODELS
@pytest.mark.parametrize("least", [1, 12])
def test_likelihood_and_mutual_information_are_what_the_definitions_say(two_sided: bool, least: int) -> None:
    text, _ = made_up_text()
    kept, counter = count(text, least)
    pairs = reference.pairs_of(text.splitlines())
    exchange = Exchange(counter.take(), 5, two_sided, cycles=2, rounds=4, seed=3, batch_words=7)
    going_on = True
    while going_on:  # rounds, splits and mergers
        done = exchange.round
        while going_on and exchange.round == done:
            going_on = exchange.advance(1, 0.0)
        classes = table_of(kept, exchange)
        assert exchange.likelihood == pytest.approx(reference.likelihood(pairs, classes, two_sided), rel=1e-11)
        assert exchange.mutual_information == pytest.approx(reference.mutual_information(pairs, classes), rel=1e-9)
    assert exchange.round > 6


@MODELS
@settings(max_examples=40, deadline=None)
@given(words=st.lists(st.sampled_from("a b c d e a b \n".split(" ")), min_size=1, max_size=60), seed=st.integers(0, 99))
def test_no_move_makes_the_text_less_likely(two_sided: bool, words: list[str], seed: int) -> None:
    kept, counter = count(" ".join(words).encode())
    exchange = Exchange(counter.take(), 2, two_sided, cycles=0, rounds=3, seed=seed, batch_words=1)
    before, going_on = exchange.likelihood, bool(kept.counts)
    while going_on:
        going_on = exchange.advance(1, 0.0)
        assert exchange.likelihood >= before - 1e-8
        before = exchange.likelihood


@MODELS
def test_no_other_class_is_better_in_the_end(two_sided: bool) -> None:
    text, _ = made_up_text(sentences=200)
    kept, counter = count(text)
    exchange = Exchange(counter.take(), 4, two_sided, cycles=1, rounds=100, seed=1, batch_words=1)
    while exchange.advance(1, 1.0):
        pass
    assert exchange.last_moves == 0
    pairs, classes = reference.pairs_of(text.splitlines()), table_of(kept, exchange)
    best = reference.likelihood(pairs, classes, two_sided)
    for word in kept.words[::5]:
        for other in range(4):
            assert reference.likelihood(pairs, {**classes, word: other}, two_sided) <= best + 1e-6


@MODELS
def test_planted_classes_are_found(two_sided: bool) -> None:
    text, planted = made_up_text(words=90, classes=6, sentences=3000)
    kept, counter = count(text, least=5)
    exchange = Exchange(counter.take(), 6, two_sided, cycles=4, rounds=20, seed=1, batch_words=10)
    while exchange.advance(1, 1.0):
        pass
    found: dict[int, Counter[int]] = {}
    for word, c in table_of(kept, exchange).items():
        found.setdefault(c, Counter())[planted[word]] += 1
    assert len(found) == 6
    assert sum(max(counts.values()) for counts in found.values()) >= 0.97 * len(kept.words)


@MODELS
def test_threads_and_slices_of_time_change_nothing(two_sided: bool, tmp_path: Path) -> None:
    path = write(tmp_path, made_up_text(words=400, classes=10, sentences=3000)[0])
    one, two, three = (cluster([path], 20, two_sided=two_sided, threads=threads).table for threads in (1, 2, 3))
    assert one == two == three
    assert one != cluster([path], 20, two_sided=two_sided, seed=2).table


@MODELS
@pytest.mark.parametrize("classes", [1, 2, 5, 6, 7, 1000])
def test_any_number_of_classes(two_sided: bool, classes: int, tmp_path: Path) -> None:
    found = cluster([write(tmp_path, "a b c\nd e f\na d\n" * 3)], classes, two_sided=two_sided)
    assert 1 <= found.table.number_of_classes <= min(classes, 6)
    if classes >= 6:
        assert sorted(found.table.classes) == [0, 1, 2, 3, 4, 5]


# ---- counting --------------------------------------------------------------------------------------------------


@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_chunks_may_end_anywhere(data: st.DataObject) -> None:
    text = data.draw(st.lists(st.sampled_from("ab ÄΣ9𝔸 \n\n\r\t \x0b\xa0"), max_size=40).map("".join)).encode()
    text += data.draw(st.binary(max_size=6))
    cuts = data.draw(st.lists(st.integers(0, len(text)), max_size=5))
    folding = data.draw(st.tuples(st.booleans(), st.booleans()))
    whole, pieces = count(text, folding=folding), count(text, cuts=cuts, folding=folding)
    assert (whole[0].words, whole[0].counts) == (pieces[0].words, pieces[0].counts)
    assert whole[1].take().total == pieces[1].take().total
    if not any(folding):
        assert Counter(dict(zip(whole[0].words, whole[0].counts, strict=True))) == Counter(
            word.decode("utf-8", "replace") for word in text.split()
        )


def test_which_words_are_kept() -> None:
    text = b"x y y z z z v v u u t"
    assert count(text)[0].words == ["z", "y", "v", "u", "x", "t"]  # as they come, among equals
    assert count(text, least=2)[0].words == ["z", "y", "v", "u"]
    assert count(text, most=2)[0].words == ["z", "y"]
    assert count(text, least=9)[0].words == []


def test_folding() -> None:
    text = "Ab aB 1999 2024 ٣ É é".encode()
    assert count(text, folding=(True, False))[0].words == ["ab", "é", "1999", "2024", "٣"]
    assert count(text, folding=(False, True))[0].words == ["0000", "Ab", "aB", "0", "É", "é"]


@pytest.mark.parametrize("text", [b"a b\r\nb\n", b"a b\nb", b"\n\n a  b \n\t\nb\n\n", b"\xef\xbb\xbfa b\nb"])
def test_lines_and_their_ends(text: bytes, tmp_path: Path) -> None:
    found = cluster([write(tmp_path, text)], 2, least=1)
    assert (found.table.words, found.counts, found.tokens) == (("b", "a"), (2, 1), 3)
    pairs = reference.pairs_of([b"a b", b"b"])
    classes = dict(zip(found.table.words, found.table.classes, strict=True))
    assert found.mutual_information == pytest.approx(reference.mutual_information(pairs, classes))


def test_a_huge_line_and_a_huge_word(tmp_path: Path) -> None:
    found = cluster([write(tmp_path, b"a b " * 600_000 + b"c" * 3_000_000)], 2, least=1)
    assert found.tokens == 1_200_001
    assert found.table.words[:2] == ("a", "b")


def test_what_is_not_utf8(tmp_path: Path) -> None:
    assert cluster([write(tmp_path, b"\xff \xff a\xe2\x82 \xed\xa0\x80")], 2, least=1).table.words == (
        "\ufffd",
        "a\ufffd",
        "\ufffd\ufffd\ufffd",
    )


def compress_zst(data: bytes) -> bytes:
    zstandard = pytest.importorskip("zstandard")
    return bytes(zstandard.ZstdCompressor().compress(data))


def test_compressed_text_in_several_files(tmp_path: Path) -> None:
    text = made_up_text()[0]
    one, other = text[:5000], text[5000:]  # the end of a file is the end of a sentence
    plain = cluster([write(tmp_path, one + b"\n" + other)], 5)
    parts = [write(tmp_path, gzip.compress(one), "one.gz"), write(tmp_path, lzma.compress(other), "other.xz")]
    assert cluster(parts, 5).table == plain.table
    zst = compress_zst(one[:2000]) + compress_zst(one[2000:])  # frames, one behind the other
    assert cluster([write(tmp_path, zst, "one.zst"), parts[1]], 5).table == plain.table


@pytest.mark.parametrize("suffix", ["gz", "xz", "zst"])
def test_a_file_cut_short(suffix: str, tmp_path: Path) -> None:
    compress = {"gz": gzip.compress, "xz": lzma.compress, "zst": compress_zst}[suffix]
    data = compress(random.Random(0).randbytes(300_000))
    path = write(tmp_path, data[:100_000], f"text.{suffix}")
    with pytest.raises(DataError, match="cannot be read"):
        cluster([path])
    with pytest.raises(DataError, match="cannot be read"):
        cluster([write(tmp_path, b"no such thing" * 10, f"text.{suffix}")])


# ---- tables ----------------------------------------------------------------------------------------------------


def test_tables_are_read_as_they_are_written(tmp_path: Path) -> None:
    found = cluster([write(tmp_path, made_up_text()[0])], 5, fold_case=True)
    found.write(tmp_path / "clusters.tsv")
    assert read_clusters(tmp_path / "clusters.tsv") == found.table
    first, second, *_ = (tmp_path / "clusters.tsv").read_text().splitlines()
    assert first == "# fold_case=yes fold_digits=no"
    assert second == f"{found.table.words[0]}\t{found.table.classes[0]}\t{found.counts[0]}"
    assert list(dict.fromkeys(found.table.classes)) == [0, 1, 2, 3, 4]


def test_other_tables_are_numbered_anew(tmp_path: Path) -> None:
    path = write(tmp_path, lzma.compress(b"a\t77\nb\t5\nc\t77\n#\t5\na\t5\n"), "brown.tsv.xz")
    assert read_clusters(path) == ClusterTable(("a", "b", "c", "#"), (0, 1, 0, 1), 2)


def test_words_that_folding_makes_one(tmp_path: Path) -> None:
    path = write(tmp_path, "# fold_case=yes fold_digits=yes\nAb\t1\t9\nAB\t0\t8\n12\t0\t3\n")
    assert read_clusters(path) == ClusterTable(("ab", "00"), (0, 1), 2, True, True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a 1\n", "text.txt, line 1: not a word, a tab"),
        ("a\t1\n\t2\n", "text.txt, line 2: not a word, a tab"),
        ("a\t1\t2\t3\n", "text.txt, line 1: not a word, a tab"),
        ("a\tx\n", "text.txt, line 1: the class 'x' is not a number; a word comes first"),
        ("a\t-1\n", "text.txt, line 1: the class '-1' is not a number; a word comes first"),
        ("# fold_case=maybe fold_digits=no\na\t0\n", "text.txt, line 1: the comment must be"),
        ("# words\na\t0\n", "text.txt, line 1: the comment must be"),
        ("# fold_case=no fold_digits=no\n", "text.txt holds no words"),
        ("", "text.txt is empty"),
    ],
)
def test_bad_tables(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(DataError) as raised:
        read_clusters(write(tmp_path, text))
    assert message in str(raised.value)


def test_paths_in_a_tree_are_names(tmp_path: Path) -> None:
    path = write(tmp_path, "a\t0010\nb\t010\nc\t10\na\t11\nd\t10\n")
    assert read_clusters(str(path)) == ClusterTable(("a", "b", "c", "d"), (0, 1, 2, 2), 3)


def test_more_classes_than_words(tmp_path: Path) -> None:
    found = cluster([str(write(tmp_path, "a b c\n" * 5))], classes=10**9, two_sided=True)
    assert found.table.number_of_classes <= 3
    with pytest.raises(DataError, match="no text"):
        cluster([])


def test_settings_that_make_no_sense(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="1 or more"):
        cluster([write(tmp_path, "a")], 0)


# ---- the command -----------------------------------------------------------------------------------------------


def test_command(budgie: Command, tmp_path: Path) -> None:
    text, out = write(tmp_path, made_up_text()[0]), tmp_path / "clusters.tsv"
    budgie("cluster", text, "--classes", 5, "--words", 30, "--two-sided", "--fold-digits", "--out", out, "--quiet")
    table = cluster([text], 5, 30, two_sided=True, fold_digits=True).table
    assert read_clusters(out) == table
    assert {path.name for path in tmp_path.iterdir()} == {"text.txt", "clusters.tsv"}


def test_summary(tmp_path: Path) -> None:
    text = write(tmp_path, made_up_text()[0])
    process = spawn("cluster", text, "--classes", 5, "--out", tmp_path / "clusters.tsv")
    output, error = process.communicate(timeout=30)
    assert (process.returncode, output) == (0, b"")
    assert b"59 words in 5 classes from " in error
    assert b" bits, " in error


def test_refusals(budgie: Command, tmp_path: Path) -> None:
    text, out = write(tmp_path, "a b\n"), tmp_path / "clusters.tsv"
    budgie.fails("cluster", "-", "--out", out, message="-: not a file; the text is read twice")
    budgie.fails("cluster", text, "--out", out, message=f"{text}: no word is there at least 3 times")
    budgie.fails("cluster", text, "--out", text, message=f"--out {text} is one of the inputs")
    budgie.fails("cluster", text, "--out", tmp_path / "no" / "x", message=f"--out {tmp_path / 'no' / 'x'}: there is no")
    budgie.fails("cluster", text, "--out", tmp_path, message=f"{tmp_path}: is there already and is not")
    budgie.fails("cluster", text, "--out", tmp_path / "x.gz", message=f"--out {tmp_path / 'x.gz'}: tables are written")
    budgie.fails("cluster", text, "--seed", 2**64, "--out", out, message="no setting may be")
    budgie.fails("cluster", tmp_path / "none", "--out", out, message=f"{tmp_path / 'none'}: No such file")
    assert not out.exists()


def test_interrupted_command_leaves_nothing(tmp_path: Path) -> None:
    text = write(tmp_path, made_up_text(words=2000, classes=20, sentences=5000)[0] * 10)
    out = tmp_path / "out"
    out.mkdir()
    process = spawn("cluster", text, "--classes", 900, "--cycles", 100, "--out", out / "clusters.tsv")
    time.sleep(3)  # it has long begun to cluster then
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=10) == 130
    assert list(out.iterdir()) == []


def test_progress_text() -> None:
    assert text_of(State("counting words", 0.0, 1_234_567)) == "1,234,567 words of text"
    clustering = State("clustering", 0.5, 0, 3, 1200, -5.43216)
    assert text_of(clustering) == "round 3, 1,200 moves, log-likelihood -5.4322"


@pytest.mark.parametrize("rich", [True, False])
def test_progress_on_a_terminal(rich: bool, tmp_path: Path) -> None:
    if rich:
        pytest.importorskip("rich")
    text = write(tmp_path, made_up_text()[0])
    hide = "" if rich else "import sys, importlib.util as u; f = u.find_spec; "
    hide += "" if rich else "u.find_spec = lambda n, p=None: None if n == 'rich' else f(n, p); "
    program = hide + f"from budgie.cli import main; main(['cluster', {str(text)!r}, '--out', {str(tmp_path / 'o')!r}])"
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", program], stderr=theirs, env={**os.environ, "COLUMNS": "150"}
    ) as process:
        os.close(theirs)
        shown = b""
        try:
            while chunk := os.read(ours, 1000):
                shown += chunk
        except OSError:  # the other end is closed
            pass
    os.close(ours)
    assert process.returncode == 0
    assert b"clustering" in shown
    assert b"log-likelihood" in shown
