# SPDX-License-Identifier: Apache-2.0
"""Every task on columns: what the list API says of the same texts, in the fields of its records."""

from __future__ import annotations

from typing import Any

import pytest
from arrow_structs import InOnePiece, array, bits, chunks, lists, read, schema, table, texts

import budgie
from budgie import Document, Sentence, Token
from budgie.pipeline import TASKS, Pipeline

TEXTS = [
    "Der Hund schläft unter dem Tisch. Where is the station? Don't go.",
    None,
    "",
    "研究生命的起源 . Elle parle du livre.\n\n",
    "😀 Vámonos! Dámelo ya.",
    "plain ASCII text, in English",
]
WORDS = [["The", "cat", "sleeps", "."], None, [], ["Où"], ["a", "b"]]


@pytest.fixture(params=["u", "z"])
def layout(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def given(layout: str) -> list[Any]:
    """What the list API is given: bytes where the column is binary."""
    return [text.encode() if layout == "z" and text is not None else text for text in TEXTS]


def words(sequence: Any) -> list[dict[str, Any]]:
    return [one._asdict() for one in sequence]


def decoded(value: Any) -> Any:
    return value.decode() if isinstance(value, bytes) else value


@pytest.mark.parametrize("threads", [1, 2])
def test_rank_and_spans(layout: str, given: list[Any], threads: int) -> None:
    identifier, source = budgie.load("langid"), chunks(TEXTS[:2], TEXTS[2:], layout=layout)
    found = read(identifier.rank_column(source, 2, threads=threads))
    assert found == [{"ranking": None if text is None else words(identifier.rank(text, 2))} for text in given]
    found = read(identifier.spans_column(source, threads=threads))
    assert found == [{"spans": None if text is None else words(identifier.spans(text))} for text in given]
    found = read(identifier.passages_column(source, threads=threads))
    assert found == [{"spans": None if text is None else words(identifier.passages(text))} for text in given]


def test_choices_of_languages() -> None:
    identifier, source = budgie.load("langid"), chunks(TEXTS)
    for choice in ({"languages": ["fr", "es"]}, {"languages": "macro"}, {"priors": {"es": 1000}}):
        expected = [None if text is None else identifier.identify(text, **choice).language for text in TEXTS]
        for dictionary in (False, True):
            found = read(identifier.identify_column(source, dictionary=dictionary, **choice))
            assert [row["language"] for row in found] == expected


@pytest.mark.parametrize("model", ["tokens", "seg-zh"])
def test_segment(model: str, layout: str, given: list[Any]) -> None:
    segmenter, source = budgie.load(model, dictionary=["生命的"]), chunks(TEXTS, layout=layout)
    for spaces in (False, True):
        found = read(segmenter.segment_column(source, spaces=spaces))
        expected = [text if text is None else segmenter.segment(text, spaces=spaces) for text in given]
        assert found == [{"tokens": all_ and [*map(decoded, all_)]} for all_ in expected]
    found = read(segmenter.segment_column(source, 2, offsets=True))
    assert found == [
        {
            "tokens": text
            and [
                {"text": decoded(text[at.start : at.end]), "start": at.start, "end": at.end}
                for at in segmenter.spans(text)
            ]
        }
        if text
        else {"tokens": text if text is None else []}
        for text in given
    ]


@pytest.mark.parametrize("layout", ["+l", "+L"])
def test_tag(layout: str) -> None:
    tagger, source = budgie.load("pos-en"), InOnePiece(*lists(WORDS, layout))
    expected = [None if sentence is None else tagger.tag(sentence) for sentence in WORDS]
    assert read(tagger.tag_column(source)) == [{"tags": tags} for tags in expected]
    source = InOnePiece(*lists(WORDS, layout))
    probable = [None if one is None else words(tagger.tag_batch([one], probabilities=True)[0]) for one in WORDS]
    found = read(tagger.tag_column(source, 2, probabilities=True, dictionary=True))
    assert found == [{"tags": tags} for tags in probable]


def test_tag_lists_of_one_length_and_words_that_are_null() -> None:
    tagger = budgie.load("pos-en")
    kind, items = texts(["not", "read", "The", "cat", None, None, "sleeps", None], name="item")
    made = array(3, [bits([True, True, False, True])], [items], offset=1)
    found = read(tagger.tag_column(InOnePiece(schema("+w:2", children=[kind]), made)))
    expected = [tagger.tag(["The", "cat"]), None, [tagger.tag(["sleeps", ""])[0], None]]
    assert found == [{"tags": tags} for tags in expected]


def token_dict(token: Token, probable: bool) -> dict[str, Any]:
    fields = token._asdict() | {"text": decoded(token.text), "words": words(token.words)}
    if not probable:
        for one in (fields, *fields["words"]):
            del one["probability"]
    return fields


def sentence_dict(sentence: Sentence, probable: bool) -> dict[str, Any]:
    fields = sentence._asdict() | {"tokens": [token_dict(token, probable) for token in sentence.tokens]}
    del fields["text"]
    return fields


def document_dict(document: Document, probable: bool = False) -> dict[str, Any]:
    names = ("language", "probability", "reliable")
    sentences = [sentence_dict(one, probable) for one in document.sentences]
    return {name: getattr(document, name) for name in names} | {"spans": words(document.spans), "sentences": sentences}


NULL = dict.fromkeys(("language", "probability", "reliable", "spans", "sentences"))


@pytest.mark.parametrize("threads", [1, 2])
def test_annotate(layout: str, given: list[Any], threads: int) -> None:
    source = chunks(TEXTS, layout=layout)
    for probable in (False, True):
        found = read(budgie.annotate_column(source, probabilities=probable, threads=threads))
        expected = [text if text is None else budgie.annotate(text, probabilities=probable) for text in given]
        assert found == [NULL if one is None else document_dict(one, probable) for one in expected]
    found = read(budgie.annotate_column(source, "en", threads=threads, dictionary=True))
    assert found == [NULL if text is None else document_dict(budgie.annotate(text, "en")) for text in given]


def test_annotate_as_far_as_wanted() -> None:
    source = chunks(TEXTS)
    found = read(Pipeline(tasks="language").annotate_column(source))
    assert found == read(budgie.identify_column(source))
    assert list(read(Pipeline(tasks="language").annotate_column(source, "en"))[0]) == list(found[0])
    found = read(Pipeline(["es", "fr"], tasks="spans").annotate_column(source))
    assert list(found[0]) == ["language", "probability", "reliable", "spans"]
    assert {row["language"] for row in found} == {"es", "fr", "und", None}
    found = read(Pipeline(tasks=TASKS[:4]).annotate_column(source))
    assert set(found[0]["sentences"][0]["tokens"][0]) == {"text", "start", "end", "space_after", "words"}


def test_annotating_a_column_leaves_the_pipeline_as_it_was() -> None:
    pipeline = Pipeline()
    read(pipeline.annotate_column(chunks(TEXTS)))
    assert pipeline.untagged == [] and pipeline.missing == {}


def test_calls_at_the_top() -> None:
    source = chunks(TEXTS)
    some = [text for text in TEXTS if text is not None]

    def answers(columns: Any) -> list[Any]:
        return [next(iter(row.values())) for row in read(columns) if None not in row.values()]

    assert answers(budgie.identify_column(source)) == [budgie.identify(text).language for text in some]
    assert answers(budgie.rank_column(source)) == [words(budgie.rank(text)) for text in some]
    assert answers(budgie.spans_column(source)) == [words(budgie.spans(text)) for text in some]
    assert answers(budgie.segment_column(source)) == [budgie.segment(text) for text in some]
    assert [token["text"] for token in answers(budgie.segment_column(source, offsets=True))[0]] == budgie.segment(
        some[0]
    )
    tagged = budgie.tag_column(InOnePiece(*lists(WORDS)), "english")
    assert answers(tagged) == [budgie.tag(one, "en") for one in WORDS if one is not None]
    assert repr(tagged) == "<Columns tags>"


def test_what_is_not_utf8_comes_out_as_utf8() -> None:
    wrong = [b"the \xff cat", b"\xf0\x9f\x98", "\ufffd ok".encode(), b"\xed\xa0\x80"]
    for layout in ("u", "z"):
        source = chunks(wrong, layout=layout)
        found = read(budgie.segment_column(source))
        assert [row["tokens"] for row in found] == [budgie.segment(one.decode("utf-8", "replace")) for one in wrong]
        assert len(read(budgie.annotate_column(source))) == len(read(budgie.identify_column(source))) == 4


def test_columns_of_a_table() -> None:
    def made() -> InOnePiece:
        return InOnePiece(*table(texts(["x"] * len(TEXTS), name="id"), texts(TEXTS, "vu", name="text")))

    found = read(budgie.identify_column(made(), column="text"))
    assert [row["language"] for row in found] == [text if text is None else budgie.identify(text)[0] for text in TEXTS]
    kept = read(budgie.identify_column(made(), column="text", keep=["id"]))
    assert kept == [{"id": "x"} | row for row in found]
    assert read(budgie.identify_column(made(), column="text", keep="id")) == kept
