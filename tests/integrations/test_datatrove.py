# SPDX-License-Identifier: Apache-2.0
"""Budgie inside of datatrove: `make test-corpus-tools` runs these tests with the datatrove of PyPI."""

from __future__ import annotations

import gzip
import json
import pickle
import socket
from pathlib import Path
from typing import Any

import pytest

import budgie

pytest.importorskip("datatrove", reason="datatrove is not installed here; make test-corpus-tools runs these tests")

from datatrove.data import Document
from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.filters import GopherQualityFilter
from datatrove.pipeline.filters.base_filter import BaseFilter
from datatrove.pipeline.readers import JsonlReader
from datatrove.pipeline.writers import JsonlWriter
from datatrove.utils.text import SPLIT_TEXT_SENTENCES, SPLIT_TEXT_WORDS, split_into_parts
from datatrove.utils.word_tokenizers import load_tokenizer_assignments, load_word_tokenizer

from budgie.integrations.datatrove import BudgieLanguageFilter, BudgieLID, BudgieTokenizer, use_tokenizer

TEXTS = {
    "en": "The committee has not yet said when it will decide about the new bridge.",
    "de": "Der Ausschuss hat noch nicht gesagt, wann er über die neue Brücke entscheiden wird.",
    "ja": "委員会は新しい橋についていつ決定するかまだ明らかにしていない。",
    "zh-Hant": "委員會還沒有說明什麼時候會對新的橋樑做出決定。",
}


def documents(texts: dict[str, str] | None = None) -> list[Document]:
    return [Document(text=text, id=name) for name, text in (texts or TEXTS).items()]


def kept(step: BaseFilter, texts: dict[str, str] | None = None) -> list[str]:
    return [document.id for document in step.run(documents(texts))]


# ---- the filter -------------------------------------------------------------------------------------------------


def test_languages_that_are_kept() -> None:
    assert kept(BudgieLanguageFilter()) == list(TEXTS)
    assert kept(BudgieLanguageFilter("en")) == ["en"]
    assert kept(BudgieLanguageFilter(["German", "jpn_Jpan"])) == ["de", "ja"]
    assert kept(BudgieLanguageFilter("zh")) == ["zh-Hant"]
    assert kept(BudgieLanguageFilter("zh-Hans")) == []
    assert kept(BudgieLanguageFilter(language_threshold=1.0)) == []
    assert kept(BudgieLanguageFilter("fr", label_only=True)) == list(TEXTS)


def test_metadata_are_those_of_the_own_filter() -> None:
    for document in BudgieLanguageFilter().run(documents()):
        expected = budgie.identify(document.text)
        assert document.metadata == {"language": document.id, "language_score": pytest.approx(expected.probability)}
        assert type(document.metadata["language_score"]) is float
    written = [one.metadata["language"] for one in BudgieLanguageFilter(labels="iso").run(documents())]
    assert written == ["eng_Latn", "deu_Latn", "jpn_Jpan", "zho_Hant"]
    split = [one.metadata for one in BudgieLanguageFilter(labels="glotlid").run(documents())]
    assert [one["language"] for one in split] == ["eng", "deu", "jpn", "zho"]
    assert [one["language_script"] for one in split] == ["Latn", "Latn", "Jpan", "Hant"]


def test_top_pairs() -> None:
    text = {"x": "da er det"}
    ranking = budgie.rank(text["x"], 1000)
    for threshold in (0.3, 0.01, 0):
        (document,) = BudgieLanguageFilter(label_only=True, keep_top_pairs_threshold=threshold).run(documents(text))
        found = {name: score for name, score in document.metadata.items() if name.startswith("top_language_")}
        likely = {f"top_language_{one.language}_score": one.probability for one in ranking}
        assert found == {name: score for name, score in likely.items() if score > threshold}
    assert len(found) > 5
    some = BudgieLanguageFilter(["da", "no"], label_only=True, keep_top_pairs_threshold=0, labels="iso")
    (document,) = some.run(documents(text))
    assert {name for name in document.metadata if name.startswith("top_")} == {
        "top_language_dan_Latn_score",
        "top_language_nob_Latn_score",
    }


def test_a_language_that_is_not_the_best_counts_above_a_low_threshold() -> None:
    text = {"x": "da er det"}
    first, second, *_ = budgie.rank(text["x"], 2)
    low = second.probability - 0.001
    assert kept(BudgieLanguageFilter(second.language, low), text) == ["x"]
    assert kept(BudgieLanguageFilter(second.language, second.probability + 0.001), text) == []
    assert kept(BudgieLanguageFilter(first.language, low), text) == ["x"]


def test_text_of_no_language_and_long_text() -> None:
    texts = {"empty": "", "signs": " 12 ?! \n", "long": TEXTS["en"] * 20_000, "lines": TEXTS["de"].replace(" ", "\n")}
    assert kept(BudgieLanguageFilter(), texts) == ["long", "lines"]
    nothing = Document(text=None, id="nothing")
    BudgieLanguageFilter(labels="iso").filter(nothing)
    assert nothing.metadata["language"] == "und_Zyyy"
    assert BudgieLanguageFilter("de").filter(documents()[1]) is True


@pytest.mark.parametrize("batch_size", [1, 2, 1000])
def test_batches_change_nothing(batch_size: int) -> None:
    step = BudgieLanguageFilter(["en", "ja"], batch_size=batch_size)
    assert kept(step) == ["en", "ja"]


def test_pickle_has_no_model() -> None:
    packed = pickle.dumps(BudgieLanguageFilter(["en", "ja"], 0.8, labels="iso"))
    assert len(packed) < 2000
    assert kept(pickle.loads(packed)) == ["en", "ja"]


@pytest.mark.parametrize("workers", [1, 2])
def test_a_pipeline_from_file_to_file(tmp_path: Path, workers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "in").mkdir()
    for number in range(2):
        lines = [json.dumps({"id": f"{name}{number}", "text": text}) for name, text in TEXTS.items()]
        (tmp_path / "in" / f"{number}.jsonl").write_text("\n".join(lines), "utf-8")

    def refused(*_: Any) -> None:
        raise OSError("no network in here")

    monkeypatch.setattr(socket, "getaddrinfo", refused)
    step = BudgieLanguageFilter(["en", "zh"], exclusion_writer=JsonlWriter(str(tmp_path / "dropped")))
    LocalPipelineExecutor(
        [JsonlReader(str(tmp_path / "in")), step, JsonlWriter(str(tmp_path / "out"))],
        tasks=2,
        workers=workers,
        logging_dir=str(tmp_path / "logs"),
    ).run()
    assert languages_in(tmp_path / "out") == ["en", "en", "zh-Hant", "zh-Hant"]
    assert languages_in(tmp_path / "dropped") == ["de", "de", "ja", "ja"]


def languages_in(folder: Path) -> list[str]:
    lines = [line for file in folder.iterdir() for line in gzip.decompress(file.read_bytes()).splitlines()]
    return sorted(json.loads(line)["metadata"]["language"] for line in lines)


def test_scores_for_steps_that_take_an_identifier() -> None:
    document = Document(text=TEXTS["zh-Hant"], id="x")
    best, scores = BudgieLID(["zh", "en", "eng_Latn"]).predict(document)
    assert best[0] == "zh-Hant" and best[1] > 0.9
    assert list(scores) == ["zh", "en", "eng_Latn"]
    assert scores["zh"] >= best[1] and scores["en"] == scores["eng_Latn"] < 0.01
    best, scores = BudgieLID(labels="iso").predict(document)
    assert best == ("zho_Hant", scores["zho_Hant"]) and len(scores) > 100


# ---- words and sentences ----------------------------------------------------------------------------------------

RUNNING = {
    "en": ("Dr. Lee left.  Why? \nNobody knows.", ["Dr. Lee left.", "Why?", "Nobody knows."]),
    "zh": ("我们在图书馆看书。你好！", ["我们在图书馆看书。", "你好！"]),
    "ja": ("今日は天気がいい。行こう。", ["今日は天気がいい。", "行こう。"]),
    "de": ("Er kam z. B. am 3. Mai an. Das war schön!", ["Er kam z. B. am 3. Mai an.", "Das war schön!"]),
}


@pytest.mark.parametrize("language", RUNNING)
def test_words_sentences_and_where_they_are(language: str) -> None:
    text, sentences = RUNNING[language]
    for tokenizer in (BudgieTokenizer(language), BudgieTokenizer()):
        assert tokenizer.sent_tokenize(text) == sentences
        assert [text[start:end] for start, end in tokenizer.span_tokenize(text)] == sentences
        assert tokenizer.word_tokenize(text) == budgie.segment(text, language)
        # what datatrove itself makes of them: the parts of a text cover it, and words are in it one behind the other
        parts = split_into_parts(text, SPLIT_TEXT_SENTENCES, tokenizer)
        assert "".join(parts) == text and list(map(str.strip, parts)) == sentences
        assert "".join(split_into_parts(text, SPLIT_TEXT_WORDS, tokenizer)) == "".join(text.split())


def test_a_text_without_words() -> None:
    for text in ("", " \n"):
        tokenizer = BudgieTokenizer("en")
        assert (tokenizer.word_tokenize(text), tokenizer.sent_tokenize(text), tokenizer.span_tokenize(text)) == (
            [],
            [],
            [],
        )
        assert split_into_parts(text, SPLIT_TEXT_SENTENCES, tokenizer) == [text]


def test_a_tokenizer_by_any_name_and_from_a_pickle() -> None:
    assert BudgieTokenizer("zho_Hans").language == BudgieTokenizer("Chinese").language == "zh"
    packed = pickle.dumps(BudgieTokenizer("Japanese"))
    assert len(packed) < 200
    assert pickle.loads(packed).word_tokenize("行こう。") == ["行こう", "。"]
    with pytest.raises(budgie.ConfigError, match="did you mean german"):
        BudgieTokenizer("germn")


def test_a_step_takes_a_tokenizer_in_place_of_a_language() -> None:
    text = "我们在图书馆看书"
    count = len(budgie.segment(text, "zh"))
    for least, expected in ((count, True), (count + 1, (False, "gopher_short_doc"))):
        settings = {"max_doc_words": 100, "min_avg_word_length": None, "min_stop_words": None}
        step = GopherQualityFilter(language=BudgieTokenizer("zh"), min_doc_words=least, **settings)
        assert step.filter(Document(text=text, id="x")) == expected


def test_datatrove_takes_it_for_names_of_languages() -> None:
    factories = load_tokenizer_assignments()
    before = dict(factories)
    try:
        use_tokenizer(["th", "Traditional Chinese"])
        for name in ("th", "tha", "tha_Thai", "zho_Hant", "zh-Hant"):
            assert isinstance(load_word_tokenizer(name), BudgieTokenizer), name
        assert factories["jpn"] is before["jpn"] and factories["eng"] is before["eng"]
        use_tokenizer()
        assert split_into_parts("今日は天気がいい。", SPLIT_TEXT_WORDS, "jpn") == [
            "今日",
            "は",
            "天気",
            "が",
            "いい",
            "。",
        ]
        assert load_word_tokenizer("en").word_tokenize("Why not?") == ["Why", "not", "?"]
        assert load_word_tokenizer("hrv_Latn").language == "hr"
    finally:
        factories.clear()
        factories.update(before)
        load_word_tokenizer.cache_clear()
