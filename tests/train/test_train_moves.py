# SPDX-License-Identifier: Apache-2.0
"""States to learn preordering from: in training a network sees what it will see in the core."""

from __future__ import annotations

import itertools
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from conftest import PLAIN_GROUPS, PREORDERER_GROUPS, TAGS, random_tagger
from reference.preordering import Network, State, delayed_swap, follow

torch = pytest.importorskip("torch", reason="training needs the extra `train`")

from budgie import Model, Preorderer, Tagger
from budgie.model.config import MOVES, Config, Group, TextConfig
from budgie.model.features import make_word_features
from budgie.model.tensors import Tensor
from budgie.train.network.drawn import Chunks, DrawnBatches
from budgie.train.network.export import make_model
from budgie.train.network.networks import Networks
from budgie.train.network.recipe import Optimise
from budgie.train.network.words import WordTable
from budgie.train.preordering.moves import Looks, MoveText, Ordered, States

CPU = torch.device("cpu")
INSIDE = random_tagger(4)
# As they are trained: no rounding between the networks of training and the model.
EXACT = tuple(replace(group, bits=32) for group in PREORDERER_GROUPS)
EXACT_PLAIN = tuple(replace(group, bits=32) for group in PLAIN_GROUPS)
FAR = (Group("far", "words", 50, 4, places=("s0.first", "b0.last"), positions=(-5, 4), bits=32),)


def config_of(groups: Sequence[Group]) -> Config:
    tagger = INSIDE.config if any(group.kind == "tags" for group in groups) else None
    return Config(
        "preorder", tuple(groups), 12, MOVES, TextConfig(drop_urls=False), networks={"tagger": tagger} if tagger else {}
    )


def made_up(count: int, seed: int) -> list[Ordered]:
    """Sentences in any order; some have no word or one."""
    draw = random.Random(seed)
    sizes = [0, 1, 2, 1, *(draw.randint(0, 9) for _ in range(count - 4))]
    return [
        Ordered(tuple(draw.choices(["lo", "pato", "El", "1,2", "ä", "x-y"], k=size)), draw.sample(range(size), size))
        for size in sizes
    ]


def tags_of(sentences: Sequence[Ordered]) -> list[list[int]]:
    tagger = Tagger(INSIDE)
    return [[TAGS.index(tag) for tag in tags] for tags in tagger.tag_batch([one.words for one in sentences])]


def text_of(
    config: Config, sentences: Sequence[Ordered], states: States | None = None, form: Any = "sparse"
) -> MoveText:
    """Gold states, or those that are given."""
    looks = Looks(config)
    words = ["lo", "pato", "El", "1,2", "ä", "x-y"]
    table = WordTable(config.groups, looks.of_words, make_word_features(config, {}), words, CPU, form)
    tags = tags_of(sentences) if config.networks else [[] for _ in sentences]
    return MoveText(table, looks, sentences, tags, states or looks.gold([one.order for one in sentences]))


def scores_of(networks: Networks, text: MoveText) -> Any:
    return torch.cat([networks(batch.bags)[0] for batch in Chunks(text)]).detach().numpy()


def exported(config: Config, networks: Networks) -> Model:
    weights = {n: p.detach().select(networks.axis(n), 0).contiguous() for n, p in networks.named_parameters()}
    tensors: Mapping[str, Tensor] = {f"tagger.{name}": tensor for name, tensor in INSIDE.tensors.items()}
    return make_model(config, weights, resources=tensors if config.networks else None)


def networks_of(config: Config, form: Any = "sparse") -> Networks:
    """Embeddings that are large enough to matter."""
    return Networks(config, 1, 3, form, start=1.0)


# ---- scores ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["sparse", "dense"])
@pytest.mark.parametrize("groups", [EXACT, EXACT_PLAIN, FAR, EXACT[5:]], ids=["all", "no tags", "far", "no words"])
def test_scores_are_those_of_the_reference(groups: Sequence[Group], form: Any) -> None:
    config, sentences = config_of(groups), made_up(25, 1)
    networks, text = networks_of(config, form), text_of(config, sentences, form=form)
    reference = Network(exported(config, networks))
    expected, moves = [], []
    for sentence, tags in zip(sentences, tags_of(sentences), strict=True):
        for state, move in follow(sentence.order, delayed_swap):
            if move >= 0:
                expected.append(reference.scores(state, sentence.words, tags))
                moves.append(move)
    found = scores_of(networks, text)
    assert len(text) == len(found) == len(moves) > 200
    np.testing.assert_allclose(found, expected, atol=1e-4)
    assert np.ptp(found, axis=0).min() > 0.1  # they differ from state to state
    assert text.targets.argmax(1).tolist() == moves
    assert text.targets.sum(1).tolist() == [1.0] * len(moves)


def seen_words(looks: Looks, state: State, count: int) -> list[int]:
    """Columns of words, as the reference sees them in a sentence of so many words; -1: none."""
    found = {}
    for group, columns in zip(looks.groups, looks.words, strict=True):
        slots = ((place.split("."), position) for place in group.places for position in group.positions)
        for ((name, *corner), position), column in zip(slots, columns, strict=False):
            span = state.seen(name)
            word = None if span is None else span.corner(*corner)
            found[column] = -1 if word is None or not 0 <= word + position < count else word + position
    return [found[column] for column in range(len(found))]


def seen_rows(looks: Looks, state: State) -> list[int]:
    """Columns of rows, likewise; -1: no such span."""
    found = {}
    for group, columns in zip(looks.groups, looks.spans, strict=True):
        for place, column in zip(group.places, columns, strict=False):
            span = state.seen(place)
            length = 0 if span is None else min(len(span.words), group.buckets)
            found[column] = -1 if span is None else int(span.swapped) if group.kind == "swapped" else length - 1
    return [found[column] for column in range(len(found))]


def own_states(looks: Looks, network: Network, sentences: Sequence[Ordered], tags: Sequence[Sequence[int]]) -> States:
    """The states that a network goes through by its own moves, each with what gold would do there."""
    words, rows, moves, ends = [], [], [], []
    for sentence, its_tags in zip(sentences, tags, strict=True):
        state = State(len(sentence.words))
        while not state.done:
            words.append(seen_words(looks, state, len(sentence.words)))
            rows.append(seen_rows(looks, state))
            moves.append(delayed_swap(state, sentence.order))
            scores = network.scores(state, sentence.words, its_tags)
            state.apply(max(state.allowed(), key=lambda move: scores[move]))
        ends.append(len(moves))
    arrays = (words, rows, [[move] for move in moves], [[end] for end in ends])
    return States(*(np.array(array, np.int32) for array in arrays))


def test_the_best_moves_lead_where_the_core_goes() -> None:
    """On the network's own path, which goes through other states than gold's."""
    config, sentences = config_of(EXACT), made_up(40, 2)
    networks = networks_of(config)
    model = exported(config, networks)
    looks, preorderer = Looks(config), Preorderer(model)
    states = own_states(looks, Network(model), sentences, tags_of(sentences))
    text = text_of(config, sentences, states)
    scores, begin, turned = scores_of(networks, text), 0, 0
    for sentence, end in zip(sentences, states.ends[:, 0].tolist(), strict=True):
        state = State(len(sentence.words))
        for found in scores[begin:end]:
            state.apply(max(state.allowed(), key=lambda move: found[move]))
        assert state.order == preorderer.reorder(sentence.words).permutation
        turned += state.order != sorted(state.order)
        begin = end
    assert turned > 5
    assert states.words.tolist() != looks.gold([one.order for one in sentences]).words.tolist()
    assert text.targets.argmax(1).tolist() == states.moves[:, 0].tolist()


def test_the_core_orders_as_the_exported_weights_say() -> None:
    """With weights of 8 bits and layers of 16: training's own rounding is that of the model."""
    config = replace(config_of(tuple(replace(group, bits=8, scale="row") for group in EXACT)), layer_bits=16)
    model = exported(config, networks_of(config))
    assert model.config == config
    reference, preorderer, compared = Network(model), Preorderer(model), 0
    for sentence in made_up(30, 3):
        expected, clear = reference.reorder(sentence.words)
        if clear > 1e-4:
            compared += 1
            assert preorderer.reorder(sentence.words).permutation == expected
    assert compared > 20


# ---- minibatches -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["sparse", "dense"])
def test_any_states_in_any_order(form: Any) -> None:
    config, sentences = config_of(EXACT), made_up(12, 4)
    networks, text = networks_of(config, form), text_of(config, sentences, form=form)
    whole = scores_of(networks, text)
    chosen = torch.tensor([5, 0, len(text) - 1, 5, 17])
    some = networks(text.bags(chosen, 0.0))[0].detach().numpy()
    np.testing.assert_allclose(some, whole[chosen.numpy()], atol=1e-5)


def test_the_states_of_two_texts() -> None:
    config = config_of(EXACT)
    networks = networks_of(config)
    one, other = made_up(9, 5), made_up(14, 6)
    texts = [text_of(config, one), text_of(config, other)]
    apart = [scores_of(networks, text) for text in texts]
    both = texts[0].followed_by(texts[1])
    assert len(both) == len(texts[0]) + len(texts[1])
    np.testing.assert_allclose(scores_of(networks, both), np.concatenate(apart), atol=1e-5)
    np.testing.assert_allclose(scores_of(networks, both), scores_of(networks, text_of(config, one + other)), atol=1e-5)
    assert torch.equal(both.targets, torch.cat([text.targets for text in texts]))
    three = both.followed_by(texts[0])
    np.testing.assert_allclose(scores_of(networks, three), np.concatenate([*apart, apart[0]]), atol=1e-5)
    for text, scores in zip(texts, apart, strict=True):  # they stay as they were
        np.testing.assert_array_equal(scores_of(networks, text), scores)


def test_neighbours_do_not_matter() -> None:
    """However far features reach, what stands before and behind a sentence is nothing."""
    config = config_of((*FAR, replace(EXACT[5], positions=(-5, 0, 4))))
    networks, sentences = networks_of(config), made_up(10, 7)
    alone = [scores_of(networks, text_of(config, [one])) for one in sentences if one.words]
    np.testing.assert_allclose(scores_of(networks, text_of(config, sentences)), np.concatenate(alone), atol=1e-5)


@pytest.mark.parametrize("groups", [EXACT, FAR])
def test_the_core_looks_where_the_reference_does(groups: Sequence[Group]) -> None:
    looks, sentences = Looks(config_of(groups)), made_up(30, 11)
    found, states = looks.gold([one.order for one in sentences]), 0
    for sentence in sentences:
        for state, move in follow(sentence.order, delayed_swap):
            if move >= 0:
                assert found.words[states].tolist() == seen_words(looks, state, len(sentence.words))
                assert found.rows[states].tolist() == seen_rows(looks, state)
                states += 1
    assert states == len(found.moves)


def test_groups_share_columns() -> None:
    config = config_of(EXACT)
    looks = Looks(config)
    assert [len(columns) for columns in looks.words] == [9, 2, 3, 3, 4, 6, 2, 0, 0]
    assert [len(columns) for columns in looks.of_words] == [9, 2, 3, 3, 4, 0, 0, 0, 0]
    assert [len(columns) for columns in looks.spans] == [0] * 7 + [group.slots for group in EXACT[7:]]
    places = {
        (place, position): column
        for group, columns in zip(config.groups, looks.words, strict=True)
        for (place, position), column in zip(itertools.product(group.places, group.positions), columns, strict=False)
    }
    assert sorted(places.values()) == list(range(len(places)))  # one for each place and position


@pytest.mark.parametrize("form", ["sparse", "dense"])
def test_feature_dropout_keeps_sums_on_average(form: Any) -> None:
    config = config_of(EXACT)
    text, chosen, times = text_of(config, made_up(9, 8), form=form), torch.arange(3, 11), 1500
    torch.manual_seed(1)
    whole, dropped = text.bags(chosen, 0.0), text.bags(chosen.repeat(times), 0.4)
    for group, bag, many in zip(config.groups, whole, dropped, strict=True):
        table = torch.rand(group.buckets, 2)
        expected, found = bag.sums(table), many.sums(table).view(times, -1, 2)
        assert expected.shape == found[0].shape == (len(chosen) * group.slots, 2)
        assert torch.allclose(found.mean(0), expected, atol=0.15), group.name
        assert not torch.allclose(found[0], expected), group.name


def test_every_gold_state_comes_once_an_epoch() -> None:
    config = config_of(EXACT)
    text = text_of(config, made_up(20, 9))
    gold = len(text)
    batches = DrawnBatches(text.followed_by(text_of(config, made_up(8, 10))), gold, Optimise(batch=20, silver=0.25))
    seen = [n for step in range(gold // 15) for n in batches[step].chosen.tolist()]
    annotated = [n for n in seen if n < gold]
    assert len(annotated) == len(set(annotated)) == gold // 15 * 15
    assert len(seen) - len(annotated) == gold // 15 * 5
    assert batches[0].varying() is None  # states differ in how many ids they have
