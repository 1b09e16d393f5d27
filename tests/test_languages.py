# SPDX-License-Identifier: Apache-2.0
"""Names of languages."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import budgie
from budgie.errors import ConfigError
from budgie.languages import choose, find, iso_of, known, meant, name_of


@pytest.mark.parametrize(
    ("name", "label"),
    [
        *((name, "en") for name in ("en", "EN", "eng", "eng_Latn", "en-US", "English", " english ")),
        *((name, "en") for name in ("English (US)", "English (United States)", "American English", "en_GB.UTF-8")),
        ("de_DE.UTF-8", "de"),
        ("de_AT@euro", "de"),
        ("de_DE.ISO-8859-15@euro", "de"),
        ("sr_RS@latin", "sr-Latn"),
        ("sr_RS.UTF-8@latin", "sr-Latn"),
        ("Serbian (Latin)", "sr-Latn"),
        ("Serbian (Cyrillic)", "sr"),
        ("Latin", "la"),
        ("Brazilian Portuguese", "pt"),
        ("Portuguese (Brazil)", "pt"),
        ("portuguese-brazil", "pt"),
        ("Latin American Spanish", "es"),
        ("Spanish (Latin America)", "es"),
        ("Norwegian (Bokmål)", "no"),
        ("Chinese (Simplified)", "zh"),
        ("Chinese (Traditional)", "zh-Hant"),
        ("Chinese (Taiwan)", "zh-Hant"),
        ("Chinese (Simplified, China)", "zh"),
        ("Traditional Chinese (Hong Kong)", "zh-Hant"),
        ("Mandarin Chinese", "zh"),
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
        ("Swiss German", "gsw"),
        ("Luba-Kasai", "lua"),
        ("Lingua Franca Nova", "lfn"),
        ("mon", "mn"),
        ("Mon (Myanmar)", "mnw"),
        ("nds-NL", "nds-NL"),
        ("kas_Deva", "ks-Deva"),
        ("twi_Latn", "ak"),
        ("kor_Hang", "ko"),
        ("yue_Hani", "yue"),
        ("cmn_Hani", "zh"),
        ("tl", "fil"),
        ("iw", "he"),
        ("pes_Arab", "fa"),
    ],
)
def test_names(name: str, label: str) -> None:
    assert find(name) == label


@pytest.mark.parametrize(
    "name",
    [
        "",
        "xx",
        "klingon",
        "en-nonsense",
        "e n",
        "-",
        "english please",
        "C.UTF-8",
        "Brazilian",
        "()",
        "jp",
        ".",
    ],
)
def test_other_names(name: str) -> None:
    assert find(name) is None


def test_every_label_of_the_identifier_has_a_name() -> None:
    labels = {*known(), *budgie.load("langid").all_languages}
    assert len({iso_of(label) for label in labels}) == len(labels)
    for label in labels:
        assert find(label) == find(str(iso_of(label))) == label
    assert [label for label in known() if find(name_of(label)) != label] == []


def test_languages_that_may_be_learnt_have_names(shared_data: Callable[[str], Path]) -> None:
    rows = (shared_data("langid/train_more") / "manifest.tsv").read_text("utf-8").splitlines()[1:]
    scripts = {label: script for label, _, script, *_ in (row.split("\t") for row in rows)}
    assert len(scripts) > 200
    for label, script in scripts.items():
        code = str(iso_of(label))
        assert find(code) == label
        assert code.split("_")[1] in (("Hans", "Hant") if script == "Hani" else (script,))


@pytest.mark.parametrize(
    ("label", "code"),
    [
        ("en", "eng_Latn"),
        ("no", "nob_Latn"),
        ("zh", "zho_Hans"),
        ("zh-Hant", "zho_Hant"),
        ("zh-Latn", "zho_Latn"),
        ("sr-Latn", "srp_Latn"),
        ("ks-Deva", "kas_Deva"),
        ("nds", "nds_Latn"),
        ("nds-NL", "nds_Latn_NL"),
        ("xx", None),
        ("xx-Latn", None),
        ("de-AT", None),
        ("English", None),
    ],
)
def test_codes(label: str, code: str | None) -> None:
    assert iso_of(label) == code


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


def test_scripts_that_nobody_has_a_name_for_are_none() -> None:
    assert find("uz-Cyrl") == "uz-Cyrl"
    assert find("German text") is find("en-Abcd") is iso_of("en-Abcd") is None


@pytest.mark.parametrize("name", [None, 5, b"en", ["en"]])
def test_only_a_str_is_a_name(name: object) -> None:
    for call in (find, iso_of):
        with pytest.raises(TypeError, match="must be given by its name, not as "):
            call(name)  # type: ignore[arg-type]


def test_macrolanguages() -> None:
    among = ("hbs", "ms", "de")
    assert [choose(name, among, "it") for name in ("hbs", "sh", "Serbo-Croatian", "deu")] == ["hbs", "hbs", "hbs", "de"]
    assert iso_of("hbs") == "hbs_Latn"
    for name, whole in (("hr", "hbs"), ("srp_Latn", "hbs"), ("Indonesian", "ms")):
        with pytest.raises(ConfigError, match=f"'{name}' counts as {whole} here"):
            choose(name, among, "it")
    with pytest.raises(ConfigError, match='which languages="macro" takes for one'):
        choose("hbs", ("hr", "bs"), "it")


def test_the_module_is_there_without_an_import() -> None:
    code = "import budgie; assert budgie.languages.iso_of('sr-Latn') == 'srp_Latn'"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


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


@pytest.mark.parametrize(
    ("code", "label"),
    [("jp", "ja"), ("CZ", "cs"), ("dk", "da"), ("gr", "el"), ("ua", "uk"), ("cn", "zh"), ("vn", "vi")],
)
def test_codes_of_countries_are_asked_about(code: str, label: str) -> None:
    assert find(code) is None
    assert meant(code) == f"did you mean {label}?"
    with pytest.raises(ConfigError, match=rf"the model does not know the language '{code}'; did you mean {label}\?"):
        choose(code, known(), "the model")


def test_a_language_that_is_to_be_found() -> None:
    assert meant("auto") == "`budgie annotate` finds the language by itself"
    with pytest.raises(ConfigError, match="does not know the language 'auto'; leave it out, and the language is found"):
        budgie.annotate("text", "auto")


def test_where_languages_are_named() -> None:
    identifier = budgie.load("langid")
    text = "Katten sover på vinduskarmen."
    assert identifier.identify(text, languages=["nb", "swedish"]) == identifier.identify(text, languages=["no", "sv"])
    with pytest.raises(ConfigError, match="did you mean swedish"):
        identifier.identify(text, languages=["swedihs"])
