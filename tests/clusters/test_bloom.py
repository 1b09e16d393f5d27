# SPDX-License-Identifier: Apache-2.0
"""The Bloom map: no known word gets a wrong cluster, unknown words get one as often as the error bits say."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from conftest import TAGS, with_random_weights
from reference import bloom as reference

from budgie import Tagger
from budgie.clusters.bloom import BuiltMap, build_bloom_map
from budgie.clusters.table import ClusterTable
from budgie.errors import DataError, ModelError
from budgie.model.config import BloomMap, Config, Group
from budgie.model.features import make_word_features
from budgie.model.file import Model
from budgie.model.tensors import Tensor

LETTERS = str.maketrans("0123456789", "abcdefghij")  # digits may be folded
ODD = ["", " ", "\0", "Ärger", "ärger", "İstanbul", "1984", "١٩٨٤", "x" * 3000, "\U0010ffff", "🏳️‍🌈", "e\u0301"]


def made_up(count: int) -> list[str]:
    return [str(number).translate(LETTERS) for number in range(count)]


def built(
    words: Sequence[str], clusters: Sequence[int], classes: int, error_bits: int = 0, *, fold: bool = False
) -> BuiltMap:
    table = ClusterTable(tuple(words), tuple(clusters), classes, fold, fold)
    return build_bloom_map(table, len(words), error_bits)


def find(bloom: BloomMap, classes: int, tensors: Mapping[str, Tensor], words: Sequence[str | bytes]) -> list[int]:
    """The cluster of each word, as a feature of it; -1: none."""
    config = Config("pos", (Group("clusters", "clusters", classes, 1),), 1, TAGS, bloom=bloom)
    ((ids, starts),) = make_word_features(config, tensors).ids(list(words))
    return [part[0] if part else -1 for part in (part.tolist() for part in np.split(ids, starts[1:]))]


def found_in(of: BuiltMap, words: Sequence[str | bytes]) -> list[int]:
    return find(of.bloom, of.classes, of.tensors, words)


@pytest.mark.parametrize("error_bits", [0, 1, 7])
@pytest.mark.parametrize("count", [1, 2, 3, 64, 500, 20_000])
def test_every_word_gets_its_cluster(count: int, error_bits: int) -> None:
    draw = random.Random(count)
    words, clusters = made_up(count), [min(255, int(draw.expovariate(0.05))) for _ in range(count)]
    map_ = built(words, clusters, 256, error_bits)
    assert found_in(map_, words) == clusters


@pytest.mark.parametrize("fold", [False, True])
def test_the_core_agrees_with_the_reference(fold: bool) -> None:
    draw = random.Random(1)
    words = made_up(400) + ODD[:4]
    map_ = built(words, [draw.randrange(20) for _ in words], 30, 2, fold=fold)
    others: list[str | bytes] = [*words[::9], *ODD, *(word.upper() for word in words[:30]), b"bg", b"b\xff", "\ud800"]
    others += [f"unknown{number}" for number in range(100)]
    assert found_in(map_, others) == [reference.cluster(word, map_.bloom, map_.tensors) for word in others]


def test_it_takes_hardly_more_than_the_entropy() -> None:
    draw, count = random.Random(2), 100_000
    uniform = built(made_up(count), [draw.randrange(256) for _ in range(count)], 256)
    assert uniform.bloom.size * 8 / count < 8.11  # the paper: 9.84
    clusters = [min(255, int(draw.expovariate(0.05))) for _ in range(count)]
    entropy = -sum(n / count * math.log2(n / count) for n in Counter(clusters).values())
    for error_bits in (0, 4):
        skewed = built(made_up(count), clusters, 256, error_bits)
        assert skewed.bloom.size * 8 / count < 1.02 * (entropy + error_bits)


@pytest.mark.parametrize("error_bits", [0, 1, 4, 8])
def test_error_bits_say_how_many_unknown_words_get_a_cluster(error_bits: int) -> None:
    draw, unseen = random.Random(3), 50_000
    map_ = built(made_up(5_000), [draw.randrange(256) for _ in range(5_000)], 256, error_bits)
    found = Counter(found_in(map_, [f"unseen{number}" for number in range(unseen)]))
    share = 1 - found.pop(-1, 0) / unseen
    expected = 2.0**-error_bits
    assert abs(share - expected) <= 5 * math.sqrt(expected * (1 - expected) / unseen)
    assert len(found) > 100  # some cluster, not always the same


def test_folding_makes_words_the_same() -> None:
    folded = built(["haus", "0000"], [0, 1], 2, 16, fold=True)
    assert found_in(folded, ["Haus", "HAUS", "1984", "١٩٨٤", "198"]) == [0, 0, 1, 1, -1]
    written = built(["Haus"], [0], 1, 16)
    assert found_in(written, ["Haus", "haus", b"Haus"]) == [0, -1, 0]


def test_a_skewed_distribution_has_codes_of_bounded_length() -> None:
    # Fibonacci's numbers make the longest codes of all: 25 bits here.
    counts = [1, 1]
    while len(counts) < 26:
        counts.append(counts[-1] + counts[-2])
    clusters = [cluster for cluster, count in enumerate(counts) for _ in range(count)]
    words = made_up(len(clusters))
    map_ = built(words, clusters, 26)
    assert max(bytes(map_.tensors["bloom.lengths"].data)) <= 24
    assert found_in(map_, words[:100]) == clusters[:100]


def test_words_that_cannot_be_told_apart_are_refused() -> None:
    with pytest.raises(DataError, match="two words have the same key"):
        built(["a", "b", "a"], [0, 1, 1], 2)
    with pytest.raises(DataError, match="two words have the same key"):
        built(["a", "A"], [0, 1], 2, fold=True)


@pytest.mark.parametrize(
    ("words", "classes", "number"), [((), (), 1), (("a", "b"), (0,), 1), (("a",), (1,), 1), (("a",), (-1,), 1)]
)
def test_what_is_no_table(words: tuple[str, ...], classes: tuple[int, ...], number: int) -> None:
    with pytest.raises(DataError, match=r"table|classes must be"):
        ClusterTable(words, classes, number)


@pytest.mark.parametrize("error_bits", [0, 9])
def test_clusters_are_features(error_bits: int) -> None:
    map_ = built(["cat", "dog", "runs"], [0, 0, 1], 4, error_bits)
    group = Group("clusters", "clusters", 4, 2, positions=(-1, 0))
    config = Config("pos", (group,), 8, TAGS, bloom=map_.bloom)
    ((ids, starts),) = make_word_features(config, map_.tensors).ids(["dog", "nothing", b"runs"])
    assert [part.tolist() for part in np.split(ids, starts[1:])] in ([[0], [], [1]], [[0], [ids[1]], [1]])
    assert (len(ids) == 3) is (error_bits == 0)
    model = with_random_weights(config, 1)
    model = type(model)(config, {**model.tensors, **map_.tensors}, model.info)
    words = ["cat", "runs"]
    assert Tagger(model).tag(words) == Tagger(model).tag(["dog", "runs"])


@pytest.mark.parametrize(
    ("lengths", "message"),
    [
        ([0, 0, 0, 0], "the longest code of a cluster has 0 bits, not 1 to 24"),
        ([1, 25, 2, 3], "the longest code of a cluster has 25 bits, not 1 to 24"),
        ([1, 1, 24, 0], "the codes of the clusters are too short for so many clusters"),
    ],
)
def test_a_file_with_codes_that_cannot_be_is_refused(lengths: list[int], message: str) -> None:
    config = Config("pos", (Group("c", "clusters", 4, 2),), 8, TAGS, bloom=BloomMap(9, (64,)))
    tensors = {**with_random_weights(config, 1).tensors, "bloom.lengths": Tensor("U8", (4,), bytes(lengths))}
    with pytest.raises(ModelError, match=message):
        Model(config, tensors)


def test_any_bits_give_some_answer() -> None:
    """A hostile file may hold any bytes: every word still has one of its clusters, or none."""
    config = Config("pos", (Group("c", "clusters", 5, 2),), 8, TAGS, bloom=BloomMap(9, (64, 700, 257), error_bits=1))
    for seed in range(20):
        model = Model.from_bytes(with_random_weights(config, seed).to_bytes())
        assert config.bloom
        assert set(find(config.bloom, 5, model.tensors, made_up(300))) <= {-1, 0, 1, 2, 3, 4}
        Tagger(model).tag(made_up(50))
