# SPDX-License-Identifier: Apache-2.0
"""The counts must reproduce the paper's tables: that is how we know what its networks look like."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from budgie.model.accounting import Account, account, paper_bits
from budgie.model.config import BloomMap, Config, Group

KB, MB = 1024, 1024**2
WINDOW = tuple(range(-3, 4))
NO_MAP = BloomMap(1, (64,))


def language_identifier(dim: int, bits: Any) -> Config:
    """Table 1: 66 languages, n-grams of 1 to 4 characters."""
    groups = tuple(
        Group(f"{n}-grams", "ngrams", buckets, dim, n=n, bits=bits)
        for n, buckets in enumerate((100, 1000, 5000, 5000), start=1)
    )
    return Config("langid", groups, hidden=208, labels=tuple(f"language {i}" for i in range(66)))


def tagger(ngram_dim: int, byte_dim: int, clusters: bool) -> Config:
    """Table 2: universal tags, as many as 16; 256 clusters, and next to nothing for the map of words to clusters."""
    groups = [
        Group(f"{n}-grams", "ngrams", buckets, ngram_dim, n=n, positions=WINDOW)
        for n, buckets in enumerate((500, 2000, 4000), start=2)
    ]
    groups.append(Group("bytes", "bytes", 256, byte_dim, n=3, positions=(-1, 0, 1)))
    if clusters:
        groups.append(Group("clusters", "clusters", 256, 8, positions=WINDOW))
    tags = tuple(f"tag {i}" for i in range(16))
    return Config("pos", tuple(groups), 320, tags, bloom=NO_MAP if clusters else None)


@pytest.mark.parametrize(("dim", "bits", "kilobytes"), [(6, 32, 334), (16, 32, 800), (16, 8, 302)])
def test_language_identification_has_the_size_of_the_paper(dim: int, bits: int, kilobytes: int) -> None:
    assert round(account(language_identifier(dim, bits)).size / KB) == kilobytes


@pytest.mark.parametrize(
    ("config", "expected", "megabytes"),
    [
        (tagger(16, 4, clusters=False), Account(h0=408, weights=241_040, flops=271_024, size=662_600), 0.63),
        (tagger(16, 4, clusters=True), Account(h0=464, weights=261_008, flops=306_864, size=1_044_340), 1.00),
        (tagger(8, 2, clusters=True), Account(h0=260, weights=143_216, flops=176_304, size=730_708), 0.70),
    ],
    ids=["no clusters", "clusters", "half the dimensions"],
)
def test_tagging_has_the_counts_of_the_paper(config: Config, expected: Account, megabytes: float) -> None:
    counts = account(config)
    if config.bloom:  # in place of our map, 250,000 words at the paper's cost
        clusters = next(group.buckets for group in config.groups if group.kind == "clusters")  # a code's length each
        ours = config.bloom.size + clusters
        counts = replace(counts, size=counts.size - ours + round(250_000 * paper_bits(entropy=8, error_bits=0) / 8))
    assert counts == expected
    assert round(expected.size / MB, 2) == megabytes


def test_every_stored_part_is_counted() -> None:
    def size(bits: Any = 8, scale: Any = "row", layer_bits: Any = 32) -> int:
        group = Group("g", "ngrams", 100, 4, n=2, bits=bits, scale=scale)
        return account(Config("langid", (group,), 10, ("a", "b", "c"), layer_bits=layer_bits)).size

    biases_and_calibration, products = 4 * (10 + 3 + 2), 10 * 4 + 3 * 10
    assert size() == 400 + 200 + 4 * products + biases_and_calibration
    assert size(scale="table") == size() - 2 * 99
    assert size(bits=32) == size() + 3 * 400 - 200
    assert size(layer_bits=16) == size() - 2 * products
