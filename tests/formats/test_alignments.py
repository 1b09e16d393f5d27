# SPDX-License-Identifier: Apache-2.0
"""Aligned text: its files, and the order of the target language that follows from the links."""

from __future__ import annotations

import gzip
import itertools
import lzma
import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgie import DataError
from budgie.formats.alignments import Aligned, Links, merged_order, ranks, read_aligned

# I do not eat fish: 私 は 魚 を 食べ ない
FISH = ((0,), (), (5,), (4,), (2,))


def write(folder: Path, source: str, target: str | None, links: str, name: str = "set") -> Path:
    """The three files of an aligned set; gives what their names begin with."""
    for kind, text in (("src", source), ("tgt", target), ("align", links)):
        if text is not None:
            (folder / f"{name}.{kind}").write_bytes(text.encode())
    return folder / name


# ---- files -----------------------------------------------------------------------------------------------------


def test_a_set(tmp_path: Path) -> None:
    prefix = write(
        tmp_path,
        "I do not eat fish\nyes\t\u3000indeed \nno links\n",
        "私 は 魚 を 食べ ない\nはい\n\n",
        "0-0 2-5 3-4 4-2\n 1-0\t0-0 1-0\n\n",
    )
    assert list(read_aligned(prefix)) == [
        Aligned(("I", "do", "not", "eat", "fish"), FISH),
        Aligned(("yes", "indeed"), ((0,), (0,))),
        Aligned(("no", "links"), ((), ())),
    ]


def test_positions_ascend_without_repeats(tmp_path: Path) -> None:
    (sentence,) = read_aligned(write(tmp_path, "a b\n", " ".join("x" * 12), "1-11 0-8 1-2 0-9 1-11 0-1\n"))
    assert sentence.links == ((1, 8, 9), (2, 11))


def test_lines_without_words_are_skipped(tmp_path: Path) -> None:
    prefix = write(tmp_path, "\na\n \nb\n", "\nx\ny\n\n", "\n0-0\n\n\n")
    assert list(read_aligned(prefix)) == [Aligned(("a",), ((0,),)), Aligned(("b",), ((),))]


def test_any_line_ends_and_a_mark(tmp_path: Path) -> None:
    prefix = write(tmp_path, "\ufeffa b\r\nc", "\ufeffx\r\ny", "\ufeff0-0 1-0\r\n0-0")
    assert list(read_aligned(prefix)) == [Aligned(("a", "b"), ((0,), (0,))), Aligned(("c",), ((0,),))]


def test_a_line_ends_at_a_line_feed_alone(tmp_path: Path) -> None:
    """Other characters that Python takes for the end of a line separate words."""
    prefix = write(tmp_path, "a\u2028b\x0cc\n", "x\n", "2-0\n")
    assert list(read_aligned(prefix)) == [Aligned(("a", "b", "c"), ((), (), (0,)))]


def test_compressed_files_each_in_its_own_way(tmp_path: Path) -> None:
    (tmp_path / "v1.0.src.gz").write_bytes(gzip.compress(b"a b\n"))
    (tmp_path / "v1.0.tgt").write_bytes(b"x y\n")
    (tmp_path / "v1.0.align.xz").write_bytes(lzma.compress(b"0-1 1-0\n"))
    assert list(read_aligned(tmp_path / "v1.0")) == [Aligned(("a", "b"), ((1,), (0,)))]


def test_zst_files(tmp_path: Path) -> None:
    zstandard = pytest.importorskip("zstandard")
    for kind, text in (("src", b"a b\n"), ("tgt", b"x y\n"), ("align", b"1-1\n")):
        (tmp_path / f"set.{kind}.zst").write_bytes(zstandard.ZstdCompressor().compress(text))
    assert list(read_aligned(tmp_path / "set")) == [Aligned(("a", "b"), ((), (1,)))]


def test_several_sets(tmp_path: Path) -> None:
    one, other = write(tmp_path, "a\n", "x\n", "0-0\n", "one"), write(tmp_path, "b\n", "y\n", "\n", "other")
    both = [Aligned(("a",), ((0,),)), Aligned(("b",), ((),))]
    assert list(read_aligned(one, other)) == both
    assert list(read_aligned(other, one)) == both[::-1]
    assert list(read_aligned()) == []


def test_the_target_may_be_missing(tmp_path: Path) -> None:
    prefix = write(tmp_path, "a b\n", None, "0-999999999 1-0\n")
    assert list(read_aligned(prefix)) == [Aligned(("a", "b"), ((999_999_999,), (0,)))]
    (tmp_path / "set.tgt").write_bytes(b"x y\n")
    with pytest.raises(DataError, match="the link 0-999999999 is to word 999999999 of the target, which has 2 words"):
        list(read_aligned(prefix))


@pytest.mark.parametrize(
    "link",
    [
        "0",
        "0-",
        "-0",
        "0--0",
        "0-0-0",
        "0?0",
        "0-0:0.5",
        "0:0",
        "-1-0",
        "0-+1",
        "a-b",
        "0-٣",
        "0-²",
        "0-1234567890",
        "1234567890-0",
    ],
)
def test_what_is_no_link(link: str, tmp_path: Path) -> None:
    prefix = write(tmp_path, "a\nb\n", "x\ny\n", f"0-0\n0-0 {link}\n")
    with pytest.raises(DataError) as caught:
        list(read_aligned(prefix))
    assert str(caught.value) == (
        f"{tmp_path}/set.align, line 2: {link!r} is not a link; write sure links only, as i-j, and a space between two"
    )


@pytest.mark.parametrize(
    ("link", "message"),
    [
        ("2-0", "the link 2-0 is to word 2 of the source, which has 2 words in this line"),
        ("0-1", "the link 0-1 is to word 1 of the target, which has a single word in this line"),
    ],
)
def test_links_to_no_word(link: str, message: str, tmp_path: Path) -> None:
    prefix = write(tmp_path, "a b c\na b\n", "x y\nx\n", f"2-1\n0-0 {link}\n")
    with pytest.raises(DataError) as caught:
        list(read_aligned(prefix))
    assert str(caught.value) == (f"{tmp_path}/set.align, line 2: {message}; links are source-target and count from 0")
    with pytest.raises(DataError, match="line 1: the link 0-0 is to word 0 of the source, which has 0 words"):
        list(read_aligned(write(tmp_path, "\nb\n", "x\ny\n", "0-0\n0-0\n")))


@pytest.mark.parametrize(
    ("source", "target", "links", "short", "long"),
    [
        ("a\n", "x\n\n", "0-0\n\n", "src", "align"),
        ("a\n\n", "x\n\n", "0-0\n", "align", "src"),
        ("a\nb\n", "x\n", "0-0\n0-0\n", "tgt", "src"),
        ("a\n", "x\n\n", "0-0\n", "src", "tgt"),
        ("a\nb\n", None, "0-0\n", "align", "src"),
    ],
)
def test_files_of_different_lengths(
    source: str, target: str | None, links: str, short: str, long: str, tmp_path: Path
) -> None:
    sentences = read_aligned(write(tmp_path, source, target, links))
    assert next(sentences).words == ("a",)
    with pytest.raises(DataError) as caught:
        next(sentences)
    assert str(caught.value) == (
        f"{tmp_path}/set.{short} ends before line 2, which {tmp_path}/set.{long} has; both must have a line a sentence"
    )


def test_files_that_cannot_be_used(tmp_path: Path) -> None:
    prefix = tmp_path / "set"
    with pytest.raises(
        DataError, match=r"there is no .*/set\.src, plain or compressed \(\.gz, \.xz, \.zst\); name what"
    ):
        list(read_aligned(prefix))
    write(tmp_path, "a\n", "x\n", "0-0\n")
    with pytest.raises(DataError, match=r"there is no .*/set\.src\.src"):
        list(read_aligned(tmp_path / "set.src"))
    (tmp_path / "set.tgt.xz").write_bytes(lzma.compress(b"x\n"))
    with pytest.raises(DataError, match=r"there are .*/set\.tgt and .*/set\.tgt\.xz; keep one of them"):
        list(read_aligned(prefix))
    (tmp_path / "set.tgt.xz").unlink()
    (tmp_path / "set.align").unlink()
    with pytest.raises(DataError, match=r"there is no .*/set\.align,"):
        list(read_aligned(prefix))
    with pytest.raises(DataError, match=r"set\.src holds no words"):
        list(read_aligned(write(tmp_path, "\n \n", "\n\n", "\n\n")))
    with pytest.raises(DataError, match=r"set\.src is empty"):
        list(read_aligned(write(tmp_path, "", "", "")))
    (tmp_path / "set.src").write_bytes(b"a\n\xff\n")
    (tmp_path / "set.align").write_bytes(b"\n\n")
    (tmp_path / "set.tgt").unlink()
    with pytest.raises(DataError, match=r"set\.src, line 2, byte 1 of the line: this is not UTF-8"):
        list(read_aligned(prefix))


# ---- orders ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("links", "known", "order"),
    [
        ((), [], []),
        (((),), [None], [0]),
        (((), (), ()), [None] * 3, [0, 1, 2]),  # no word is aligned: as it is
        (((7,),), [0], [0]),
        # Target positions 0, 5, 4, 2 are the places 0, 3, 2, 1; do goes with not.
        (FISH, [0, None, 3, 2, 1], [0, 4, 3, 1, 2]),
        # Two words for one, and a word for two: 3-3 is before 3-4, 4-4 behind it.
        (((4,), (3, 4), (3,), (3,), (3, 4)), [2, 1, 0, 0, 1], [2, 3, 1, 4, 0]),
        # What lies between the first and the last position does not count.
        (((0, 2), (0, 1, 2), (1, 3)), [0, 0, 1], [0, 1, 2]),
        # The same first position or the same last one can be compared.
        (((0, 2), (0,), (2,)), [1, 0, 2], [1, 0, 2]),
        # Unaligned words at both ends: the first goes with word 1, the last two with word 2, which is put first.
        (((), (1,), (0,), (), ()), [None, 1, 0, None, None], [2, 3, 4, 0, 1]),
    ],
)
def test_orders_by_hand(links: Links, known: list[int | None], order: list[int]) -> None:
    assert ranks(links) == known
    assert merged_order(links) == order


@pytest.mark.parametrize(
    ("links", "order"),
    [
        # ne … pas around the verb: both keep their order, and the pronoun is behind them.
        (((3,), (0, 2), (1,)), [1, 2, 0]),
        # 1-2 and 3-4 lie in 0-5, so all three are one block, in the order of the source; 6 is behind it.
        (((6,), (3, 4), (0, 5), (1, 2)), [1, 2, 3, 0]),
        # 4 lies in 0-5 and in 2-6, which can be compared with each other; 1-2 lies in 0-5; 0 is before, 6 is behind.
        (((6,), (4,), (2, 6), (), (1, 2), (0, 5), (0,)), [6, 1, 2, 3, 4, 5, 0]),
        # Two blocks: 3-5 with 4, and 0-2 with 1.
        (((4,), (3, 5), (1,), (0, 2)), [2, 3, 0, 1]),
    ],
)
def test_words_that_cannot_be_compared(links: Links, order: list[int]) -> None:
    assert ranks(links) is None
    assert merged_order(links) == order


def test_a_permutation_is_undone() -> None:
    draw = random.Random(6)
    for size in range(40):
        target = draw.sample(range(size), size)
        assert merged_order([(place,) for place in target]) == sorted(range(size), key=target.__getitem__)


def ends(positions: Sequence[int]) -> tuple[int, int]:
    return min(positions), max(positions)


def no_later(one: Sequence[int], other: Sequence[int]) -> bool:
    return min(one) <= min(other) and max(one) <= max(other)


def comparable(one: Sequence[int], other: Sequence[int]) -> bool:
    return no_later(one, other) or no_later(other, one)


_LINKS = st.lists(st.lists(st.integers(0, 12), max_size=3, unique=True).map(sorted), max_size=9)
_NARROW = st.lists(st.integers(0, 12).flatmap(lambda i: st.sampled_from([[], [i], [i, i + 1]])), max_size=9)


@given(_LINKS | _NARROW)
def test_ranks_are_the_definition_for_each_pair(links: list[list[int]]) -> None:
    known = ranks(links)
    aligned = [positions for positions in links if positions]
    assert (known is None) is not all(comparable(*two) for two in itertools.combinations(aligned, 2))
    if known is None:
        return
    assert [rank is None for rank in known] == [not positions for positions in links]
    pairs = [(rank, positions) for rank, positions in zip(known, links, strict=True) if rank is not None]
    for (rank, one), (another, other) in itertools.product(pairs, pairs):
        assert (rank <= another) is no_later(one, other)
    assert {rank for rank, _ in pairs} == set(range(len({rank for rank, _ in pairs})))


@given(_LINKS | _NARROW)
def test_merged_are_no_more_words_than_needed(links: list[list[int]]) -> None:
    aligned = [i for i, positions in enumerate(links) if positions]
    blocks = [*{frozenset(i for i in aligned if ends(links[i]) == ends(links[j])) for j in aligned}]
    joined = True
    while joined:  # slowly: two blocks with words that cannot be compared are one
        joined = False
        for one, other in itertools.combinations(blocks, 2):
            if not all(comparable(links[i], links[j]) for i in one for j in other):
                blocks = [*({*blocks} - {one, other}), one | other]
                joined = True
                break
    # Of two blocks, all words of one are before all words of the other, so their least ends are, too.
    blocks.sort(key=lambda block: min(sum(ends(links[i])) for i in block))
    for one, other in itertools.pairwise(blocks):
        assert all(no_later(links[i], links[j]) for i in one for j in other)
    with_unaligned = [
        [i for i in range(len(links)) if next((j for j in aligned if j >= i), aligned[-1]) in block] for block in blocks
    ]
    assert merged_order(links) == [i for block in with_unaligned for i in block] or not aligned
    assert aligned or merged_order(links) == list(range(len(links)))
