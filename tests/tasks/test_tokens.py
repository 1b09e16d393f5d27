# SPDX-License-Identifier: Apache-2.0
"""Tokens and sentences of raw text: features, rules and offsets of a segmenter that finds both."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest
from conftest import SENTENCES, with_random_weights
from reference import raw_text as reference

from budgie import Segmenter
from budgie.errors import ConfigError
from budgie.model.config import ACTIONS, SENTENCE_ACTIONS, Config, Group, TextConfig
from budgie.model.features import make_unit_features

RAW = TextConfig(spaces="between")
STANDARDS = ("und", "en", "de")
GROUPS = (
    Group("units", "ngrams", 300, 4, n=1, positions=(-2, -1, 0, 1)),
    Group("own-pairs", "ngrams", 300, 4, n=2, positions=(-1,), by_standard=True),
    Group("shapes", "shapes", 200, 4, n=1, positions=(-3, -1, 0, 2), bits=4, scale="table"),
    Group("triples", "shapes", 500, 4, n=3, positions=(-2, 0)),
    Group("own-triples", "shapes", 500, 4, n=3, positions=(-1,), by_standard=True),
    Group("endings-1", "endings", 90, 4, n=1, positions=(-1, 0)),
    Group("endings-3", "endings", 400, 4, n=3, positions=(-1, 1)),
    Group("endings-4", "endings", 400, 4, n=4, positions=(0,), by_standard=True),
    Group("sentence", "sentence", 12, 2, bits=32),
    Group("opening", "opening", 30, 3, bits=32),
    Group("line", "line", 12, 3, bits=32),
    Group("standard", "standard", 3, 2, bits=32),
)
PIECES = (
    *(
        "Dr.",
        "U.S.A.",
        "e.g.",
        "don't",
        "3.14",
        "10am",
        "COVID-19",
        "iPhone",
        "ÉCOLE",
        "Ünlü",
        "x" * 40,
        "你好。",
        "ไทย",
    ),
    # Cases that are unlike those of other letters: full-width letters; ligatures that are one character, small, capital
    # or between; Georgian, whose capitals (Mtavruli) stand far from its other letters (Mkhedruli).
    *("Ｄｒ．", "ＡＢＣ", "ａｂｃ", "１２", "ﬁne", "oﬃce", "ﬆ", "ﬓ", "ǅungla", "Ǆ", "თბილისი", "ᲗᲑᲘᲚᲘᲡᲘ", "Ქართული"),
    *(" ", " ", " ", " ", "  ", "\t", "\n", "\r\n", "\n\n", "\r\n\r\n", "\n \n", "\u00a0", "\u200b", "\u2029"),
    *(
        ".",
        "!",
        "?!",
        "...",
        "…",
        "“",
        "”",
        "(",
        ")",
        "-",
        "—",
        "😀",
        "👍🏽",
        "@name",
        "#tag",
        "https://a.org/b.",
        "a@b.org",
    ),
)


def config(groups: Sequence[Group] = GROUPS, **changes: object) -> Config:
    given = {"text": RAW, "standards": STANDARDS, "layer_bits": 32, **changes}
    return Config("seg", tuple(groups), 16, SENTENCE_ACTIONS, **given)  # type: ignore[arg-type]


def some_texts(count: int) -> list[str]:
    draw = random.Random(5)
    made = ["".join(draw.choice((*PIECES, *SENTENCES)) for _ in range(draw.randint(0, 60))) for _ in range(count)]
    return ["", " ", "\n\n", "a", " a b", "a\n\nb", *SENTENCES, " ".join(SENTENCES), *made]


@pytest.fixture(scope="module")
def segmenter() -> Segmenter:
    return Segmenter(with_random_weights(config(), 3))


def test_rows_are_those_of_the_reference() -> None:
    draw = random.Random(2)
    features = make_unit_features(config(), {})
    for text in some_texts(60):
        starts = [unit.start for unit in reference.spelt(text)]
        words = sorted(draw.sample(starts, len(starts) * 2 // 3))
        sentences = sorted(draw.sample(words, len(words) // 5))
        standard = draw.randrange(3)
        rows, actions = features.decisions([text], [words], [sentences], [standard])
        for group, found in zip(GROUPS, rows, strict=True):
            if group.kind == "standard":
                assert set(found.flatten()) <= {standard}
                continue
            expected, gold = reference.decisions(group, text, set(words), set(sentences), standard)
            assert found.tolist() == expected, (group.name, text)
            assert actions.tolist() == gold


def test_offsets(segmenter: Segmenter) -> None:
    for text in some_texts(100):
        sentences = segmenter.sentences(text)
        spans = [span for sentence in sentences for span in sentence]
        assert spans == segmenter.spans(text)
        assert [text[start:end] for start, end in spans] == segmenter.segment(text)
        assert all(sentences)
        end = 0
        for start, behind in spans:
            assert end <= start < behind
            assert not text[end:start].replace("\u200b", " ").strip()
            assert text[start:behind].strip()
            end = behind
        assert not text[end:].replace("\u200b", " ").strip()
        whole = segmenter.sentences(text.encode())
        characters = [[text.encode()[start:end].decode() for start, end in sentence] for sentence in whole]
        assert characters == [[text[start:end] for start, end in sentence] for sentence in sentences]


def test_a_text_and_a_paragraph_begin_a_sentence(segmenter: Segmenter) -> None:
    for text in some_texts(60):
        begun = {sentence[0].start for sentence in segmenter.sentences(text)}
        forced = {unit.start for unit in reference.spelt(text) if unit.gap >= reference.PARAGRAPH}
        assert forced <= begun
        # No token goes over white space.
        assert not any(character.isspace() for token in segmenter.segment(text) for character in token)


def test_batches_and_threads(segmenter: Segmenter) -> None:
    texts = some_texts(50)
    expected = [segmenter.sentences(text) for text in texts]
    assert segmenter.sentences_batch(texts) == segmenter.sentences_batch(texts, threads=2) == expected


def test_standards_differ() -> None:
    model = with_random_weights(config(), 3)
    text = " ".join(SENTENCES)
    answers = [Segmenter(model, standard=standard).sentences(text) for standard in STANDARDS]
    assert answers[0] != answers[1] != answers[2]
    assert Segmenter(model).standard == "und"


def test_one_that_finds_no_sentences_gives_one() -> None:
    groups = tuple(
        group for group in GROUPS if group.kind not in ("sentence", "opening", "standard") and not group.by_standard
    )
    model = with_random_weights(Config("seg", groups, 16, ACTIONS, RAW), 3)
    segmenter = Segmenter(model)
    assert not segmenter.finds_sentences
    assert segmenter.sentences("A b. C d.\n\nE f.") == [segmenter.spans("A b. C d.\n\nE f.")]
    assert segmenter.sentences("") == []


@pytest.mark.parametrize(
    ("groups", "labels", "message"),
    [
        ((Group("a", "sentence", 9, 2),), ACTIONS, "a group of kind sentence needs the label SENTENCE"),
        ((Group("a", "opening", 9, 2),), ACTIONS, "a group of kind opening needs the label SENTENCE"),
        (
            (Group("a", "shapes", 9, 2),),
            SENTENCE_ACTIONS,
            "group a: n of shapes of units must be between 1 and 8, not 0",
        ),
        ((Group("a", "kinds", 9, 2, n=1, by_standard=True),), SENTENCE_ACTIONS, "only n-grams, shapes and endings"),
        ((Group("a", "shapes", 9, 2, n=1, by_standard=True),), SENTENCE_ACTIONS, "of a model with standards"),
        ((Group("a", "shapes", 9, 2, n=1),), ("SPLIT", "SENTENCE"), "the labels of a segmenter are SPLIT and MERGE"),
    ],
)
def test_what_makes_no_sense_is_refused(groups: tuple[Group, ...], labels: tuple[str, ...], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        Config("seg", groups, 4, labels, RAW)


def test_endings_are_of_units() -> None:
    with pytest.raises(ConfigError, match="n of kind endings must be between 1 and 4, not 5"):
        Group("a", "endings", 9, 2, n=5)
    with pytest.raises(ConfigError, match="pos has no groups of kind endings"):
        Config("pos", (Group("a", "endings", 9, 2, n=2),), 4, ("X", "Y"))
    with pytest.raises(ConfigError, match="only a segmenter has groups by standard"):
        Config("pos", (Group("a", "words", 9, 2, by_standard=True),), 4, ("X", "Y"))


def test_numbers_are_arrays() -> None:
    rows, actions = make_unit_features(config(), {}).decisions([], [], [], [])
    assert [group.shape for group in rows] == [(0, group.slots) for group in GROUPS]
    assert actions.dtype == np.uint8
