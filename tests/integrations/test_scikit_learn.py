# SPDX-License-Identifier: Apache-2.0
"""Budgie's words as those of scikit-learn, by examples/: `make test-integrations` runs these tests."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from examples import load, run

import budgie

WEATHER = "今天下雨了 明天天气很好 昨天下雪了 外面刮着大风 今日は雨が降ります 明日の天気はいい 昨日は雪でした".split()
FOOD = (
    "我喜欢吃苹果 餐厅的菜很好吃 我们吃了饺子 他在喝茶 りんごを食べます この店の料理はおいしい お茶を飲みました".split()
)
TEXTS, TOPICS = [*WEATHER, *FOOD], ["weather"] * len(WEATHER) + ["food"] * len(FOOD)
NEW = ["天气好，不下雨", "饺子很好吃", "雨の天気", "お茶とりんご", ""]

PREDICT = "import pickle, sys; sys.stdout.buffer.write(pickle.dumps(pickle.load(sys.stdin.buffer).predict_proba({!r})))"


def elsewhere(pickled: bytes) -> np.ndarray:
    """What another process predicts, which has the pickle and nothing of this test."""
    call = [sys.executable, "-c", PREDICT.format(NEW)]
    return pickle.loads(subprocess.run(call, input=pickled, stdout=subprocess.PIPE, timeout=100, check=True).stdout)


TOKENIZERS = {
    "any language": budgie.segment,
    "Chinese": budgie.load("seg-zh").segment,
    "Japanese": budgie.load("seg-ja").segment,
}


@pytest.mark.parametrize("name", TOKENIZERS)
def test_classifier_is_the_same_elsewhere(name: str) -> None:
    make = load("scikit_learn_topics.py", "sklearn")["make_classifier"]
    classifier = make(TOKENIZERS[name]).fit(TEXTS, TOPICS)
    words = {word for text in TEXTS for word in TOKENIZERS[name](text)}
    assert set(classifier["words"].get_feature_names_out()) == words
    assert (elsewhere(pickle.dumps(classifier)) == classifier.predict_proba(NEW)).all()


def test_clones_and_searches() -> None:
    make = load("scikit_learn_topics.py", "sklearn")["make_classifier"]
    from sklearn.base import clone
    from sklearn.model_selection import GridSearchCV

    classifier = make(budgie.load("seg-zh").segment)
    twin = clone(classifier).fit(TEXTS, TOPICS)
    assert (twin.predict_proba(NEW) == classifier.fit(TEXTS, TOPICS).predict_proba(NEW)).all()
    choices = {"words__tokenizer": list(TOKENIZERS.values()), "words__ngram_range": [(1, 1), (1, 2)]}
    search = GridSearchCV(classifier, choices, cv=2, n_jobs=2).fit(TEXTS, TOPICS)
    assert len(search.cv_results_["params"]) == 6 and np.isfinite(search.cv_results_["mean_test_score"]).all()


def test_program(tmp_path: Path) -> None:
    load("scikit_learn_topics.py", "sklearn")
    lines = [f"{topic}\t{text}\n" for topic, text in zip(TOPICS, TEXTS, strict=True)]
    (tmp_path / "topics.tsv").write_text("".join(lines), "utf-8")
    run("scikit_learn_topics.py", tmp_path / "topics.tsv", tmp_path / "topics.pickle")
    pickled = (tmp_path / "topics.pickle").read_bytes()
    assert pickle.loads(pickled).predict(NEW[:4]).tolist() == ["weather", "food", "weather", "food"]
    assert (elsewhere(pickled) == pickle.loads(pickled).predict_proba(NEW)).all()
