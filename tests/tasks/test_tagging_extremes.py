# SPDX-License-Identifier: Apache-2.0
"""Taggers that nobody would train: weights next to nothing, and files as large as they may be."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence

import numpy as np
import pytest
from conftest import SENTENCES, TAGS, with_random_weights
from reference import tagging as reference

from budgie import Model, Tagger
from budgie.model.config import Config, Group
from budgie.model.tensors import Tensor

WORDS: list[list[str | bytes]] = [list(sentence.split(" ")) for sentence in SENTENCES]
MEANS = (
    Group("words", "words", 50, 6, positions=(-1, 0, 1), bits=32),
    Group("2-grams", "ngrams", 97, 8, n=2, positions=(-2, 0, 2)),
    Group("nibbles", "ngrams", 90, 8, n=3, positions=(0, 1), bits=4, scale="table"),
)
SUMS = (Group("sums", "words", 50, 6, combine="sum", bits=32), *MEANS)  # the core then has floats, not integers
NORMAL = 2.0**-126  # the smallest float32 that is not subnormal
HALF = 2.0**-24  # the smallest float16
SUBNORMAL = (NORMAL / 2, -NORMAL / 2, 2.0**-149, -(2.0**-149), 0.0, 1e-40, -1e-42)
# Tensors by the end of their names, and what they are filled with, over and over.
TINY: dict[str, dict[str, Sequence[float]]] = {
    "rows": {"words.rows": SUBNORMAL, "sums.rows": SUBNORMAL},
    "scales": {".scales": (HALF,)},
    "hidden weights": {"hidden.weight": SUBNORMAL},
    "all that is multiplied": {
        "words.rows": SUBNORMAL,
        "sums.rows": SUBNORMAL,
        ".scales": (HALF,),
        "hidden.weight": SUBNORMAL,
        "output.weight": SUBNORMAL,
    },
    "all": {".rows": SUBNORMAL, ".scales": (0.0, HALF), ".weight": SUBNORMAL, ".bias": SUBNORMAL},
    "products": {"words.rows": (1e-20, -1e-22), ".scales": (0.0,), "hidden.weight": (1e-20, -1e-19)},
    "products around what counts as nothing": {"words.rows": (1e-15,), ".scales": (0.0,), "hidden.weight": (1e-15,)},
    "next to large biases": {"hidden.weight": SUBNORMAL, "hidden.bias": (1e5, -1e5, NORMAL)},
    "products next to large biases": {
        "words.rows": (2e-30, -1e-30),
        ".scales": (0.0,),
        "hidden.weight": (1.0, -1.0, 0.5),
        "hidden.bias": (1e5, -1e5),
    },
    "next to large weights": {"hidden.weight": (1e-40, -1e-45, 10.0, -10.0, 1e-38), "output.weight": (1e-3, -1e-3)},
    "rows of nothing, large weights": {"words.rows": (2.0**-149,), ".scales": (0.0,), "hidden.weight": (1e5, -1e5)},
}


def filled(model: Model, numbers: dict[str, Sequence[float]]) -> Model:
    """The same with other numbers, by way of a file."""
    tensors = dict(model.tensors)
    for end, some in numbers.items():
        for name, tensor in model.tensors.items():
            if name.endswith(end) and tensor.dtype != "U8":
                kind = "<f2" if tensor.dtype == "F16" else "<f4"
                data = np.resize(np.array(some, kind), math.prod(tensor.shape)).tobytes()
                tensors[name] = Tensor(tensor.dtype, tensor.shape, data)
    return Model.from_bytes(Model(model.config, tensors).to_bytes())


@pytest.mark.parametrize("groups", [MEANS, SUMS], ids=["means", "sums"])
@pytest.mark.parametrize("case", TINY)
def test_subnormal_weights(case: str, groups: tuple[Group, ...]) -> None:
    model = filled(with_random_weights(Config("pos", groups, 24, TAGS), 5), TINY[case])
    tagger, again = Tagger(model), Tagger(model)
    tags, probabilities = tagger.tag_batch(WORDS), tagger.probabilities(WORDS)
    assert again.tag_batch(WORDS, threads=2) == tags == [again.tag(sentence) for sentence in WORDS]
    assert again.probabilities(WORDS, 2) == probabilities
    for sentence in WORDS:
        scores = reference.scores(model, sentence)
        powers = np.exp(scores - scores.max(1, keepdims=True))
        for row, expected in zip(tagger.rank(sentence, 5), powers / powers.sum(1, keepdims=True), strict=True):
            found = {entry.tag: entry.probability for entry in row}
            assert all(map(math.isfinite, found.values()))
            assert [found[tag] for tag in TAGS] == pytest.approx(expected.tolist(), abs=1e-2)


MANY = tuple(map(str, range(60_000)))
WIDE = Group("words", "words", 1, 2**16)
# Of at most 64 MB, what takes longest: many weights in each layer, in one part or in many; and rows of bytes as floats.
LARGEST: dict[str, Config] = {
    "inputs and labels": Config("pos", (WIDE,), 256, MANY, layer_bits=16),
    "floats": Config("pos", (WIDE,), 250, TAGS),
    "parts": Config(
        "pos",
        (Group("words", "words", 1, 257, positions=tuple(range(-64, 65))),),
        496,
        MANY[:30_000],
        layer_bits=16,
    ),
    "rows": Config("pos", (Group("words", "words", 2**20, 60),), 16, TAGS),
    "inputs and rows": Config("pos", (Group("words", "words", 450, 2**16),), 256, TAGS, layer_bits=16),
}


@pytest.mark.parametrize("tiny", [False, True], ids=["any weights", "subnormal weights"])
@pytest.mark.parametrize("case", LARGEST)
def test_the_largest_tagger_loads_in_a_second(case: str, tiny: bool) -> None:
    model = with_random_weights(LARGEST[case], 1)
    data = (filled(model, TINY["all"]) if tiny else model).to_bytes()
    assert 0.9 * 2**26 < len(data) <= 2**26
    taken = []
    for _ in range(2):  # of which one may be disturbed
        start = time.process_time()
        tagger = Tagger(Model.from_bytes(data))
        taken.append(time.process_time() - start)
    assert min(taken) < 1
    assert len(tagger.tag(["a", "b"])) == 2
