# SPDX-License-Identifier: Apache-2.0
"""Names of languages."""

from __future__ import annotations

import pytest

import budgie
from budgie.errors import ConfigError
from budgie.languages import choose, find, known, meant, name_of


@pytest.mark.parametrize(
    ("name", "label"),
    [
        *((name, "en") for name in ("en", "EN", "eng", "eng_Latn", "en-US", "en_GB.", "English", " english ")[:5]),
        ("English", "en"),
        (" english ", "en"),
        ("de", "de"),
        ("german", "de"),
        ("Deutsch", "de"),
        ("FRANÇAIS", "fr"),
        ("中文", "zh"),
        ("繁體中文", "zh-Hant"),
        ("bahasa indonesia", "id"),
        ("deu", "de"),
        ("ger", "de"),
        ("nb", "no"),
        ("nob_Latn", "no"),
        ("nn-NO", "nn"),
        ("zh-CN", "zh"),
        ("zh-Hans", "zh"),
        ("zho_Hans", "zh"),
        ("zh-TW", "zh-Hant"),
        ("zh_Hant_HK", "zh-Hant"),
        ("traditional chinese", "zh-Hant"),
        ("sr-Latn", "sr-Latn"),
        ("srp_Cyrl", "sr"),
        ("pt-BR", "pt"),
        ("es-419", "es"),
        ("Scottish Gaelic", "gd"),
        ("tl", "fil"),
        ("iw", "he"),
        ("pes_Arab", "fa"),
    ],
)
def test_names(name: str, label: str) -> None:
    assert find(name) == label


@pytest.mark.parametrize("name", ["", "xx", "klingon", "en-nonsense", "e n", "-", "english please"])
def test_other_names(name: str) -> None:
    assert find(name) is None


def test_every_label_of_the_identifier_has_a_name() -> None:
    for label in budgie.load("langid").languages:
        assert find(label) == label
        language = known()[label if label in known() else label.partition("-")[0]]
        assert len(language.iso) == 3
        assert len(language.script) == 4
    assert len({(one.iso, one.script) for one in known().values()}) == len(known())
    for label, language in known().items():
        assert find(f"{language.iso}_{language.script}") == label
        assert find(language.name) == label


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("de", "German"),
        ("no", "Norwegian Bokmål"),
        ("zh", "Simplified Chinese"),
        ("zh-Hant", "Traditional Chinese"),
        ("zh-Latn", "Chinese in Latin script"),
        ("sr-Latn", "Serbian in Latin script"),
        ("ku-Tibt", "Kurdish in Tibt script"),
        ("xx", "xx"),
        ("xx-Latn", "xx-Latn"),
    ],
)
def test_english_names(label: str, name: str) -> None:
    assert name_of(label) == name


def test_choose() -> None:
    assert choose("nb", ("da", "no"), "the model") == "no"
    with pytest.raises(ConfigError, match="the model does not know the language 'german', which is de; it knows da no"):
        choose("german", ("no", "da"), "the model")
    with pytest.raises(ConfigError, match=r"'Danihs'; did you mean danish\?"):
        choose("Danihs", ("no", "da"), "the model")
    with pytest.raises(ConfigError, match="the model does not know the language 'q'; it knows da no"):
        choose("q", ("no", "da"), "the model")


def test_what_somebody_meant() -> None:
    assert meant("chinse") == "did you mean chinese?"
    assert meant("Norwegan") == "did you mean norwegian?"
    assert meant("german") == meant("zz") == meant("") == ""


def test_where_languages_are_named() -> None:
    identifier = budgie.load("langid")
    text = "Katten sover på vinduskarmen."
    assert identifier.identify(text, languages=["nb", "swedish"]) == identifier.identify(text, languages=["no", "sv"])
    with pytest.raises(ConfigError, match="did you mean swedish"):
        identifier.identify(text, languages=["swedihs"])
