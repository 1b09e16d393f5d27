# SPDX-License-Identifier: Apache-2.0
"""What LanguageIdentifier promises to its callers."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from conftest import LABELS, SENTENCES, random_model, script_model

import budgie
from budgie import ConfigError, Identification, LanguageIdentifier, Model, ModelError, Span, _core

SCRIPTS = LanguageIdentifier(script_model(weight=10))
SHARP = LanguageIdentifier(script_model(weight=100))  # sees a language in a few letters


def test_the_answer_is_the_language_of_the_letters() -> None:
    assert SCRIPTS.identify("Hello, world!") == SCRIPTS.identify(b"Hello, world!")
    assert SCRIPTS.identify("Hello, world!").language == "en"
    assert SCRIPTS.identify("Привет").language == "ru"
    assert SCRIPTS.identify("こんにちは").language == "ja"


def test_probability_and_reliability() -> None:
    sure, mixed = SCRIPTS.identify("hello"), SCRIPTS.identify("hello приве")
    assert sure.probability == pytest.approx(1 / (1 + 2 * np.exp(-10)), abs=1e-6)
    assert sure.reliable
    assert mixed.probability < 0.7
    assert not mixed.reliable


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "\n\t\r\x85\u2028",
        "12345 ٣٤٥",
        "?!… — ©™",
        "😀👨‍👩‍👧🇩🇪",
        "https://example.org/a",
        "a@b.c",
        "\x00",
        "\ud800",
    ],
)
def test_text_without_letters_is_undetermined(text: str) -> None:
    nothing = Identification("und", 0.0, False)
    assert SCRIPTS.identify(text) == nothing
    assert SCRIPTS.identify(text.encode("utf-8", "surrogatepass")) == nothing
    assert SCRIPTS.rank(text) == [nothing]
    assert SCRIPTS.identify_batch([text, "hello", text])[::2] == [nothing] * 2
    assert SCRIPTS.spans(text) == ([Span(0, len(text), "und", 0.0, False)] if text else [])


def test_rank_is_sorted_and_complete(identifier: LanguageIdentifier) -> None:
    for sentence in SENTENCES:
        everything = identifier.rank(sentence, k=1000)
        assert sorted(answer.language for answer in everything) == sorted(identifier.languages)
        assert everything == sorted(everything, key=lambda answer: -answer.probability)
        assert sum(answer.probability for answer in everything) == pytest.approx(1, abs=1e-5)
        assert identifier.rank(sentence) == everything[:3]
        assert identifier.rank(sentence, k=1) == [identifier.identify(sentence)]


@pytest.mark.parametrize("k", [0, -1])
def test_k_must_be_positive(identifier: LanguageIdentifier, k: int) -> None:
    with pytest.raises(ConfigError, match=f"k must be at least 1, not {k}"):
        identifier.rank("text", k=k)
    with pytest.raises(ConfigError, match=f"k must be at least 1, not {k}"):
        identifier.rank_batch(["text"], k=k)


def test_threads_must_be_positive(identifier: LanguageIdentifier) -> None:
    for call in (identifier.identify_batch, identifier.rank_batch, identifier.spans_batch, identifier.identify_stream):
        with pytest.raises(ConfigError, match="threads must be at least 1, not 0"):
            call(["text"], threads=0)  # type: ignore[operator]


def test_more_threads_than_the_system_has_are_no_error(identifier: LanguageIdentifier) -> None:
    texts = list(SENTENCES) * 100
    assert identifier.identify_batch(texts, threads=10**6) == identifier.identify_batch(texts)


@pytest.mark.parametrize("value", [None, 3, float("nan"), ["a"], bytearray(b"a"), object], ids=str)
def test_what_is_no_text_is_named(identifier: LanguageIdentifier, value: object) -> None:
    kind = type(value).__name__
    for call in (identifier.identify, identifier.rank, identifier.spans, identifier.letters, identifier.scores):
        with pytest.raises(TypeError, match=rf"^a text must be str or bytes \(UTF-8\), not {kind}$"):
            call(value)  # type: ignore[operator]
    for call in (identifier.identify_batch, identifier.rank_batch, identifier.spans_batch):
        with pytest.raises(TypeError, match=rf"^text 2 of the batch must be str or bytes \(UTF-8\), not {kind}$"):
            call(["a", b"b", value])  # type: ignore[operator]


def test_one_text_is_no_batch(identifier: LanguageIdentifier) -> None:
    calls = (identifier.identify_batch, identifier.rank_batch, identifier.spans_batch, identifier.identify_stream)
    for text in ("text", b"text"):
        for call in calls:
            with pytest.raises(TypeError, match="takes several texts, not one str or bytes"):
                call(text)  # type: ignore[operator]


def test_subclasses_of_str_and_bytes_are_texts(identifier: LanguageIdentifier) -> None:
    class Title(str):
        __slots__ = ()

    for sentence in SENTENCES:
        expected = identifier.identify(sentence)
        assert identifier.identify(Title(sentence)) == expected
        assert identifier.identify(np.str_(sentence)) == expected
        assert identifier.identify(np.bytes_(sentence.encode())) == expected
    array = np.array(SENTENCES)
    assert identifier.identify_batch(array) == identifier.identify_batch(SENTENCES)  # type: ignore[arg-type]


def test_a_batch_can_be_any_iterable(identifier: LanguageIdentifier) -> None:
    expected = [identifier.identify(sentence) for sentence in SENTENCES]
    assert identifier.identify_batch(list(SENTENCES)) == expected
    assert identifier.identify_batch(SENTENCES) == expected
    assert identifier.identify_batch(iter(SENTENCES)) == expected
    assert identifier.identify_batch([]) == []


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_batches_rank_and_cut_as_one_by_one_does(identifier: LanguageIdentifier, threads: int) -> None:
    texts = [*SENTENCES, "", "1", " ".join(SENTENCES), *(sentence.encode() for sentence in SENTENCES)] * 20
    for languages in (None, ["de", "en", "ru"]):
        ranked = [identifier.rank(text, 2, languages) for text in texts]
        assert identifier.rank_batch(texts, 2, languages, threads) == ranked
        cut = [identifier.spans(text, languages) for text in texts]
        assert identifier.spans_batch(iter(texts), languages, threads) == cut
    assert identifier.rank_batch([], threads=threads) == identifier.spans_batch([], threads=threads) == []


def test_a_stream_is_read_as_it_is_used(identifier: LanguageIdentifier) -> None:
    taken = 0

    def endless() -> Iterator[str]:
        nonlocal taken
        while True:
            taken += 1
            yield SENTENCES[taken % len(SENTENCES)]

    stream = identifier.identify_stream(endless())
    assert taken == 0
    for i in range(1, 10):
        assert next(stream) == identifier.identify(SENTENCES[i % len(SENTENCES)])
    assert taken < 10_000


def test_spans_cut_where_the_language_changes() -> None:
    text = "This is an English sentence (а это предложение по-русски) and here is English again"
    spans = SHARP.spans(text)
    assert [(text[s.start : s.end], s.language) for s in spans] == [
        ("This is an English sentence ", "en"),
        ("(а это предложение по-русски) ", "ru"),
        ("and here is English again", "en"),
    ]
    assert all(span.reliable and span.probability > 0.99 for span in spans)


def test_spans_of_bytes_count_bytes() -> None:
    text = "Немного русского и немного little bit of English here"
    raw = text.encode()
    cut = text.index("little")
    assert [(s.start, s.end) for s in SHARP.spans(text)] == [(0, cut), (cut, len(text))]
    cut = raw.index(b"little")
    assert [(s.start, s.end) for s in SHARP.spans(raw)] == [(0, cut), (cut, len(raw))]


def test_spans_need_no_space_between_scripts() -> None:
    text = "ひらがな" * 8 + "english words follow here"
    assert [(text[s.start : s.end], s.language) for s in SHARP.spans(text)] == [
        ("ひらがな" * 8, "ja"),
        ("english words follow here", "en"),
    ]


def test_an_address_says_nothing_of_the_language() -> None:
    # The letters before @ are not features of the word before them either.
    text = "Привет всем, кто здесь есть, " + "englishname@example.org " * 3
    assert [span.language for span in SHARP.spans(text)] == ["ru"]
    assert SCRIPTS.identify(text) == SCRIPTS.identify("Привет всем, кто здесь есть")


# Each with what is left of it; the bars are where an address was.
WITHOUT_SPACES = {
    "web, Chinese": ("我们去公园玩。请看https://a.com/b。谢谢", "我们去公园玩。请看|。谢谢"),
    "web in brackets, Japanese": ("詳細は（https://example.jp）をご覧ください", "詳細は（|）をご覧ください"),
    "web, Thai": ("ดูเพิ่มเติมที่https://example.com/นะครับ", "ดูเพิ่มเติมที่|นะครับ"),
    "web, Lao": ("ເບິ່ງhttps://example.com/ສໍາລັບ", "ເບິ່ງ|ສໍາລັບ"),
    "web, Khmer": ("សូមមើលhttps://example.com/សម្រាប់", "សូមមើល|សម្រាប់"),
    "web, Burmese": ("ပြု၍https://example.com/တွင်။", "ပြု၍|တွင်။"),
    "Burmese full stop": ("abc။https://example.com/။def", "abc။|။def"),
    "mail": ("发邮件到zhang.wei+a@example.com，谢谢", "发邮件到|，谢谢"),
    "behind a comma": ("谢谢，zhang@example.com。再见", "谢谢，|。再见"),
    "mention of a Han name": ("@张伟：我们明天去", "|张伟：我们明天去"),
    "mention of a Latin name": ("感谢@some_one转发", "感谢|转发"),
    "price": ("价格是5元@北京，明天见", "价格是5元|北京，明天见"),
    "full-width letters": ("ＡＢＣabc@example.com／ＤＥ", "ＡＢＣ|／ＤＥ"),
    "Cyrillic tail": ("请看https://ru.wikipedia.org/wiki/Москва，谢谢", "请看|，谢谢"),
    "several": ("甲a@b.c乙http://d.e/f丙@丁", "甲|乙|丙|丁"),
}


@pytest.mark.parametrize(("text", "left"), WITHOUT_SPACES.values(), ids=WITHOUT_SPACES)
def test_only_the_address_is_left_out_of_text_without_spaces(text: str, left: str) -> None:
    model = budgie.load("langid")
    left = left.replace("|", " ")
    assert model.identify(text) == model.identify(left)
    assert model.identify(text.encode()) == model.identify(left)
    assert model.letters(text) == model.letters(left) > 0
    assert [span.language for span in model.spans(text)] == [model.identify(left).language]


@pytest.mark.parametrize(
    "address",
    [
        "https://ru.wikipedia.org/wiki/Москва",
        "https://de.wikipedia.org/wiki/Übung",
        "https://ko.wikipedia.org/wiki/한국",
        "https://hi.wikipedia.org/wiki/भारत",
        "https://a.b/ㅋㅋㅋ",
        "Müller@example.org,",
        "“http://a.b/c”…",
        "ქართული@example.org",
    ],
)
def test_an_address_reaches_from_space_to_space_elsewhere(address: str) -> None:
    model = budgie.load("langid")
    for text in ("The weather is nice {}today", "Сегодня хорошая {}погода"):
        assert model.scores(text.format(address + " ")) == model.scores(text.format(""))


def test_load_takes_a_path(model_file: Path, identifier: LanguageIdentifier) -> None:
    for path in (model_file, str(model_file)):
        loaded = budgie.load(path)
        assert loaded.languages == LABELS
        assert loaded.identify_batch(SENTENCES) == identifier.identify_batch(SENTENCES)
    assert repr(identifier) == "<LanguageIdentifier of 12 languages>"


def test_load_says_what_there_is() -> None:
    with pytest.raises(ModelError, match="there is no file nonsense and no model of that name"):
        budgie.load("nonsense")
    for name in budgie.models():
        classes = {
            "pos": budgie.Tagger,
            "seg": budgie.Segmenter,
            "preorder": budgie.Preorderer,
            "tokens": budgie.Segmenter,
        }
        of_task = classes.get(name.partition("-")[0], LanguageIdentifier)
        assert isinstance(budgie.load(name), of_task)


def test_a_model_of_another_task_is_refused() -> None:
    model = random_model()
    config = dataclasses.replace(model.config, task="pos")
    tensors = {name: tensor for name, tensor in model.tensors.items() if name != "calibration"}
    with pytest.raises(ModelError, match="this is a model for pos, not for language identification"):
        LanguageIdentifier(Model(config, tensors))


def test_the_stub_names_what_the_core_has() -> None:
    stub = ast.parse(Path(budgie.__file__).with_name("_core.pyi").read_text())
    classes = {node.name: node for node in stub.body if isinstance(node, ast.ClassDef)}
    assert classes.keys() == {name for name, value in vars(_core).items() if isinstance(value, type)}
    for name, node in classes.items():
        stubbed = {method.name for method in node.body if isinstance(method, ast.FunctionDef)}
        real = {method for method in vars(getattr(_core, name)) if not method.startswith("__")}
        assert {method for method in stubbed if not method.startswith("__")} == real, name
