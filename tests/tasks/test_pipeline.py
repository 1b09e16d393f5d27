# SPDX-License-Identifier: Apache-2.0
"""The pipeline: what it gives, that it does not depend on how it is asked, and that any text is welcome."""

from __future__ import annotations

import itertools
import json
import pickle
import threading
import time
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import budgie
from budgie import coverage

ENGLISH = 'Dr. Lee didn\'t ask why. "It rains," she said.'
MIXED = (
    "The old ferry leaves the harbour at seven, unless it rains.\n"
    "Der Zug nach Köln hat zwanzig Minuten Verspätung, sagte die Schaffnerin müde.\n"
    "小猫在窗台上睡觉，一点儿也不在乎外面下着的大雨。\n"
    "Le chat du voisin dort au soleil pendant que les enfants jouent.\n"
)
TEXTS = [
    ENGLISH, MIXED, "", " \n\t ", "12 + 3 = 15 !", "ꆈꌠ ꁱꂷ", "ภาษาไทยง่ายมาก", "Tôi sống ở Hà Nội. Bạn khỏe không?",
    "東京に行きました。楽しかった！", "القطة تنام على حافة النافذة.", "a\ud800b \x00 c", "🇩🇪👍🏽 ok :-)", "x" * 5000,
    "a\u200bb", "one \u200b two.\u200b", "កម្ពុជា\u200bជា\u200bប្រទេស",
]  # fmt: skip


@pytest.fixture(scope="module")
def pipeline() -> budgie.Pipeline:
    return budgie.Pipeline(probabilities=True)


def is_white(text: str) -> bool:
    """As Unicode has it, and the zero-width space; Python counts four control characters, too."""
    return text.replace("\u200b", " ").isspace() and not set(text) & set("\x1c\x1d\x1e\x1f")


def text_of_rows(sentence: str) -> str:
    """What the rows of a sentence of CoNLL-U say that its text is."""
    text, last = "", 0  # of the words of the multiword token
    for number, form, *_, more in (row.split("\t") for row in sentence.split("\n") if not row.startswith("#")):
        first, _, end = number.partition("-")
        if int(first) > last:
            text += form + ("" if "SpaceAfter=No" in more.split("|") else " ")
        last = int(end or last)
    return text.rstrip(" ")


def check(document: budgie.Document, text: str | bytes) -> None:
    """What holds of every document."""
    assert document.text == text
    spans = document.spans
    assert [span.start for span in spans] == [0, *(span.end for span in spans[:-1])] if text else not spans
    assert not text or spans[-1].end == len(text)
    tokens = document.tokens
    for token in tokens:
        assert token.text == text[token.start : token.end]
        assert token.start < token.end
        if isinstance(text, str):
            assert not is_white(token.text[0])
            assert not is_white(token.text[-1])
            assert token.space_after == is_white(text[token.end : token.end + 1])
    assert all(one.end <= other.start for one, other in pairwise(tokens))
    covered = {place for token in tokens for place in range(token.start, token.end)}
    if isinstance(text, str):
        assert all(place in covered or is_white(c) for place, c in enumerate(text))
    for sentence in document.sentences:
        assert (sentence.start, sentence.end) == (sentence.tokens[0].start, sentence.tokens[-1].end)
        assert sentence.text == text[sentence.start : sentence.end]
        assert sentence.language in {span.language for span in spans}
    for one in document.to_conllu().split("\n\n")[:-1]:
        assert one.split("\n")[2] == f"# text = {text_of_rows(one)}"


def test_a_document(pipeline: budgie.Pipeline) -> None:
    document = pipeline.annotate(ENGLISH)
    assert document.language == "en"
    assert [sentence.text for sentence in document.sentences] == [ENGLISH[:23], ENGLISH[24:]]
    first = document.sentences[0]
    assert [token.text for token in first.tokens] == ["Dr.", "Lee", "didn't", "ask", "why", "."]
    assert [token.tag for token in first.tokens] == ["PROPN", "PROPN", "AUX+PART", "VERB", "ADV", "PUNCT"]
    assert [(word.text, word.tag) for word in first.tokens[2].words] == [("did", "AUX"), ("n't", "PART")]
    assert all(0.3 < word.probability <= 1 for word in first.tokens[2].words if word.probability is not None)
    assert first.tokens[3].probability is not None
    assert "didn't/AUX+PART" in repr(document)


def test_any_document_can_be_printed(pipeline: budgie.Pipeline) -> None:
    for text in ("\ud800 x", "x \udc00y.", b"\xed\xa0\x80 x", "\x00 \x1b[1m"):
        assert str(pipeline.annotate(text)).encode()  # a lone surrogate is in no encoding
    assert "\\ud800" in repr(pipeline.annotate("\ud800 x")).splitlines()[1]


def test_mixed_text_goes_by_the_models_of_its_languages(pipeline: budgie.Pipeline) -> None:
    document = pipeline.annotate(MIXED)
    assert [span.language for span in document.spans] == ["en", "de", "zh", "fr"]
    english, german, chinese, french = document.sentences
    assert all(token.tag for sentence in (english, german, chinese, french) for token in sentence.tokens)
    assert [token.text for token in chinese.tokens][:3] == ["小", "猫", "在"] or chinese.tokens[0].text == "小猫"
    assert [word.text for token in french.tokens for word in token.words] == ["de", "le", "à", "le"]


def test_unknown_scripts_are_und(pipeline: budgie.Pipeline) -> None:
    document = pipeline.annotate("ꆈꌠ ꁱꂷ")
    assert document.language == coverage.NO_LANGUAGE
    assert [token.text for token in document.tokens] == ["ꆈꌠ", "ꁱꂷ"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [("ພາສາລາວແມ່ນງາມ ຫຼາຍ.", ["ພາສາລາວແມ່ນງາມ", "ຫຼາຍ", "."]), ("བོད་སྐད།", ["བོད", "་", "སྐད", "།"])],
)
def test_scripts_without_spaces_and_segmenters_stay_whole(
    pipeline: budgie.Pipeline, text: str, expected: list[str]
) -> None:
    assert [token.text for token in pipeline.annotate(text).tokens] == expected


@pytest.mark.parametrize(
    ("text", "language", "words"),
    [
        (
            "我们明天开会，请发邮件到zhang@example.com。谢谢你的帮助。",
            "zh",
            ["我们", "zhang@example.com", "谢谢", "帮助"],
        ),
        ("@张伟：我们明天一起去北京好吗？", "zh", ["我们", "明天", "北京"]),
        ("詳細は（https://example.jp）をご覧ください。", "ja", ["https://example.jp", "ご覧", "ください"]),
        ("ดูเพิ่มเติมที่https://example.com/ วันนี้อากาศดี", "th", ["ดู", "อากาศ"]),
    ],
)
def test_addresses_in_text_without_spaces(
    pipeline: budgie.Pipeline, text: str, language: str, words: list[str]
) -> None:
    document = pipeline.annotate(text)
    assert [span.language for span in document.spans] == [language]
    assert set(words) <= {token.text for token in document.tokens}


def test_how_sure_the_language_is(pipeline: budgie.Pipeline) -> None:
    assert pipeline.annotate("The cat sleeps under the table, as cats do.").reliable
    doubtful = pipeline.annotate("ok")
    assert not doubtful.reliable
    assert doubtful.probability < 0.5
    assert not pipeline.annotate("").reliable
    for document in pipeline.annotate_batch(TEXTS):
        longest = max(document.spans, key=lambda one: (one.language == document.language) * (one.end - one.start + 1),
                      default=budgie.Span(0, 0, "und", 0.0, False))  # fmt: skip
        assert longest[2:] == (document.language, document.probability, document.reliable)
        assert document.to_dict()["reliable"] == document.reliable


def test_a_stream_does_not_wait_for_all_of_its_texts(pipeline: budgie.Pipeline) -> None:
    read = 0

    def texts() -> Iterator[str]:
        nonlocal read
        for number in range(10_000):
            read += 1
            yield f"The cat {number} sleeps."

    next(pipeline.annotate_stream(texts(), threads=2))
    assert read < 100


@pytest.mark.parametrize("text", TEXTS)
def test_what_holds_of_every_document(pipeline: budgie.Pipeline, text: str) -> None:
    check(pipeline.annotate(text), text)
    check(pipeline.annotate(text, "und"), text)
    coded = text.encode("utf-8", "replace")
    check(pipeline.annotate(coded), coded)


@given(st.text(max_size=200), st.sampled_from([None, "en", "fr", "he", "zh", "vi", "th", "und"]))
@settings(max_examples=300, deadline=None)
def test_any_text(text: str, language: str | None) -> None:
    document = budgie.annotate(text, language)
    check(document, text)
    assert json.loads(document.to_json()) == document.to_dict()
    rows = [line for line in document.to_conllu().split("\n") if line and not line.startswith("# ")]
    assert all(line.count("\t") == 9 for line in rows)


@given(st.binary(max_size=200))
@settings(max_examples=200, deadline=None)
def test_any_bytes(text: bytes) -> None:
    check(budgie.annotate(text), text)


def test_neither_batches_nor_threads_matter(pipeline: budgie.Pipeline) -> None:
    alone = [pipeline.annotate(text).to_json() for text in TEXTS]
    for threads in (1, 2, 5):
        assert [one.to_json() for one in pipeline.annotate_batch(TEXTS, threads=threads)] == alone
        stream = pipeline.annotate_stream(iter(TEXTS * 30), threads=threads)
        assert [one.to_json() for one in stream] == alone * 30


def test_a_stream_waits_for_few_texts(pipeline: budgie.Pipeline) -> None:
    """However short they are, and however many threads there might be."""
    texts = iter(["", *["x" * 100_000] * 10_000])
    next(pipeline.annotate_stream(texts, language="en", threads=2**40))
    assert any(True for _ in texts)
    next(pipeline.annotate_stream(itertools.repeat("")))


def test_many_spans_take_linear_time(pipeline: budgie.Pipeline) -> None:
    def seconds(times: int) -> float:
        text = "The house is big and red. Das Haus ist gross und rot. " * times
        begin = time.perf_counter()
        assert len(pipeline.annotate(text).spans) == 2 * times
        return time.perf_counter() - begin

    seconds(10)
    assert seconds(12_000) < 4 * 8 * min(seconds(1500) for _ in range(2))


def test_threads_that_need_models_at_once() -> None:
    fresh = budgie.Pipeline()
    found: list[str] = []
    threads = [
        threading.Thread(target=lambda text=text: found.append(fresh.annotate(text).to_json())) for text in TEXTS * 3
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == sorted([one.to_json() for one in budgie.Pipeline().annotate_batch(TEXTS)] * 3)


def test_bytes_have_the_tokens_of_str(pipeline: budgie.Pipeline) -> None:
    for text in TEXTS:
        if text.isprintable() or text.isspace() or text == MIXED:
            of_bytes = pipeline.annotate(text.encode())
            assert [token.text.decode() for token in of_bytes.tokens] == [
                token.text for token in pipeline.annotate(text).tokens
            ]


def test_tasks() -> None:
    with_spans = budgie.Pipeline(tasks=["spans"]).annotate(MIXED)
    assert [span.language for span in with_spans.spans] == [span.language for span in budgie.annotate(MIXED).spans]
    assert len(with_spans.spans) > 1 and not with_spans.sentences
    whole = budgie.Pipeline(tasks=["language"])
    for text in TEXTS:
        found, language = whole.annotate(text), budgie.identify(text)
        assert (found.language, found.probability, found.reliable) == language
        assert [tuple(span) for span in found.spans] == ([(0, len(text), *language)] if text else [])
        assert not found.sentences
    tokens = budgie.Pipeline(tasks=["sentences"]).annotate(ENGLISH)
    assert {token.tag for token in tokens.tokens} == {None}
    assert "tag" not in tokens.to_dict()["sentences"][0]["tokens"][0]
    with pytest.raises(budgie.ConfigError, match="no task 'tag'"):
        budgie.Pipeline(tasks=["tag"])


def test_languages_restrict_the_choice() -> None:
    assert budgie.Pipeline(languages=["de", "danish"]).annotate("Hej, hvordan går det?").language == "da"
    with pytest.raises(budgie.ConfigError, match="klingon"):
        budgie.Pipeline(languages=["klingon"])


@pytest.mark.parametrize("choice", [{"languages": ["german", "en"]}, {"priors": {"de": 20, "en": 50}}])
def test_a_choice_of_languages_at_the_top(choice: dict[str, Any]) -> None:
    text = "Berg"
    assert budgie.annotate(text).language != "de"
    expected = budgie.Pipeline(**choice).annotate(text)
    assert (expected.language, budgie.identify(text, **choice).language) == ("de", "de")
    assert budgie.annotate(text, **choice) == expected
    assert budgie.annotate_batch([text], threads=2, **choice) == [expected]
    assert list(budgie.annotate_stream([text], **choice)) == [expected]
    assert budgie.annotate(text, "fr", **choice).language == "fr"
    for wrong in ({"languages": "de"}, {"languages": []}, {"priors": {"de": 0}}, {"priors": {"klingon": 2}}):
        with pytest.raises(budgie.ConfigError):
            budgie.annotate(text, **wrong)  # type: ignore[arg-type]


def test_language_names(pipeline: budgie.Pipeline) -> None:
    for name in ("german", "deu", "DE", "deu_Latn"):
        assert pipeline.annotate("Der Hund.", name).language == "de"
    assert pipeline.annotate("佢哋聽日會去圖書館", "yue").language == "yue"
    with pytest.raises(budgie.ConfigError, match="klingon"):
        pipeline.annotate("x", "klingon")


def test_wrong_arguments(pipeline: budgie.Pipeline) -> None:
    with pytest.raises(TypeError, match="must be str or bytes"):
        pipeline.annotate(None)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="language must be the name of one, not list"):
        pipeline.annotate("a", ["en"])  # type: ignore[arg-type]
    with pytest.raises(budgie.ConfigError, match="list of codes, 'all' or 'macro', not one str"):
        budgie.Pipeline(languages="en")
    for arguments, message in {
        "languages=['en', None]": "languages must be given by their names, not as None",
        "languages=[['en']]": r"languages must be given by their names, not as \['en'\]",
        "languages=5": "languages must be a list of names, not 5",
        "probabilities=5": "probabilities must be True or False, not 5",
        "tasks=5": "tasks must be a list of names, not 5",
        "priors={5: 2}": "languages must be given by their names, not as 5",
    }.items():
        with pytest.raises(TypeError, match=message):
            eval(f"budgie.Pipeline({arguments})")
    with pytest.raises(budgie.ConfigError, match="priors must be weights by language"):
        budgie.Pipeline(priors=[("en", 2)])  # type: ignore[arg-type]
    for call in (pipeline.annotate("a").to_conllu, pipeline.annotate("a").to_tsv):
        with pytest.raises(TypeError, match="prefix must be a str, not int"):
            call(5)  # type: ignore[arg-type]
        assert call("\ud800").replace("# sent_id = ", "").startswith("\ufffd1")
    budgie.annotate("a", probabilities=True)
    with pytest.raises(TypeError, match="probabilities must be True or False, not 1"):
        budgie.annotate("a", probabilities=1)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="language must be the name of one, not NoneType"):
        budgie.tag(["a"], None)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="several texts"):
        pipeline.annotate_batch("one")
    with pytest.raises(TypeError, match="text 1 of the batch"):
        list(pipeline.annotate_stream(["a", None]))  # type: ignore[list-item]
    with pytest.raises(budgie.ConfigError, match="threads"):
        pipeline.annotate_batch(["a"], threads=0)


def test_conllu(pipeline: budgie.Pipeline) -> None:
    text = "Le chat du\nvoisin dort."
    rows = budgie.annotate(text, "fr").to_conllu("d1-").split("\n")
    assert rows[:3] == ["# sent_id = d1-1", "# lang = fr", "# text = Le chat du voisin dort."]
    assert rows[3].split("\t") == ["1", "Le", "_", "DET", "_", "_", "_", "_", "_", "TokenRange=0:2"]
    assert [row.split("\t")[:4] for row in rows[5:8]] == [
        ["3-4", "du", "_", "_"], ["3", "de", "_", "ADP"], ["4", "le", "_", "DET"],
    ]  # fmt: skip
    assert rows[9].split("\t")[9] == "SpaceAfter=No|TokenRange=18:22"
    assert rows[-2:] == ["", ""]


def test_tsv() -> None:
    rows = budgie.annotate("It rains. Go!", "en").to_tsv().split("\n")
    assert rows[0].split("\t") == ["1", "0", "2", "en", "It", "PRON"]
    assert rows[4].split("\t")[:3] == ["2", "10", "12"]


def test_documents_outlive_their_pipeline() -> None:
    fresh = budgie.Pipeline()
    document = fresh.annotate(ENGLISH)
    del fresh
    assert document.sentences[0].tokens[1].tag == "PROPN"


def test_pickles(pipeline: budgie.Pipeline) -> None:
    again = pickle.loads(pickle.dumps(pipeline))
    assert again.annotate(ENGLISH).to_json() == pipeline.annotate(ENGLISH).to_json()
    assert pickle.loads(pickle.dumps(pipeline.annotate(MIXED).sentences)) == pipeline.annotate(MIXED).sentences


def test_calls_at_the_top() -> None:
    assert budgie.identify("Der Hund schläft unter dem Tisch.").language == "de"
    assert budgie.identify("hej", languages=["danish", "sv"]).language in ("da", "sv")
    assert len(budgie.rank("buenas noches", k=2)) == 2
    assert budgie.spans("Der Hund schläft.")[0].language == "de"
    assert budgie.segment("Dr. Lee left.") == ["Dr.", "Lee", "left", "."]
    assert budgie.sentences("It rains. Let's go!") == ["It rains.", "Let's go!"]
    assert budgie.tag(["The", "cat", "sleeps", "."], "english") == ["DET", "NOUN", "VERB", "PUNCT"]
    with pytest.raises(budgie.ConfigError, match="no tagger"):
        budgie.tag(["A"], "hu")
    assert [one.language for one in budgie.annotate_batch(["Good morning to you", "Guten Morgen, wie geht es"])] == [
        "en", "de",
    ]  # fmt: skip
    assert not hasattr(budgie, "no_such_call")
