# SPDX-License-Identifier: Apache-2.0
"""The licences of the data behind the embedded models, which are free for any use."""

from __future__ import annotations

import pytest

import budgie
from budgie.licences import classify_model, listed
from budgie.train.data.plain_text import TEACHERS, plain_text_sources
from budgie.train.data.treebanks import CLUSTERED_TEXT


@pytest.mark.parametrize("name", budgie.embedded())
def test_what_may_be_embedded(name: str) -> None:
    """Another one goes to restricted/; see docs/licences.md."""
    model = budgie.read_model(name)
    assert classify_model(model.task, model.info) == "free"


@pytest.mark.parametrize("name", [name for name in budgie.models() if name.startswith("pos-")])
def test_taggers_name_the_text_that_is_known(name: str) -> None:
    """So that training one again says the same of it."""
    info, language = budgie.read_model(name).info, name.removeprefix("pos-")
    if "clusters" in info:
        assert info["clusters"] == ", ".join(CLUSTERED_TEXT[language])
    if "silver" in info:
        teachers = [TEACHERS[language]] if language in TEACHERS else []
        allowed = [*plain_text_sources(language), *teachers] or ["the treebank itself"]
        assert {f"{name} ({licence})" for name, licence in listed(info["silver"])} <= set(allowed)
