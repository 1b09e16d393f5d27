# SPDX-License-Identifier: Apache-2.0
"""How well a segmenter does on segmented text: what `budgie evaluate` prints.

A word is right where the segmenter has one that begins and ends with it. Unknown words are those that the training
data do not have (out of vocabulary); their rate and both recalls are those of the SIGHAN bake-offs.
"""

from __future__ import annotations

import argparse
import dataclasses
import itertools
from collections import Counter
from collections.abc import Container, Iterable
from dataclasses import dataclass
from typing import Any, Protocol

from budgie.errors import DataError
from budgie.evaluation import answered, raw_text, report
from budgie.evaluation.metrics import percent
from budgie.formats.segmented import ZERO_WIDTH_SPACE, Segmented, Spans, is_blank, read_segmented
from budgie.formats.segmented import words as words_of
from budgie.tasks.segmentation import Segmenter


class _Segmenter(Protocol):
    def spans_batch(self, texts: list[str], threads: int, /) -> Iterable[Spans]: ...


@dataclass(frozen=True)
class WordEvaluation:
    """All words. Shares are between 0 and 1."""

    sentences: int
    words: int
    answers: int  # words that the segmenter found
    right: int  # of both
    precision: float
    recall: float
    f1: float
    sentence_accuracy: float  # share of sentences without a wrong word
    unknown_words: int | None  # words that the training data do not have; None where those are not named
    unknown_word_rate: float | None  # their share of all words
    unknown_word_recall: float | None  # share of them that is right; None where there are none
    known_word_recall: float | None  # the same for all other words


def evaluate_words(
    segmenter: _Segmenter,
    sentences: Iterable[Segmented],
    known_words: Container[str] | None = None,
    threads: int = 1,
) -> WordEvaluation:
    """Segment the texts and compare; `known_words` are those of the training data."""
    segmented = answered(sentences, lambda piece: segmenter.spans_batch([one.text for one in piece], threads))
    return score_words(segmented, known_words)


def score_words(
    segmented: Iterable[tuple[Segmented, Spans]], known_words: Container[str] | None = None
) -> WordEvaluation:
    """Compare the words of each sentence with the spans that a segmenter found in its text.

    White space does not count: spans that differ by nothing else are the same, and those of nothing else are no words.
    """
    answers = 0
    recalled: Counter[tuple[bool, bool]] = Counter()  # words by whether they are known and whether they are right
    whole: Counter[bool] = Counter()  # sentences by whether all words are right
    for sentence, spans in segmented:
        words = [(start, end) for start, end in sentence.spans if not is_blank(sentence.text[start:end])]
        gold = solid_spans(sentence.text, words)
        found = set(solid_spans(sentence.text, spans))
        answers += len(found)
        right = [span in found for span in gold]
        whole[all(right) and len(found) == len(gold)] += 1
        for (start, end), correct in zip(words, right, strict=True):
            recalled[known_words is None or sentence.text[start:end] in known_words, correct] += 1
    if not recalled:
        raise DataError("there are no words to evaluate with")
    total, known = recalled.total(), recalled[True, True] + recalled[True, False]
    found_words = recalled[True, True] + recalled[False, True]
    asked = known_words is not None
    return WordEvaluation(
        sentences=whole.total(),
        words=total,
        answers=answers,
        right=found_words,
        precision=found_words / answers if answers else 0.0,
        recall=found_words / total,
        f1=2 * found_words / (total + answers),
        sentence_accuracy=whole[True] / whole.total(),
        unknown_words=total - known if asked else None,
        unknown_word_rate=(total - known) / total if asked else None,
        unknown_word_recall=recalled[False, True] / (total - known) if asked and total > known else None,
        known_word_recall=recalled[True, True] / known if asked and known else None,
    )


def solid_spans(text: str, spans: Spans) -> list[tuple[int, int]]:
    """The spans in a text whose white space is taken out; those of white space alone are left out."""
    text = text.replace(ZERO_WIDTH_SPACE, " ")
    if not any(map(str.isspace, text)):
        return [(start, end) for start, end in spans if start < end]
    before = [0, *itertools.accumulate(not character.isspace() for character in text)]
    moved = ((before[start], before[end]) for start, end in spans)
    return [(start, end) for start, end in moved if start < end]


def report_words(evaluation: WordEvaluation) -> str:
    """The evaluation for people."""
    rows = {
        "words": f"{evaluation.words:,} in {evaluation.sentences:,} sentences; the model found {evaluation.answers:,}",
        "precision": f"{percent(evaluation.precision)} of the words found are right",
        "recall": f"{percent(evaluation.recall)} of the words are found",
        "F1": percent(evaluation.f1),
        "sentences": f"{percent(evaluation.sentence_accuracy)} have no wrong word",
    }
    if evaluation.unknown_words is not None:
        unknown, rate = f"{evaluation.unknown_words:,}", percent(evaluation.unknown_word_rate)
        recall, others = percent(evaluation.unknown_word_recall), percent(evaluation.known_word_recall)
        rows["unknown words"] = f"{recall} found of the {unknown} ({rate}) that were not in training"
        rows["known words"] = f"{others} found"
    return report(rows)


def evaluate_command(segmenter: Segmenter, args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """`budgie evaluate` for a segmenter: its scores as data, and for people."""
    if segmenter.finds_sentences:
        return raw_text.evaluate_command(segmenter, args)
    convention, known_words = args.convention, None
    if convention is None:
        convention = "underscore" if segmenter.model.config.text.spaces == "join" else "visible"
    if args.train:
        training = read_segmented(*args.train, convention=convention)
        known_words = {word for sentence in training for word in words_of(sentence)}
    sentences = read_segmented(*args.data, convention=convention)
    evaluation = evaluate_words(segmenter, sentences, known_words, args.threads)
    return dataclasses.asdict(evaluation), report_words(evaluation)
