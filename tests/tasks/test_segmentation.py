# SPDX-License-Identifier: Apache-2.0
"""The segmenter: it agrees with the plain reference, and its words depend on the text and on nothing else."""

from __future__ import annotations

import copy
import pickle
import random
import typing
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import plain_units, random_segmenter, random_tagger
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import segmentation as reference
from reference.langid import decode
from reference.segmenters import (
    MIXED,
    MODELS,
    ODD_BYTES,
    SEGMENTERS,
    SENTENCES,
    any_segmenter,
    biased,
    check_against_the_reference,
    check_decoded,
    check_text,
    every_segmenter,
    every_way,
    made_up,
    texts,
)
from reference.units import character_class
from test_any_text import TEXTS

from budgie import ConfigError, ModelError, Segmenter, Tagger, _core
from budgie.model.config import Group, TextConfig
from budgie.model.describe import describe, show
from budgie.model.features import make_unit_features

# ---- the reference ---------------------------------------------------------------------------------------------


@every_way
@given(text=texts | st.binary(max_size=60))
@settings(max_examples=300, deadline=None)
def test_units_are_those_of_the_reference(runs: bool, join: bool, text: str | bytes) -> None:
    places = reference.offsets(text)
    assert plain_units(runs, join).units(text) == [
        (places[unit.start], places[unit.end], unit.id, unit.rule == reference.OPEN)
        for unit in reference.fronts(decode(text), runs, join)
    ]


@every_segmenter
def test_rows_are_those_of_the_reference(segmenter: Segmenter) -> None:
    config, draw = segmenter.model.config, random.Random(1)
    chosen = [*SENTENCES, MIXED[::-1], *ODD_BYTES]
    starts, standards = [], []
    expected: list[list[list[int]]] = [[] for _ in config.groups]
    for text in chosen:
        fronts = reference.fronts(decode(text), config.text.units == "runs", config.text.spaces == "join")
        wanted = {i for i in range(len(fronts)) if draw.random() < 0.4}  # whatever the rules say
        forced = {i for i, front in enumerate(fronts) if front.rule == reference.FORCED_SPLIT}
        split = forced | {i for i in wanted if fronts[i].rule == reference.OPEN}
        starts.append([reference.offsets(text)[fronts[i].start] for i in sorted(wanted)])
        standards.append(draw.randrange(3))
        for state in reference.states(len(fronts), split):
            if fronts[state.front].rule == reference.OPEN:
                rows = reference.rows(segmenter.model, state, fronts, standards[-1])
                for group, slots in zip(expected, rows, strict=True):
                    group.append(slots)
    found = make_unit_features(config, segmenter.model.tensors).decisions(
        chosen, starts, [[] for _ in chosen], standards
    )[0]
    for group, ids, slots in zip(config.groups, found, expected, strict=True):
        assert ids.tolist() == slots, group.name


@every_segmenter
def test_words_are_those_of_the_reference(segmenter: Segmenter) -> None:
    words = [word for sentence in SENTENCES for word in segmenter.segment(sentence)]
    units = plain_units(segmenter.model.config.text.units == "runs", False)
    most = sum(len(units.units(sentence)) for sentence in SENTENCES)
    assert 0.1 * most < len(words) < 0.9 * most  # else this would test little
    for text in (*SENTENCES, *ODD_BYTES, MIXED):
        check_against_the_reference(segmenter, text)


@given(segmenter=any_segmenter, text=texts | st.binary(max_size=40))
@settings(max_examples=300, deadline=None)
def test_any_text_has_the_words_of_the_reference(segmenter: Segmenter, text: str | bytes) -> None:
    check_against_the_reference(segmenter, text)


@every_segmenter
@pytest.mark.parametrize("bias", [0, -6])
def test_long_texts_have_the_words_of_the_reference(segmenter: Segmenter, bias: float) -> None:
    """Runs are 256 units long; with `bias`, some words are longer."""
    segmenter = Segmenter(biased(segmenter.model, bias))
    draw = random.Random(2)
    text = "".join(draw.choices([*MIXED, *"中国人民的一是在不了"], k=1100))
    check_against_the_reference(segmenter, text)


@pytest.mark.parametrize("units", [*range(250, 262), 511, 512, 513, 768])
def test_texts_that_end_near_the_edge_of_a_run(units: int) -> None:
    draw = random.Random(units)
    for segmenter in SEGMENTERS.values():
        check_against_the_reference(segmenter, "".join(draw.choices("中国人民的一是在不了。", k=units)))


@pytest.mark.parametrize("position", [-64, -1, 0, 64])
def test_words_of_a_lexicon_at_the_edge_of_a_run(position: int) -> None:
    """Nothing counts but words that begin before the run, or end behind it, as seen from afar."""
    draw = random.Random(position)
    group = Group("lexicon", "lexicon", 1, 8, positions=(position,), bits=32)
    words = made_up(draw, 60, "中国人民的一是在不了", range(2, 9))
    bits = reference.build_lexicon(words, 8, True, False, 20)
    text = "".join(draw.choices(words, k=400))
    for seed in range(5):
        check_against_the_reference(Segmenter(random_segmenter(seed, [group], lexicon=(8, bits))), text)


@pytest.mark.parametrize("length", [255, 256, 257, 700, 1000])
def test_words_longer_than_a_run(length: int) -> None:
    draw = random.Random(length)
    word, rest = ("".join(draw.choices("中国人民的一是在不了。", k=k)) for k in (length, 100))
    for model in MODELS.values():
        segmenter = Segmenter(model, [word])
        for text in (word, rest + word + rest, word + word[:-1], rest[0] + word + word + rest[0]):
            check_against_the_reference(segmenter, text, dictionary=[word])
            assert segmenter.segment(text).count(word) == text.count(word)


@pytest.mark.parametrize("standard", range(3))
def test_standards_have_the_words_of_the_reference(standard: int) -> None:
    name = MODELS["ours"].config.standards[standard]
    check_against_the_reference(Segmenter(MODELS["ours"], standard=name), MIXED, standard)


# ---- what everybody may rely on ----------------------------------------------------------------------------------


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_text_of_the_catalogue(text: str) -> None:
    for segmenter in [*SEGMENTERS.values()][:3]:
        check_text(segmenter, text)
        check_decoded(segmenter, text.encode("utf-8", "surrogatepass"))


@given(segmenter=any_segmenter, text=texts | st.binary(max_size=60))
@settings(max_examples=300, deadline=None)
def test_words_are_the_text(segmenter: Segmenter, text: str | bytes) -> None:
    check_text(segmenter, text)


@given(segmenter=any_segmenter, batch=st.lists(texts | st.binary(max_size=30), max_size=30), seed=st.integers())
@settings(max_examples=150, deadline=None)
def test_a_batch_is_a_loop(segmenter: Segmenter, batch: list[Any], seed: int) -> None:
    spans, words = list(map(segmenter.spans, batch)), list(map(segmenter.segment, batch))
    order = random.Random(seed).sample(range(len(batch)), len(batch))
    for threads in (1, 2, 5):
        assert segmenter.spans_batch(iter(batch), threads=threads) == spans
        assert segmenter.segment_batch([batch[i] for i in order], threads) == [words[i] for i in order]


def test_several_threads_use_one_segmenter() -> None:
    texts = [MIXED[i:] + MIXED[:i] for i in range(0, len(MIXED), 5)]
    for segmenter in SEGMENTERS.values():
        expected = list(map(segmenter.segment, texts))
        with ThreadPoolExecutor(4) as pool:
            assert list(pool.map(segmenter.segment_batch, [texts] * 4, [1, 2, 3, 1])) == [expected] * 4
            assert list(pool.map(segmenter.segment, texts)) == expected


def test_the_list_may_change_while_others_segment() -> None:
    segmenter = SEGMENTERS["ours"]
    batch = [MIXED * 20 + str(i) for i in range(40)]
    expected = segmenter.segment_batch(batch)
    given_away = [text + "" for text in batch]
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(segmenter.segment_batch, given_away)
        given_away.clear()
        assert running.result() == expected


def test_spaces_stand_alone_or_inside_of_words() -> None:
    for name in ("the paper's", "ours"):
        for text in SENTENCES:
            for word in SEGMENTERS[name].segment(text, spaces=True):
                kinds = {character_class(c) == "s" for c in decode(word)}
                assert len(kinds) == 1, word
    always = Segmenter(biased(MODELS["spaces inside"], -1e4))
    text = "  Việt  Nam \n \u3000Hà\u00a0Nội \t"
    assert always.segment(text, spaces=True) == ["  ", "Việt  Nam", " \n \u3000", "Hà\u00a0Nội", " \t"]
    assert always.segment(text) == ["Việt  Nam", "Hà\u00a0Nội"]
    assert Segmenter(biased(MODELS["ours"], -1e4)).segment(text + "x", spaces=True) == [
        *("  ", "Việt", "  ", "Nam", " \n \u3000", "Hà", "\u00a0", "Nội", " \t", "x")
    ]


# ---- standards, copies, messages -------------------------------------------------------------------------------


def test_standards() -> None:
    model = MODELS["ours"]
    by_name = {name: Segmenter(model, standard=name).segment(MIXED) for name in ("one", "two", "three")}
    assert Segmenter(model).standards == ("one", "two", "three")
    assert Segmenter(model).standard == "one"
    assert Segmenter(model).segment(MIXED) == by_name["one"]
    assert len(set(map(tuple, by_name.values()))) == 3
    assert Segmenter(MODELS["the paper's"]).standards == ()
    assert Segmenter(MODELS["the paper's"]).standard is None
    with pytest.raises(ConfigError, match="the model has no standard 'pku': it knows one, two, three"):
        Segmenter(model, standard="pku")
    with pytest.raises(
        ConfigError, match="the model has no standard 'pku': it knows one definition of a word, without a name"
    ):
        Segmenter(MODELS["the paper's"], standard="pku")


@pytest.mark.parametrize(("name", "known"), [("ours", 3), ("the paper's", 1)])
def test_the_core_itself_refuses_a_standard_that_is_none(name: str, known: int) -> None:
    core = _core.Segmenter(MODELS[name].core)
    assert "".join(core.segment(MIXED, None, known - 1, True)) == MIXED
    for standard in (known, 10**7, 2**32 - 1):
        with pytest.raises(ValueError, match="there is no standard of such a number"):
            core.segment(MIXED, None, standard, True)
        with pytest.raises(ValueError, match="there is no standard of such a number"):
            core.spans_batch([MIXED] * 1000, None, standard, True, 2)


@pytest.mark.parametrize("twin", [lambda s: pickle.loads(pickle.dumps(s)), copy.copy, copy.deepcopy])
def test_copies_have_the_dictionary_and_the_standard(twin: Any) -> None:
    for name, segmenter in SEGMENTERS.items():
        assert twin(segmenter).segment(MIXED) == segmenter.segment(MIXED), name
    chosen = Segmenter(MODELS["ours"], ["奶茶很好", "New York"], "two")
    again = twin(chosen)
    assert (again.dictionary, again.standard) == (("奶茶很好", "New York"), "two")
    assert again.segment(MIXED) == chosen.segment(MIXED) != SEGMENTERS["ours"].segment(MIXED)
    assert repr(again) == repr(chosen) == "<Segmenter of standard two with 2 words of a user>"
    assert repr(SEGMENTERS["words alone"]) == "<Segmenter>"


def test_copies_have_the_words_as_they_were_read(tmp_path: Path) -> None:
    """Only the byte order mark of a file is none of its first word."""
    path = tmp_path / "words.txt"
    path.write_bytes("\ufeff\ufeff中国\n\ufeff人民\n".encode())
    words = ("\ufeff中国", "\ufeff人民")
    for source in (path, words, ["", " ", *words]):
        segmenter = Segmenter(MODELS["ours"], source)
        again = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(segmenter))))
        assert again.dictionary == segmenter.dictionary == words
        text = "在\ufeff中国\ufeff人民中国人民"
        assert again.segment(text) == segmenter.segment(text)
        assert set(words) < set(again.segment(text))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda s: s.segment(None), r"a text must be str or bytes \(UTF-8\), not NoneType"),
        (lambda s: s.segment(["中国"]), "a text must be str or bytes .*, not list"),
        (lambda s: s.spans(float("nan")), "a text must be str or bytes .*, not float"),
        (lambda s: s.spans(bytearray(b"a")), "a text must be str or bytes .*, not bytearray"),
        (lambda s: s.segment_batch("中国"), "several texts, not one str or bytes"),
        (lambda s: s.spans_batch(b"a"), "several texts, not one str or bytes"),
        (lambda s: s.segment_batch(["中国", None]), "text 1 of the batch must be str or bytes .*, not NoneType"),
        (lambda s: s.spans_batch(["中国", ["人"]]), "text 1 of the batch must be str or bytes .*, not list"),
        (lambda s: s.segment_batch(None), "not iterable"),
        (lambda s: Segmenter(s.model, b"words.txt"), "a dictionary is the path of a file.*this is bytes"),
        (lambda s: Segmenter(s.model, ["中国", b"a"]), "word 2 of the dictionary is bytes, not str"),
    ],
)
def test_what_is_no_text(call: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        call(SEGMENTERS["ours"])


def test_settings_that_make_no_sense() -> None:
    for threads in (0, -1):
        with pytest.raises(ConfigError, match=f"threads must be at least 1, not {threads}"):
            SEGMENTERS["ours"].segment_batch([], threads=threads)
    with pytest.raises(ModelError, match="this is a model for pos, not for segmentation"):
        Segmenter(random_tagger())
    with pytest.raises(ModelError, match="this is a model for seg, not for tagging"):
        Tagger(MODELS["ours"])


def test_subclasses_of_str_are_texts() -> None:
    class Text(str):
        pass

    for segmenter in SEGMENTERS.values():
        for kind in (Text, np.str_):
            assert segmenter.segment(kind(MIXED)) == segmenter.segment(MIXED)


@pytest.mark.parametrize("spaces", typing.get_args(typing.get_type_hints(TextConfig)["spaces"]))
def test_every_treatment_of_spaces_can_be_shown(spaces: Any) -> None:
    model = random_segmenter(1, [Group("characters", "ngrams", 9, 2, n=1)], text=TextConfig(spaces=spaces))
    assert "spaces" in show(describe(model))
