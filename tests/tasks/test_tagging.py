# SPDX-License-Identifier: Apache-2.0
"""The tagger: it agrees with the plain reference, and its answers depend on the sentence and on nothing else."""

from __future__ import annotations

import pickle
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import SENTENCES, TAGGER_GROUPS, TAGS, random_tagger, with_random_weights
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import tagging as reference

from budgie import ConfigError, LanguageIdentifier, ModelError, Tagger
from budgie.model.config import Config, Group
from budgie.model.features import make_word_features

WORDS = [sentence.split(" ") for sentence in SENTENCES]
ODD_WORDS: list[str | bytes] = [
    "", " ", "\0", "a\0b", "New York", "\ud800", "x\udfffy", "\ufeff", "\U0010ffff", "e\u0301", "\u0301", "\u200d",
    "🏳️‍🌈",     "İstanbul", "ß", "ΟΔΟΣ", "U.S.", "1,250", "McDonald's", "http://a.b/c?d=e", "#", "\t", "\n", "x" * 3000,
    b"", b"caf\xc3\xa9", b"\xff\xfe", b"\xe2\x82", b"a\xc0\x80b", b"\xed\xa0\x80",
]  # fmt: skip

TAGGERS = [
    Tagger(random_tagger(seed, groups, fold_case))
    for seed, groups, fold_case in (
        (0, TAGGER_GROUPS, True),
        (1, TAGGER_GROUPS, False),
        (2, TAGGER_GROUPS[2:7], True),
        (3, [replace(group, combine="mean") for group in TAGGER_GROUPS], True),
    )
]
# Words are read in pieces of 1,024 characters: these end around one, and with marks, capitals and bytes on both sides.
LONG_WORDS: list[str | bytes] = [
    word
    for length in (1015, 1016, 1017, 1022, 1023, 1024, 1025, 1026, 1031, 1032, 1033, 2047, 2048, 2049, 5000)
    for part in ("x", "Aé1-", "e\u0301天🏳")
    for word in ((part * length)[:length], (part * length)[:length].encode())
]
words = st.one_of(st.text(max_size=12), st.text(alphabet="aAbB1.-'é", max_size=8), st.binary(max_size=8))


@pytest.mark.parametrize("tagger", TAGGERS)
def test_features_are_those_of_the_reference(tagger: Tagger) -> None:
    config = tagger.model.config
    every = [word for sentence in WORDS for word in sentence] + ODD_WORDS + LONG_WORDS
    found = make_word_features(config, tagger.model.tensors).ids(every)  # type: ignore[arg-type]
    for group, (ids, starts) in zip(config.groups, found, strict=True):
        lists = [part.tolist() for part in np.split(ids, starts[1:])]
        expected = [slot for word in every for slot in reference.word_ids(word, group, config.text.fold_case)]
        assert lists == expected, group.name


@pytest.mark.parametrize(
    ("word", "shape"),
    [("The", "Xxx"), ("I", "X"), ("NATO", "XX"), ("McDonald's", "XxXxx'x"), ("1,250", "9,99"), 
     ("e\u0301te\u0301", "xx"), ("...", ".."), ("U.S.A.-based", "X.X.X.-x"), ("", "")],
)  # fmt: skip
def test_shapes(word: str, shape: str) -> None:
    assert reference.shape(word) == shape


def tolerance(tagger: Tagger) -> float:
    """Of probabilities. Where nothing is summed up words are integers, and random weights are as large as can be."""
    return 1e-2 if all(group.combine == "mean" for group in tagger.model.config.groups) else 2e-4


@given(st.lists(words, max_size=12))
@settings(max_examples=60, deadline=None)
def test_tags_are_those_of_the_reference(sentence: list[Any]) -> None:
    for tagger in TAGGERS:
        tags = tagger.tag(sentence)
        assert len(tags) == len(sentence)
        if not sentence:
            continue
        expected = reference.scores(tagger.model, sentence)
        best, second = np.sort(expected, axis=1)[:, -1], np.sort(expected, axis=1)[:, -2]
        clear = best - second > 5 * tolerance(tagger)  # elsewhere rounding decides
        assert [tag for tag, sure in zip(tags, clear, strict=True) if sure] == [
            TAGS[i] for i in expected.argmax(1)[clear]
        ]
        powers = np.exp(expected - best[:, None])
        probabilities = (powers / powers.sum(1, keepdims=True)).max(1)
        assert tagger.probabilities([sentence])[0] == pytest.approx(probabilities.tolist(), abs=tolerance(tagger))


@pytest.mark.parametrize("tagger", TAGGERS)
def test_long_words_are_those_of_the_reference(tagger: Tagger) -> None:
    for word in LONG_WORDS[::7]:
        sentence = ["a", word, "b"]
        expected = reference.scores(tagger.model, sentence)
        powers = np.exp(expected - expected.max(1, keepdims=True))
        rows = tagger.rank(sentence, len(TAGS))
        found = [{entry.tag: entry.probability for entry in row} for row in rows]
        for row, probabilities in zip(found, powers / powers.sum(1, keepdims=True), strict=True):
            assert [row[tag] for tag in TAGS] == pytest.approx(probabilities.tolist(), abs=5 * tolerance(tagger))


def test_memory_does_not_grow_with_the_word(tmp_path: Path) -> None:
    path = tmp_path / "tagger.safetensors"
    TAGGERS[0].model.write(path)
    program = f"""
import resource, budgie
tagger = budgie.load({str(path)!r})
tagger.tag(["warm", "up"])
word = "pneumono" * 2_500_000
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
tagger.tag([word]), tagger.tag_batch([["a", word]])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert int(result.stdout) < 5_000  # KB; the word has 20,000


@pytest.mark.parametrize("tagger", TAGGERS)
def test_neither_batch_nor_threads_nor_memory_of_words_change_a_tag(tagger: Tagger) -> None:
    random = np.random.default_rng(0)
    vocabulary = [f"{word}{i}" for i in range(700) for word in ("a", "Bc", "dé-", "42")] + ["the", ",", "."] * 500
    sentences = [
        [vocabulary[i] for i in random.integers(0, len(vocabulary), length)] for length in random.integers(0, 60, 900)
    ]
    sentences.insert(17, [vocabulary[i] for i in random.integers(0, len(vocabulary), 3000)])  # longer than any run
    alone = [tagger.tag(sentence) for sentence in sentences]
    for threads in (1, 2, 5):
        assert tagger.tag_batch(sentences, threads) == alone
    assert tagger.tag_batch(sentences[::-1]) == alone[::-1]
    assert tagger.tag_batch(iter(map(tuple, sentences))) == alone
    probabilities = tagger.probabilities(sentences, 3)
    for threads in (1, 2):
        both = tagger.tag_batch(sentences, threads, probabilities=True)
        assert [[one.tag for one in sentence] for sentence in both] == alone
        assert [[one.probability for one in sentence] for sentence in both] == probabilities
    encoded = [[word.encode() for word in sentence] for sentence in sentences]
    assert tagger.tag_batch(encoded) == alone
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(tagger.tag_batch, [sentences] * 4)) == [alone] * 4


@pytest.mark.parametrize("tagger", TAGGERS)
def test_a_word_far_away_does_not_matter(tagger: Tagger) -> None:
    margin = max(abs(p) for group in tagger.model.config.groups for p in group.positions)
    sentence = [f"w{i}" for i in range(40)]
    changed = ["something else", *sentence[1:]]
    assert tagger.tag(sentence)[margin + 1 :] == tagger.tag(changed)[margin + 1 :]


def test_rank() -> None:
    tagger = TAGGERS[0]
    sentence = WORDS[0]
    ranking = tagger.rank(sentence, 9)
    assert [row[0].tag for row in ranking] == tagger.tag(sentence)
    assert [row[0].probability for row in ranking] == tagger.probabilities([sentence])[0]
    for row in ranking:
        assert sorted(entry.tag for entry in row) == sorted(TAGS)
        assert sum(entry.probability for entry in row) == pytest.approx(1, abs=1e-5)
        assert [e.probability for e in row] == sorted((e.probability for e in row), reverse=True)
    assert [len(row) for row in tagger.rank(sentence, 2)] == [2] * len(sentence)
    assert tagger.rank([]) == []


def test_any_sentence_gets_an_answer_in_reasonable_time() -> None:
    tagger = TAGGERS[1]
    assert tagger.tag([]) == [] and tagger.tag_batch([]) == [] and tagger.tag_batch([[], []]) == [[], []]
    for sentence in (
        ["x"] * 100_000,
        [f"w{i}" for i in range(100_000)],
        ["long" * 250_000, "é" * 1_000_000],
        ODD_WORDS,
    ):
        start = time.process_time()
        assert len(tagger.tag(sentence)) == len(sentence)
        assert time.process_time() - start < 10
        assert tagger.tag(sentence) == tagger.tag_batch([sentence])[0]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda tagger: tagger.tag("the cat"), "a sentence must be a list of words, not one str"),
        (lambda tagger: tagger.tag(b"the cat"), "a sentence must be a list of words, not one str or bytes"),
        (lambda tagger: tagger.tag(None), "a sentence must be a list of words"),
        (lambda tagger: tagger.tag(["the", None]), "word 1 of the sentence must be str or bytes"),
        (lambda tagger: tagger.tag(["the", ["cat"]]), "word 1 of the sentence must be str or bytes"),
        (lambda tagger: tagger.tag_batch(["the cat"]), "a sentence must be a list of words, not one str"),
        (lambda tagger: tagger.tag_batch("the cat"), "several sentences"),
        (lambda tagger: tagger.rank("the cat"), "a sentence must be a list of words"),
    ],
)
def test_what_is_no_sentence(call: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        call(TAGGERS[0])


def test_settings_that_make_no_sense() -> None:
    with pytest.raises(ConfigError, match="threads"):
        TAGGERS[0].tag_batch([], threads=0)
    with pytest.raises(ConfigError, match="k must be"):
        TAGGERS[0].rank([], k=0)
    with pytest.raises(ModelError, match="not for language identification"):
        LanguageIdentifier(TAGGERS[0].model)


def test_models_that_no_tagger_can_use() -> None:
    segmenter = with_random_weights(Config("seg", (Group("1-grams", "ngrams", 9, 2, n=1),), 8, ("SPLIT", "MERGE")), 0)
    with pytest.raises(ModelError, match="a model for seg, not for tagging"):
        Tagger(segmenter)
    with pytest.raises(ConfigError, match="hidden units times 129 words of the window"):
        Config("pos", (Group("far", "words", 9, 2, positions=(-64, 64)),), 1000, TAGS)


def test_pickle_and_repr() -> None:
    tagger = pickle.loads(pickle.dumps(TAGGERS[0]))
    assert tagger.tag_batch(WORDS) == TAGGERS[0].tag_batch(WORDS)
    assert tagger.tags == TAGS
    assert repr(tagger) == "<Tagger of 5 tags>"


def test_the_list_may_change_while_others_tag() -> None:
    """Words are held while they are tagged, whatever happens to the lists they came from."""
    tagger = TAGGERS[1]
    sentences = [[f"word{i}" for i in range(200)] for _ in range(200)]
    expected = tagger.tag_batch(sentences)
    with ThreadPoolExecutor(2) as pool:
        running = pool.submit(tagger.tag_batch, [list(sentence) for sentence in sentences])
        for sentence in sentences:
            sentence.clear()
        assert running.result() == expected
