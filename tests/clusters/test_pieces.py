# SPDX-License-Identifier: Apache-2.0
"""Text counted in pieces, whose counts travel and are added: the same as counted at once."""

from __future__ import annotations

import pickle
import tempfile
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from budgie._core import BigramCounter, Bigrams, Exchange, WordCounter, WordCounts
from budgie.clusters.engines import Local, read_piece
from budgie.clusters.text import chunks_of, pieces_of

TEXTS = st.lists(st.sampled_from([b"a ", b"B", b"b\n", b"\n", b"\xc3\xa9", b"\xff", b"\r\n", b"\xef\xbb\xbf", b" "]))


@settings(max_examples=150, deadline=None)
@given(texts=st.lists(TEXTS.map(b"".join), min_size=1, max_size=3), size=st.integers(1, 12), fold=st.booleans())
def test_pieces_make_the_whole(texts: list[bytes], size: int, fold: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / f"{number}.txt" for number in range(len(texts))]
        for path, text in zip(paths, texts, strict=True):
            path.write_bytes(text)
        pieces = list(pieces_of(paths, size))
        for path, text in zip(paths, texts, strict=True):
            parts = [b"".join(chunks_of(piece)) for piece in pieces if piece.path == path]
            assert b"".join(parts) == text.removeprefix(b"\xef\xbb\xbf")
            assert all(part.endswith(b"\n") for part in parts[:-1])

        words, kept = WordCounter(fold, fold), whole(paths, partial(WordCounter, fold, fold)).keep(3, 1)
        pairs = BigramCounter(kept, fold, fold)
        for piece in pieces:
            counter = WordCounter(fold, fold)
            read_piece(counter, piece)
            words.add(pickle.loads(pickle.dumps(counter.take())))
            pair_counter = BigramCounter(pickle.loads(pickle.dumps(kept)), fold, fold)
            read_piece(pair_counter, piece)
            pairs.add(pickle.loads(pickle.dumps(pair_counter.take())))
        assert packed(words.keep(3, 1)) == packed(kept)
        at_once = whole(paths, partial(BigramCounter, kept, fold, fold))
        assert pairs.words == at_once.words == words.words
        assert packed(pairs.take()) == packed(at_once.take())


def whole(paths: list[Path], make: partial[WordCounter] | partial[BigramCounter]) -> WordCounter | BigramCounter:
    return Local().count(make, paths, lambda _: None)


def packed(counts: WordCounts | Bigrams) -> bytes:
    return counts.__getstate__()


def test_what_is_compressed_stays_whole(tmp_path: Path) -> None:
    plain, other = tmp_path / "a.txt", tmp_path / "a.gz"
    for path in (plain, other):
        path.write_bytes(b"a\n" * 10)
    assert list(pieces_of([other, plain], 15)) == [(other, 0, None), (plain, 0, 16), (plain, 16, None)]


@pytest.mark.parametrize("kind", [WordCounts, Bigrams])
@pytest.mark.parametrize("data", [b"", b"\x01", b"\xff" * 20, b"\x03\x00\x00\x00\x00"], ids=repr)
def test_damaged_counts(kind: type[WordCounts] | type[Bigrams], data: bytes) -> None:
    with pytest.raises(ValueError, match="packed counts are damaged"):
        kind.__new__(kind).__setstate__(data)


def test_what_is_asked_of_an_exchange_but_cannot_be() -> None:
    words = WordCounter(False, False)
    words.read(b"a b c d a b")
    words.finish_file()
    kept = words.take()
    pairs = BigramCounter(kept, False, False)
    pairs.read(b"a b c d a b")
    pairs.finish_file()
    exchange = Exchange(pairs.take(), 2, False, 0, 5, 1, 300)
    for call in (
        lambda: exchange.choose(0, 0, 1),
        lambda: exchange.apply([0, 0], 1),
        lambda: exchange.resume(1, 0, [2]),
    ):
        with pytest.raises(ValueError, match=r"nowhere|no choices|no exchange"):
            call()
