# SPDX-License-Identifier: Apache-2.0
"""`budgie segment` with the model of tokens and sentences."""

from __future__ import annotations

import json
from pathlib import Path

from conftest import Command


def test_tokens_and_sentences(budgie: Command, tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text("Dr. Lee left. Why?\n\nIt rained.\n")
    assert budgie("segment", "--lang", "en", text) == b"Dr. Lee left . Why ?\n\nIt rained .\n"
    assert budgie("segment", "--lang", "en", "--sentences", text) == b"Dr. Lee left .\nWhy ?\nIt rained .\n"
    first = json.loads(budgie("segment", "--lang", "en", "--format", "json", text).splitlines()[0])
    assert first["sentences"] == [[0, 13], [14, 18]]
    assert first["spans"][:2] == [[0, 3], [4, 7]]
    budgie.fails("segment", "--lang", "zh", "--sentences", text, message="--sentences: seg-zh finds no sentences")
    budgie.fails(
        "segment", "--lang", "en", "--standard", "de", text, message="--standard: tokens of en have one standard"
    )
    assert budgie("segment", "--lang", "English", text) == budgie("segment", "--lang", "eng_Latn", text)
