# SPDX-License-Identifier: Apache-2.0
"""The benchmark of segmenters, as far as it needs no peers: scores, and how tables put them."""

from __future__ import annotations

import pytest
from benchmarks.segmentation import measure, peers, tables
from benchmarks.segmentation.corpora import Sentence
from benchmarks.segmentation.languages import LANGUAGES
from benchmarks.segmentation.scores import score
from benchmarks.segmentation.systems import SYSTEMS

import budgie


@pytest.mark.parametrize(
    ("given", "right", "astride"),
    [
        (["ab", "cd", "ef"], 3, 0),
        (["a", "b", "cd", "ef"], 2, 0),  # split: another idea of a word
        (["abcd", "ef"], 1, 0),  # joined: another, too
        (["abc", "d", "ef"], 1, 1),  # over the end of `ab` into `cd`
        (["a", "bcd", "ef"], 1, 1),
        (["abcd ef"], 0, 0),
        (["a", "bc", "de", "f"], 0, 2),
    ],
)
def test_words_astride_others(given: list[str], right: int, astride: int) -> None:
    found = score([Sentence("ab cdef", ("ab", "cd", "ef"))], [given], known={"ab"})
    assert (found.right, found.astride, found.gold, found.unknown) == (right, astride, 3, 2)


def test_every_peer_is_a_system_with_versions() -> None:
    named = {name for language in LANGUAGES.values() for name in language.peers}
    assert named <= SYSTEMS.keys() & peers.REQUIREMENTS.keys()
    assert peers.MODELS.keys() <= named


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_model_has_a_size(code: str) -> None:
    name = f"seg-{code}"
    size = measure.model_bytes(measure.ours(name))
    assert size == len(budgie.read_model(name).to_bytes())
    assert size == measure.model_bytes(measure.ours(budgie.file_of(name)))


def test_small_numbers_keep_digits_and_long_lists_are_cut() -> None:
    assert [tables.significant(one) for one in (0.0018, 0.07, 1.0, 58.3)] == ["0.002", "0.07", "1.0", "58"]
    assert [tables.megabytes(one) for one in (None, 435_726, 260_000_000)] == ["–", "0.44", "260"]
    assert tables.packages("abcde") == "a, b, c, d, e"
    assert tables.packages("abcdef") == "a, b, c and 3 others"
