# SPDX-License-Identifier: Apache-2.0
"""Chinese treebanks in other characters."""

from __future__ import annotations

import pytest

from budgie.formats.sentences import TokenisedSentence
from budgie.train.data.treebanks import in_characters


def test_characters_are_converted_word_by_word() -> None:
    pytest.importorskip("opencc")
    (found,) = in_characters(
        [TokenisedSentence(("我們", "學習", "漢語"), ("PRON", "VERB", "NOUN"), ("1\t我們",))], "t2s"
    )
    assert found == TokenisedSentence(("我们", "学习", "汉语"), ("PRON", "VERB", "NOUN"))
