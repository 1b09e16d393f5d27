# SPDX-License-Identifier: Apache-2.0
"""The core gives what the NumPy reference gives: the same rows exactly, the same scores within rounding."""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from conftest import GROUPS, SENTENCES, random_model
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from reference import langid as reference

from budgie import LanguageIdentifier, Model
from budgie._core import UNICODE
from budgie.model.config import Group, TextConfig
from budgie.model.features import make_features
from budgie.model.tensors import Tensor

FOLDINGS = [
    TextConfig(),
    TextConfig(fold_case=False, drop_urls=False),
    TextConfig(drop_markup=True),
]
PACKED: Any = {"bits": 2, "scale": "table"}
MODELS = [random_model(seed, text=folding) for seed, folding in enumerate(FOLDINGS)] + [
    random_model(7, GROUPS[:1], hidden=1),
    random_model(8, GROUPS[5:], layer_bits=16, hidden=17),
    random_model(9, [Group("wide", "ngrams", 2**12, 16, n=5, bits=32)], hidden=33),
    random_model(10, text=TextConfig(blocks=(0, 1, 8, 72, 156))),
    *(
        random_model(
            11 + i, [Group(f"{n}-grams", "ngrams", 999, dim, n=n, **form) for n in (1, 2, 3)], shared_space=True
        )
        for i, (dim, form) in enumerate(((64, PACKED), (32, PACKED), (16, {"bits": 8, "scale": "row"})))
    ),
]
IDENTIFIERS = [LanguageIdentifier(model) for model in MODELS]

any_text = st.text(st.characters(exclude_categories=[]), max_size=200)  # lone surrogates too
fragments = st.sampled_from(
    [
        *SENTENCES,
        "@",
        "://",
        ":/",
        "<",
        ">",
        "<b>",
        " ",
        "\n",
        "\u2028",
        "x@",
        "见https://a.b/c。",
        "，@",
        "นะ://",
        "་",
        "Ａ＠",
        "ㅋ",
        "http://a.b/c?d=<e> ",
        "1234",
        "’",
        "\ud83d",
        "ﬁ",
    ]
)
# Long enough for several pieces of the core, with an address or a tag across the border of two.
long_text = st.lists(
    st.builds(lambda part, times: part * times, fragments | any_text, st.sampled_from([1, 2, 7, 40, 333])), max_size=8
).map(lambda parts: "".join(parts)[:6000])
damaged = st.builds(
    lambda text, place, more: (
        (whole := text.encode("utf-8", "surrogatepass"))[: (cut := place % (len(whole) + 1))]
        + more
        + whole[cut + len(more) :]
    ),
    long_text,
    st.integers(0, 10_000),
    st.binary(max_size=5),
)
texts = any_text | long_text | damaged | st.binary(max_size=100)

ILL_FORMED = [
    b"a\xc2", b"a\xe0", b"a\xe0\xa0", b"a\xf0", b"a\xf0\x90", b"a\xf0\x90\x80",  # cut short
    b"a\xc2b", b"a\xe0\xa0b", b"a\xf0\x90\x80b",  # the next letter is not swallowed
    b"a\xc0\x80b", b"a\xc1\xbfb", b"a\xe0\x80\x80b",  # overlong
    b"a\xe0\x9f\xbfb", b"a\xf0\x80\x80\x80b", b"a\xf0\x8f\xbf\xbfb",
    b"a\xed\xa0\x80b", b"a\xed\xbf\xbfb", b"a\xed\xa0\xbd\xed\xb8\x80b",  # surrogates
    b"a\xf4\x90\x80\x80b", b"a\xf5\x80\x80\x80b", b"a\xf8\x88\x80\x80\x80b", b"a\xfc\x84\x80\x80\x80\x80b",  # too high
    b"a\x80b", b"a\xbfb", b"a\x80\xbf\x80b", b"a\xfeb", b"a\xffb", b"a\xfe\xff",
    b"\xff\xfea\x00", b"a\xe2\x82\xe2\x82\xacb",
]  # fmt: skip


def core_ids(identifier: LanguageIdentifier, batch: list[str | bytes], threads: int = 1) -> list[list[np.ndarray]]:
    """For each text, the rows of each group."""
    model = identifier.model
    found = make_features(model.config).ids(batch)
    by_group = [np.split(ids, starts[1:]) for ids, starts in found]
    return [[ids[text] for ids in by_group] for text in range(len(batch))]


def reference_ids(identifier: LanguageIdentifier, text: str | bytes) -> list[np.ndarray]:
    model = identifier.model
    stream = reference.characters(text, model.config.text)
    return [reference.rows(stream, group) for group in model.config.groups]


def assert_same_ids(identifier: LanguageIdentifier, batch: list[str | bytes]) -> None:
    for text, found in zip(batch, core_ids(identifier, batch), strict=True):
        for group, ids, expected in zip(
            identifier.model.config.groups, found, reference_ids(identifier, text), strict=True
        ):
            assert ids.tolist() == expected.tolist(), (group.name, text)


@pytest.mark.parametrize("identifier", IDENTIFIERS, ids=range(len(IDENTIFIERS)))
def test_rows_are_those_of_the_reference(identifier: LanguageIdentifier) -> None:
    joined = " ".join(SENTENCES)
    assert_same_ids(identifier, ["", " ", "a", "aB", *SENTENCES, joined * 8, joined.encode() * 8])


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(batch=st.lists(texts, max_size=3), which=st.integers(0, len(IDENTIFIERS) - 1))
@example(
    batch=["foo@bar.com hello", "ab " * 340 + "foobarr@x.com next", "<" + "é" * 998 + "> a <" + "é" * 1000 + ">"],
    which=2,
)
def test_rows_are_those_of_the_reference_for_any_text(batch: list[str | bytes], which: int) -> None:
    assert_same_ids(IDENTIFIERS[which], batch)


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(text=texts, which=st.integers(0, len(IDENTIFIERS) - 1))
def test_scores_are_those_of_the_reference_for_any_text(text: str | bytes, which: int) -> None:
    expected, _ = reference.scores(MODELS[which], text)
    # A label whose score is near zero by chance is no less exact than the others.
    # Inputs of a layer are rounded to an 8191st of the largest one.
    np.testing.assert_allclose(IDENTIFIERS[which].scores(text), expected, rtol=2e-3, atol=2e-3 * np.abs(expected).max())


@pytest.mark.parametrize("text", [*SENTENCES, " ".join(SENTENCES) * 10], ids=lambda text: text[:10])
@pytest.mark.parametrize("languages", [None, ["ru", "de", "zh"], ["ko"]], ids=["all", "three", "one"])
@pytest.mark.parametrize("priors", [None, {"de": 4, "ko": 0.3, "tr": 2.5}], ids=["equal", "weighted"])
def test_probabilities_are_those_of_the_reference(
    text: str, languages: list[str] | None, priors: dict[str, float] | None
) -> None:
    for model, identifier in zip(MODELS, IDENTIFIERS, strict=True):
        if reference.scores(model, text)[1] == 0:  # no letter of a known block
            assert [answer.language for answer in identifier.rank(text, languages=languages)] == ["und"]
            continue
        labels = model.config.labels
        weights = [(priors or {}).get(label, 1.0) for label in labels]
        allowed = [label for label in labels if languages is None or label in languages]
        numbers = [labels.index(label) for label in allowed]
        expected = dict(zip(allowed, reference.probabilities(model, text, numbers, weights), strict=True))
        ranked = identifier.rank(text, k=100, languages=languages, priors=priors)
        # Random networks have large scores, and what is rounded is in proportion to these.
        slack = 1e-4 + 1e-3 * np.abs(reference.calibrated(model, text)).max()
        assert [answer.probability for answer in ranked] == pytest.approx(
            sorted(expected.values(), reverse=True), abs=slack
        )
        for answer in ranked:
            assert answer.probability == pytest.approx(expected[answer.language], abs=slack)
            rival = reference.rival(model, text, labels.index(answer.language), weights)
            if abs(answer.probability - 0.8) > slack and abs(rival - np.log(2)) > 10 * slack:
                assert answer.reliable == (answer.probability >= 0.8 and rival <= np.log(2))


def test_a_word_may_have_any_hash() -> None:
    # Rotations of 32 equal characters cancel out: the hash is the seed again, as if there were no word.
    assert_same_ids(IDENTIFIERS[0], ["R" * length for length in range(100)] + ["a " + "R" * 32 + " b"])


def test_ill_formed_utf8_is_read_as_python_reads_it() -> None:
    identifier = IDENTIFIERS[1]
    decoded: list[str | bytes] = [text.decode("utf-8", "replace") for text in ILL_FORMED]
    for raw, ids, expected in zip(
        ILL_FORMED, core_ids(identifier, list(ILL_FORMED)), core_ids(identifier, decoded), strict=True
    ):
        assert [g.tolist() for g in ids] == [g.tolist() for g in expected], raw


@settings(max_examples=100, deadline=None)
@given(raw=st.binary(max_size=60) | damaged)
def test_any_bytes_are_read_as_python_reads_them(raw: bytes) -> None:
    found, expected = core_ids(IDENTIFIERS[2], [raw, raw.decode("utf-8", "replace")])
    assert [g.tolist() for g in found] == [g.tolist() for g in expected]


def test_every_code_point_has_the_class_and_the_lower_case_of_the_table() -> None:
    kinds, lowers = reference.table()
    every: list[str | bytes] = [chr(code) for code in range(0x110000)]
    buckets = 2**24
    config = replace(random_model().config, groups=(Group("1-grams", "ngrams", buckets, 1, n=1),))
    ((ids, starts),) = make_features(config).ids(every)
    counts = np.diff(starts, append=len(ids))
    is_letter = kinds <= reference.MARK
    assert np.array_equal(counts, is_letter)
    lower = (np.arange(0x110000) + lowers)[is_letter].astype(np.uint32)
    hashed = (lower ^ np.uint32(reference.SEED)) * np.uint32(0x9E3779B1)
    hashed = (hashed ^ hashed >> np.uint32(15)) * np.uint32(0x85EBCA6B)
    assert np.array_equal(ids, (hashed ^ hashed >> np.uint32(13)).astype(np.uint64) * buckets >> np.uint64(32))


def test_the_table_is_unicode() -> None:
    kinds, lowers = reference.table()
    assert UNICODE == "15.1.0"
    classes = {"L": 0, "M": 1, "N": 2, "Z": 3}
    for code in range(0x110000):
        character = chr(code)
        if unicodedata.ucd_3_2_0.category(character) in ("Cn", "Cc"):  # not assigned then; controls are spaces or other
            continue
        assert kinds[code] == classes.get(unicodedata.category(character)[0], 4), hex(code)
        assert code + lowers[code] == ord(character.lower()[0]), hex(code)


def test_sums_of_small_weights_never_overflow() -> None:
    """Counts of equal rows around every multiple of what the core's small counters hold."""
    groups = [
        Group("pairs", "ngrams", 7, 32, n=1, bits=2, scale="table"),
        *(Group(f"{dim}-nibbles", "ngrams", 7, dim, n=1, bits=4, scale="table") for dim in (8, 16, 32)),
    ]
    model = random_model(4, groups)
    largest = {
        name: Tensor("U8", tensor.shape, b"\xff" * len(tensor.data))
        for name, tensor in model.tensors.items()
        if name.endswith(".rows")
    }
    full = Model(model.config, {**model.tensors, **largest})
    for identifier in (LanguageIdentifier(model), LanguageIdentifier(full)):
        for length in range(1, 400):
            expected, _ = reference.scores(identifier.model, "a" * length)
            np.testing.assert_allclose(identifier.scores("a" * length), expected, rtol=2e-3, atol=2e-3)
