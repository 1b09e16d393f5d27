# SPDX-License-Identifier: Apache-2.0
"""The teacher of orders learns a made-up language that has the order of the source turned round."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from tools.teach_orders.decode import decode, regular
from tools.teach_orders.material import AUTOMATIC, CHANNELS, DEV, TRAIN, Batch, Corpus, Pair, read_pairs, write_pairs
from tools.teach_orders.network import Network
from tools.teach_orders.settings import SMALL, Lesson, Mode
from tools.teach_orders.sounds import alike, latin, romanised
from tools.teach_orders.targets import automatic_targets, learnt_targets, manual_targets, padded
from tools.teach_orders.teach import Teacher, write_orders

from budgie.formats.orders import read_orders
from budgie.train.teacher.teacher import Clock

CPU = torch.device("cpu")
WORDS = "one two three four five six seven eight".split()
TINY = replace(
    SMALL, width=32, layers=1, word=16, pair=16, members=2, batch=400, warm_up=5, lesson_batch=100, lesson_warm_up=5
)


@pytest.fixture(autouse=True, scope="module")
def one_thread() -> Iterator[None]:
    """Threads cost more than they bring where tensors are tiny."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def made_up(origin: str, chance: random.Random) -> Pair:
    """Every word is translated by itself, the last one first; one of five automatic links is missing."""
    words = chance.sample(WORDS, chance.randint(2, 6))
    count = len(words)
    turned = [[place, count - 1 - place] for place in range(count)]
    links = [[*link, *[1.0] * (CHANNELS - 1), 0.0] for link in turned if chance.random() < 0.8]
    return Pair(
        origin=origin,
        source=words,
        tags=["N"] * count,
        clusters=[0] * count,
        target=[[word.upper(), "名詞-一般", word] for word in reversed(words)],
        links=links,
        manual=[[target] for _, target in turned] if origin in (TRAIN, DEV) else None,
        manual_links=turned if origin in (TRAIN, DEV) else [],
    )


@pytest.fixture(scope="module")
def pairs() -> list[Pair]:
    chance = random.Random(1)
    return [made_up(origin, chance) for origin in (*AUTOMATIC, TRAIN, DEV) for _ in range(30)]


def by_hand(manual: list[list[int]], source: list[str] | None = None) -> Corpus:
    count = len(manual)
    words = source or [f"w{place}" for place in range(count)]
    one = Pair(TRAIN, words, ["N"] * count, [0] * count, [["x", "N", "x"]], [], manual, [])
    return Corpus([one], CPU)


# ---- material --------------------------------------------------------------------------------------------------


def test_a_file_of_pairs_is_read_as_it_was_written(pairs: list[Pair], tmp_path: Path) -> None:
    write_pairs(tmp_path / "pairs.jsonl.gz", pairs)
    assert read_pairs(tmp_path / "pairs.jsonl.gz") == pairs


def test_modes_show_more_and_more(pairs: list[Pair]) -> None:
    corpus = Corpus(pairs, CPU)
    chosen = corpus.chosen(TRAIN)[:3]
    source, target, links = (corpus.batch(chosen, mode) for mode in Mode)
    assert source.target is None and source.links is None
    assert target.links is not None and not target.links.any()
    assert target.automatic_links is not None and target.automatic_links.any()  # to be learnt
    assert links.links is not None and links.manual_links is not None
    for row, number in enumerate(chosen.tolist()):
        shown = [
            [*place, *links.links[row][tuple(place)].tolist()] for place in links.links[row, ..., 0].nonzero().tolist()
        ]
        assert shown == pairs[number].links
        assert links.manual_links[row].nonzero().tolist() == pairs[number].manual_links


def test_batches_hold_each_sentence_once(pairs: list[Pair]) -> None:
    corpus = Corpus(pairs, CPU)
    parts = list(corpus.batches(corpus.chosen(*AUTOMATIC), 40, np.random.default_rng(0)))
    assert sorted(np.concatenate(parts)) == list(corpus.chosen(*AUTOMATIC))
    assert all(len(part) * max(2 * len(pairs[number].source) for number in part) <= 40 for part in parts)


def test_words_that_sound_alike() -> None:
    assert romanised("キョウトシ") == "kyotoshi"
    assert romanised("シャッチョ") == "shaccho"
    assert latin("Kyōto-shi") == "kyotoshi"
    assert list(alike(["the", "kyoto"], ["kyoto", "no", "kyo"])) == [(1, 0, 1.0), (1, 2, 0.75)]


# ---- what is learnt -------------------------------------------------------------------------------------------


def test_manual_targets() -> None:
    corpus = by_hand([[2], [], [0], [0]])  # the second word goes with the third
    values, weights = manual_targets(corpus, np.array([0]))[0]
    before = [[0, 0, 0, 0], [1, 0, 1, 1], [1, 0, 0, 1], [1, 0, 0, 0]]
    assert values[0, 1:, 1:].tolist() == before
    behind = values[1]
    assert behind[0, 1:].tolist() == [0, 1, 1, 1] and behind[1:, 0].tolist() == [1, 0, 0, 0]
    assert behind[3, 4] == 1 and behind[4, 3] == 0  # tied words keep the order of the source
    assert behind[4, 1] == 1 and behind[1, 4] == 0
    assert weights[0, 3, 4] < weights[0, 1, 4] == 1
    assert not weights[:, range(5), range(5)].any()


def test_words_that_cannot_be_compared_have_no_neighbours_to_learn() -> None:
    _, weights = manual_targets(by_hand([[0, 2], [1], [3]]), np.array([0]))[0]
    assert not weights[1].any()
    assert weights[0, 1, 2] == 0 and weights[0, 1, 3] == 1


def test_automatic_targets_are_the_manual_ones_where_all_is_linked(pairs: list[Pair]) -> None:
    corpus = Corpus(pairs, CPU)
    whole = np.array([n for n in corpus.chosen(TRAIN) if len(pairs[n].links) == len(pairs[n].source)])
    automatic, manual = automatic_targets(corpus, whole), manual_targets(corpus, whole)
    assert len(whole)
    for number in whole.tolist():
        np.testing.assert_array_equal(automatic[number], manual[number])


def test_a_sentence_without_links_teaches_nothing() -> None:
    _, weights = manual_targets(by_hand([[], []]), np.array([0]))[0]
    assert not weights.any()


def test_targets_are_padded() -> None:
    values, weights = padded(learnt_targets({7: np.full((2, 3, 3), 0.5)}), np.array([7]), 4, CPU)
    assert values.shape == weights.shape == (1, 2, 5, 5)
    assert weights[0, 0].sum() == 2 and weights[0, 1].sum() == 6
    assert not weights[0, :, 3:].any() and not weights[0, :, :, 3:].any()


# ---- orders ----------------------------------------------------------------------------------------------------


def score(table: torch.Tensor, order: tuple[int, ...], pairs_weight: float) -> float:
    path = [0, *(word + 1 for word in order), 0]
    neighbours = sum(float(table[1, one, other]) for one, other in itertools.pairwise(path))
    before = sum(float(table[0, one + 1, other + 1]) for one, other in itertools.combinations(order, 2))
    return neighbours + pairs_weight / len(order) * before


def test_decoding_finds_the_best_order() -> None:
    generator = torch.Generator().manual_seed(1)
    lengths = [1 + number % 6 for number in range(60)]
    tables = torch.rand(len(lengths), 2, 7, 7, generator=generator)
    best = 0
    for table, order, length in zip(tables, decode(tables, torch.tensor(lengths), 2.0), lengths, strict=True):
        assert sorted(order) == list(range(length))
        highest = max(score(table, one, 2.0) for one in itertools.permutations(range(length)))
        best += score(table, tuple(order), 2.0) == pytest.approx(highest, abs=1e-4)
    assert best >= 0.9 * len(lengths)  # it is a local search, and noise is harder than language


def test_decoding_a_sure_order() -> None:
    order = random.Random(2).sample(range(30), 30)
    place = torch.tensor(order).argsort()
    table = torch.zeros(1, 2, 33, 33)
    table[0, 0, 1:31, 1:31] = (place[:, None] < place).float()
    assert decode(table, torch.tensor([30]), 2.0) == [order]


def test_articles_go_before_the_next_word_and_ties_into_source_order() -> None:
    words = "The cat saw a dog the".split()
    assert regular([4, 3, 0, 2, 1, 5], words, [None] * 6) == [3, 4, 2, 0, 1, 5]
    spans = [None, (2, 3), (2, 3), None, (0, 0), None]
    assert regular([4, 3, 0, 2, 1, 5], words, spans) == [3, 4, 0, 1, 2, 5]
    assert regular([2, 4, 1, 0, 3, 5], words, spans) == [2, 3, 4, 0, 1, 5]  # tied, but no neighbours
    assert regular([1, 0], ["the", "a"], [None, None]) == [0, 1]


# ---- the network and the whole ---------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", Mode)
def test_padding_changes_nothing(pairs: list[Pair], mode: Mode) -> None:
    corpus = Corpus(pairs, CPU)
    torch.manual_seed(1)
    network = Network(TINY, corpus.source.sizes, corpus.target.sizes).eval()
    chosen = corpus.chosen(TRAIN)[:4]

    def wider(batch: Batch) -> Batch:
        for words in (batch.source, batch.target):
            if words is not None:
                words.features, words.pieces = (
                    torch.nn.functional.pad(part, (0, 0, 0, 8)) for part in (words.features, words.pieces)
                )
                words.mask = torch.nn.functional.pad(words.mask, (0, 8))
        if batch.links is not None:
            batch.links = torch.nn.functional.pad(batch.links, (0, 0, 0, 8, 0, 8))
        return batch

    tables = network(corpus.batch(chosen, mode)).tables
    assert tables.shape == (4, 2, 9, 9)
    padded_tables = network(wider(corpus.batch(chosen, mode))).tables
    for row, number in enumerate(chosen.tolist()):
        size = len(pairs[number].source) + 1
        torch.testing.assert_close(padded_tables[row, :, :size, :size], tables[row, :, :size, :size])
    tables.sum().backward()
    seen = {name.split(".")[0] for name, one in network.named_parameters() if one.grad is not None and one.grad.any()}
    assert {"source", "layers", "pair_first", "edges"} <= seen
    assert ("pair_places" in seen) is (mode is not Mode.SOURCE)


def test_the_teacher_corrects_orders_and_goes_on_where_it_ended(pairs: list[Pair], tmp_path: Path) -> None:
    lesson = Lesson(Mode.LINKS, {Mode.SOURCE: 0.5, Mode.LINKS: 0.5}, 6, 8e-3)
    alone = Lesson(Mode.SOURCE, {Mode.SOURCE: 1.0}, 4, 1e-3)
    first, _, last = TINY.rounds
    rounds = (
        replace(first, seconds=0.3, lessons={"corrected": lesson}),
        replace(last, seconds=0.3, lessons={"corrected": lesson, "source-only": alone}),
    )
    settings, state = replace(TINY, rounds=rounds), tmp_path / "state"
    teaching = Teacher(pairs, settings, CPU, Clock(0)).teach(state)
    assert [next(teaching)[0], next(teaching)[0]] == ["corrected", "corrected"]  # and is ended in the second round
    results = dict(Teacher(pairs, settings, CPU, Clock(0)).teach(state))
    assert list(results) == ["corrected", "source-only"]
    for kind, orders in results.items():
        assert sorted(orders) == list(range(60))
        write_orders(tmp_path / kind, ((pairs[number].source, orders[number]) for number in sorted(orders)))
        written = list(read_orders(tmp_path / kind))
        assert [one.words for one in written] == [tuple(pair.source) for pair in pairs[:60]]
        turned = sum(list(one.order) == list(range(len(one.words)))[::-1] for one in written)
        assert turned > 50, kind
