# SPDX-License-Identifier: Apache-2.0
"""`load` is typed by the name of the model, and says what there is."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import typing
from pathlib import Path

import pytest

import budgie
from budgie.distributions import OFFERS

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
assert_type(budgie.load("seg-zh", standard="gsd"), budgie.Segmenter)
assert_type(budgie.load("preorder-en-ja", beam=4), budgie.Preorderer)
assert_type(
    budgie.load("mine.safetensors"),
    budgie.LanguageIdentifier | budgie.Tagger | budgie.Segmenter | budgie.Preorderer,
)
assert_type(budgie.load("pos-en").tag(["a"]), list[str])
"""


def test_every_model_is_named_by_its_task() -> None:
    named = {name: task for task, names in NAMES.items() for name in typing.get_args(names)}
    offered = {name: offer.task for name, offer in OFFERS.items()}
    assert named == {name: budgie.read_model(name).task for name in (*budgie.embedded(), *budgie.ALIASES)} | offered


def test_one_model_reads_both_chinese_scripts() -> None:
    assert budgie.load("seg-zh-Hant").model == budgie.load("seg-zh").model
    assert "seg-zh-Hant" not in budgie.models()


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("pos-hu", r"there are taggers for af be .* zh-Hant; budgie\.annotate finds sentences and tokens of Hungarian "
                   r"without one, and `budgie train pos` makes one of your own data"),
        ("pos-ru-Latn", r"there are taggers for .* sentences and tokens of Russian in Latin script without one, .*"),
        ("pos-nb", r"did you mean pos-no\?"),
        ("pos-English", r"did you mean pos-en\?"),
        ("seg-de", "tokens and sentences of German are found by the model tokens, as budgie.annotate does"),
        ("seg-zh-TW", r"did you mean seg-zh\?"),
        ("lnagid", r"did you mean langid\?"),
        ("preorder-en-jp", r"did you mean preorder-en-ja\?"),
        ("nonsense", "there are langid, .*"),
        ("", "there are langid, .*"),
    ],
)  # fmt: skip
def test_a_model_that_is_not_there(name: str, hint: str) -> None:
    with pytest.raises(budgie.ModelError) as error:
        budgie.load(name)
    assert re.fullmatch(f"there is no file {name} and no model of that name; {hint}", str(error.value))


def test_a_type_checker_knows_what_comes_back(tmp_path: Path) -> None:
    (tmp_path / "snippet.py").write_text(SNIPPET, "utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "snippet.py"]
    places = os.environ | {"MYPYPATH": str(Path(budgie.__file__).parents[1])}
    checked = subprocess.run(command, cwd=tmp_path, env=places, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr
