# SPDX-License-Identifier: Apache-2.0
"""Which languages a filter lets through, and how it writes them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from budgie import shared
from budgie.columns import Columns, Table
from budgie.coverage import NO_LANGUAGE
from budgie.errors import ConfigError
from budgie.languages import choose, iso_of
from budgie.tasks.records import Identification

CODE, ISO = "code", "iso"  # labels as en, or as eng_Latn
_NO_SCRIPT = "Zyyy"  # of ISO 15924, for text without letters
_SCRIPT = re.compile(r"[-_][A-Za-z]{4}$")


class Choice:
    """Some languages, or all of them, and the form of their labels.

    All usual languages are told apart, whatever is let through: text in another language must not be taken for one of
    these. Rare ones are told apart where they are named. A name without a script, as `zh` or `sr`, means the language
    in all of its scripts; `zh-Hans` and `srp_Cyrl` mean one.

    There is no model in here, so that it pickles as a few words; each process loads one for all filters.
    """

    def __init__(self, languages: Iterable[str] | str | None, labels: str) -> None:
        if labels not in (CODE, ISO):
            raise ConfigError(f"labels must be {CODE!r} or {ISO!r}, not {labels!r}")
        identifier = shared.identifier()
        self.labels = labels
        names = [languages] if isinstance(languages, str) else languages or ()
        self.languages = frozenset(one for name in names for one in _meant(name, identifier.all_languages))
        rare = sorted(self.languages.difference(identifier.languages))
        self._told_apart = (*identifier.languages, *rare) if rare else None

    def identify(self, text: object) -> Identification:
        """The language of a text; what is none, as None and NaN in tables, has no letters."""
        return shared.identifier().identify(_text(text), self._told_apart)

    def identify_batch(self, texts: Iterable[object]) -> list[Identification]:
        """The same for each text."""
        return shared.identifier().identify_batch(list(map(_text, texts)), self._told_apart)

    def identify_column(self, texts: Table) -> Columns:
        """The same for a column of Arrow's; nulls stay null."""
        return shared.identifier().identify_column(texts, self._told_apart)

    def rank_batch(self, texts: Iterable[object], k: int) -> list[list[Identification]]:
        """The `k` most probable languages of each text, best first."""
        if k == 1:  # which is a tenth faster
            return [[one] for one in self.identify_batch(texts)]
        return shared.identifier().rank_batch(list(map(_text, texts)), k, self._told_apart)

    def written(self, label: str) -> str:
        """A label in the form that was asked for."""
        return label if self.labels == CODE else _iso(label)

    def all_written(self) -> frozenset[str]:
        """The languages that are let through, in that form; empty where all are."""
        return frozenset(map(self.written, self.languages))


def _text(given: object) -> str:
    return given if isinstance(given, str) else ""


def _meant(name: str, among: tuple[str, ...]) -> Iterable[str]:
    """The labels that a name stands for."""
    label = choose(name, among, "the identifier")
    if "-" in label or _SCRIPT.search(name):
        return [label]
    return [label, *(one for one in among if one.startswith(f"{label}-") and _SCRIPT.search(one))]


@cache
def _iso(label: str) -> str:
    return iso_of(label) or f"{NO_LANGUAGE}_{_NO_SCRIPT}"
