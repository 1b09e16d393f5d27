# SPDX-License-Identifier: Apache-2.0
"""The embedded segmenters: sentences they must get right, their sizes and licences, floors of quality."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import budgie
from budgie.evaluation.segmentation import evaluate_words
from budgie.train.data.segmentation import LEXICONS, SEGMENTED_CORPORA, segmented_corpus

MODELS = Path(budgie.__file__).parent / "models"

GOLDEN = [
    ("zh", "研究|生命|的|起源|是|生物学家|的|工作|。"),
    ("zh", "我|昨天|在|北京大学|图书馆|看|了|三|本|书|。"),
    ("zh", "2024年|3月|15日|，|https://example.com/a?b=1| |上|发布|了|3.5万|条|消息|😀"),
    ("zh-Hant", "這|座|城市|的|交通|非常|方便|。"),
    ("yue", "我哋|今晚|去|邊度|食飯|呀|？"),
    ("ja", "コンピューター|と|ｺﾝﾋﾟｭｰﾀｰ|は|同じ|です|。"),
    ("ja", "外国|人|参政|権|に|つい|て|話し合っ|た|。"),
    ("th", "วัน|นี้|อากาศ|ดี|มาก"),
    ("vi", "Sinh viên| |đọc| |sách| |trong| |thư viện|."),
    ("km", "ខ្ញុំ|ទៅ|សាលារៀន|រាល់|ថ្ងៃ"),
    ("my", "မြန်မာ|စာ|ကို| |လေ့လာ|နေ|တယ်|။"),
]


@pytest.mark.parametrize(("language", "sentence"), GOLDEN)
def test_golden(language: str, sentence: str) -> None:
    assert budgie.load(f"seg-{language}").segment(sentence.replace("|", ""), spaces=True) == sentence.split("|")


def test_all_languages_are_there() -> None:
    assert {f"seg-{language}" for language in SEGMENTED_CORPORA} == {
        name for name in budgie.models() if name.startswith("seg-")
    }


@pytest.mark.parametrize("language", SEGMENTED_CORPORA)
def test_size_standards_and_licence(language: str) -> None:
    segmenter = budgie.load(f"seg-{language}")
    assert (MODELS / f"seg-{language}.safetensors").stat().st_size <= 2_000_000
    corpora = SEGMENTED_CORPORA[language]
    assert segmenter.standards == (tuple(one.standard for one in corpora) if len(corpora) > 1 else ())
    info = segmenter.model.info
    assert info["trained_on"] == "; ".join(one.name for one in corpora)
    assert all(one.licence in info["licence"] for one in corpora)
    assert info["lexicon"] == LEXICONS[language]


def test_standards_differ() -> None:
    assert budgie.load("seg-zh").segment("１９９８年") == ["１９９８年"]
    assert budgie.load("seg-zh", standard="sxu").segment("１９９８年") == ["１９９８", "年"]


@pytest.mark.parametrize(
    ("language", "standard", "floor"),
    [
        ("zh", "pku", 96.0),
        ("zh", "sxu", 96.2),
        ("zh-Hant", "gsd", 94.5),
        ("yue", "hkcancor", 95.2),
        ("ja", "gsd", 97.9),
        ("th", "tud", 89.5),
        ("vi", "vtb", 96.0),
        ("km", "khpos", 96.5),
        ("my", "mypos", 93.2),
    ],
)
def test_quality(shared_data: Callable[[str], Path], language: str, standard: str, floor: float) -> None:
    source = segmented_corpus(language, standard)
    shared_data(source.dataset)
    named = standard if len(SEGMENTED_CORPORA[language]) > 1 else None
    evaluation = evaluate_words(budgie.load(f"seg-{language}", standard=named), source.read("test"))
    assert 100 * evaluation.f1 > floor
