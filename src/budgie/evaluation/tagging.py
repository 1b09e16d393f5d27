# SPDX-License-Identifier: Apache-2.0
"""How well a tagger does on tagged sentences: what `budgie evaluate` prints."""

from __future__ import annotations

import argparse
import dataclasses
import itertools
from collections import Counter
from collections.abc import Container, Iterable
from dataclasses import dataclass
from typing import Any

from budgie.errors import DataError
from budgie.evaluation import answered, report
from budgie.evaluation.metrics import accuracy, percent
from budgie.formats.sentences import TokenisedSentence, read_tagged
from budgie.tasks.tagging import Tagger

_CONFUSIONS = 10  # how many are told


@dataclass(frozen=True)
class TagScore:
    """The words of one tag. Shares are between 0 and 1."""

    words: int
    precision: float | None  # None where the tag was never the answer
    recall: float | None  # None where no word of the data has the tag
    f1: float


@dataclass(frozen=True)
class Confusion:
    """Words whose tag is `tag` and that were taken for `answer`."""

    tag: str
    answer: str
    words: int


@dataclass(frozen=True)
class TagEvaluation:
    """All words. Shares are between 0 and 1."""

    sentences: int
    words: int
    accuracy: float
    sentence_accuracy: float  # share of sentences without a wrong tag
    unknown_words: int | None  # words that the training data do not have; None where those are not named
    unknown_word_accuracy: float | None  # among those
    unknown_tags: list[str]  # tags of the data that the model does not know: always wrong
    tags: dict[str, TagScore]
    confusions: list[Confusion]  # the most frequent ones


def evaluate_tags(
    tagger: Tagger, sentences: Iterable[TokenisedSentence], known_words: Container[str] | None = None, threads: int = 1
) -> TagEvaluation:
    """Tag the words of tagged sentences and compare; `known_words` are those of the training data."""
    gold: list[str] = []
    answers: list[str] = []
    unknown: Counter[bool] = Counter()  # unknown words by whether the answer is right
    whole: Counter[bool] = Counter()  # sentences by whether all answers are right
    for sentence, tags in answered(sentences, lambda piece: tagger.tag_batch([s.words for s in piece], threads)):
        gold += sentence.tags or ()
        answers += tags
        right = [one == other for one, other in zip(sentence.tags or (), tags, strict=True)]
        whole[all(right)] += 1
        if known_words is not None:
            unknown.update(itertools.compress(right, [word not in known_words for word in sentence.words]))
    if not gold:
        raise DataError("there are no words to evaluate with")
    pairs = Counter(zip(gold, answers, strict=True))
    return TagEvaluation(
        sentences=whole.total(),
        words=len(gold),
        accuracy=accuracy(gold, answers),
        sentence_accuracy=whole[True] / whole.total(),
        unknown_words=None if known_words is None else unknown.total(),
        unknown_word_accuracy=unknown[True] / unknown.total() if unknown else None,
        unknown_tags=sorted(set(gold) - set(tagger.tags)),
        tags=_by_tag(pairs),
        confusions=_confusions(pairs),
    )


def _by_tag(pairs: Counter[tuple[str, str]]) -> dict[str, TagScore]:
    words, answers = Counter[str](), Counter[str]()
    for (tag, answer), count in pairs.items():
        words[tag] += count
        answers[answer] += count
    return {
        tag: TagScore(
            words=words[tag],
            precision=pairs[tag, tag] / answers[tag] if answers[tag] else None,
            recall=pairs[tag, tag] / words[tag] if words[tag] else None,
            f1=2 * pairs[tag, tag] / (words[tag] + answers[tag]),
        )
        for tag in sorted(words | answers)
    }


def _confusions(pairs: Counter[tuple[str, str]]) -> list[Confusion]:
    wrong = [Confusion(tag, answer, count) for (tag, answer), count in pairs.items() if tag != answer]
    return sorted(wrong, key=lambda one: (-one.words, one.tag, one.answer))[:_CONFUSIONS]


def report_tags(evaluation: TagEvaluation, per_tag: bool) -> str:
    """The evaluation for people."""
    rows = {
        "words": f"{evaluation.words:,} in {evaluation.sentences:,} sentences",
        "accuracy": f"{percent(evaluation.accuracy)} of all words",
        "sentences": f"{percent(evaluation.sentence_accuracy)} have no wrong tag",
    }
    if evaluation.unknown_words is not None:
        share = percent(evaluation.unknown_word_accuracy)
        rows["unknown words"] = f"{share} of the {evaluation.unknown_words:,} words that were not in training"
    if evaluation.unknown_tags:
        rows["unknown tags"] = f"{' '.join(evaluation.unknown_tags)} (always wrong: the model does not know them)"
    if not per_tag:
        return report(rows)
    scores = [f"{'tag':<10}{'words':>9}{'precision':>11}{'recall':>11}{'F1':>11}"]
    scores += [_tag_row(tag, score) for tag, score in evaluation.tags.items()]
    confusions = [f"{'tag':<10}{'taken for':<10}{'words':>9}"]
    confusions += [f"{one.tag:<10}{one.answer:<10}{one.words:>9,}" for one in evaluation.confusions]
    return report(rows, scores, confusions)


def _tag_row(tag: str, score: TagScore) -> str:
    shares = "".join(f"{percent(share):>11}" for share in (score.precision, score.recall, score.f1))
    return f"{tag:<10}{score.words:>9,}{shares}"


def evaluate_command(tagger: Tagger, args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """`budgie evaluate` for a tagger: its scores as data, and for people."""
    known_words = None
    if args.train:
        known_words = {word for sentence in read_tagged(*args.train) for word in sentence.words}
    evaluation = evaluate_tags(tagger, read_tagged(*args.data), known_words, args.threads)
    result = dataclasses.asdict(evaluation)
    if not args.per_label:
        del result["tags"], result["confusions"]
    return result, report_tags(evaluation, args.per_label)
