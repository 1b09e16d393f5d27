# SPDX-License-Identifier: Apache-2.0
"""Characters that count as others: one network reads both scripts, and answers with the text's own characters."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from reference.segmenters import MODELS, check_text

from budgie import ConfigError, Model, ModelError, Segmenter, _core
from budgie.model.describe import describe, show
from budgie.model.features import make_unit_features
from budgie.model.tensors import Tensor

FOLDED = {"們": "们", "用": "永", "臺": "台", "灣": "湾", "國": "国", "飯": "饭", "\U0002a6df": "一", "張": "张"}
TRADITIONAL = "我們在臺灣用了國家的飯\U0002a6df張，〇１２。"


def encode(folded: dict[str, str]) -> bytes:
    return b"".join(ord(one).to_bytes(3, "little") for pair in sorted(folded.items()) for one in pair)


def folding(model: Model, folded: dict[str, str]) -> Model:
    """The same network with a table of variants."""
    config = dataclasses.replace(model.config, variants=len(folded))
    return Model(config, {**model.tensors, "variants": Tensor("U8", (6 * len(folded),), encode(folded))})


PAIRS = {name: (Segmenter(model), Segmenter(folding(model, FOLDED))) for name, model in MODELS.items()}
TABLE = str.maketrans(FOLDED)


@pytest.mark.parametrize("name", PAIRS)
@given(text=st.text(st.sampled_from([*FOLDED, *FOLDED.values(), *"的了a1 \n，\u0301"]), max_size=60))
@example(text=TRADITIONAL)
@example(text=TRADITIONAL * 100)
@settings(max_examples=30, deadline=None)
def test_a_text_is_cut_as_the_one_it_counts_as(name: str, text: str) -> None:
    plain, segmenter = PAIRS[name]
    simplified = text.translate(TABLE)
    if "\u0301" not in text:  # with a mark a character is another unit, which no table has
        assert segmenter.spans(text, spaces=True) == plain.spans(simplified, spaces=True)
        assert segmenter.spans(simplified) == plain.spans(simplified)
    check_text(segmenter, text)
    check_text(segmenter, text.encode())


def test_without_its_table_the_network_would_answer_otherwise() -> None:
    assert any(plain.spans(TRADITIONAL) != segmenter.spans(TRADITIONAL) for plain, segmenter in PAIRS.values())


def test_a_dictionary_is_of_the_characters_of_the_text() -> None:
    model = folding(MODELS["ours"], FOLDED)
    for word, whole in (("灣用了", True), ("湾用了", False)):
        assert (word in Segmenter(model, dictionary=[word]).segment(TRADITIONAL)) is whole


def test_features_of_training_are_folded() -> None:
    model = folding(MODELS["ours"], FOLDED)
    features = make_unit_features(model.config, model.tensors)
    rows = [features.decisions([text], [[]], [[]], [0])[0] for text in (TRADITIONAL, TRADITIONAL.translate(TABLE))]
    for one, other in zip(*rows, strict=True):
        assert one.tolist() == other.tolist()
    units = _core.Units(True, "break", encode(FOLDED))
    assert units.units("國，") == [(0, 1, ord("国"), False), (1, 2, ord(","), True)]


def test_a_model_with_variants_is_written_and_described() -> None:
    model = folding(MODELS["ours"], FOLDED)
    again = Model.from_bytes(model.to_bytes())
    assert (again.config, again.to_bytes()) == (model.config, model.to_bytes())
    assert describe(model)["variants"] == len(FOLDED)
    assert "variants      8 characters that count as others\n" in show(describe(model))
    assert b"variants" not in MODELS["ours"].to_bytes()


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        ([(2, 3), (1, 3)], "variants do not ascend"),
        ([(1, 3), (1, 4)], "variants do not ascend"),
        ([(1, 1)], "a variant counts as a character that counts as another one"),
        ([(1, 2), (2, 3)], "a variant counts as a character that counts as another one"),
        ([(0x110000, 3)], "a variant is no character"),
        ([(1, 0xFFFFFF)], "a variant is no character"),
        ([(0xD800, 3)], "a variant is no character"),
        ([(1, 0xDFFF)], "a variant is no character"),
    ],
)
def test_a_table_that_is_none_is_refused(pairs: list[tuple[int, int]], message: str) -> None:
    data = b"".join(one.to_bytes(3, "little") for pair in pairs for one in pair)
    model = folding(MODELS["ours"], dict(zip("ab"[: len(pairs)], "cd", strict=False)))
    forged = model.to_bytes().replace(model.tensors["variants"].data, data)
    with pytest.raises(ModelError, match="checksum"):
        Model.from_bytes(forged)
    with pytest.raises(ModelError, match=message):
        Model(model.config, {**model.tensors, "variants": Tensor("U8", (len(data),), data)})
    with pytest.raises(ValueError, match=message):
        _core.Units(True, "break", data)


def test_a_table_and_the_config_need_each_other() -> None:
    model = folding(MODELS["ours"], FOLDED)
    with pytest.raises(ModelError, match="tensor 'variants' is missing"):
        Model(model.config, MODELS["ours"].tensors)
    with pytest.raises(ModelError, match="tensor 'variants' is not one that the config asks for"):
        Model(MODELS["ours"].config, model.tensors)
    with pytest.raises(ModelError, match=r"tensor 'variants' is U8 \[48\], the config asks for U8 \[54\]"):
        Model(dataclasses.replace(model.config, variants=9), model.tensors)
    for wrong in (-1, 2**16 + 1):
        with pytest.raises(ConfigError, match=f"variants must be between 0 and 65536, not {wrong}"):
            dataclasses.replace(model.config, variants=wrong)
    with pytest.raises(ValueError, match="variants end inside of a pair"):
        _core.Units(True, "break", b"12345")
