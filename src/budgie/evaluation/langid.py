# SPDX-License-Identifier: Apache-2.0
"""How well a language identifier does on labelled text: what `budgie evaluate` prints."""

from __future__ import annotations

import argparse
import dataclasses
import functools
import itertools
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from budgie.errors import DataError
from budgie.evaluation import answered, report
from budgie.evaluation.metrics import accuracy, accuracy_by_label, calibration_error, macro_accuracy, percent
from budgie.formats.labelled import Example, read_labelled
from budgie.tasks.langid import MACRO, LanguageIdentifier
from budgie.tasks.records import Identification


@dataclass(frozen=True)
class LabelScore:
    """The texts of one label. Shares are between 0 and 1."""

    texts: int
    accuracy: float
    precision: float | None  # None where the label was never the answer
    taken_for: dict[str, int]  # the most frequent wrong answers


@dataclass(frozen=True)
class LanguageEvaluation:
    """All texts. Shares are between 0 and 1."""

    texts: int
    accuracy: float
    macro_accuracy: float
    calibration_error: float
    reliable: float  # share of reliable answers
    reliable_accuracy: float | None  # among those
    unknown_labels: list[str]  # labels of the data that the model does not know: always wrong
    labels: dict[str, LabelScore]


def evaluate_languages(
    identifier: LanguageIdentifier,
    examples: Iterable[Example],
    languages: Sequence[str] | None = None,
    threads: int = 1,
) -> LanguageEvaluation:
    """Identify the texts of all examples and compare with their labels; `languages` restricts the choice.

    With "macro", labels of the examples count as what it calls them, too.
    """
    folded = identifier.all_languages if languages == MACRO else ()
    name = functools.cache(lambda label: identifier.macro(label) if label in folded else label)
    gold: list[str] = []
    predicted: list[str] = []
    probabilities: list[float] = []
    sure: list[bool] = []

    def ask(piece: list[Example]) -> list[Identification]:
        return identifier.identify_batch([example.text for example in piece], languages, threads)

    for example, answer in answered(examples, ask):
        gold.append(name(example.label))
        predicted.append(answer.language)
        probabilities.append(answer.probability)
        sure.append(answer.reliable)
    if not gold:
        raise DataError("there is no text to evaluate with")
    right = [one == other for one, other in zip(gold, predicted, strict=True)]
    right_and_sure = sum(one and other for one, other in zip(right, sure, strict=True))
    return LanguageEvaluation(
        texts=len(gold),
        accuracy=accuracy(gold, predicted),
        macro_accuracy=macro_accuracy(gold, predicted),
        calibration_error=calibration_error(right, probabilities),
        reliable=sum(sure) / len(gold),
        reliable_accuracy=right_and_sure / sum(sure) if any(sure) else None,
        unknown_labels=sorted(set(gold) - _known(identifier, languages)),
        labels=_by_label(gold, predicted),
    )


def _known(identifier: LanguageIdentifier, languages: Sequence[str] | None) -> frozenset[str]:
    """What labels of the data may be."""
    return frozenset((*identifier.all_languages, *(identifier.macro_languages if languages == MACRO else ())))


def _by_label(gold: list[str], predicted: list[str]) -> dict[str, LabelScore]:
    texts, answers, pairs = Counter(gold), Counter(predicted), Counter(zip(gold, predicted, strict=True))
    wrong: dict[str, Counter[str]] = {label: Counter() for label in texts}
    for (label, answer), count in pairs.items():
        if label != answer:
            wrong[label][answer] = count
    return {
        label: LabelScore(
            texts=texts[label],
            accuracy=share,
            precision=pairs[label, label] / answers[label] if answers[label] else None,
            taken_for=dict(wrong[label].most_common(3)),
        )
        for label, share in accuracy_by_label(gold, predicted).items()
    }


def report_languages(evaluation: LanguageEvaluation, per_label: bool) -> str:
    """The evaluation for people."""
    reliable, of_them = percent(evaluation.reliable), percent(evaluation.reliable_accuracy)
    rows = {
        "texts": f"{evaluation.texts:,}",
        "accuracy": f"{percent(evaluation.accuracy)} of all texts (micro)",
        "macro accuracy": f"{percent(evaluation.macro_accuracy)}, the mean over labels",
        "calibration error": percent(evaluation.calibration_error),
        "reliable": f"{reliable} of the answers; {of_them} of them are right",
    }
    if evaluation.unknown_labels:
        rows["unknown labels"] = f"{' '.join(evaluation.unknown_labels)} (always wrong; --known leaves them out)"
    if not per_label:
        return report(rows)
    head = f"{'label':<10}{'texts':>9}{'accuracy':>11}{'precision':>11}  taken for"
    return report(rows, [head, *(_label_row(label, score) for label, score in evaluation.labels.items())])


def _label_row(label: str, score: LabelScore) -> str:
    numbers = f"{score.texts:>9,}{percent(score.accuracy):>11}{percent(score.precision):>11}"
    taken_for = ", ".join(f"{other} {count}" for other, count in score.taken_for.items())
    return f"{label:<10}{numbers}  {taken_for}".rstrip()


def evaluate_command(identifier: LanguageIdentifier, args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """`budgie evaluate` for a language identifier: its scores as data, and for people."""
    examples: Iterable[Example] = itertools.chain.from_iterable(map(read_labelled, args.data))
    if args.known:
        known = _known(identifier, args.languages)
        examples = (example for example in examples if example.label in known)
    evaluation = evaluate_languages(identifier, examples, args.languages, args.threads)
    result = dataclasses.asdict(evaluation)
    if not args.per_label:
        del result["labels"]
    return result, report_languages(evaluation, args.per_label)
