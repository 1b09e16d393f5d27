# SPDX-License-Identifier: Apache-2.0
"""The licences of the data behind the embedded models: one that is not free for any use needs a reason to be here."""

from __future__ import annotations

import pytest

import budgie
from budgie.licences import LicenceClass, classify_model
from budgie.train.data.treebanks import CLUSTERED_TEXT, SILVER_TEXT

# All of these were embedded before there was one rule, and each says so in its information (`budgie info`). A new model
# must be free, or stand here with a reason that somebody has decided on.
NOT_FREE: dict[str, tuple[LicenceClass, str]] = {
    "seg-km": ("non-commercial", "khPOS is the one corpus of Khmer at hand"),
    "seg-my": ("non-commercial", "myPOS is the one corpus of Burmese at hand"),
    "preorder-en-ja": ("unclear", "of its silver text, the copy of the Tanaka Corpus states no licence"),
    "preorder-en-es": ("unclear", "it starts as preorder-en-ja; XL-WA, its own data, is non-commercial"),
}


@pytest.mark.parametrize("name", budgie.models())
def test_what_may_be_embedded(name: str) -> None:
    expected, _reason = NOT_FREE.get(name, ("free", ""))
    model = budgie.read_model(name)
    assert classify_model(model.task, model.info) == expected


def test_no_reason_outlives_its_model() -> None:
    assert NOT_FREE.keys() <= set(budgie.models())


@pytest.mark.parametrize("name", [name for name in budgie.models() if name.startswith("pos-")])
def test_taggers_name_the_text_that_is_known(name: str) -> None:
    """So that training one again says the same of it."""
    info, language = budgie.read_model(name).info, name.removeprefix("pos-")
    if "clusters" in info:
        assert info["clusters"] == ", ".join(CLUSTERED_TEXT[language])
    if "silver" in info:
        assert info["silver"] == ", ".join(SILVER_TEXT.get(language, ["the treebank itself"]))
