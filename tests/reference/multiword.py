# SPDX-License-Identifier: Apache-2.0
"""Multiword tokens once more, slow and plain: every rule is tried on every token."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Rule:
    """A line of a section of rules."""

    key: str
    replaced: str
    words: tuple[str, ...]  # none: the token stays whole


def read_sections(text: str) -> dict[str, tuple[bool, list[Rule]]]:
    """By standard, whether rules are for ends of tokens, and the rules."""
    sections: dict[str, tuple[bool, list[Rule]]] = {}
    for line in text.splitlines():
        fields = line.split("\t")
        if len(fields) == 2:
            rules = list[Rule]()
            sections[fields[0]] = (fields[1] == "end", rules)
        else:
            key, replaced, words = fields
            rules.append(Rule(key, replaced, tuple(words.split(" ")) if words else ()))
    return sections


def split(tokens: Sequence[str], place: int, at_end: bool, rules: Sequence[Rule]) -> list[str]:
    """The words of a token of a sentence, or none."""
    token = tokens[place]
    beside = tokens[:place] if at_end else tokens[place + 1 :]
    near = (beside[-1] if at_end else beside[0]) if beside else None
    if at_end:
        seen = f" {token}" if near is None else f" {near} {token}"
    else:
        seen = f"{token} " if near is None else f"{token} {near} "
    fits = str.endswith if at_end else str.startswith
    fitting = [rule for rule in rules if fits(seen.lower(), rule.key)]
    if not fitting:
        return []
    rule = max(fitting, key=lambda one: len(one.key))
    if not rule.words:
        return []
    words = list(rule.words)
    if at_end:
        words[0] = token[: len(token) - len(rule.replaced)] + words[0]
    else:
        words[-1] += token[len(rule.replaced) :]
    if not all(words):
        return []
    if len(token) > 1 and token.isupper() and token.isalpha():
        return [word.upper() for word in words]
    return [words[0][0].upper() + words[0][1:], *words[1:]] if token[0].isupper() else words
