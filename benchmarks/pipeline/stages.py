# SPDX-License-Identifier: Apache-2.0
"""What each stage of Budgie's pipeline costs a token: time, FLOPs, and bytes of the model.

Times are those of pipelines that go one stage further each. FLOPs are counted as in the paper: both layers of a
network, for each of its decisions, with nothing remembered. Bytes are those of the rows that features are looked up
in; the layers are read again and again, and stay in the cache.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from benchmarks.markdown import percent, table
from benchmarks.pipeline.material import TestSet, paragraphs
from benchmarks.pipeline.measure import speed
from benchmarks.pipeline.peers import Contender

import budgie
from budgie.formats.treebank import raw_text
from budgie.model.accounting import account
from budgie.model.config import Config, Group
from budgie.model.features import make_features, make_unit_features, make_word_features

STAGES = {"language": "language", "tokens and sentences": "tokens", "tags": "tags"}  # and what they are called for


def measured(ours: Contender, test: TestSet, rounds: int, seconds: float) -> dict[str, dict[str, float]]:
    """Of each stage CPU seconds, FLOPs and bytes a token, and the bytes of its model."""
    counts = {"language": _language(test), "tokens and sentences": _tokens(test), "tags": _tags(test)}
    taken = _seconds(ours, test, rounds, seconds)
    return {stage: {"seconds": taken[stage], **counts[stage]} for stage in STAGES}


def _seconds(ours: Contender, test: TestSet, rounds: int, seconds: float) -> dict[str, float]:
    """CPU time of a token in each stage: what a pipeline takes longer than the one that ends before."""
    best = dict.fromkeys(STAGES, 0.0)
    for _ in range(rounds):
        for stage, task in STAGES.items():
            best[stage] = max(best[stage], speed(ours, test, f"to {task}", seconds)["tokens_per_s"])
    spent = [0.0, *(1 / rate for rate in best.values())]
    return {stage: after - before for stage, (before, after) in zip(STAGES, pairwise(spent), strict=True)}


def _language(test: TestSet) -> dict[str, float]:
    """One decision for each text, and one for each of its sentences: all n-grams are looked at twice."""
    model = budgie.read_model("langid")
    rows = [2 * len(ids) for ids, _ in make_features(model.config).ids(test.texts)]
    return _cost(model.config, len(test.texts) + len(test.sentences), rows, test.tokens)


def _tokens(test: TestSet) -> dict[str, float]:
    """One decision for each unit."""
    model = budgie.read_model("tokens")
    texts = [raw_text(some) for some in paragraphs(test.sentences)]
    words = [[start for start, _ in one.tokens] for one in texts]
    sentences = [[one.tokens[first][0] for first, _ in one.sentences] for one in texts]
    standards = [model.config.standards.index(test.language)] * len(texts)
    features = make_unit_features(model.config, model.tensors)
    rows, decided = features.decisions([one.text for one in texts], words, sentences, standards)
    return _cost(model.config, len(decided), [ids.size for ids in rows], test.tokens)


def _tags(test: TestSet) -> dict[str, float]:
    """One decision for each word; the rows of a word are read once, though five or seven decisions look at it."""
    model = budgie.read_model(f"pos-{test.language}")
    words = [word.text for sentence in test.sentences for token in sentence.tokens for word in token.words]
    rows = [len(ids) for ids, _ in make_word_features(model.config, model.tensors).ids(words)]
    return _cost(model.config, len(words), rows, test.tokens)


def _cost(config: Config, decisions: int, rows: Sequence[int], tokens: int) -> dict[str, float]:
    counted = account(config)
    read = sum(count * row_bytes(group) for count, group in zip(rows, config.groups, strict=True))
    return {
        "decisions": decisions / tokens,
        "flops": counted.flops * decisions / tokens,
        "row_bytes": read / tokens,
        "model_bytes": counted.size,
    }


def row_bytes(group: Group) -> float:
    """Bytes of one row of an embedding."""
    return group.dim * group.bits / 8


def table_of(language: str, stages: dict[str, dict[str, float]]) -> str:
    """The stages of one language, and all together."""
    total = {key: sum(stage[key] for stage in stages.values()) for key in next(iter(stages.values()))}
    rows = []
    for name, cost in {**stages, "all": total}.items():
        rows.append(
            (
                name,
                *(
                    _with_share(cost[key], total[key], unit)
                    for key, unit in (("seconds", 1e9), ("flops", 1), ("row_bytes", 1))
                ),
                f"{cost['decisions']:.2f}",
                f"{cost['model_bytes'] / 1e6:.2f}",
            )
        )
    header = ("stage", "ns a token", "FLOPs a token", "bytes of rows a token", "decisions a token", "model MB")
    return f"## Stages, {language}\n\n" + table(header, rows)


def _with_share(value: float, total: float, unit: float) -> str:
    return f"{value * unit:,.0f} ({percent(value / total, 0)} %)"
