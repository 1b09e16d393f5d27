# SPDX-License-Identifier: Apache-2.0
"""The embedded model: sentences it must get right, its size, and floors of quality on the dev sets."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import budgie
from budgie.evaluation.metrics import calibration_error
from budgie.formats.labelled import label_of, text_files
from budgie.formats.lines import read_lines

MODEL = budgie.load("langid")

# What people complain of in other identifiers: short text, UPPERCASE, close relatives, noise around the text.
GOLDEN = {
    "good morning": "en",
    "buenas noches": "es",
    "guten Abend": "de",
    "merci beaucoup": "fr",
    "muito obrigado": "pt",
    "hyvää päivää": "fi",
    "dzień dobry": "pl",
    "доброе утро": "ru",
    "доброго ранку": "uk",
    "Добър ден, как сте днес?": "bg",
    "WIR TREFFEN UNS MORGEN UM ZEHN UHR": "de",
    "WHERE IS THE NEXT RAILWAY STATION": "en",
    "ЗАВТРА МЫ ПОЕДЕМ НА ДАЧУ": "ru",
    "see https://example.com/die/und/der.html for the whole story": "en",
    "<p>Il treno parte domani mattina alle otto</p>": "it",
    "Call me at 555-1234 or write to juan.perez@correo.es tomorrow": "en",
    "Jeg vil gjerne ha en kopp kaffe, takk, men ikke nå": "no",
    "Eg veit ikkje kva eg skal gjera med desse bøkene": "nn",
    "Jeg vil gerne have en kop kaffe, tak, men ikke nu": "da",
    "Nevím, kde jsem nechal své klíče od auta": "cs",
    "Neviem, kde som nechal svoje kľúče od auta": "sk",
    "我们明天去图书馆看书": "zh",
    "我們明天去圖書館看書": "zh-Hant",
    "明日は図書館に行きます": "ja",
    "Ove godine idemo na more krajem srpnja, ako bude vremena": "hr",
    "ზეგ დილით შევხვდებით": "ka",
    "ما فردا صبح به کتابخانه می‌رویم": "fa",
    "ہم کل صبح کتب خانے جائیں گے": "ur",
}


@pytest.mark.parametrize(("text", "language"), GOLDEN.items())
def test_golden(text: str, language: str) -> None:
    assert MODEL.identify(text).language == language


@pytest.mark.parametrize("text", ["ꆈꌠꁱꂷ", "ᠮᠣᠩᠭᠣᠯ ᠪᠢᠴᠢᠭ", "𝓗𝓮𝓵𝓵𝓸", "ꕙꔤ"])
def test_a_script_that_was_never_learnt_is_no_language(text: str) -> None:
    assert MODEL.identify(text).language == "und"


def test_changes_of_language_are_found() -> None:
    text = "Das Wetter ist heute wirklich schön. Вчера весь день шёл сильный дождь. Tomorrow it will probably snow."
    spans = MODEL.spans(text)
    assert [(span.language, text[span.start : span.end].strip()) for span in spans] == [
        ("de", "Das Wetter ist heute wirklich schön."),
        ("ru", "Вчера весь день шёл сильный дождь."),
        ("en", "Tomorrow it will probably snow."),
    ]


def test_size_and_languages() -> None:
    file = Path(budgie.__file__).parent / "models" / "langid.safetensors"
    assert file.stat().st_size <= 1_500_000
    assert len(MODEL.languages) == 162
    assert len(MODEL.all_languages) == 340
    assert MODEL.model.info["licence"] and MODEL.model.info["trained_on"]


@pytest.mark.parametrize(("texts", "floor"), [("sentences", 95.5), ("word_pairs", 86.5), ("single_words", 70.5)])
def test_quality_on_lingua(shared_data: Callable[[str], Path], texts: str, floor: float) -> None:
    right, probabilities = [], []
    for path in text_files(shared_data("langid/dev") / f"lingua_{texts}"):
        if label_of(path) in MODEL.languages:
            for answer in MODEL.identify_batch(list(read_lines(path))[:200]):
                right.append(answer.language == label_of(path))
                probabilities.append(answer.probability)
    assert 100 * sum(right) / len(right) > floor
    assert 100 * calibration_error(right, probabilities) < 5
