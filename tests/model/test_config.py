# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import dataclasses
import json
import typing
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from budgie.errors import ConfigError
from budgie.model.config import ACTIONS, BloomMap, Config, Group, Kind, Lexicon, Task, TextConfig
from budgie.train.network.plain_data import build

NGRAMS = Group("3-grams", "ngrams", 1000, 16, n=3)
LANGID = Config("langid", (NGRAMS, Group("words", "words", 500, 8)), 32, ("de", "en"), TextConfig(drop_urls=False))
TAGGER = Config(
    "pos",
    (
        dataclasses.replace(NGRAMS, positions=(-1, 0, 1)),
        Group("bytes", "bytes", 256, 4, n=3, positions=(-1, 0)),
        Group("clusters", "clusters", 256, 8),
    ),
    hidden=64,
    labels=("NOUN", "VERB", "."),
    layer_bits=16,
    bloom=BloomMap(1000, (8000, 320), error_bits=2, fold_digits=True),
)
SEGMENTER = Config(
    "seg",
    (
        Group("characters", "vocabulary", 3, 4, n=1, positions=(-1, 0), starts=(0,), keys=2),
        Group("words", "words", 100, 2, positions=(-1, 0, 1)),
        Group("kinds", "kinds", 64, 2, n=3, positions=(-1,)),
        Group("length", "length", 16, 2),
        Group("standard", "standard", 2, 2),
        Group("lexicon", "lexicon", 125, 2, positions=(0, 1), starts=(0,)),
    ),
    hidden=8,
    labels=("SPLIT", "MERGE"),
    text=TextConfig(units="characters", spaces="join"),
    standards=("pku", "msr"),
    lexicon=Lexicon(words=100, longest=5, size=128),
)


@pytest.mark.parametrize("config", [LANGID, TAGGER, SEGMENTER], ids=["langid", "pos", "seg"])
def test_a_config_survives_json(config: Config) -> None:
    assert Config.from_dict(json.loads(json.dumps(config.to_dict()))) == config


def test_h0_counts_positions_and_both_ends_of_a_word() -> None:
    assert LANGID.h0 == 16 + 8
    assert TAGGER.h0 == 3 * 16 + 2 * 2 * 3 * 4 + 8
    assert SEGMENTER.h0 == (2 + 1) * 4 + 3 * 2 + 2 + 2 + 2 + 3 * 2


@pytest.mark.parametrize(("place", "names"), [(["task"], Task), (["groups", 0, "kind"], Kind)])
def test_types_name_what_the_core_knows(place: list[Any], names: Any) -> None:
    refuse(LANGID, place, "nothing", f"must be one of {', '.join(typing.get_args(names))}, not 'nothing'")


def test_a_whole_number_will_do_for_a_float() -> None:
    assert build(float, 10, "x") == 10.0
    with pytest.raises(ConfigError, match="x must be of type float, not bool"):
        build(float, True, "x")


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        (["task"], "parse", "config.task must be one of langid, pos, seg, preorder, not 'parse'"),
        (["groups"], {}, "config.groups must be a list"),
        (["groups"], [], "number of groups must be between 1 and"),
        (["groups", 0], 3, r"config.groups\[0\] must be a table"),
        (["groups", 0, "colour"], 3, r"config.groups\[0\] has an unknown name: 'colour'"),
        (["groups", 0, "name"], "a.b", "group name 'a.b' is not"),
        (["groups", 0, "name"], "", "group name '' is not"),
        (["groups", 0, "name"], "bytes", "two groups have the same name"),
        (["groups", 0, "kind"], "suffixes", r"config.groups\[0\].kind must be one of"),
        (["groups", 0, "buckets"], 0, "group 3-grams: buckets must be between 1 and 16777216, not 0"),
        (["groups", 0, "buckets"], 2**24 + 1, "buckets must be between"),
        (["groups", 0, "buckets"], True, r"config.groups\[0\].buckets must be of type integer, not boolean"),
        (["groups", 0, "buckets"], 10.0, "must be of type integer, not number"),
        (["groups", 0, "dim"], -1, "dim must be between"),
        (["groups", 0, "n"], 0, "n of kind ngrams must be between 1 and 8, not 0"),
        (["groups", 0, "n"], 100, "n of kind ngrams must be between 1 and 8, not 100"),
        (["groups", 2, "n"], 1, "n of kind clusters must be 0, not 1"),
        (["groups", 0, "bits"], 5, "bits must be one of 2, 4, 8, 32"),
        (["groups", 0, "bits"], 8.0, "bits must be one of 2, 4, 8, 32"),
        (["groups", 0, "positions"], [], "positions must be one or more different numbers"),
        (["groups", 0, "positions"], [0, 0], "positions must be one or more different numbers"),
        (["groups", 0, "positions"], [65], "position must be between -64 and 64"),
        (["groups", 1, "buckets"], 255, "a matrix of bytes has 256 buckets, not 255"),
        (["groups", 0, "dim"], 2**24, "width of h0 must be between"),
        (["hidden"], 0, "hidden must be between"),
        (["labels"], [], "number of labels must be between 1 and 65535, not 0"),
        (["labels"], ["a"] * 65_536, "number of labels"),
        (["labels"], ["a", "a"], "two labels have the same name"),
        (["labels"], [""], "label '' is empty"),
        (["labels"], ["a\tb"], "control characters"),
        (["labels"], ["\ud800"], "not valid Unicode"),
        (["labels"], "ab", "config.labels must be a list"),
        (["labels", 0], None, r"config.labels\[0\] must be of type string, not null"),
        (["shared_space"], True, "only langid has groups that share one space"),
        (["rare"], ["a"], "only langid has rare and background labels"),
        (["text", "fold_case"], 1, "config.text.fold_case must be of type boolean, not integer"),
        (["layer_bits"], 8, "layer_bits must be one of 16, 32"),
        (["bloom"], None, "a Bloom map and a group of kind clusters need each other"),
        (["groups", 1, "kind"], "clusters", "n of kind clusters must be 0, not 3"),
        (["bloom", "words"], 0, "bloom.words must be between"),
        (["bloom", "error_bits"], 33, "bloom.error_bits must be between 0 and 32, not 33"),
        (["bloom", "slots"], [], "number of layers of the Bloom map must be between 1 and 16, not 0"),
        (["bloom", "slots"], [64, 63], "slots of a layer of the Bloom map must be between 64 and"),
        (["bloom", "slots"], [2**27, 2**27], "size of the Bloom map must be between"),
        (["task"], "langid", "langid has no groups of kind bytes"),
        (["groups", 0, "starts"], [0], "only segmentation has a current word, and groups with starts"),
        (["groups", 0, "keys"], 1, "group 3-grams: keys must be 0, not 1"),
        (["standards"], ["pku"], "only a segmenter has standards"),
        (["lexicon"], {"words": 1, "longest": 2, "size": 8}, "only a segmenter has a lexicon"),
        (["multiword"], {"rules": 1, "size": 8}, "only a segmenter has rules of multiword tokens"),
        (["variants"], 1, "only a segmenter has variants"),
    ],
)
def test_a_wrong_value_is_refused_where_it_stands(place: list[Any], value: object, message: str) -> None:
    refuse(TAGGER, place, value, message)


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        (["labels"], ["MERGE", "SPLIT"], "the labels of a segmenter are SPLIT and MERGE"),
        (["labels"], ["SPLIT"], "the labels of a segmenter are SPLIT and MERGE"),
        (["labels"], ["SPLIT", "MERGE", "SHIFT"], "the labels of a segmenter are SPLIT and MERGE"),
        (["groups", 0, "kind"], "bytes", "group characters: keys must be 0, not 2"),
        (["groups", 2, "kind"], "clusters", "group kinds: n of kind clusters must be 0, not 3"),
        (["groups", 1, "kind"], "clusters", "group words: seg has no groups of kind clusters"),
        (["groups", 0, "n"], 3, "n of kind vocabulary must be between 1 and 2, not 3"),
        (["groups", 0, "n"], 0, "n of kind vocabulary must be between 1 and 2, not 0"),
        (["groups", 2, "n"], 9, "n of kind kinds must be between 1 and 8, not 9"),
        (["groups", 3, "n"], 1, "n of kind length must be 0, not 1"),
        (["groups", 4, "n"], 1, "n of kind standard must be 0, not 1"),
        (["groups", 0, "keys"], -1, "group characters: keys must be between 0 and 16777216, not -1"),
        (["groups", 0, "keys"], 2**24 + 1, "keys must be between 0 and 16777216"),
        (["groups", 0, "positions"], [-65], "group characters: position must be between -64 and 64, not -65"),
        (["groups", 0, "starts"], [65], "group characters: position must be between -64 and 64, not 65"),
        (["groups", 0, "starts"], [0, 0], "positions must be one or more different numbers"),
        (["groups", 1, "positions"], [-2], r"group words: positions of kind words are among \[-1, 0, 1\]"),
        (["groups", 1, "starts"], [0], "group words: positions of kind words are among"),
        (["groups", 3, "positions"], [1], r"group length: positions of kind length are among \[0\]"),
        (["groups", 3, "starts"], [0], "group length: positions of kind length are among"),
        (["groups", 4, "buckets"], 3, "group standard must have 2 rows, as many as it has features"),
        (["groups", 4, "kind"], "length", "a standard and a group of kind standard need each other"),
        (["standards"], [], "group standard must have 0 rows, as many as it has features"),
        (["standards"], ["pku"], "group standard must have 1 rows, as many as it has features"),
        (["standards"], ["pku", "pku"], "standards must have different names without control characters"),
        (["standards"], ["pku", ""], "standards must have different names"),
        (["standards"], ["pku", "a\nb"], "standards must have different names without control characters"),
        (["standards", 0], 1, r"config.standards\[0\] must be of type string, not integer"),
        (["lexicon"], None, "group lexicon must have 0 rows, as many as it has features"),
        (["lexicon"], [], "config.lexicon must be a table of names and values"),
        (["lexicon", "words"], -1, "lexicon.words must be between 0 and 16777216, not -1"),
        (["lexicon", "longest"], 1, "lexicon.longest must be between 2 and 8, not 1"),
        (["lexicon", "longest"], 9, "lexicon.longest must be between 2 and 8, not 9"),
        (["lexicon", "longest"], 4, "group lexicon must have 64 rows, as many as it has features"),
        (["lexicon", "size"], 0, "lexicon.size must be between 8 and 16777216, not 0"),
        (["lexicon", "size"], 2**24 + 8, "lexicon.size must be between 8 and 16777216"),
        (["lexicon", "size"], 132, "lexicon.size must be a multiple of 8, not 132"),
        (["multiword"], {"rules": 1}, "config.multiword lacks size"),
        (["multiword"], {"rules": True, "size": 1}, "config.multiword.rules must be of type integer, not boolean"),
        (["groups", 5, "buckets"], 124, "group lexicon must have 125 rows, as many as it has features"),
        (["groups", 5, "n"], 1, "n of kind lexicon must be 0, not 1"),
        (["groups", 5, "kind"], "kinds", "n of kind kinds must be between 1 and 8, not 0"),
        (["groups", 5, "kind"], "length", "positions of kind length are among"),
        (["groups"], SEGMENTER.to_dict()["groups"][:5], "a lexicon and a group of kind lexicon need each other"),
        (["text", "units"], "bytes", "config.text.units must be one of characters, runs, not 'bytes'"),
        (["text", "spaces"], True, "config.text.spaces must be one of break, join, between, not 'true'"),
        (["hidden"], 2**15 + 1, "hidden units times 512 rows must be between 1 and 16777216, not"),
        (["groups", 1, "buckets"], 2**10, "hidden units times 3090 rows must be between 0 and 16777216, not"),
        (["groups", 0, "dim"], 2**16, "width of h0 must be between 1 and 65536, not"),
        (["task"], "langid", "langid has no groups of kind vocabulary"),
        (["task"], "preorder", "preorder has no groups of kind vocabulary"),
    ],
)
def test_a_wrong_value_of_a_segmenter_is_refused_where_it_stands(place: list[Any], value: object, message: str) -> None:
    large = "times 3090" in message
    refuse(dataclasses.replace(SEGMENTER, hidden=2**14) if large else SEGMENTER, place, value, message)


def refuse(config: Config, place: list[Any], value: object, message: str) -> None:
    data = json.loads(json.dumps(config.to_dict()))
    table = data
    for step in place[:-1]:
        table = table[step]
    table[place[-1]] = value
    with pytest.raises(ConfigError, match=message):
        Config.from_dict(data)


@pytest.mark.parametrize("name", ["task", "groups", "hidden", "labels"])
def test_a_missing_value_is_named(name: str) -> None:
    data = LANGID.to_dict()
    del data[name]
    with pytest.raises(ConfigError, match=f"config lacks {name}"):
        Config.from_dict(data)


NAMES = st.sampled_from([field.name for field in dataclasses.fields(Config)] + ["other"])
JSON = st.recursive(st.none() | st.integers() | st.text(max_size=5), lambda x: st.lists(x) | st.dictionaries(NAMES, x))


@given(JSON)
@settings(max_examples=50)
def test_any_other_data_is_refused(data: Any) -> None:
    with pytest.raises(ConfigError):
        Config.from_dict(data)


def test_many_standards_ask_for_no_more_memory_than_other_rows() -> None:
    names = tuple(map(str, range(1000)))
    groups = (Group("standard", "standard", len(names), 1),)
    with pytest.raises(ConfigError, match="hidden units times 1000 rows"):
        Config("seg", groups, 2**15, ACTIONS, standards=names)


@pytest.mark.parametrize(
    ("dim", "hidden", "labels", "message"),
    [
        (1, 2**21, 2, "weights of the hidden layer, rounded up, must be between 1 and 16777216, not 33554432"),
        (2**12, 2**13, 2, "weights of the hidden layer"),
        (16, 2**12, 2**13, "weights of the output layer, rounded up, must be between 1 and 16777216, not 33554432"),
    ],
)
def test_a_small_file_does_not_ask_for_much_memory(dim: int, hidden: int, labels: int, message: str) -> None:
    """Layers are padded when they are loaded (D6 of the review: 32 MB asked for 0.6 GB)."""
    with pytest.raises(ConfigError, match=message):
        Config("langid", (Group("words", "words", 1, dim),), hidden, tuple(map(str, range(labels))))


def test_a_vocabulary_has_a_limit() -> None:
    group = Group("characters", "vocabulary", 2**20 + 1, 4, n=1, keys=2**20)
    with pytest.raises(ConfigError, match="group characters: rows of a vocabulary must be between 1 and 1048576"):
        Config("seg", (group,), 8, ACTIONS)


def test_groups_that_share_one_space_have_one_width() -> None:
    one, other = Group("1-grams", "ngrams", 10, 2, n=1), Group("2-grams", "ngrams", 10, 4, n=2)
    with pytest.raises(ConfigError, match="group 2-grams: groups that share one space must have as many dimensions"):
        Config("langid", (one, other), 2, ("de", "en"), shared_space=True)
    many = tuple(Group(f"g{i}", "ngrams", 10, 64, n=1) for i in range(65))
    with pytest.raises(ConfigError, match="dimensions of all groups that share one space must be between 1 and 4096"):
        Config("langid", many, 2, ("de", "en"), shared_space=True)


@pytest.mark.parametrize(
    ("rare", "background", "message"),
    [
        (("xx",), (), "rare or background label 'xx' is not among the labels"),
        (("de",), ("de",), "a label is twice among the rare and background ones"),
        (("de", "en"), ("zxx",), "all labels are rare or background"),
    ],
)
def test_rare_and_background_labels_are_some_of_the_labels(
    rare: tuple[str, ...], background: tuple[str, ...], message: str
) -> None:
    group = Group("1-grams", "ngrams", 10, 2, n=1)
    with pytest.raises(ConfigError, match=message):
        Config("langid", (group,), hidden=2, labels=("de", "en", "zxx"), rare=rare, background=background)
