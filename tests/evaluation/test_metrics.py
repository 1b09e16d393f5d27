# SPDX-License-Identifier: Apache-2.0
"""Scores, against numbers worked out by hand."""

import pytest

from budgie.evaluation.metrics import accuracy, accuracy_by_label, calibration_error, macro_accuracy

GOLD = ["de", "de", "de", "en", "fr", "fr"]
PREDICTED = ["de", "nl", "nl", "en", "fr", "de"]


def test_accuracy_counts_texts_and_macro_accuracy_counts_labels() -> None:
    assert accuracy(GOLD, PREDICTED) == pytest.approx(3 / 6)
    assert accuracy_by_label(GOLD, PREDICTED) == pytest.approx({"de": 1 / 3, "en": 1.0, "fr": 0.5})
    assert macro_accuracy(GOLD, PREDICTED) == pytest.approx((1 / 3 + 1 + 1 / 2) / 3)


def test_calibration_error() -> None:
    assert calibration_error([True, False], [1.0, 0.0]) == 0.0
    assert calibration_error([True, False], [0.5, 0.5]) == pytest.approx(0.0)
    assert calibration_error([False, False], [0.9, 0.8]) == pytest.approx(0.85)
    # 0.94 and 0.98 share the last of 15 bins, so their gaps cancel in part; 0.1 stands alone
    assert calibration_error([True, False, False], [0.94, 0.98, 0.1]) == pytest.approx((0.92 + 0.1) / 3)


@pytest.mark.parametrize("score", [accuracy, macro_accuracy])
def test_lists_must_match(score: object) -> None:
    assert callable(score)
    with pytest.raises(ValueError, match="2 gold labels, but 1 answers"):
        score(["a", "b"], ["a"])
    with pytest.raises(ValueError, match="nothing to score"):
        score([], [])


def test_calibration_needs_probabilities() -> None:
    with pytest.raises(ValueError, match="not a probability"):
        calibration_error([True], [1.5])
