# SPDX-License-Identifier: Apache-2.0
"""NOTICE names every source of every model, and is what its command writes."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from tools.write_notice import FOLDERS, ROOT, notices, sources

from budgie.distributions import RESTRICTED
from budgie.licences import listed
from budgie.model.file import Model
from budgie.train.data.datasets import DATASETS

FILES = sorted(file for folder in FOLDERS.values() if folder.is_dir() for file in folder.iterdir())

pytestmark = pytest.mark.skipif(not FOLDERS[RESTRICTED].is_dir(), reason=f"{RESTRICTED} is not part of this copy")


def test_both_files_are_what_the_command_writes() -> None:
    for place, text in notices().items():
        assert place.read_text("utf-8") == text, "python -m tools.write_notice"
        assert max(map(len, text.splitlines())) <= 120


def test_both_wheels_have_theirs() -> None:
    for folder in (ROOT, ROOT / "restricted"):
        project = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]
        assert "NOTICE" in project["license-files"]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_all_that_a_model_names_is_there(file: Path) -> None:
    model = Model.read(file)
    found = {source.name: source.licence for source in sources(model)}
    if model.task == "langid":
        named = set(re.findall(r"\w+", re.sub(r"\(.*?\)", "", model.info["trained_on"]))) & DATASETS.keys()
        assert named and named <= found.keys()
    for more in ("silver", "lexicon"):
        for name, licence in listed(model.info.get(more, "")):
            assert found[name] == licence
    assert set(model.info["licence"].split("; ")) <= {
        one for text in found.values() for one in (text, *text.split("; "))
    }
    assert all(found.values())
