# SPDX-License-Identifier: Apache-2.0
"""Calibration: divide scores by a + b / sqrt(letters), so that probabilities mean what they say at every length."""

from __future__ import annotations

import argparse
import json
import sys

import numpy as np
import torch

from budgie import read_model
from budgie.errors import DataError
from budgie.evaluation.metrics import calibration_error
from budgie.formats.labelled import read_labelled
from budgie.model.file import Model
from budgie.model.tensors import Tensor
from budgie.tasks.langid import ALL, LanguageIdentifier
from budgie.train.network.batches import Labels

_LEAST = 0.05  # of a and b: the temperature must stay above zero


def calibrate(identifier: LanguageIdentifier, texts: list[str], labels: Labels) -> tuple[float, float]:
    """The (a, b) under which held-out texts are most probable."""
    letters = torch.tensor([max(1, identifier.letters(text)) for text in texts], dtype=torch.float32)
    scores = torch.tensor([identifier.scores(text) for text in texts])
    gold = torch.from_numpy(labels)
    raw = torch.tensor([0.5, 0.0], requires_grad=True)

    def values() -> torch.Tensor:
        return torch.nn.functional.softplus(raw) + _LEAST

    search = torch.optim.LBFGS([raw], max_iter=100, line_search_fn="strong_wolfe")

    def loss() -> torch.Tensor:
        search.zero_grad()
        a, b = values()
        value = torch.nn.functional.cross_entropy(scores / (a + b / letters.sqrt()).unsqueeze(1), gold)
        value.backward()  # type: ignore[no-untyped-call]
        return value

    search.step(loss)  # type: ignore[no-untyped-call]
    a, b = values().tolist()
    return a, b


def calibrate_command(args: argparse.Namespace) -> int:
    """`budgie calibrate`."""
    model = read_model(args.model)
    identifier, numbers = LanguageIdentifier(model), {label: i for i, label in enumerate(model.config.labels)}
    examples = [e for path in args.data for e in read_labelled(path) if e.label in numbers]
    if not examples:
        raise DataError("none of the labels of the data is one of the model's languages")
    gold = np.array([numbers[example.label] for example in examples])
    a, b = calibrate(identifier, [example.text for example in examples], gold)
    tensors = {**model.tensors, "calibration": Tensor("F32", (2,), np.array([a, b], dtype=np.float32).tobytes())}
    texts, labels = [example.text for example in examples], [example.label for example in examples]
    before = _scores(identifier, texts, labels)
    after = _scores(LanguageIdentifier(Model(model.config, tensors)), texts, labels)
    names = ", ".join(path.name for path in args.data)
    Model(model.config, tensors, {**model.info, "calibrated_on": names, "scores": json.dumps(after)}).write(args.out)
    for name, scores in (("before", before), ("after", after)):
        sys.stderr.write(f"{name}: " + ", ".join(f"{what} {value}" for what, value in scores.items()) + "\n")
    return 0


def _scores(identifier: LanguageIdentifier, texts: list[str], labels: list[str]) -> dict[str, float]:
    answers = identifier.identify_batch(texts, ALL)
    right = [answer.language == label for answer, label in zip(answers, labels, strict=True)]
    error = calibration_error(right, [answer.probability for answer in answers])
    return {
        "accuracy on the calibration texts": round(100 * sum(right) / len(right), 2),
        "calibration error": round(100 * error, 2),
    }
