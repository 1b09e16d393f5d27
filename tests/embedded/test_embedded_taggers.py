# SPDX-License-Identifier: Apache-2.0
"""The embedded taggers: sentences they must get right, their sizes and licences, floors of quality on dev sets."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import budgie
from budgie.evaluation.tagging import evaluate_tags
from budgie.train.data.treebanks import TREEBANKS

LANGUAGES = [name.removeprefix("pos-") for name in budgie.models() if name.startswith("pos-")]
MODELS = Path(budgie.__file__).parent / "models"
UNIVERSAL = set("ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X".split())

GOLDEN = {
    "en": "The/DET cat/NOUN sleeps/VERB under/ADP the/DET table/NOUN ./PUNCT",
    "fr": "Le/DET chat/NOUN dort/VERB sous/ADP la/DET table/NOUN ./PUNCT",
    "es": "El/DET perro/NOUN come/VERB en/ADP la/DET cocina/NOUN ./PUNCT",
    "pt": "O/DET menino/NOUN comprou/VERB um/DET livro/NOUN novo/ADJ ./PUNCT",
    "fi": "Koira/NOUN nukkuu/VERB pöydän/NOUN alla/ADP ./PUNCT",
    "da": "Hunden/NOUN sover/VERB under/ADP bordet/NOUN ./PUNCT",
    "no": "Hunden/NOUN sover/VERB under/ADP bordet/NOUN ./PUNCT",
    "id": "Mereka/PRON membaca/VERB buku/NOUN di/ADP rumah/NOUN ./PUNCT",
    "zh": "他/PRON 在/ADP 学校/NOUN 学习/VERB 数学/NOUN 。/PUNCT",
    "zh-Hant": "他/PRON 在/ADP 學校/NOUN 學習/VERB 數學/NOUN 。/PUNCT",
    "de": "Die/DET Katze/NOUN schläft/VERB unter/ADP dem/DET Tisch/NOUN ./PUNCT",
    "el": "Η/DET γάτα/NOUN κοιμάται/VERB κάτω/ADV από/ADP το/DET τραπέζι/NOUN ./PUNCT",
    "pl": "Kot/NOUN śpi/VERB pod/ADP stołem/NOUN ./PUNCT",
    "ru": "Кошка/NOUN спит/VERB под/ADP столом/NOUN ./PUNCT",
    "sv": "Katten/NOUN sover/VERB under/ADP bordet/NOUN ./PUNCT",
    "th": "แมว/NOUN นอน/VERB ใต้/ADP โต๊ะ/NOUN",
    "af": "Die/DET kind/NOUN lees/VERB 'n/DET boek/NOUN ./PUNCT",
}


def pairs(text: str) -> list[tuple[str, str]]:
    return [(word, tag) for word, _, tag in (pair.rpartition("/") for pair in text.split())]


@pytest.mark.parametrize("language", GOLDEN)
def test_golden(language: str) -> None:
    words, tags = zip(*pairs(GOLDEN[language]), strict=True)
    assert tuple(budgie.load(f"pos-{language}").tag(words)) == tags


def test_case_does_not_matter_much() -> None:
    words, tags = zip(*pairs(GOLDEN["en"]), strict=True)
    tagger = budgie.load("pos-en")
    assert tuple(tagger.tag([word.upper() for word in words])) == tags
    assert tuple(tagger.tag([word.lower() for word in words])) == tags


def test_there_are_many() -> None:
    assert len(LANGUAGES) >= 40
    assert sum(file.stat().st_size for file in MODELS.iterdir()) < 22_000_000  # a wheel of 19 MB of them has 15


@pytest.mark.parametrize("language", LANGUAGES)
def test_size_tags_and_licence(language: str) -> None:
    tagger = budgie.load(f"pos-{language}")
    most = 500_000 if tagger.model.config.bloom is None else 1_000_000
    assert (MODELS / f"pos-{language}.safetensors").stat().st_size <= most
    assert set(tagger.tags) <= UNIVERSAL
    assert tagger.model.info["licence"] == TREEBANKS[language].licence
    assert tagger.model.info["trained_on"] == TREEBANKS[language].name


@pytest.mark.parametrize(
    ("language", "floor"),
    [("en", 95.8), ("fr", 97.4), ("fi", 93.5), ("da", 96.5), ("de", 92.5), ("sr", 95), ("zh", 90), ("zh-Hant", 90)],
)
def test_quality(shared_data: Callable[[str], Path], language: str, floor: float) -> None:
    shared_data(TREEBANKS[language].folder)
    evaluation = evaluate_tags(budgie.load(f"pos-{language}"), TREEBANKS[language].read("dev"))
    assert 100 * evaluation.accuracy > floor
