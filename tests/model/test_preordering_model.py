# SPDX-License-Identifier: Apache-2.0
"""Models of preorderers: the tagger inside, what the whole pipeline costs, and what is no such model."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import safetensors
from conftest import (
    PLAIN_GROUPS,
    PREORDERER_GROUPS,
    SENTENCES,
    TAGGER_GROUPS,
    TAGS,
    Command,
    random_model,
    random_preorderer,
    random_segmenter,
    random_tagger,
    with_random_weights,
)

import budgie as package
from budgie import ConfigError, Model, ModelError, Preorderer, Tagger
from budgie.model.accounting import account
from budgie.model.config import MOVES, PLACES, SPANS, BloomMap, Config, Group
from budgie.model.describe import describe, show
from budgie.model.tensors import Tensor, expected_tensors

WORDS = [sentence.split(" ") for sentence in SENTENCES]
# With clusters, so that it has tensors that no group has.
OF_CLUSTERS = Group("clusters", "clusters", 4, 2, positions=(0, 1))
OF_A_PLACE = Group("w", "words", 9, 2, places=("s0.first",))
TAGGER = with_random_weights(Config("pos", (*TAGGER_GROUPS, OF_CLUSTERS), 9, TAGS, bloom=BloomMap(9, (64,))), 3)
MODEL, PLAIN = random_preorderer(1, tagger=TAGGER), random_preorderer(2, PLAIN_GROUPS)
DATA = MODEL.config.to_dict()
NUMBERS = {group.name: i for i, group in enumerate(MODEL.config.groups)}


# ---- files -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", [MODEL, PLAIN], ids=["tagger", "no tagger"])
def test_a_model_survives_its_file(model: Model, tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    model.write(path)
    again = Model.read(path)
    assert again == model
    assert again.to_bytes() == model.to_bytes() == path.read_bytes()
    assert Config.from_dict(json.loads(json.dumps(model.config.to_dict()))) == model.config
    assert dict(safetensors.deserialize(path.read_bytes())).keys() == model.tensors.keys()
    loaded = package.load(path)
    assert isinstance(loaded, Preorderer)
    assert loaded.permutations(WORDS) == Preorderer(model).permutations(WORDS)
    with pytest.raises(ConfigError, match="is a model for preorder and takes no dictionary, only beam"):
        package.load(path, dictionary=["a"])


def test_the_tagger_inside(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    MODEL.write(path)
    for model in (MODEL, Model.read(path)):
        inside = model.network("tagger")
        assert inside is not None
        assert (inside.config, inside.tensors) == (TAGGER.config, TAGGER.tensors)
        assert Tagger(inside).tag_batch(WORDS) == Tagger(TAGGER).tag_batch(WORDS)
    assert PLAIN.network("tagger") is None
    assert TAGGER.network("tagger") is None


def test_tensors_of_the_pipeline() -> None:
    of_tagger = {f"tagger.{name}" for name in TAGGER.tensors}
    assert "tagger.bloom.bits" in of_tagger
    assert MODEL.tensors.keys() == expected_tensors(replace(MODEL.config)).keys() > of_tagger
    assert not any(name.startswith("tagger.") for name in PLAIN.tensors)


def test_a_group_may_have_any_name() -> None:
    """Also that of the tagger, or one of a layer; or the config says no."""
    for name in ("tagger", "hidden", "output", "bloom"):
        groups = [replace(PREORDERER_GROUPS[0], name=name), *PREORDERER_GROUPS[1:]]
        try:
            model = random_preorderer(1, groups, tagger=TAGGER)
        except ConfigError:
            continue
        same = random_preorderer(1, tagger=TAGGER)
        assert Preorderer(model).permutations(WORDS) == Preorderer(same).permutations(WORDS)
        assert model.network("tagger") == same.network("tagger")


# ---- costs -----------------------------------------------------------------------------------------------------


def test_the_whole_pipeline_is_counted() -> None:
    whole, tagger, bare = account(MODEL.config), account(TAGGER.config), account(PLAIN.config)
    assert whole.size == sum(len(tensor.data) for tensor in MODEL.tensors.values())
    # Two groups of tags: 6 places of 3 dimensions and 2 of 4, 5 rows of bytes with a scale each, 5 rows of 2 bytes with
    # one scale; and as many more inputs of the hidden layer.
    more = 6 * 3 + 2 * 4
    assert whole.size == bare.size + tagger.size + 5 * (3 + 2) + 5 * 2 + 2 + 4 * 24 * more
    assert whole.weights == bare.weights + tagger.weights + 5 * 3 + 5 * 4 + 24 * more
    assert whole.flops == bare.flops + tagger.flops + 2 * 24 * more
    assert whole.h0 == bare.h0 + more  # its own: that of the tagger is another network's


def test_h0_counts_places() -> None:
    groups = {group.name: group.slots * group.dim for group in MODEL.config.groups}
    assert groups == {
        "2-grams": 3 * 3 * 5,
        "nibbles": 2 * 32,
        "words": 3 * 6,
        "bytes": 3 * 4 * 3,
        "shapes": 2 * 2 * 4,
        "tags": 3 * 2 * 3,
        "small-tags": 2 * 4,
        "swapped": 3 * 3,
        "length": 3 * 2,
    }
    assert MODEL.config.h0 == sum(groups.values())


def test_a_description() -> None:
    found, tagger = describe(MODEL), account(TAGGER.config)
    assert json.loads(json.dumps(found))["networks"]["tagger"] == {
        "task": "pos",
        "h0": tagger.h0,
        "weights": tagger.weights,
        "flops": tagger.flops,
        "size": tagger.size,
        "hidden": 9,
        "labels": list(TAGS),
    }
    assert found["size"] == account(MODEL.config).size
    assert found["file_size"] == len(MODEL.to_bytes())
    assert describe(PLAIN)["networks"] == {}
    assert "tagger" not in show(describe(PLAIN))


def test_info(budgie: Command, tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    MODEL.write(path)
    rows = [line for line in budgie("info", path).decode().splitlines() if not line.startswith(" ")]
    lines = dict(line.split(maxsplit=1) for line in rows)
    whole, tagger = account(MODEL.config), account(TAGGER.config)
    assert lines["task"] == "preorder"
    assert lines["weights"] == f"{whole.weights:,}"
    assert lines["size"].startswith(f"{whole.size:,} bytes of parameters ({whole.size / 1024:.0f} KB of 1,024 bytes")
    assert lines["flops"].startswith(f"{whole.flops - tagger.flops:,} a move and {tagger.flops:,} a tag (0.0")
    assert lines["labels"] == "3: SHIFT APPEND SWAP"
    assert lines["tagger"] == "5 tags: ADJ DET NOUN PUNCT VERB"
    text = budgie("info", path).decode()
    assert "2-grams: mean of 2-grams at s0.first s1.last b0.first, each with the words at -1 0 2, 97 x 5" in text
    assert "length: length at s0 s1 b1, 4 x 2" in text
    assert f"{tagger.size / 1000:.0f} KB of parameters, {tagger.weights:,} weights, 9 hidden units" in text
    assert json.loads(budgie("info", path, "--json"))["size"] == whole.size


# ---- what is no preorderer -------------------------------------------------------------------------------------


def test_places_have_names() -> None:
    assert SPANS == ("s0", "s1", "s2", "s3", "b0", "b1", "b2", "b3")
    assert PLACES[:5] == ("s0.first", "s0.second", "s0.before_last", "s0.last", "s1.first")
    assert (len(PLACES), PLACES[-1]) == (32, "b3.last")


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        (["labels"], ["SHIFT", "APPEND"], "the labels of a preorderer are SHIFT, APPEND, SWAP"),
        (["labels"], ["APPEND", "SHIFT", "SWAP"], "the labels of a preorderer are SHIFT, APPEND, SWAP"),
        (["task"], "pos", "group tags: pos has no groups of kind tags"),
        (["standards"], ["pku"], "only a segmenter has standards"),
        (["groups", "2-grams", "places"], ["s0.third"], "group 2-grams: places of kind ngrams are among s0.first s0.s"),
        (["groups", "2-grams", "places"], ["s4.first"], "group 2-grams: places of kind ngrams are among s0.first s0.s"),
        (["groups", "2-grams", "places"], ["s0"], "group 2-grams: places of kind ngrams are among s0.first s0.s"),
        (["groups", "2-grams", "places"], [], "group 2-grams: places of kind ngrams are among s0.first s0.s"),
        (["groups", "tags", "places"], ["s0"], "group tags: places of kind tags are among s0.first s0.second"),
        (["groups", "swapped", "places"], ["s0.first"], "places of kind swapped are among s0 s1 s2 s3 b0 b1 b2 b3"),
        (["groups", "length", "places"], ["b4"], "places of kind length are among s0 s1 s2 s3 b0 b1 b2 b3"),
        (["groups", "length", "places"], [], "places of kind length are among s0 s1 s2 s3 b0 b1 b2 b3"),
        (["groups", "words", "places"], ["s0.first"] * 2, "group words: "),
        (["groups", "words", "places"], "s0.first", r"config.groups\[2\].places must be a list"),
        (["groups", "words", "places"], [0], r"config.groups\[2\].places\[0\] must be of type string, not integer"),
        (["groups", "words", "positions"], [], "group words: positions must be one or more different numbers"),
        (["groups", "words", "positions"], [65], "group words: position must be between -64 and 64, not 65"),
        (["groups", "words", "starts"], [0], "group words: "),
        (["groups", "words", "kind"], "vocabulary", "group words: n of kind vocabulary must be between 1 and 2, not 0"),
        (["groups", "words", "kind"], "standard", "group words: preorder has no groups of kind standard"),
        (["groups", "swapped", "positions"], [0, 1], "group swapped: a span has no words around it, only position 0"),
        (["groups", "length", "positions"], [-1], "group length: a span has no words around it, only position 0"),
        (["groups", "swapped", "buckets"], 3, "group swapped must have 2 rows, as many as it has features"),
        (["groups", "tags", "buckets"], 4, "group tags must have 5 rows, as many as it has features"),
        (["groups", "tags", "n"], 1, "group tags: n of kind tags must be 0, not 1"),
        (["groups", "length", "buckets"], 2**24, r"hidden units times \d+ rows must be between 0 and 16777216"),
        (["hidden"], 2**15, r"hidden units times \d+ words looked at must be between 1 and 32768"),
        (["networks", "tagger", "labels"], ["NOUN"], "group tags must have 1 rows, as many as it has features"),
        (["networks", "tagger", "groups"], [], "number of groups must be between 1 and"),
        (["networks", "tagger", "groups", 0, "places"], ["s0.first"], "only a preorderer has places"),
        (
            ["networks", "tagger", "networks"],
            {"tagger": TAGGER.config.to_dict()},
            "only a preorderer has a tagger inside",
        ),
        (["networks", "tagger", "bloom"], None, "a Bloom map and a group of kind clusters need each other"),
        (["networks", "tagger", "colour"], 3, "config.networks.tagger has an unknown name: 'colour'"),
        (["networks", "tagger"], [], "config.networks.tagger must be a table"),
        (["networks"], [], "config.networks must be a table"),
        (["networks", "a.b"], TAGGER.config.to_dict(), "network name 'a.b' is not 1 to 64 of the characters"),
        (["networks", "parser"], TAGGER.config.to_dict(), "preorder has no network 'parser' inside"),
        (["tagger"], TAGGER.config.to_dict(), "config names its tagger twice, as tagger and among networks"),
    ],
)
def test_a_wrong_config_is_refused(place: list[Any], value: object, message: str) -> None:
    data = json.loads(json.dumps(DATA))
    table = data
    for step in place[:-1]:
        table = table[NUMBERS.get(step, step)]
    table[place[-1]] = value
    with pytest.raises(ConfigError, match=message):
        Config.from_dict(data)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: replace(MODEL.config, networks={}), "group tags must have 0 rows|need each other"),
        (
            lambda: replace(PLAIN.config, networks={"tagger": TAGGER.config}),
            "a tagger and a group of kind tags need each other",
        ),
        (
            lambda: replace(MODEL.config, networks={"tagger": random_model(labels=TAGS).config}),
            "the tagger inside is a model for langid",
        ),
        (
            lambda: replace(
                PLAIN.config, groups=(replace(PREORDERER_GROUPS[5], buckets=3),), networks={"tagger": PLAIN.config}
            ),
            "the tagger inside is a model for preorder",
        ),
        (lambda: replace(TAGGER.config, networks={"tagger": TAGGER.config}), "only a preorderer has a tagger inside"),
        (
            lambda: replace(random_model().config, networks={"tagger": TAGGER.config}),
            "only a preorderer has a tagger inside",
        ),
        (lambda: replace(random_tagger().config, groups=(OF_A_PLACE,)), "only a preorderer has places"),
        (lambda: random_segmenter(0, (OF_A_PLACE,)), "only a preorderer has places"),
        (lambda: Config("pos", (Group("swapped", "swapped", 2, 2),), 8, TAGS), "pos has no groups of kind swapped"),
        (lambda: Config("preorder", (Group("w", "words", 9, 2),), 8, MOVES), "group w: places of kind words are among"),
    ],
)
def test_a_tagger_in_a_wrong_place(make: Callable[[], object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        make()


def test_tags_alone_ask_for_little_memory() -> None:
    """What tags around a word add is summed up for each word of a sentence, and has as many units as that of words."""
    tags = Group("tags", "tags", len(TAGS), 2, places=PLACES[:4], positions=(-1, 0, 1))
    assert Config("preorder", (tags,), 2**13, MOVES, networks={"tagger": TAGGER.config}).hidden == 2**13
    for hidden in (2**13 + 1, 2**19):
        with pytest.raises(ConfigError, match="hidden units times 4 words looked at must be between 1 and 32768"):
            Config("preorder", (tags,), hidden, MOVES, networks={"tagger": TAGGER.config})


def with_config(model: Model, config: str) -> bytes:
    """The file of a model with another config, and with the checksum that belongs to it."""
    file = model.to_bytes()
    behind = 8 + int.from_bytes(file[:8], "little")
    header = json.loads(file[8:behind])
    header["__metadata__"] |= {"config": config, "sha256": "0" * 64}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    forged = len(text).to_bytes(8, "little") + text + file[behind:]
    return forged.replace(b"0" * 64, hashlib.sha256(forged).hexdigest().encode(), 1)


def test_the_tagger_as_a_field_of_its_own_is_read() -> None:
    """Files of release 0.1, such as the embedded ones, have it so."""
    old = {name: value for name, value in DATA.items() if name != "networks"} | {"tagger": DATA["networks"]["tagger"]}
    assert Model.from_bytes(with_config(MODEL, json.dumps(old))) == MODEL


def test_taggers_in_taggers_to_any_depth_are_refused() -> None:
    whole = json.dumps(DATA)
    assert Model.from_bytes(with_config(MODEL, whole)) == MODEL
    before, behind = json.dumps({**DATA, "networks": {"tagger": "here"}}).split('"here"')
    for depth in (1, 2, 10, 50, 200):
        with pytest.raises(ModelError, match=r"must have 3 rows|tagger inside is a model for|nested too deeply"):
            Model.from_bytes(with_config(MODEL, before * depth + whole + behind * depth))


@pytest.mark.parametrize(
    ("name", "tensor", "message"),
    [
        ("tagger.hidden.bias", None, "tensor 'tagger.hidden.bias' is missing"),
        ("tagger.bloom.bits", None, "tensor 'tagger.bloom.bits' is missing"),
        ("tagger.more", Tensor("F32", (1,), b"\0" * 4), "tensor 'tagger.more' is not one that the config asks for"),
        ("tagger.hidden.bias", Tensor("F32", (8,), b"\0" * 32), "tensor 'tagger.hidden.bias' is F32 .8., the config"),
        ("tagger.hidden.bias", Tensor("F32", (9,), b"\xff" * 36), "number 0 of tensor 'tagger.hidden.bias' is not a f"),
        ("tagger.2-grams.scales", Tensor("F16", (256,), b"\xff" * 512), "tensor 'tagger.2-grams.scales' is not a fin"),
        ("tagger.bloom.lengths", Tensor("U8", (4,), b"\0" * 4), "the longest code of a cluster has 0 bits, not 1 to"),
        ("tags.rows", None, "tensor 'tags.rows' is missing"),
        ("output.bias", Tensor("F32", (2,), b"\0" * 8), r"tensor 'output.bias' is F32 \[2\], the config asks for F32"),
    ],
)
def test_wrong_tensors_are_refused(name: str, tensor: Tensor | None, message: str) -> None:
    tensors = {**MODEL.tensors, name: tensor}
    with pytest.raises(ModelError, match=message):
        Model(MODEL.config, {known: one for known, one in tensors.items() if one is not None})


def test_tensors_of_a_tagger_need_a_tagger() -> None:
    with pytest.raises(ModelError, match=r"tensor 'tagger\..*' is not one that the config asks for"):
        Model(PLAIN.config, {**PLAIN.tensors, "tagger.hidden.bias": MODEL.tensors["tagger.hidden.bias"]})
