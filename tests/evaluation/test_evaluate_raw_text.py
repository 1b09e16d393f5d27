# SPDX-License-Identifier: Apache-2.0
"""Scores of raw text, by cases that were worked out by hand from the rules of the shared task of CoNLL 2018."""

from __future__ import annotations

import pytest

from budgie.errors import DataError
from budgie.evaluation.raw_text import F1, evaluate_raw_text, score
from budgie.formats.treebank import TreebankSentence, TreebankToken, TreebankWord


def sentences(text: str) -> list[TreebankSentence]:
    """`a/X b` are tokens, with their tags; `du=de/X+le/Y` is a token of two words; `|` stands between sentences."""

    def word(part: str) -> TreebankWord:
        form, _, tag = part.partition("/")
        return TreebankWord(form, tag or "_")

    def token(part: str) -> TreebankToken:
        surface, several, words = part.partition("=")
        if several:
            return TreebankToken(surface, " ", tuple(map(word, words.split("+"))))
        return TreebankToken(word(part).text, " ", (word(part),))

    return [TreebankSentence(tuple(map(token, one.split()))) for one in text.split("|")]


@pytest.mark.parametrize(
    ("gold", "found", "tokens", "sentence", "words", "tags"),
    [
        ("a/X b/Y . | c/X", "a/X b/Y . | c/X", (4, 4, 4), (2, 2, 2), (4, 4, 4), (4, 4, 4)),
        # A full stop that stays with its word; the sentences are the same.
        ("a/X b/Y ./P | c/X", "a/X b./Y | c/X", (4, 3, 2), (2, 2, 2), (4, 3, 2), (4, 3, 2)),
        # Two sentences as one: both are wrong.
        ("a/X ./P | c/X", "a/X ./P c/Y", (3, 3, 3), (2, 1, 0), (3, 3, 3), (3, 3, 2)),
        # One as two, the first of which is shorter.
        ("a b c", "a b | c", (3, 3, 3), (1, 2, 0), (3, 3, 3), (3, 3, 3)),
        # White space does not count.
        ("ab c", "a b c", (2, 3, 1), (1, 1, 1), (2, 3, 1), (2, 3, 1)),
        # A token of two words, found whole: one token is right; as a word it is none of the two.
        ("du=de/A+le/D pain/N", "du/A pain/N", (2, 2, 2), (1, 1, 1), (3, 2, 1), (3, 2, 1)),
        ("du=de/A+le/D pain/N", "du=de/A+les/D pain/N", (2, 2, 2), (1, 1, 1), (3, 3, 2), (3, 3, 2)),
        ("du=de/A+le/D pain/N", "du=De/A+LE/X pain/N", (2, 2, 2), (1, 1, 1), (3, 3, 3), (3, 3, 2)),
        # Cut into the same words by another: no token is right, but both words are.
        ("del=de+l x", "de l x", (2, 3, 1), (1, 1, 1), (3, 3, 3), (3, 3, 3)),
        # A multiword token that reaches over two tokens of the other side.
        ("ab=a+b c d", "a bc=b+c d", (3, 3, 1), (1, 1, 1), (4, 4, 4), (4, 4, 4)),
        # One that was invented.
        ("ab c", "ab=a+b c", (2, 2, 2), (1, 1, 1), (2, 3, 1), (2, 3, 1)),
    ],
)
def test_worked_cases(
    gold: str,
    found: str,
    tokens: tuple[int, int, int],
    sentence: tuple[int, int, int],
    words: tuple[int, int, int],
    tags: tuple[int, int, int],
) -> None:
    scores = score(sentences(gold), sentences(found))
    assert scores.tokens == F1(*tokens)
    assert scores.sentences == F1(*sentence)
    assert scores.words == F1(*words)
    assert scores.tags == F1(*tags)


def test_f1() -> None:
    scores = F1(gold=4, found=5, right=3)
    assert (scores.precision, scores.recall) == (3 / 5, 3 / 4)
    assert scores.f1 == pytest.approx(2 * (3 / 5) * (3 / 4) / (3 / 5 + 3 / 4))
    assert F1(0, 0, 0).f1 == F1(0, 3, 0).precision == F1(3, 0, 0).recall == 0


def test_other_texts_are_refused() -> None:
    with pytest.raises(DataError, match="the two texts differ: 'bc' and 'xc'"):
        score(sentences("a b c"), sentences("a x c"))
    with pytest.raises(DataError, match="the two texts differ: 'c' and ''"):
        score(sentences("a b c"), sentences("a b"))


def test_a_segmenter_is_asked_about_the_whole_text() -> None:
    class Spaces:
        def sentences(self, text: str) -> list[list[tuple[int, int]]]:
            assert text == "a b. c "
            return [[(0, 1), (2, 4)], [(5, 6)]]

    full_stop = TreebankToken(".", " ", (TreebankWord(".", "_"),))
    first = sentences("a b")[0].tokens
    gold = [
        TreebankSentence((first[0], TreebankToken("b", "", first[1].words), full_stop)),
        *sentences("c"),
    ]
    scores = evaluate_raw_text(Spaces(), gold)
    assert (scores.tokens, scores.sentences) == (F1(4, 3, 2), F1(2, 2, 2))
