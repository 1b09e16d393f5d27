# SPDX-License-Identifier: Apache-2.0
"""Answers stay the same, bit for bit, whatever is done to the program; see golden.py."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

import budgie


def _load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("golden", Path(__file__).with_name("golden.py"))
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


golden = _load()


@pytest.mark.parametrize("name", budgie.models())
def test_a_model_answers_as_it_always_has(name: str) -> None:
    assert golden.outputs(name) == golden.recorded()[name]
