# SPDX-License-Identifier: Apache-2.0
"""What README and docs show is true: code runs, links lead somewhere, nothing is left to fill in."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), ROOT / "benchmarks" / "README.md"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_page(page: Path) -> None:
    text = page.read_text("utf-8")
    assert "@@" not in text
    for link in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (page.parent / link).exists(), link
    names = {"texts": ["good morning", b"guten Morgen"]}
    for code in re.findall(r"```python\n(.*?)```", text, re.S):
        exec(code, names)


def test_readme_shows_a_change_of_language() -> None:
    import budgie

    spans = budgie.load("langid").spans("Der Hund schläft. Where is the station?")
    assert [(span.begin, span.end, span.language) for span in spans] == [(0, 18, "de"), (18, 39, "en")]
