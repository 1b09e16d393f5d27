# SPDX-License-Identifier: Apache-2.0
"""The embedded model of tokens and sentences: texts it must get right, its size, floors of quality."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import budgie
from budgie.evaluation.raw_text import evaluate_raw_text
from budgie.train.data.raw_treebanks import RAW_TREEBANKS

MODEL = Path(budgie.__file__).parent / "models" / "tokens.safetensors"

# Tokens with | between them, sentences with ‖.
GOLDEN = [
    ("en", "The| |cat| |sleeps|.‖ |It| |rains|!"),
    ("en", "Dr.| |Lee| |met| |Mr.| |Kim| |at| |3.30| |p.m.| |in| |Washington|.‖ |They| |talked|."),
    ("en", "See| |https://example.org/a.html| |or| |write| |to| |me@example.org|.‖ |Thanks|!"),
    ("en", "A| |heading| |without| |a| |full| |stop‖\n\n|Then| |the| |text|."),
    ("de", "Das| |kostet| |ca.| |5| |%|.‖ |Wirklich|?"),
    ("de", "Das| |kostet| |ca.| |3,50| |€|.‖ |Wirklich|?"),
    ("de", "Am| |3.| |Mai| |kamen| |3| |Mio.| |Euro| |an|.‖ |Frau| |Dr.| |Schulz| |zählte| |sie|."),
    *(
        pytest.param(
            *one,
            marks=pytest.mark.xfail(strict=True, reason="sentences of one word look like the names behind titles"),
        )
        for one in (
            ("de", "Er| |kam| |am| |3.| |Mai|.‖ |Schön|!"),
            ("es", "Es| |el| |fin|.‖ |Adiós|."),
        )
    ),
    ("fr", "C'|est| |bon|.‖ |Merci|."),
    ("es", "La| |Dra.| |Pérez| |vive| |en| |la| |Av.| |Colón|.‖ |Trabaja| |mucho|."),
    ("ru", "Он| |живёт| |на| |ул.| |Ленина|.‖ |Она| |тоже|."),
    ("fr", "L'|homme| |dort|.‖ |Il| |pleut|."),
    ("es", "¿|Qué| |hora| |es|?‖ |Son| |las| |tres|."),
    ("ru", "Кошка| |спит|.‖ |Идёт| |дождь|."),
    ("und", "बिल्ली| |सो| |रही| |है|।‖ |बारिश| |हो| |रही| |है|।"),
]
FLOORS = {"en": (0.987, 0.84), "de": (0.99, 0.8), "sv": (0.994, 0.91), "pt": (0.995, 0.85), "ro": (0.99, 0.92)}


@pytest.mark.parametrize(("language", "text"), GOLDEN)
def test_golden(language: str, text: str) -> None:
    plain = text.replace("|", "").replace("‖", "")
    segmenter = budgie.load("tokens", standard=language)
    found = [[plain[start:end] for start, end in sentence] for sentence in segmenter.sentences(plain)]
    assert found == [[token for token in one.split("|") if token.strip()] for one in text.split("‖")]


def test_size_and_languages() -> None:
    segmenter = budgie.load("tokens")
    assert MODEL.stat().st_size <= 850_000
    assert segmenter.finds_sentences
    assert segmenter.standards == ("und", *(one for one in RAW_TREEBANKS if "-NC-" not in RAW_TREEBANKS[one].licence))
    assert segmenter.standard == "und"


@pytest.mark.parametrize("language", FLOORS)
def test_scores(language: str, shared_data: Callable[[str], Path]) -> None:
    shared_data("ud-raw")
    tokens, sentences = FLOORS[language]
    treebank = next(iter(RAW_TREEBANKS[language].tests().values()))
    scores = evaluate_raw_text(budgie.load("tokens", standard=language), treebank)
    assert scores.tokens.f1 > tokens
    assert scores.sentences.f1 > sentences


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "Das gilt bzw. galt auch dort nicht mehr."),
        ("en", "This is cf. the next page."),
        ("fr", "Ceci est, cf. la page suivante, env. le même résultat."),
        ("it", "Questo è ca. lo stesso risultato di prima."),
        ("ru", "Это см. на следующей стр. той же книги."),
    ],
)
def test_abbreviations_end_no_sentence_before_small_letters(language: str, text: str) -> None:
    assert len(budgie.load("tokens", standard=language).sentences(text)) == 1
