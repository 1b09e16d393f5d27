# SPDX-License-Identifier: Apache-2.0
"""`languages="macro"`: labels of one macrolanguage count as one."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest
from conftest import LABELS, SENTENCES, random_model, script_model

import budgie
from budgie import ConfigError, LanguageIdentifier, Model, _core
from budgie.evaluation.langid import evaluate_languages
from budgie.formats.labelled import Example

FOLDS = {"hbs": ("bs", "hr", "sr-Latn"), "ms": ("id", "ms"), "no": ("nn", "no"), "zh": ("zh", "zh-Hant")}
ALONE = ("de", "en", "ru", "sr")
MANY = random_model(3, labels=sorted((*ALONE, *(member for fold in FOLDS.values() for member in fold))))
TEXTS = [*SENTENCES, "Dobar dan", "a", "123", ""]


def renamed(model: Model, *labels: str, **config: tuple[str, ...]) -> LanguageIdentifier:
    """An identifier with other labels."""
    return LanguageIdentifier(Model(replace(model.config, labels=labels, **config), model.tensors))


@pytest.fixture(scope="module")
def many() -> LanguageIdentifier:
    return LanguageIdentifier(MANY)


# Letters of one script vote for each: Latin ones for bs, kana for ja, Cyrillic ones for hr.
EVEN = renamed(script_model(10), "bs", "ja", "hr")
SHARP = renamed(script_model(100), "bs", "ja", "hr")  # sees a language in a few letters


def test_names(many: LanguageIdentifier) -> None:
    assert set(many.macro_languages) == {*ALONE, *FOLDS}
    assert len(many.macro_languages) == len(ALONE) + len(FOLDS)
    for name, members in FOLDS.items():
        assert {many.macro(member) for member in members} == {name}
    assert many.macro("sr") == "sr"
    assert pickle.loads(pickle.dumps(many)).macro_languages == many.macro_languages
    embedded = budgie.load("langid")
    assert set(embedded.languages) - set(embedded.macro_languages) == {"bs", "hr", "sr-Latn", "id", "nn", "zh-Hant"}
    assert set(embedded.macro_languages) - set(embedded.languages) == {"hbs"}


@pytest.mark.parametrize("text", SENTENCES)
def test_probabilities_add_up(many: LanguageIdentifier, text: str) -> None:
    for model in (many, budgie.load("langid")):
        alone = {one.language: one.probability for one in model.rank(text, 999)}
        together = model.rank(text, 999, "macro")
        assert {one.language for one in together} == set(model.macro_languages)
        for one in together:
            members = FOLDS.get(one.language, (one.language,))
            assert one.probability == pytest.approx(sum(alone[label] for label in members), rel=1e-4, abs=1e-7)
        assert together == sorted(together, key=lambda one: -one.probability)
        assert model.identify(text, "macro") == together[0]


def test_every_call_gives_the_same(many: LanguageIdentifier) -> None:
    for priors in (None, {"hbs": 3, "de": 2}):
        single = [many.identify(text, "macro", priors=priors) for text in TEXTS]
        assert many.identify_batch(TEXTS, "macro", 2, priors=priors) == single
        assert list(many.identify_stream(TEXTS, "macro", priors=priors)) == single
        ranked = [many.rank(text, 4, "macro", priors=priors) for text in TEXTS]
        assert many.rank_batch(TEXTS, 4, "macro", 2, priors=priors) == ranked
        assert [one[0] for one in ranked] == single
        for spans, spans_batch in ((many.spans, many.spans_batch), (many.passages, many.passages_batch)):
            found = [spans(text, "macro", priors=priors) for text in TEXTS]
            assert spans_batch(TEXTS, "macro", 2, priors=priors) == found
            assert {span.language for one in found for span in one} <= {*many.macro_languages, "und"}
    text = "Dobar dan, kako ste danas?"
    for call in (budgie.identify, budgie.spans, budgie.rank):
        assert call(text, languages="macro") == getattr(budgie.load("langid"), call.__name__)(text, languages="macro")


def test_no_text_is_cut_inside_of_a_macrolanguage() -> None:
    text = "This is a sentence of one. А это предложение второго."
    assert [span.language for span in SHARP.spans(text)] == ["bs", "hr"]
    for spans in (SHARP.spans, SHARP.passages):
        (span,) = spans(text, "macro")
        assert span[:3] == (0, len(text), "hbs")
        assert span.reliable
        found = [span.language for span in spans(f"{text} これはにほんごのぶんです。", "macro")]
        assert found == ["hbs", "ja"]


def test_sentences_that_are_looked_at_word_by_word() -> None:
    german, words = "Der Hund schläft unter dem Tisch. ", "Ovo je moja nova kuća, toto je môj nový pekný dom".split()
    mixed = [" ".join(words[first:last]) for first in range(4) for last in range(7, 11)]  # Croatian and Slovak
    model = budgie.load("langid")
    assert any(model.identify(text, "macro").probability < 0.7 for text in mixed)
    for text in mixed:
        first, *others = model.passages(german * 6 + text, "macro")
        assert first.language == "de"
        assert {span.language for span in others} <= set(model.macro_languages)


def test_members_are_no_rivals() -> None:
    even = "abпр"  # as much of the one as of the other
    assert not EVEN.identify(even).reliable
    assert EVEN.identify(even, "macro")[::2] == ("hbs", True)
    for priors in ({"bs": 2}, {"hbs": 1e9}, {"ja": 1e-9}):
        assert EVEN.identify("привет", "macro", priors=priors)[::2] == ("hbs", True)
        assert EVEN.identify("hello", "macro", priors=priors)[::2] == ("hbs", True)


def test_others_are() -> None:
    rare = renamed(script_model(10), "bs", "ja", "hr", rare=("ja",))
    assert rare.macro_languages == ("hbs",)
    assert rare.identify("hello", "macro").reliable
    assert not rare.identify("ひらがな", "macro").reliable
    noise = renamed(script_model(10), "bs", "ja", "hr", background=("ja",))
    assert noise.identify("abпр", "macro").reliable
    assert not noise.identify("ひらがな", "macro").reliable
    # A member that is not chosen from by default is no member.
    assert renamed(script_model(10), "bs", "ja", "hr", rare=("hr",)).macro_languages == ("bs", "ja")


def test_priors_of_a_macrolanguage_are_the_largest_given_to_its_members() -> None:
    text = "abпо かな"
    wanted = EVEN.rank(text, 2, "macro", priors={"hbs": 3})
    assert wanted != EVEN.rank(text, 2, "macro")
    for priors in (
        {"bs": 3},
        {"hr": 3, "bs": 2},
        {"hbs": 3, "hr": 2},
        {"bs": 2, "sh": 3},
        {"Croatian": 3},
        {"ja": 1 / 3},
    ):
        found = EVEN.rank(text, 2, "macro", priors=priors)
        assert [one.language for one in found] == [one.language for one in wanted]
        assert [one.probability for one in found] == pytest.approx([one.probability for one in wanted], rel=1e-5)
    less = EVEN.rank(text, 2, "macro", priors={"bs": 1 / 3})
    assert {one.language: one.probability for one in less} == pytest.approx(
        {one.language: one.probability for one in EVEN.rank(text, 2, "macro", priors={"ja": 3})}, rel=1e-5
    )


def test_models_without_such_labels(identifier: LanguageIdentifier) -> None:
    assert identifier.macro_languages == identifier.languages == LABELS
    for text in TEXTS:
        assert identifier.rank(text, 99, "macro") == identifier.rank(text, 99)
        assert identifier.spans(text, "macro", priors={"de": 3}) == identifier.spans(text, priors={"de": 3})


def test_models_with_some_of_the_labels() -> None:
    assert renamed(script_model(10), "bs", "no", "sr-Latn").macro_languages == ("hbs", "no")
    assert renamed(script_model(10), "bs", "hbs", "zh-Hant").macro_languages == ("hbs", "zh-Hant")
    assert renamed(script_model(10), "bs", "hbs", "zh-Hant").identify("hello", "macro").language == "hbs"


def test_names_of_macrolanguages_are_no_labels(many: LanguageIdentifier) -> None:
    for name in ("hbs", "sh", "Serbo-Croatian"):
        with pytest.raises(ConfigError, match=f'{name}.; it is bs, hr and sr-Latn, which languages="macro" takes for'):
            many.identify("Dobar dan", [name, "en"])
    with pytest.raises(ConfigError, match="hbs"):
        many.identify("Dobar dan", priors={"hbs": 2})
    with pytest.raises(ConfigError, match="'macro' is for identification alone"):
        budgie.annotate("Dobar dan", languages="macro")


def test_the_core_itself_refuses_what_it_does_not_know(many: LanguageIdentifier) -> None:
    core = _core.LanguageIdentifier(MANY.core)
    for weights in ([1.0], [1.0] * (len(many.languages) + 1)):
        with pytest.raises(ValueError, match="there must be a weight for each language"):
            core.allow_macrolanguages(weights)
    with pytest.raises(ValueError, match="the weight of a language"):
        core.allow_macrolanguages([0.0] * len(many.languages))


def test_a_member_that_another_model_lacks_is_refused() -> None:
    two = renamed(random_model(labels=("hr", "bs")), "hr", "bs")._core  # what is allowed is the first one alone
    one = LanguageIdentifier(random_model(labels=("hr",)))._core
    for call in (one.identify, one.spans, one.passages):
        with pytest.raises(ValueError, match="there is no language of such a number"):
            call("text", two.allow_macrolanguages())


def test_evaluation_folds_the_labels_of_the_data() -> None:
    examples = [Example("bs", "привет"), Example("hr", "hello"), Example("ja", "ひら"), Example("hbs", "hello")]
    usual, macro = evaluate_languages(EVEN, examples), evaluate_languages(EVEN, examples, "macro")
    assert (usual.accuracy, usual.unknown_labels) == (0.25, ["hbs"])
    assert (macro.accuracy, macro.unknown_labels) == (1, [])
    assert {label: score.texts for label, score in macro.labels.items()} == {"hbs": 3, "ja": 1}


def test_any_name_says_what_a_language_counts_as() -> None:
    assert EVEN.macro("Croatian") == EVEN.macro("hrv_Latn") == "hbs"
    with pytest.raises(ConfigError, match="does not know the language 'xyz'"):
        EVEN.macro("xyz")
