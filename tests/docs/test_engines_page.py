# SPDX-License-Identifier: Apache-2.0
"""The page of engines shows lines of the examples that it links, which tests/integrations run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "engines.md"
SECTIONS = re.findall(r"^## .+?(?=^## |\Z)", PAGE.read_text("utf-8"), re.M | re.S)


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.split("\n")[0].removeprefix("## "))
def test_blocks_are_lines_of_the_example(section: str) -> None:
    (link,) = re.findall(r"\[The example\]\(([^)]+)\)", section)
    example = (PAGE.parent / link).read_text("utf-8")
    blocks = re.findall(r"^```text\n(.*?)^```$", section, re.M | re.S)
    assert len(blocks) >= 2
    shown = [line.strip() for block in blocks for line in block.splitlines()]
    assert [line for line in shown if line not in example] == []
