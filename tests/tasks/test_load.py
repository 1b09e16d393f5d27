# SPDX-License-Identifier: Apache-2.0
"""`load` is typed by the name of the model."""

from __future__ import annotations

import os
import subprocess
import sys
import typing
from pathlib import Path

import budgie

NAMES = {
    "langid": budgie.LanguageIdentifierName,
    "pos": budgie.TaggerName,
    "seg": budgie.SegmenterName,
    "preorder": budgie.PreordererName,
}
SNIPPET = """
from typing import assert_type
import budgie
assert_type(budgie.load("langid"), budgie.LanguageIdentifier)
assert_type(budgie.load("pos-en"), budgie.Tagger)
assert_type(budgie.load("seg-zh", standard="pku"), budgie.Segmenter)
assert_type(budgie.load("preorder-en-ja", beam=4), budgie.Preorderer)
assert_type(
    budgie.load("mine.safetensors"),
    budgie.LanguageIdentifier | budgie.Tagger | budgie.Segmenter | budgie.Preorderer,
)
assert_type(budgie.load("pos-en").tag(["a"]), list[str])
"""


def test_every_embedded_model_is_named_by_its_task() -> None:
    named = {name: task for task, names in NAMES.items() for name in typing.get_args(names)}
    assert named == {name: budgie.read_model(name).task for name in budgie.models()}


def test_a_type_checker_knows_what_comes_back(tmp_path: Path) -> None:
    (tmp_path / "snippet.py").write_text(SNIPPET, "utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "snippet.py"]
    places = os.environ | {"MYPYPATH": str(Path(budgie.__file__).parents[1])}
    checked = subprocess.run(command, cwd=tmp_path, env=places, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr
