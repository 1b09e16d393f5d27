# SPDX-License-Identifier: Apache-2.0
"""Which languages the filters of all tools let through, and how they write them; needs none of the tools."""

from __future__ import annotations

import importlib
import importlib.util
import pickle

import pytest

import budgie
from budgie.integrations.choice import Choice

TOOLS = {"datatrove": "datatrove", "nemo_curator": "nemo-curator", "data_juicer": "py-data-juicer"}


@pytest.mark.parametrize(
    ("names", "labels"),
    [
        (None, set()),
        ("en", {"en"}),
        (["English", "deu_Latn", "fr-CA"], {"en", "de", "fr"}),
        ("zh", {"zh", "zh-Hant", "zh-Latn"}),
        ("zh-Hans", {"zh"}),
        ("zho_Hant", {"zh-Hant"}),
        ("zh-TW", {"zh-Hant"}),
        (["sr"], {"sr", "sr-Latn"}),
        (["srp_Cyrl"], {"sr"}),
        ("nds", {"nds"}),  # not Dutch Low Saxon
    ],
)
def test_languages_by_their_names(names: list[str] | str | None, labels: set[str]) -> None:
    assert Choice(names, "code").languages == labels & {*budgie.load("langid").all_languages}


def test_labels_with_their_script() -> None:
    choice = Choice(["en", "zh-Hant"], "iso")
    assert choice.all_written() == {"eng_Latn", "zho_Hant"}
    assert [choice.written(label) for label in ("sr", "sr-Latn", "und")] == ["srp_Cyrl", "srp_Latn", "und_Zyyy"]
    assert Choice(["en", "zh-Hant"], "code").all_written() == {"en", "zh-Hant"}


def test_rare_languages_are_told_apart_where_they_are_named() -> None:
    model = budgie.load("langid")
    rare = next(label for label in model.all_languages if label not in model.languages)
    text = "Some words that nobody wrote in that language."
    assert Choice(rare, "code").identify(text) == model.identify(text, [*model.languages, rare])
    assert Choice("en", "code").identify(text) == model.identify(text)


def test_what_is_no_text_has_no_letters() -> None:
    found = Choice(None, "code").identify_batch(["", None, float("nan"), "Nobody knows why."])
    assert [one.language for one in found] == ["und", "und", "und", "en"]


def test_no_model_is_pickled() -> None:
    choice = Choice(["en", "de"], "iso")
    packed = pickle.dumps(choice)
    assert len(packed) < 500
    assert pickle.loads(packed).identify_batch(["Guten Morgen"]) == choice.identify_batch(["Guten Morgen"])


def test_mistakes() -> None:
    with pytest.raises(budgie.ConfigError, match="did you mean german"):
        Choice(["en", "germn"], "code")
    with pytest.raises(budgie.ConfigError, match="labels must be 'code' or 'iso', not 'ISO'"):
        Choice(None, "ISO")


@pytest.mark.parametrize("module", TOOLS)
def test_a_tool_that_is_missing_is_named(module: str) -> None:
    if importlib.util.find_spec(module):
        pytest.skip(f"{module} is installed here")
    with pytest.raises(ImportError, match=rf"budgie\.integrations\.{module} needs .*pip install .*{TOOLS[module]}"):
        importlib.import_module(f"budgie.integrations.{module}")
