# SPDX-License-Identifier: Apache-2.0
"""Chinese in other characters: treebanks, and what characters of a segmenter count as."""

from __future__ import annotations

import pytest

from budgie.formats.sentences import TokenisedSentence
from budgie.train.data.chinese import encode_variants
from budgie.train.data.treebanks import in_characters


def test_characters_are_converted_word_by_word() -> None:
    pytest.importorskip("opencc")
    (found,) = in_characters(
        [TokenisedSentence(("我們", "學習", "漢語"), ("PRON", "VERB", "NOUN"), ("1\t我們",))], "t2s"
    )
    assert found == TokenisedSentence(("我们", "学习", "汉语"), ("PRON", "VERB", "NOUN"))


def test_variants_are_single_characters_in_order() -> None:
    pytest.importorskip("opencc")
    data = encode_variants("t2s")
    codes = [int.from_bytes(data[at : at + 3], "little") for at in range(0, len(data), 3)]
    pairs = dict(zip(codes[::2], codes[1::2], strict=True))
    assert list(pairs) == sorted(pairs)
    assert pairs.keys().isdisjoint(pairs.values())
    assert [chr(pairs[ord(c)]) for c in "臺灣國們"] == list("台湾国们")
    assert not {ord(c) for c in "的了国们"} & pairs.keys()
