# SPDX-License-Identifier: Apache-2.0
"""`budgie segment` with the model of tokens and sentences."""

from __future__ import annotations

import json
from pathlib import Path

from conftest import Command


def test_tokens_and_sentences(budgie: Command, tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text("Dr. Lee left. Why?\n\nIt rained.\n")
    assert budgie("segment", "--language", "en", text) == b"Dr. Lee left . Why ?\n\nIt rained .\n"
    assert budgie("segment", "--language", "en", "--sentences", text) == b"Dr. Lee left .\nWhy ?\nIt rained .\n"
    first = json.loads(budgie("segment", "--language", "en", "--format", "json", text).splitlines()[0])
    assert first["sentences"] == [[0, 13], [14, 18]]
    assert first["spans"][:2] == [[0, 3], [4, 7]]
    budgie.fails("segment", "--language", "zh", "--sentences", text, message="--sentences: seg-zh finds no sentences")
    budgie.fails(
        "segment", "--language", "en", "--standard", "de", text, message="--standard: tokens of en have one standard"
    )
    assert budgie("segment", "--language", "English", text) == budgie("segment", "--language", "eng_Latn", text)


CONLLU = """\
# newpar
# text = I don't know.
1\tI\t_\tPRON\t_\t_\t_\t_\t_\t_
2-3\tdon't\t_\t_\t_\t_\t_\t_\t_\t_
2\tdo\t_\tAUX\t_\t_\t_\t_\t_\t_
3\tn't\t_\tPART\t_\t_\t_\t_\t_\t_
4\tknow\t_\tVERB\t_\t_\t_\t_\t_\tSpaceAfter=No
5\t.\t_\tPUNCT\t_\t_\t_\t_\t_\t_

"""


def test_all_of_an_annotation_is_scored(budgie: Command, tmp_path: Path) -> None:
    treebank = tmp_path / "one.conllu"
    treebank.write_text(CONLLU)
    scores = json.loads(budgie("evaluate", "annotation", treebank, "--language", "english", "--json"))
    assert {name: (one["gold"], one["right"]) for name, one in scores.items()} == {
        "tokens": (4, 4), "sentences": (1, 1), "words": (5, 5), "tags": (5, 5), "multiword tokens": (1, 1),
    }  # fmt: skip
    assert b"F1 100" in budgie("evaluate", "annotation", treebank)
    budgie.fails("evaluate", "annotation", treebank, "--beam", "2", message="--beam makes no sense with annotation")
    budgie.fails("evaluate", "pos-en", treebank, "--language", "en", message="--language makes no sense with pos-en")
