# SPDX-License-Identifier: Apache-2.0
"""Treebanks as raw text."""

from __future__ import annotations

from pathlib import Path

import pytest

from budgie.errors import DataError
from budgie.formats.treebank import TreebankWord, raw_text, read_treebank

CONLLU = """\
# newdoc id = a
# newpar
# text = Il parle du chat.
1\tIl\til\tPRON\t_\t_\t_\t_\t_\t_
2\tparle\tparler\tVERB\t_\t_\t_\t_\t_\t_
3-4\tdu\t_\t_\t_\t_\t_\t_\t_\t_
3\tde\tde\tADP\t_\t_\t_\t_\t_\t_
3.1\tvide\t_\tX\t_\t_\t_\t_\t_\t_
4\tle\tle\tDET\t_\t_\t_\t_\t_\t_
5\tchat\tchat\tNOUN\t_\t_\t_\t_\t_\tSpaceAfter=No
6\t.\t.\tPUNCT\t_\t_\t_\t_\t_\tSpacesAfter=\\s\\s

# text = Bon
1\tBon\tbon\tADJ\t_\t_\t_\t_\t_\tSpaceAfter=No

# newpar
# text = Fin
1\tFin\tfin\tNOUN\t_\t_\t_\t_\t_\tLang=fr|SpacesAfter=\\t\\n
2\t!\t!\tPUNCT\t_\t_\t_\t_\t_\t_

"""


@pytest.fixture
def treebank(tmp_path: Path) -> Path:
    path = tmp_path / "fr.conllu"
    path.write_text(CONLLU)
    return path


def test_tokens_words_and_spaces(treebank: Path) -> None:
    first, second, third = read_treebank(treebank)
    assert [token.text for token in first.tokens] == ["Il", "parle", "du", "chat", "."]
    assert [token.space for token in first.tokens] == [" ", " ", " ", "", "  "]
    assert first.tokens[2].words == (TreebankWord("de", "ADP"), TreebankWord("le", "DET"))
    assert first.tokens[0].words == (TreebankWord("Il", "PRON"),)
    assert first.text == "Il parle du chat."
    assert [one.begins_paragraph for one in (first, second, third)] == [True, False, True]
    assert third.tokens[0].space == "\t\n"


def test_raw_text(treebank: Path) -> None:
    raw = raw_text(read_treebank(treebank))
    assert raw.text == "Il parle du chat.  Bon\n\nFin\t\n! "
    assert [raw.text[start:end] for start, end in raw.tokens] == "Il parle du chat . Bon Fin !".split()
    assert raw.sentences == [(0, 5), (5, 6), (6, 8)]


def test_every_file_begins_a_paragraph(treebank: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.conllu"
    other.write_text("1\tOui\t_\tINTJ\t_\t_\t_\t_\t_\t_\n\n")
    assert [one.begins_paragraph for one in read_treebank(other, treebank)] == [True, True, False, True]
    empty = tmp_path / "empty.conllu"
    empty.write_text("# nothing\n\n")
    with pytest.raises(DataError, match="holds no words"):
        read_treebank(empty)
