# SPDX-License-Identifier: Apache-2.0
"""What Budgie has for a language: the models of its label, which names the script, too.

They are the embedded ones and those of budgie-nlp-restricted, whether that is installed or not: who loads one that is
missing is told so.

Romanised text (`ru-Latn`, `zh-Latn`) has a label of its own, and so never gets a model of the native script.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import budgie
from budgie.distributions import OFFERS

NO_LANGUAGE = "und"  # a language that is not known, or the standard of tokens for one that has none

# Labels that take what another one has, where that is better than nothing on dev sets (tokens / sentences, F1):
# - Serbian in Latin script is what the standard `sr` was learnt from; in Cyrillic, transliterated, it still has
#   99.9 / 91.1 against 99.7 / 90.5 of `und`. Bosnian is close to Croatian: sentences 94.9 against 93.8.
# - Traditional Chinese and Cantonese end their sentences as Chinese does; the standard `zh` has seen both scripts.
# - Not here, since `und` is better: `id` for Malay (sentences 86.4 against 90.7), `fi` for Estonian, `es` for Basque.
_TOKENS_AS = {"bs": "hr", "sr-Latn": "sr", "yue": "zh", "zh-Hant": "zh"}
# One segmenter reads both Chinese scripts.
_SEGMENTED_AS = {"zh-Hant": "zh"}
# The Serbian tagger has learnt both scripts. Bosnian is close to Croatian.
_TAGGED_AS = {"bs": "hr", "sr-Latn": "sr"}


class Coverage(NamedTuple):
    """The models for the text of one label."""

    label: str
    tokens: str  # standard of the model `tokens`, which also finds sentences
    segmenter: str | None  # model that cuts text without spaces into words
    tagger: str | None


@cache
def of(label: str) -> Coverage:
    """The models for a label; what no model knows has tokens and sentences by rules of no language."""
    tokens = _TOKENS_AS.get(label, label)
    return Coverage(
        label,
        tokens if tokens in _standards() else NO_LANGUAGE,
        _known(f"seg-{_SEGMENTED_AS.get(label, label)}"),
        _known(f"pos-{_TAGGED_AS.get(label, label)}"),
    )


def instead(name: str) -> str:
    """What to do where there is no model of that name, if it is one for a task and a language; else nothing."""
    from budgie.languages import find, name_of  # noqa: PLC0415

    task, _, language = name.partition("-")
    label = find(language)
    if task not in ("pos", "seg") or label is None:
        return ""
    found = of(label).tagger if task == "pos" else of(label).segmenter
    if found is not None:
        return f"did you mean {found}?"
    if task == "seg":
        return f"tokens and sentences of {name_of(label)} are found by the model tokens, as budgie.annotate does"
    there = " ".join(one.removeprefix("pos-") for one in sorted(_names()) if one.startswith("pos-"))
    return (
        f"there are taggers for {there}; budgie.annotate finds sentences and tokens of {name_of(label)} without one, "
        "and `budgie train pos` makes one of your own data"
    )


def _known(name: str) -> str | None:
    return name if name in _names() else None


@cache
def _names() -> frozenset[str]:
    return frozenset((*budgie.embedded(), *OFFERS))


@cache
def _standards() -> frozenset[str]:
    return frozenset(budgie.read_model("tokens").core.standards)
