# SPDX-License-Identifier: Apache-2.0
"""Words that are taken for unknown ones: how often, which of their features change, and what a tagger gains."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

torch = pytest.importorskip("torch", reason="training needs the extra `train`")

from budgie.evaluation.tagging import evaluate_tags
from budgie.formats.sentences import TokenisedSentence
from budgie.model.config import Config, Group, TextConfig
from budgie.model.features import make_word_features
from budgie.tasks.tagging import Tagger
from budgie.train.network.loop import Run
from budgie.train.network.networks import Bag
from budgie.train.network.recipe import load_recipe
from budgie.train.network.unknown_words import UnknownWords
from budgie.train.network.words import WordTable
from budgie.train.tagging.train import TaggingMaterial, train_tagger

CPU = torch.device("cpu")
WORDS = ["maka", "taka", "taki"]
GROUPS = (
    Group("trigrams", "ngrams", 1000, 2, n=3, positions=(0,)),
    Group("words", "words", 1000, 2, positions=(0,)),
    Group("shapes", "shapes", 16, 2, positions=(0,)),
)
CONFIG = Config("pos", GROUPS, 8, ("A", "B"), TextConfig(fold_case=True, drop_urls=False))


def table_and_unknown(counts: dict[str, int], share: float) -> tuple[WordTable, UnknownWords]:
    table = WordTable(GROUPS, [[0], [0], [0]], make_word_features(CONFIG, {}), WORDS, CPU, "sparse")
    return table, UnknownWords.of(CONFIG, table.words, counts, share, CPU)


def test_rare_words_are_taken_for_unknown_more_often_and_others_never() -> None:
    _, unknown = table_and_unknown({"maka": 1, "taka": 100}, 2.0)
    assert unknown.chances.tolist() == pytest.approx([0, 0.5, 0.02, 0])
    windows = torch.tensor([[1], [2], [3], [0]]).repeat(4000, 1)
    shares = unknown.draw(windows).view(4000, 4).float().mean(0)
    assert shares.tolist() == pytest.approx([0.5, 0.02, 0, 0], abs=0.03)


def test_what_two_words_have_stays_and_the_rest_is_drawn() -> None:
    table, unknown = table_and_unknown(dict.fromkeys(WORDS, 1), 1e9)
    windows = torch.tensor([[3]] * 200)
    plain = table.bags(windows)
    with_unknown = table.bags(windows, 0.0, unknown)
    kept = []
    for one, other in zip(plain, with_unknown, strict=True):
        assert isinstance(one, Bag) and isinstance(other, Bag)
        assert torch.equal(one.starts, other.starts)
        kept.append((one.ids == other.ids).view(200, -1).float().mean(0).tolist())
    # taki: its beginning is that of taka, too, its end is its own; half of the time it is known
    trigrams, (word,), (shape,) = kept
    assert trigrams == pytest.approx([1, 1, 0.5, 0.5], abs=0.12)
    assert trigrams[:2] == [1, 1]
    assert word == pytest.approx(0.5, abs=0.12)
    assert shape == 1


def one_word_sentences(words: dict[str, str], times: int) -> list[TokenisedSentence]:
    return [TokenisedSentence((word,), (tag,)) for word, tag in words.items()] * times


def test_a_tagger_is_better_at_unknown_words() -> None:
    """Endings tell the tag, but for exceptions that are learnt by heart. Rows are few, and all in use: who trusts those
    of whole words fails on others."""
    draw = Random(1)
    stems = sorted({"".join(draw.choices("bdgklmnprst", k=4)) for _ in range(900)})
    draw.shuffle(stems)
    regular = [stem + draw.choice("ao") for stem in stems]
    tags = {word: "VERB" if word.endswith("a") else "NOUN" for word in regular}
    exceptions = {word: "NOUN" if tags[word] == "VERB" else "VERB" for word in regular[:30]}
    known = {word: tags[word] for word in regular[:300]} | exceptions
    train = one_word_sentences(known, 4)
    dev = one_word_sentences({word: tags[word] for word in regular[300:]}, 1)
    recipe = load_recipe("pos", ["network.budget=14000", "network.hidden=16"]).optimised(
        steps=600, evaluate_every=600, batch=64
    )
    shares = []
    for unknown in (0.0, 2.0):
        asked = replace(recipe, optimise=replace(recipe.optimise, unknown=unknown))
        model = train_tagger(asked, TaggingMaterial(train, dev[:20]), Run(quiet=True), {})
        shares.append(evaluate_tags(Tagger(model), dev, set(known)).unknown_word_accuracy)
    assert None not in shares
    assert shares[1] > shares[0] + 0.1
