# SPDX-License-Identifier: Apache-2.0
"""The preorderer: it agrees with the plain reference, and its answers depend on the sentence and on nothing else."""

from __future__ import annotations

import pickle
import random
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import (
    PLAIN_GROUPS,
    PREORDERER_GROUPS,
    SENTENCES,
    random_model,
    random_preorderer,
    random_tagger,
    stubborn_preorderer,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.preordering import Network

from budgie import ConfigError, LanguageIdentifier, Model, ModelError, Preorderer, Reordering, Segmenter, Tagger
from budgie.clusters.bloom import build_bloom_map
from budgie.clusters.table import ClusterTable
from budgie.model.config import PLACES, SPANS, Group, TextConfig

WORDS = [sentence.split(" ") for sentence in SENTENCES]
ODD_WORDS: list[str | bytes] = [
    "", " ", "\0", "New York", "\ud800", "\U0010ffff", "e\u0301", "\u0301", "🏳️‍🌈", "İstanbul", "ΟΔΟΣ", "1,250", "#",
    "\n", "x" * 3000, b"", b"caf\xc3\xa9", b"\xff\xfe", b"a\xc0\x80b", b"\xed\xa0\x80",
]  # fmt: skip
OF_CLUSTERS = Group("clusters", "clusters", 9, 5, places=("s0.first", "b0.last", "s1.last"), positions=(0, 1))


def with_clusters(seed: int) -> Model:
    """With a map of some of the words to clusters."""
    known = (*dict.fromkeys(word for sentence in WORDS for word in sentence[::2]), "a", "b", "New York")
    built = build_bloom_map(ClusterTable(known, tuple(i % 9 for i in range(len(known))), 9), len(known), 3)
    data = {name: bytes(tensor.data) for name, tensor in built.tensors.items()}
    return random_preorderer(seed, (*PLAIN_GROUPS[:3], OF_CLUSTERS), resources=data, bloom=built.bloom)


def everywhere(group: Group) -> Group:
    """A group at every place, and around it."""
    spans = group.kind in ("swapped", "length")
    return replace(group, places=SPANS if spans else PLACES, positions=(0,) if spans else (-1, 0, 1))


MODELS = {
    "tags": random_preorderer(0),
    "without tags": random_preorderer(1, PLAIN_GROUPS, text=TextConfig(fold_case=False, drop_urls=False)),
    "clusters": with_clusters(2),
    "layers of 16 bits": random_preorderer(3, layer_bits=16, hidden=17),
    "one hidden unit": random_preorderer(4, hidden=1),
    "a tagger without case": random_preorderer(5, hidden=33, tagger=random_tagger(9, fold_case=False)),
    "another order": random_preorderer(6, PREORDERER_GROUPS[::-1]),
    "everywhere": random_preorderer(7, [*map(everywhere, (*PREORDERER_GROUPS[:1], *PREORDERER_GROUPS[5:]))]),
}
PREORDERERS = {name: Preorderer(model) for name, model in MODELS.items()}
NETWORKS = {name: Network(model) for name, model in MODELS.items()}
TAGS, PLAIN = PREORDERERS["tags"], PREORDERERS["without tags"]

every_model = pytest.mark.parametrize("name", MODELS)
words = st.one_of(
    st.sampled_from(["a", "b", "The", "New York", *WORDS[0]]),
    st.text(max_size=12),
    st.text(alphabet="aAbB1.-'é", max_size=8),
    st.binary(max_size=8),
)


def drawn_sentences(count: int, longest: int, seed: int) -> list[list[str]]:
    draw = random.Random(seed)
    vocabulary = [word for sentence in WORDS for word in sentence] + [f"w{i}" for i in range(500)]
    return [draw.choices(vocabulary, k=draw.randint(0, longest)) for _ in range(count)]


# ---- the reference ---------------------------------------------------------------------------------------------


def agrees(name: str, sentence: Sequence[Any]) -> bool:
    """Compares with the reference; whether that could be done: else rounding decides somewhere on the way."""
    found = PREORDERERS[name].reorder(sentence)
    assert sorted(found.permutation) == list(range(len(sentence)))
    assert found.words == [sentence[i] for i in found.permutation]
    expected, clear = NETWORKS[name].reorder(sentence)
    if clear <= 1e-4:
        return False
    assert found.permutation == expected
    return True


@every_model
def test_orders_are_those_of_the_reference(name: str) -> None:
    sentences = [*WORDS, *drawn_sentences(20, 25, 1), ODD_WORDS]
    assert sum(agrees(name, sentence) for sentence in sentences) >= 0.9 * len(sentences)
    changed = [one.permutation != sorted(one.permutation) for one in PREORDERERS[name].reorder_batch(WORDS)]
    assert any(changed)  # else there would be little to compare


@given(st.sampled_from(list(MODELS)), st.lists(words, max_size=12))
@settings(max_examples=100, deadline=None)
def test_orders_are_those_of_the_reference_for_any_words(name: str, sentence: list[Any]) -> None:
    agrees(name, sentence)


@pytest.mark.parametrize("group", [*PLAIN_GROUPS, OF_CLUSTERS], ids=lambda group: group.name)
@pytest.mark.parametrize("bits", [4, 8, 32])
def test_each_kind_at_each_width(group: Group, bits: Any) -> None:
    """Groups one by one, everywhere, with a word group beside those of whole spans, so that there is something."""
    dim = {4: 2, 8: 3, 32: 5}[bits]
    alone = replace(everywhere(group), bits=bits, dim=dim, scale="table" if bits == 4 else group.scale)
    groups = [alone] if "." in alone.places[0] else [alone, PLAIN_GROUPS[2]]
    if group is OF_CLUSTERS:
        tensors = MODELS["clusters"].tensors
        data = {name: bytes(tensors[name].data) for name in ("bloom.lengths", "bloom.bits")}
        model = random_preorderer(bits, groups, resources=data, bloom=MODELS["clusters"].config.bloom)
    else:
        model = random_preorderer(bits, groups)
    preorderer, network = Preorderer(model), Network(model)
    compared = 0
    for sentence in WORDS[:6]:
        expected, clear = network.reorder(sentence)
        if clear > 1e-4:
            compared += 1
            assert preorderer.reorder(sentence).permutation == expected
    assert compared >= 4


# ---- answers ---------------------------------------------------------------------------------------------------


def test_a_reordering() -> None:
    preorderer = Preorderer(stubborn_preorderer(1, 0, 2))
    found = preorderer.reorder(["he", "bought", "books"])
    assert found == Reordering([2, 1, 0], ["books", "bought", "he"]) == ([2, 1, 0], ["books", "bought", "he"])
    assert found.permutation == [2, 1, 0]
    assert preorderer.reorder((b"a", b"b")).words == [b"b", b"a"]
    assert preorderer.reorder([]) == preorderer.reorder(()) == Reordering([], [])
    assert preorderer.reorder(["one"]) == Reordering([0], ["one"])
    assert preorderer.reorder_batch([["a", "b"], [], ("c",)]) == [([1, 0], ["b", "a"]), ([], []), ([0], ["c"])]
    assert preorderer.permutations([["a", "b"], [], ("c",)]) == [[1, 0], [], [0]]
    assert preorderer.reorder_batch([]) == preorderer.permutations([]) == []


@every_model
def test_neither_batch_nor_threads_nor_memory_of_words_change_an_order(name: str) -> None:
    preorderer = PREORDERERS[name]
    sentences = drawn_sentences(150, 30, 2)
    sentences.insert(17, [f"w{i}" for i in range(2500)])  # longer than any run
    alone = [preorderer.reorder(sentence) for sentence in sentences]
    orders = [one.permutation for one in alone]
    for threads in (1, 2, 5):
        assert preorderer.reorder_batch(sentences, threads) == alone
        assert preorderer.permutations(sentences, threads) == orders
    assert preorderer.permutations(sentences[::-1]) == orders[::-1]
    assert preorderer.permutations(iter(map(tuple, sentences))) == orders
    assert preorderer.permutations([[word.encode() for word in sentence] for sentence in sentences]) == orders
    assert preorderer.reorder_batch(sentences, threads=2)[17].words == [sentences[17][i] for i in orders[17]]


def test_many_threads_use_one_preorderer() -> None:
    sentences = drawn_sentences(60, 20, 3)
    expected = TAGS.permutations(sentences)
    start = threading.Barrier(8)

    def work(number: int) -> bool:
        start.wait()
        return all(
            TAGS.permutations(sentences, 1 + number % 3) == expected
            and [TAGS.reorder(sentence).permutation for sentence in sentences] == expected
            for _ in range(5)
        )

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, range(8))) == [True] * 8


def test_any_sentence_gets_an_answer_in_reasonable_time() -> None:
    for sentence in (["x"] * 20_000, [f"w{i}" for i in range(20_000)], ["long" * 250_000, "é" * 1_000_000], ODD_WORDS):
        for preorderer in (TAGS, PLAIN):
            start = time.process_time()
            found = preorderer.reorder(sentence).permutation
            assert time.process_time() - start < 10
            assert sorted(found) == list(range(len(sentence)))
            assert preorderer.permutations([sentence, sentence], 2) == [found] * 2


def test_tags_matter() -> None:
    """The same words with another tagger come in another order, here and there."""
    other = Preorderer(random_preorderer(0, tagger=random_tagger(77)))
    sentences = drawn_sentences(40, 12, 4)
    assert other.model.tensors["tags.rows"] == TAGS.model.tensors["tags.rows"]
    assert other.permutations(sentences) != TAGS.permutations(sentences)


# ---- objects ---------------------------------------------------------------------------------------------------


@every_model
def test_pickle_and_repr(name: str) -> None:
    preorderer = PREORDERERS[name]
    again = pickle.loads(pickle.dumps(preorderer))
    assert again.permutations(WORDS) == preorderer.permutations(WORDS)
    assert again.model.to_bytes() == preorderer.model.to_bytes()
    tagged = preorderer.model.config.networks
    assert repr(again) == ("<Preorderer with <Tagger of 5 tags>>" if tagged else "<Preorderer>")
    assert "tagger" not in vars(again)  # it need not be made to be shown
    assert repr(again.tagger) in repr(again) or not tagged


def test_the_tagger_inside() -> None:
    tagger = random_tagger(0)  # what random_preorderer(0) was made with
    assert TAGS.tagger is not None
    assert TAGS.tagger.tag_batch([*WORDS, ODD_WORDS]) == Tagger(tagger).tag_batch([*WORDS, ODD_WORDS])
    assert PLAIN.tagger is None


@pytest.mark.parametrize(
    ("sentence", "message"),
    [
        ("the cat", "a sentence must be a list of words, not one str or bytes: split it into words first"),
        (b"the cat", "a sentence must be a list of words, not one str or bytes"),
        (None, "a sentence must be a list of words"),
        (3, "a sentence must be a list of words"),
        (["the", None], "word 1 of {} must be str or bytes"),
        (["the", ["cat"]], "word 1 of {} must be str or bytes"),
    ],
)
def test_what_is_no_sentence(sentence: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message.format("the sentence")):
        TAGS.reorder(sentence)
    for several in (TAGS.reorder_batch, TAGS.permutations):
        with pytest.raises(TypeError, match=message.format("sentence 1 of the batch")):
            several([["fine"], sentence])


def test_settings_that_make_no_sense() -> None:
    for several in (TAGS.reorder_batch, TAGS.permutations):
        with pytest.raises(ConfigError, match="threads must be at least 1, not 0"):
            several([], threads=0)
        with pytest.raises(TypeError, match="this call takes several sentences, each a list of words"):
            several("the cat")
    for model, task in ((random_model(), "langid"), (random_tagger(), "pos")):
        with pytest.raises(ModelError, match=f"this is a model for {task}, not for preordering"):
            Preorderer(model)
    for other in (LanguageIdentifier, Tagger, Segmenter):
        with pytest.raises(ModelError, match="this is a model for preorder, not for"):
            other(TAGS.model)


@pytest.mark.parametrize("kind", ["swapped", "length", "tags"])
def test_a_model_without_groups_of_words(kind: str, tmp_path: Path) -> None:
    """In a process of its own: it used to end it."""
    path = tmp_path / "model.safetensors"
    model = random_preorderer(0, [group for group in PREORDERER_GROUPS if group.kind == kind])
    model.write(path)
    program = "import budgie, sys; print(budgie.load(sys.argv[1]).permutations([sys.argv[2:], []])[0])"
    done = subprocess.run(
        [sys.executable, "-c", program, path, *WORDS[0]], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    expected, clear = Network(model).reorder(WORDS[0])
    assert done.stdout.strip() == str(expected)
    assert clear > 1e-4
