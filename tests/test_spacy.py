# SPDX-License-Identifier: Apache-2.0
"""Budgie inside of spaCy, which finds it by its entry points: `make spacy` runs these tests with the spaCy of PyPI."""

from __future__ import annotations

import pickle
import pkgutil
import subprocess
import sys
from dataclasses import replace
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest
from conftest import random_tagger
from hypothesis import given
from hypothesis import strategies as st

import budgie

spacy = pytest.importorskip("spacy", reason="spaCy is not installed here; make spacy runs these tests")
if not entry_points(group="spacy_tokenizers", name="budgie.Tokenizer.v1"):
    pytest.skip("Budgie's entry points are not installed here; make spacy runs these tests", allow_module_level=True)

from spacy.language import Language
from spacy.tokens import Doc

import budgie.spacy

TEXT = "Dr. Lee left.  Why? \n\n Nobody 👩‍🚀 knows."


def blank(code: str, **settings: Any) -> Language:
    return spacy.blank(code, config={"nlp": {"tokenizer": {"@tokenizers": "budgie.Tokenizer.v1", **settings}}})


def words(doc: Doc) -> str:
    return " ".join(token.text.replace(" ", "_") for token in doc)


def sentences(doc: Doc) -> list[str]:
    return [sentence.text for sentence in doc.sents]


def tags(doc: Doc) -> str:
    return " ".join(token.pos_ for token in doc)


def everything(doc: Doc) -> list[tuple[str, str, bool, str, str]]:
    return [(token.text, token.whitespace_, token.is_sent_start, token.pos_, token.tag_) for token in doc]


# ---- the tokenizer ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("zh", ["我们 在 图书 馆 看书 。", "你好 ！"]),  # words as the tagger has learnt them
        ("ja", ["今日 は 天気 が いい 。", "行こう 。"]),
        ("th", ["วัน นี้ อากาศ ดี"]),
        ("vi", ["Học_sinh đi học ."]),
        ("ko", ["나는 학생이다 .", "너는 ?"]),
        ("en", ["Dr. Lee left .", "Why ?"]),
        ("de", ["Er kam z. B. am 3. Mai an .", "Das war schön !"]),
        ("nb", ["Det er bra .", "Ja !"]),  # spaCy's name of `no`
        ("tl", ["Kumain ako .", "Oo !"]),  # no language of the model
        ("xx", ["Isang araw .", "Oo !"]),
    ],
)
def test_tokens_and_sentences_of_languages(language: str, expected: list[str]) -> None:
    unspaced = language in ("zh", "ja", "th")
    text = "".join(
        "".join(sentence.split()) if unspaced else sentence.replace(" .", ". ").replace(" ?", "? ").replace(" !", "!")
        for sentence in expected
    ).replace("_", " ")
    doc = blank(language)(text)
    assert [words(sentence.as_doc()) for sentence in doc.sents] == expected
    assert doc.text == text


def test_packages_that_spacy_has_for_languages_are_not_imported() -> None:
    code = """
import sys
for package in ("jieba", "spacy_pkuseg", "sudachipy", "pythainlp", "pyvi", "natto", "mecab_ko"):
    sys.modules[package] = None  # importing it is an error
import budgie.spacy
print([len(budgie.spacy.load(language)("a b")) for language in ("zh", "ja", "th", "vi", "ko")])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("[2, 2, 2, 2, 2]\n", 0), done.stderr


def test_all_languages_of_spacy() -> None:
    for module in pkgutil.iter_modules(spacy.lang.__path__):
        if module.ispkg:
            assert words(blank(module.name)("Abc, 12")) == "Abc , 12", module.name


def test_the_parts_of_a_text_in_any_language() -> None:
    doc = blank("xx")("Der Hund schläft unter dem Tisch. 我们在图书馆看书。")
    assert words(doc) == "Der Hund schläft unter dem Tisch . 我们 在 图书 馆 看书 。"
    assert len(sentences(doc)) == 2


LANGUAGES = ("en", "zh", "th", "vi", "xx")
PIPELINES = {language: blank(language) for language in LANGUAGES}
# spaCy itself takes no lone surrogates.
ANY_TEXT = st.text(
    st.one_of(st.characters(exclude_categories=["Cs"]), st.sampled_from(" \n\t\u200b\u3000。.!?aß中한ท่👍🏽"))
)


@pytest.mark.parametrize("language", LANGUAGES)
@given(ANY_TEXT)
def test_any_text_comes_back(language: str, text: str) -> None:
    doc = PIPELINES[language](text)
    assert doc.text == text
    assert not doc or doc[0].is_sent_start


@given(st.lists(st.tuples(st.text("bdfg", max_size=3), st.text(" \n\t\u3000", min_size=1, max_size=3))))
def test_white_space_is_as_spacy_has_it(parts: list[tuple[str, str]]) -> None:
    text = "".join(word + blank for word, blank in parts)
    own = spacy.blank("xx")(text)
    assert [(token.text, token.whitespace_) for token in PIPELINES["xx"](text)] == [
        (token.text, token.whitespace_) for token in own
    ]


def test_white_space_begins_no_sentence_but_the_first() -> None:
    doc = PIPELINES["en"](f"\n{TEXT}\n")
    assert [token.text for token in doc if token.is_space] == ["\n", " ", "\n\n ", "\n"]
    assert [token.text for token in doc if token.is_sent_start] == ["\n", "Why", "Nobody"]


def test_a_language_of_spacy_in_another_script() -> None:
    assert words(blank("zh", language="zh-Hant")("我們在圖書館看書")) == "我們 在 圖書 館 看書"


def test_what_a_word_is() -> None:
    assert words(blank("zh")("１９９８年在图书馆")) == "１９９８ 年 在 图书 馆"
    nlp = blank("zh", standard="general", dictionary=["在图书馆"])
    assert words(nlp("１９９８年在图书馆")) == "１９９８ 年 在图书馆"


def test_mistakes_in_the_settings() -> None:
    with pytest.raises(budgie.ConfigError, match="did you mean german"):
        blank("xx", language="germn")
    with pytest.raises(budgie.ConfigError, match="the model has no standard 'ctb'"):
        blank("zh", standard="ctb")("看书")
    with pytest.raises(budgie.ModelError, match="there is no file missing"):
        blank("zh", model="missing")("看书")


def test_words_that_are_parts_of_a_token_are_tokens() -> None:
    text = "Didn't Lee's cat sleep?"
    doc = PIPELINES["en"](text)
    assert words(doc) == "Did n't Lee 's cat sleep ?"
    assert doc.text == text
    assert not any(token._.words for token in doc)


def test_other_words_are_kept_beside_their_token() -> None:
    doc = blank("fr")("Elle parle du livre.")
    assert words(doc) == "Elle parle du livre ."
    assert [token._.words for token in doc] == [(), (), ("de", "le"), (), ()]
    assert Doc(doc.vocab).from_bytes(doc.to_bytes())[2]._.words == ["de", "le"]


# ---- the tagger -------------------------------------------------------------------------------------------------


def tagging(code: str, **settings: Any) -> Language:
    nlp = blank(code)
    nlp.add_pipe("budgie_tagger", config=settings)
    return nlp


def test_tags_are_those_of_the_tagger_sentence_by_sentence() -> None:
    doc = tagging("en")(TEXT)
    assert doc.has_annotation("TAG") is False
    found = [[token for token in sentence if not token.is_space] for sentence in doc.sents]
    expected = budgie.load("pos-en").tag_batch([[token.text for token in sentence] for sentence in found])
    assert [[token.pos_ for token in sentence] for sentence in found] == expected
    assert [token.pos_ for token in doc if token.is_space] == ["SPACE", "SPACE"]


def test_a_token_that_stands_for_several_words_has_the_tag_of_the_first() -> None:
    doc = tagging("fr")("Elle parle du livre.")
    expected = budgie.load("pos-fr").tag("Elle parle de le livre .".split())
    assert tags(doc).split() == expected[:3] + expected[4:]
    assert doc[2].pos_ == "ADP"


def test_words_of_another_tokenizer_without_sentences() -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("budgie_tagger")
    assert tags(nlp("The cat didn't sleep.")) == "DET NOUN AUX PART VERB PUNCT"
    assert tags(nlp("")) == ""


def test_a_stream_has_the_same_tags() -> None:
    nlp = tagging("en")
    texts = [TEXT, "", " ", "Close the door!"] * 3
    expected = [everything(nlp(text)) for text in texts]
    for settings in ({}, {"batch_size": 1}, {"batch_size": 5}, {"n_process": 2}):
        assert [everything(doc) for doc in nlp.pipe(texts, **settings)] == expected


def test_taggers_are_found_by_language() -> None:
    assert tags(tagging("nb")("Katten sover.")) == "NOUN VERB PUNCT"
    assert tags(tagging("xx", language="french")("Elle lit un livre.")) == "PRON VERB DET NOUN PUNCT"
    with pytest.raises(budgie.ConfigError, match=r"no tagger for 'hu' .* there are .* en .* model= takes"):
        tagging("hu")


def test_tags_that_are_not_universal(tmp_path: Path) -> None:
    model = random_tagger()
    labels = tuple("abcde")
    path = tmp_path / "own.safetensors"
    budgie.Model(replace(model.config, labels=labels), model.tensors).write(path)
    doc = tagging("th", model=str(path))("วันนี้อากาศดี")
    assert {token.tag_ for token in doc} <= set(labels)
    assert {token.pos_ for token in doc} == {""}


# ---- pipelines that are kept ------------------------------------------------------------------------------------


@pytest.fixture
def own(tmp_path: Path) -> Language:
    """A pipeline of models of one's own, whose files are gone."""
    files = {name: tmp_path / f"{name}.safetensors" for name in ("tokens", "pos-en")}
    for name, file in files.items():
        budgie.read_model(name).write(file)
    nlp = blank("en", model=str(files["tokens"]), standard="en", dictionary=["Dr. Lee"])
    nlp.add_pipe("budgie_tagger", config={"model": str(files["pos-en"])})
    assert "Dr. Lee" in [token.text for token in nlp(TEXT)]
    for file in files.values():
        file.unlink()
    return nlp


@pytest.fixture(params=["embedded", "own"])
def kept(request: pytest.FixtureRequest) -> Language:
    return request.getfixturevalue("own") if request.param == "own" else budgie.spacy.load("en")


def test_to_disk(kept: Language, tmp_path: Path) -> None:
    kept.to_disk(tmp_path / "pipeline")
    again = spacy.load(tmp_path / "pipeline")
    assert everything(again(TEXT)) == everything(kept(TEXT))
    assert again.config == kept.config


def test_to_bytes(kept: Language) -> None:
    again = type(kept).from_config(kept.config).from_bytes(kept.to_bytes())
    assert everything(again(TEXT)) == everything(kept(TEXT))


def test_pickle(kept: Language) -> None:
    assert everything(pickle.loads(pickle.dumps(kept))(TEXT)) == everything(kept(TEXT))


def test_config() -> None:
    nlp = budgie.spacy.load("zh-Hant")
    nlp.initialize()  # spaCy's settings for pkuseg are nothing to ours
    config = spacy.Config().from_str(nlp.config.to_str(), interpolate=False)
    again = spacy.util.load_model_from_config(config)
    assert again.config == nlp.config
    assert everything(again("我們在圖書館看書")) == everything(nlp("我們在圖書館看書"))


# ---- load -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "code", "pipes"),
    [
        ("en", "en", ["budgie_tagger"]),
        ("nor", "nb", ["budgie_tagger"]),
        ("German", "de", []),
        ("ja", "ja", []),
        ("fil", "tl", []),
        ("yue", "xx", []),
        ("km", "xx", []),
        ("xx", "xx", []),
    ],
)
def test_load(language: str, code: str, pipes: list[str]) -> None:
    nlp = budgie.spacy.load(language)
    assert (nlp.lang, nlp.pipe_names) == (code, pipes)


def test_load_of_any_language() -> None:
    text = "Der Hund schläft unter dem Tisch. 我们在图书馆看书。"
    for nlp in (budgie.spacy.load("xx"), budgie.spacy.load()):
        assert everything(nlp(text)) == everything(blank("xx")(text))


def test_load_of_languages_that_spacy_has_not() -> None:
    assert words(budgie.spacy.load("yue")("我哋去食飯")) == "我哋 去 食飯"
    assert len(budgie.spacy.load("km")("ខ្ញុំទៅផ្សារ")) == 3
