# SPDX-License-Identifier: Apache-2.0
"""The embedded segmenters: sentences they must get right, their sizes and licences, floors of quality."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import budgie
from budgie.distributions import known
from budgie.evaluation.segmentation import evaluate_words
from budgie.train.data.segmentation import (
    GENERAL,
    LEXICONS,
    POOLED_STANDARDS,
    SEGMENTED_CORPORA,
    TAUGHT_STANDARDS,
    segmented_corpus,
)

GOLDEN = [
    ("zh", "研究|生命|的|起源|是|生物学家|的|工作|。"),
    ("zh-research", "研究|生命|的|起源|是|生物学家|的|工作|。"),
    ("zh-research", "我|昨天|在|北京|大学|图书馆|看|了|三|本|书|。"),
    ("zh-research", "2024|年|3|月|15|日|，|https://example.com/a?b=1| |上|发布|了|3.5万|条|消息|😀"),
    ("zh-Hant", "研究|生命|的|起源|是|生物學家|的|工作|。"),
    ("zh-research", "這|座|城市|的|交通|非常|方便|。"),
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


# Sentences that textbooks show, with the reading that people see; what is wrong today is marked so, and a model that
# gets it right has to move it to the others.
AMBIGUOUS = [
    ("general", "结婚|的|和|尚未|结婚|的"),
    ("general", "研究|生命|的|起源"),
    ("general", "南京市|长江大桥"),
    ("gsd", "在|家|用|电脑"),
    ("gsd", "结婚|的|和|尚|未|结婚|的"),
    ("gsd", "把|手|放|在|桌上"),
    ("gsd", "他|说|的|确实|在|理"),
]
WRONG_TODAY = [
    ("general", "在|家|用|电脑"),
    ("general", "他|说|的|确实|在理"),
    ("general", "乒乓球拍|卖完|了"),
    ("general", "把|手|放在|桌上"),
    ("gsd", "他|从|马|上|下来"),
]


@pytest.mark.parametrize(
    ("standard", "sentence"),
    [*AMBIGUOUS, *(pytest.param(*one, marks=pytest.mark.xfail(strict=True)) for one in WRONG_TODAY)],
)
def test_classic_ambiguities(standard: str, sentence: str) -> None:
    assert budgie.load("seg-zh", standard=standard).segment(sentence.replace("|", "")) == sentence.split("|")


def test_both_chinese_scripts_have_the_same_words() -> None:
    pairs = {"我们在台湾发现了国宝，飞机里的乘客买了书。": "我們在臺灣發現了國寶，飛機裡的乘客買了書。"}
    for name in ("seg-zh", "seg-zh-research"):
        for simplified, traditional in pairs.items():
            segmenter = budgie.load(name)
            assert segmenter.spans(simplified) == segmenter.spans(traditional)
            assert "".join(segmenter.segment(traditional)) == traditional


def test_all_languages_are_there() -> None:
    assert {f"seg-{language}" for language in SEGMENTED_CORPORA} == {
        name for name in known() if name.startswith("seg-")
    }


@pytest.mark.parametrize("language", SEGMENTED_CORPORA)
def test_size_standards_and_licence(language: str) -> None:
    segmenter = budgie.load(f"seg-{language}")
    assert Path(budgie.file_of(f"seg-{language}")).stat().st_size <= 2_000_000
    corpora = SEGMENTED_CORPORA[language]
    general = (GENERAL,) if language in POOLED_STANDARDS else ()
    standards = (*general, *TAUGHT_STANDARDS.get(language, ()), *(one.standard for one in corpora))
    assert segmenter.standards == (standards if len(standards) > 1 else ())
    info = segmenter.model.info
    assert info["trained_on"] == "; ".join(one.name for one in corpora)
    assert all(one.licence in info["licence"] for one in corpora)
    assert info["lexicon"] == LEXICONS[language]


def test_standards_differ() -> None:
    assert budgie.load("seg-zh-research", standard="pku").segment("１９９８年") == ["１９９８年"]
    assert budgie.load("seg-zh-research", standard="sxu").segment("１９９８年") == ["１９９８", "年"]


@pytest.mark.parametrize(
    ("language", "standard", "floor"),
    [
        ("zh", "gsd", 93.7),
        ("zh-research", "pku", 95.7),
        ("zh-research", "sxu", 96.0),
        ("zh-research", "gsd", 94.8),
        ("zh-research", "sinica", 88.4),
        ("yue", "hkcancor", 95.2),
        ("ja", "gsd", 98.4),
        ("th", "tud", 89.5),
        ("vi", "vtb", 96.0),
        ("km", "khpos", 96.5),
        ("my", "mypos", 93.2),
    ],
)
def test_quality(shared_data: Callable[[str], Path], language: str, standard: str, floor: float) -> None:
    source = segmented_corpus(language, standard)
    shared_data(source.dataset)
    model = budgie.read_model(f"seg-{language}")
    named = standard if model.config.standards else None
    evaluation = evaluate_words(budgie.Segmenter(model, standard=named), source.read("test"))
    assert 100 * evaluation.f1 > floor
