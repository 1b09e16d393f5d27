# SPDX-License-Identifier: Apache-2.0
"""The teacher of segmenters looks at pairs of neighbouring units: which ones, and when."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="training needs the extra `train`")

from budgie.train.teacher.network import Shape, TeacherNetwork
from budgie.train.teacher.text import MASKED, SentenceRows, TeacherLexicon

CPU = torch.device("cpu")
PAIRS = Shape(width=16, layers=1, heads=2, letter=4, filters=8, pairs=64, pair=6)


def pair_network(lexicon: TeacherLexicon) -> TeacherNetwork:
    torch.manual_seed(1)
    return TeacherNetwork(PAIRS, lexicon, 2, dropout=0.0, forget=0.5).eval()


def test_pairs_of_neighbours() -> None:
    """The teacher's vector of a unit depends on the unit before it and the one behind it, and on no other."""
    lexicon = TeacherLexicon.of([[*"天地人山"] * 9], 10)
    row, changed = (torch.tensor([lexicon.numbers(units)]) for units in ("天地人天地", "天地人天山"))
    one_sentence = torch.ones_like(row)
    encoder = pair_network(lexicon).word_encoder
    pairs = encoder._pairs(row, one_sentence)
    assert pairs.shape == (1, 5, 12)
    before, behind = pairs[0, :, :6], pairs[0, :, 6:]
    assert not before[0].any() and not behind[-1].any()  # nothing stands there
    assert torch.equal(behind[:-1], before[1:])
    assert torch.equal(behind[0], behind[3])  # 天地 both times
    assert len(torch.unique(behind[:3], dim=0)) == 3
    same = (encoder(row, one_sentence) == encoder(changed, one_sentence)).all(2)[0].tolist()
    assert same == [True, True, True, False, False]
    encoder.train()
    kept = torch.stack([encoder._pairs(row, one_sentence)[0].any(1) for _ in range(200)]).float().mean(0)
    assert 0.35 < float(kept[0]) < 0.65  # its one pair is forgotten half of the time
    assert 0.6 < float(kept[1]) < 0.9  # one of two is left more often


def test_sentences_of_a_row_make_no_pairs() -> None:
    units = [[*"天地人天地"], [*"山水"]]
    lexicon = TeacherLexicon.of([units[0] * 9, units[1] * 9], 10)
    rows, alone = (SentenceRows.of(sentences, lexicon, CPU) for sentences in (units, units[:1]))
    network = pair_network(lexicon)
    vectors = network.word_encoder(rows.words, rows.sentences)
    assert vectors.shape == (*rows.words.shape, 16)
    assert torch.equal(vectors[0, :5], network.word_encoder(alone.words, alone.sentences)[0, :5])
    tags = network.tags(rows.words, rows.sentences)
    assert tags.shape == (*rows.words.shape, 2)
    assert torch.allclose(tags[0, :5], network.tags(alone.words, alone.sentences)[0, :5], atol=1e-5)


def test_pairs_are_the_same_whatever_came_before() -> None:
    """An encoder is read from one lexicon and taught with another, in which words have other numbers."""
    lexicons = [TeacherLexicon("天地人", "天地人") for _ in range(2)]
    lexicons[1].numbers("甲乙丙人")
    vectors = []
    for lexicon in lexicons:
        row = torch.tensor([lexicon.numbers("天地人")])
        vectors.append(pair_network(lexicon).word_encoder(row, torch.ones_like(row)))
    assert torch.equal(*vectors)


def test_a_masked_unit_is_masked_in_its_pairs() -> None:
    lexicon = TeacherLexicon.of([[*"天地人山"] * 9], 10)
    shown, other, one_sentence = (
        torch.tensor([numbers]) for numbers in (*map(lexicon.numbers, ("天地人", "天山人")), [1] * 3)
    )
    network = pair_network(lexicon)
    for row in (shown, other):
        row[0, 1] = MASKED
    places = torch.tensor([1])
    one, two = (network.words(row, one_sentence, places) for row in (shown, other))
    assert one.shape == (1, len(lexicon.frequent) + 1)
    assert torch.equal(one, two)


def test_without_pairs_there_are_none() -> None:
    lexicon = TeacherLexicon.of([[*"天地"]], 10)
    network = TeacherNetwork(Shape(width=8, layers=1, heads=2, letter=4, filters=8), lexicon, 2, 0.0, 0.0)
    assert not any("pair" in name for name, _ in network.named_parameters())
