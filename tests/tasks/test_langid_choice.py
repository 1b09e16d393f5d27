# SPDX-License-Identifier: Apache-2.0
"""Which languages an identifier chooses from, and how much each of them counts."""

from __future__ import annotations

import pickle
from collections.abc import Callable

import numpy as np
import pytest
from conftest import LABELS, SENTENCES, random_model, script_model

import budgie
from budgie import ConfigError, LanguageIdentifier, _core

SCRIPTS = LanguageIdentifier(script_model(weight=10))
SHARP = LanguageIdentifier(script_model(weight=100))  # sees a language in a few letters


def test_rare_languages_are_named_when_asked_for() -> None:
    model = LanguageIdentifier(script_model(10, rare=("ru",)))
    assert model.languages == ("en", "ja")
    assert model.all_languages == ("en", "ja", "ru")
    doubtful = model.identify("Привет")
    assert doubtful.language in model.languages
    assert not doubtful.reliable  # a language that was not asked for is far more probable
    assert model.identify("Привет", "all") == SCRIPTS.identify("Привет")
    assert model.identify("Привет", ["ru", "en"]).language == "ru"
    assert model.identify("hello").reliable
    assert pickle.loads(pickle.dumps(model)).languages == model.languages


def test_text_of_no_language_is_never_reliable() -> None:
    model = LanguageIdentifier(script_model(10, background=("ru",)))
    assert model.languages == model.all_languages == ("en", "ja")
    for languages in (None, "all", ["en"]):
        answer = model.identify("Привет", languages)
        assert answer.language != "ru"
        assert not answer.reliable
    with pytest.raises(ConfigError, match="ru"):
        model.identify("Привет", ["ru"])
    with pytest.raises(ConfigError, match="ru"):
        model.identify("Привет", priors={"ru": 2})
    with pytest.raises(ValueError, match="in no language cannot be allowed"):
        model._core.allow([0, 2])
    assert [one.language for one in model.rank("Привет", 3)] == ["en", "ja"]
    assert {span.language for span in model.spans("Привет hello")} <= {"en", "ja", "und"}
    # A fifth as probable as the answer is too much: e to 10 * (9 - 5) / 14 and to 10 * (6 - 5) / 11 times less.
    for priors in (None, {"ja": 1.01}):
        assert model.identify("abcdefghiабвгд", priors=priors).reliable
        assert not model.identify("abcdefабвгд", priors=priors).reliable


def test_languages_restrict_the_choice(identifier: LanguageIdentifier) -> None:
    chosen = ["tr", "ar", "tr"]
    for sentence in SENTENCES:
        answers = [
            identifier.identify(sentence, languages=chosen),
            *identifier.identify_batch([sentence], languages=chosen),
            *identifier.identify_stream([sentence], languages=iter(chosen)),
            *identifier.rank(sentence, languages=chosen),
            *identifier.spans(sentence, languages=chosen),
        ]
        assert {answer.language for answer in answers} <= {"tr", "ar"}
        assert identifier.identify(sentence, languages=["ko"])[:2] == ("ko", 1.0)
        assert identifier.identify(sentence, languages=LABELS) == identifier.identify(sentence)
    assert identifier.identify("123", languages=["ko"]).language == "und"


def test_a_choice_is_reliable_only_where_no_other_language_is_far_more_probable() -> None:
    assert SCRIPTS.identify("Hello", languages=["en", "ja"]).reliable
    answers = [
        SCRIPTS.identify("Привет a", languages=["en", "ja"]),
        *SCRIPTS.identify_batch(["Привет a"], languages=["en", "ja"]),
        *SCRIPTS.identify_stream(["Привет a"], languages=["en", "ja"]),
        SCRIPTS.rank("Привет a", languages=["en", "ja"])[0],
        *SCRIPTS.spans("Привет a", languages=["en", "ja"]),
    ]
    assert {answer.language for answer in answers} == {"en"}
    assert all(answer.probability > 0.8 for answer in answers)
    assert not any(answer.reliable for answer in answers)
    # Russian is e^(10 / 4 * (2 - 2)) times as probable in the first text, and e^(10 / 5) times in the second.
    assert SCRIPTS.identify("abпр", languages=["en", "ja"]).reliable
    assert not SCRIPTS.identify("abпри", languages=["en", "ja"]).reliable
    assert SCRIPTS.identify("abпри", languages=["en", "ja"], priors={"en": 5}).reliable


def test_priors_weigh_languages(identifier: LanguageIdentifier) -> None:
    even = "abпр"  # as much English as Russian
    assert {answer.language: round(answer.probability, 3) for answer in SCRIPTS.rank(even, k=2)} == {
        "en": 0.498,
        "ru": 0.498,
    }
    for priors in ({"en": 3}, {"English": 3.0}, {"ru": 1 / 3, "ja": 1 / 3}, {"en": 6, "ru": 2, "ja": 2}):
        answer = SCRIPTS.identify(even, priors=priors)
        assert (answer.language, answer.probability) == ("en", pytest.approx(3 / (4 + np.exp(-5)), abs=1e-5))
        assert SCRIPTS.identify_batch([even], priors=priors) == [answer]
        assert list(SCRIPTS.identify_stream([even], priors=priors)) == [answer]
        assert SCRIPTS.rank(even, 1, priors=priors) == SCRIPTS.rank_batch([even], 1, priors=priors)[0] == [answer]
    text = "Hello there, привет ab"
    for call in (identifier.identify, identifier.rank, identifier.spans):
        assert call(text, priors={}) == call(text, priors={"de": 1, "en": 1}) == call(text)
    assert SHARP.spans_batch([text], priors={"ru": 7}) == [SHARP.spans(text, priors={"ru": 7})]


def test_priors_of_passages_and_at_the_top_of_the_package() -> None:
    text = "ab пр"
    for priors, label in (({"ru": 2}, "ru"), ({"en": 2}, "en")):
        (passage,) = SCRIPTS.passages(text, priors=priors)
        assert passage[2:] == SCRIPTS.identify(text, priors=priors)
        assert passage.language == label
        assert SCRIPTS.passages_batch([text], priors=priors) == [[passage]]
    berg, priors = "Berg", {"de": 20, "en": 50}
    assert budgie.identify(berg, priors=priors).language == "de"
    assert budgie.rank(berg, 1, priors=priors) == [budgie.identify(berg, priors=priors)]
    assert budgie.spans(berg, priors=priors)[0].language == "de"
    pipeline = budgie.Pipeline(tasks="language", priors=priors)
    assert pipeline.annotate(berg).language == pickle.loads(pickle.dumps(pipeline)).annotate(berg).language == "de"


def test_priors_count_once_a_span() -> None:
    text = "ab пр " * 3
    assert [span.language for span in SCRIPTS.spans(text, priors={"ru": 1.1})] == ["ru"]
    assert [span.language for span in SCRIPTS.spans(text, priors={"en": 1.1})] == ["en"]
    mixed = "This is an English sentence. А это предложение по-русски."
    for priors in ({"en": 1e6}, {"ru": 1e6}, {"ja": 1e6}):
        assert [span.language for span in SHARP.spans(mixed, priors=priors)] == ["en", "ru"]


@pytest.mark.parametrize(
    ("priors", "message"),
    [
        ({"xx": 2}, "this model does not know the language 'xx'"),
        ({"de": 0}, "the prior of 'de' must be a number from 1e-09 to 1e\\+09, not 0; languages= leaves languages out"),
        ({"de": -1}, "the prior of 'de' must be a number"),
        ({"de": float("nan")}, "not nan"),
        ({"de": float("inf")}, "not inf"),
        ({"de": "5"}, "not '5'"),
        (["de"], "priors must be weights by language"),
        ("de=5", "priors must be weights by language"),
    ],
    ids=str,
)
def test_priors_that_make_no_sense(identifier: LanguageIdentifier, priors: dict[str, float], message: str) -> None:
    for call in (identifier.identify, identifier.rank, identifier.spans):
        with pytest.raises(ConfigError, match=message):
            call("text", priors=priors)


@pytest.mark.parametrize(
    ("languages", "message"),
    [
        (["de", "xx"], "this model does not know the language 'xx'; it knows "),
        ([], "languages must not be empty"),
        ("de", r"languages must be a list of codes, 'all' or 'macro', not one str: languages=\['de'\]"),
    ],
)
def test_languages_that_make_no_sense(identifier: LanguageIdentifier, languages: list[str], message: str) -> None:
    for call in (identifier.identify, identifier.rank, identifier.spans):
        with pytest.raises(ConfigError, match=message):
            call("text", languages=languages)
    with pytest.raises(ConfigError, match=message):
        identifier.identify_batch(["text"], languages=languages)


@pytest.mark.parametrize("numbers", [[], [1, 0], [2, 2], [0, 3], [0, 10**8], [2**32 - 1]])
def test_the_core_itself_refuses_languages_that_are_none(numbers: list[int]) -> None:
    core = _core.LanguageIdentifier(SCRIPTS.model.core)
    with pytest.raises(ValueError, match="language"):
        core.allow(numbers)


@pytest.mark.parametrize("weights", [[1.0], [1.0] * 4, [1.0, 0.0, 1.0], [1, float("nan"), 1], [1e10, 1, 1]])
def test_the_core_itself_refuses_weights_that_are_none(weights: list[float]) -> None:
    core = _core.LanguageIdentifier(SCRIPTS.model.core)
    with pytest.raises(ValueError, match=r"weight|language"):
        core.allow([0, 1, 2][: len(weights)], weights)


def test_what_one_model_allows_another_may_not_know() -> None:
    known, small = random_model(), _core.LanguageIdentifier(SCRIPTS.model.core)
    allowed = _core.LanguageIdentifier(known.core).allow([0, len(known.config.labels) - 1])
    calls: list[Callable[[], object]] = [
        lambda: small.identify("text", allowed),
        lambda: small.identify_batch(["text"], allowed, 1),
        lambda: small.rank("text", 2, allowed),
        lambda: small.spans("text", allowed),
    ]
    for call in calls:
        with pytest.raises(ValueError, match="there is no language of such a number"):
            call()
    allowed = _core.LanguageIdentifier(known.core).allow([0], [2.0] * len(known.config.labels))
    for call in calls:
        with pytest.raises(ValueError, match="there must be a weight for each language"):
            call()
    with pytest.raises(TypeError):
        _core.Allowed()
