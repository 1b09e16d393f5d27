# SPDX-License-Identifier: Apache-2.0
"""Multiword tokens: the rules of the embedded model, against a reference and in sentences that people know."""

from __future__ import annotations

import pytest
from reference.multiword import read_sections, split

import budgie

RULES = bytes(budgie.read_model("tokens").tensors["multiword.rules"].data).decode()
SECTIONS = read_sections(RULES)
PIPELINE = budgie.Pipeline(tasks=["tokens"])


def words(text: str, language: str) -> dict[str, list[str]]:
    """The multiword tokens of a text, each with its words."""
    tokens = PIPELINE.annotate(text, language).tokens
    return {token.text: [word.text for word in token.words] for token in tokens if token.words}


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("fr", "Le chat du voisin parle aux enfants.", {"du": ["de", "le"], "aux": ["à", "les"]}),
        ("fr", "Du pain et AU lait.", {"Du": ["De", "le"], "AU": ["À", "LE"]}),
        ("en", "I don't know John's car.", {"don't": ["do", "n't"], "John's": ["John", "'s"]}),
        ("en", "They cannot stay.", {"cannot": ["can", "not"]}),
        ("de", "Er ist im Garten und geht zum Haus.", {"im": ["in", "dem"], "zum": ["zu", "dem"]}),
        ("es", "Voy al mercado para hacerlo.", {"al": ["a", "el"], "hacerlo": ["hacer", "lo"]}),
        ("it", "La casa della nonna.", {"della": ["di", "la"]}),
        ("pt", "O livro do menino no carro.", {"do": ["de", "o"], "no": ["em", "o"]}),
        ("id", "Menurutnya itu benar.", {"Menurutnya": ["Menurut", "nya"]}),
        ("nl", "Het boek ligt op de tafel.", {}),
    ],
)
def test_words_of_tokens(language: str, text: str, expected: dict[str, list[str]]) -> None:
    assert words(text, language) == expected


def test_the_surface_keeps_its_offsets() -> None:
    text = "Le chat du voisin"
    token = PIPELINE.annotate(text, "fr").tokens[2]
    assert (token.text, text[token.start : token.end]) == ("du", "du")
    assert token.space_after
    assert token.tag is None


def test_the_core_agrees_with_the_reference() -> None:
    """Every key of every rule as a token, with tokens beside it that other rules look at."""
    for language, (at_end, rules) in SECTIONS.items():
        keys = [rule.key.strip() for rule in rules if rule.key.strip()]
        for one, key in enumerate(keys):
            tokens = [*keys[(one + 7) % len(keys)].split(" "), *key.split(" "), *keys[(one + 3) % len(keys)].split(" ")]
            for text in (" ".join(tokens), " ".join(tokens).title(), " ".join(tokens).upper()):
                document = PIPELINE.annotate(text, language)
                for sentence in document.sentences:
                    surface = [token.text for token in sentence.tokens]
                    for place, token in enumerate(sentence.tokens):
                        found = [word.text for word in token.words]
                        if token.text.isalpha() and all(len(c.lower()) == len(c.upper()) == 1 for c in token.text):
                            assert found == split(surface, place, at_end, rules), (language, surface, place)


def test_bytes_and_str_have_the_same_words() -> None:
    text = "Le chat du voisin parle à l'été, aux enfants et AUX amis."
    of_bytes = [token.words for token in PIPELINE.annotate(text.encode(), "fr").tokens]
    assert of_bytes == [token.words for token in PIPELINE.annotate(text, "fr").tokens]
