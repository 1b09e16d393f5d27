# SPDX-License-Identifier: Apache-2.0
"""Scores of segmenters, worked out by hand and compared with the script of the SIGHAN bake-offs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import pytest

from budgie import DataError
from budgie.evaluation.segmentation import WordEvaluation, evaluate_words, report_words, score_words, solid_spans
from budgie.formats.segmented import Convention, Segmented, Spans, join, words
from budgie.train.data.segmentation import segmented_corpus


def scored(gold: list[str], answers: list[str], known: set[str] | None = None) -> WordEvaluation:
    """Both as lines of words with nothing between them."""
    pairs = zip(gold, answers, strict=True)
    return score_words(
        [(join(one.split(), "joined"), join(other.split(), "joined").spans) for one, other in pairs], known
    )


def test_worked_out_by_hand() -> None:
    gold = ["大家 喜欢 春天 的 小 花园", "我 很 口渴", "李小明 说"]
    answers = ["大家 喜欢 春天 的 小花园", "我 很 口渴", "李 小明 说"]
    known = {"大家", "喜欢", "春天", "的", "小", "我", "很", "说", "李"}
    # 11 words, 11 answers; right are 大家 喜欢 春天 的, 我 很 口渴, 说. Unknown are 花园 口渴 李小明; 口渴 is right.
    # The script of the bake-off says: recall 0.727, precision 0.727, OOV rate 0.273, OOV recall 0.333, IV recall 0.875.
    assert scored(gold, answers, known) == WordEvaluation(
        sentences=3,
        words=11,
        answers=11,
        right=8,
        precision=8 / 11,
        recall=8 / 11,
        f1=8 / 11,
        sentence_accuracy=1 / 3,
        unknown_words=3,
        unknown_word_rate=3 / 11,
        unknown_word_recall=1 / 3,
        known_word_recall=7 / 8,
    )


def test_precision_is_not_recall() -> None:
    evaluation = scored(["一 二三四 五"], ["一 二 三 四 五"])
    assert (evaluation.right, evaluation.words, evaluation.answers) == (2, 3, 5)
    assert (evaluation.recall, evaluation.precision, evaluation.f1) == (2 / 3, 2 / 5, 0.5)
    evaluation = scored(["一 二 三 四 五"], ["一 二三四 五"])
    assert (evaluation.recall, evaluation.precision, evaluation.f1) == (2 / 5, 2 / 3, 0.5)


def test_a_word_elsewhere_is_no_answer() -> None:
    """的 is found, but as another character."""
    assert scored(["的 的的"], ["的的 的"]).right == 0


def test_known_words() -> None:
    evaluation = scored(["一 二"], ["一 二"])
    assert evaluation.unknown_words is evaluation.unknown_word_rate is evaluation.unknown_word_recall is None
    assert evaluation.known_word_recall is None
    evaluation = scored(["一 二"], ["一二"], {"一", "二"})
    assert (evaluation.unknown_words, evaluation.unknown_word_rate, evaluation.unknown_word_recall) == (0, 0.0, None)
    assert evaluation.known_word_recall == 0.0
    evaluation = scored(["一 二"], ["一 二"], set())
    assert (evaluation.unknown_word_recall, evaluation.known_word_recall) == (1.0, None)


@pytest.mark.parametrize(
    "answer", [[(0, 5), (5, 6), (6, 9)], [(0, 5), (6, 9)], [(0, 6), (6, 9)], [(0, 5), (5, 9)], [(0, 5), (5, 5), (6, 9)]]
)
def test_white_space_does_not_count(answer: Spans) -> None:
    sentence = Segmented("chú ý nhé", ((0, 5), (6, 9)))
    assert solid_spans(sentence.text, answer) == [(0, 4), (4, 7)]
    evaluation = score_words([(sentence, answer)], {"chú ý"})
    assert (evaluation.f1, evaluation.unknown_words, evaluation.sentence_accuracy) == (1.0, 1, 1.0)


def test_white_space_is_no_word() -> None:
    sentence = Segmented("a b", ((0, 1), (1, 2), (2, 3)))
    evaluation = score_words([(sentence, [(0, 1), (1, 2), (2, 3)])])
    assert (evaluation.words, evaluation.answers, evaluation.right) == (2, 2, 2)


@pytest.mark.parametrize("space", ["\u200b", "\u200b\u200b", " \u200b", "\u3000"])
def test_a_zero_width_space_is_white_space(space: str) -> None:
    size = 2 + len(space)
    sentence = Segmented(f"ខែ{space}នេះ", ((0, 2), (size, size + 3)))
    for answer in ([(0, 2), (2, size), (size, size + 3)], [(0, size), (size, size + 3)], sentence.spans):
        assert solid_spans(sentence.text, answer) == [(0, 2), (2, 5)]
        evaluation = score_words([(sentence, answer)])
        assert (evaluation.words, evaluation.answers, evaluation.right) == (2, 2, 2)
    spaced = Segmented(sentence.text, ((0, 2), (2, size), (size, size + 3)))
    assert score_words([(spaced, sentence.spans)]).words == 2


def test_no_answers_and_no_words() -> None:
    evaluation = score_words([(Segmented("a", ((0, 1),)), [])])
    assert (evaluation.precision, evaluation.recall, evaluation.f1) == (0.0, 0.0, 0.0)
    with pytest.raises(DataError, match="no words"):
        score_words([])


class Characters:
    """A segmenter whose words are the characters."""

    def spans_batch(self, texts: list[str], threads: int = 1) -> list[list[tuple[int, int]]]:
        return [[(i, i + 1) for i in range(len(text))] for text in texts]


@pytest.mark.parametrize(
    ("line", "convention", "right"), [("我 很 高兴", "joined", 2), ("ก ▁ ขค", "visible", 1), ("a b_c", "underscore", 1)]
)
def test_a_segmenter(line: str, convention: Convention, right: int) -> None:
    evaluation = evaluate_words(Characters(), [join(line.split(), convention)] * 5000)
    assert (evaluation.sentences, evaluation.right) == (5000, 5000 * right)


def test_report() -> None:
    text = report_words(scored(["一 二 三四"], ["一 二 三 四"], {"一"}))
    assert text == (
        "words             3 in 1 sentences; the model found 4\n"
        "precision         50.00 % of the words found are right\n"
        "recall            66.67 % of the words are found\n"
        "F1                57.14 %\n"
        "sentences         0.00 % have no wrong word\n"
        "unknown words     50.00 % found of the 2 (66.67 %) that were not in training\n"
        "known words       100.00 % found\n"
    )
    assert "known" not in report_words(scored(["一"], ["一"]))


# ---- the bake-off of 2005 --------------------------------------------------------------------------------------


def longest_match(text: str, known: set[str], longest: int) -> Spans:
    spans, start = [], 0
    while start < len(text):
        ends = range(min(len(text), start + longest), start, -1)
        end = next((end for end in ends if text[start:end] in known), start + 1)
        spans.append((start, end))
        start = end
    return spans


def test_the_script_of_the_bakeoff(shared_data: Callable[[str], Path]) -> None:
    """The same answers scored by the bake-off's own script, which aligns words by diff."""
    shared_data("seg/zh-pku")
    pku = segmented_corpus("zh", "pku")
    known = {word for split in ("train", "dev") for sentence in pku.read(split) for word in words(sentence)}
    longest = max(map(len, known))
    test = pku.read("test")
    evaluation = asdict(score_words([(one, longest_match(one.text, known, longest)) for one in test], known))
    assert (evaluation["words"], evaluation["answers"]) == (104_372, 112_290)
    script = {
        "recall": 0.9066,
        "precision": 0.8426,
        "f1": 0.8734,
        "unknown_word_rate": 0.0575,
        "unknown_word_recall": 0.0685,
        "known_word_recall": 0.9577,
    }
    assert {name: evaluation[name] for name in script} == pytest.approx(script, abs=2e-4)
