# SPDX-License-Identifier: Apache-2.0
"""Rules that split tokens into words, learnt from treebanks (core/tasks/multiword.hpp has what they mean).

All tokens that could be told apart form a tree, by their characters from the end backwards (or from the beginning on)
and further by those of the token beside. The rules are those that pay for themselves: a rule at a place of the tree
costs as much as some tokens that come out wrong, and holds for all that lies below it until there is another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from budgie.formats.segmented import ZERO_WIDTH_SPACE
from budgie.formats.treebank import TreebankSentence, TreebankToken

_COST = 1.5  # chosen on dev sets, as all of these
_COST_BESIDE = 3.0  # of a rule that looks at the token beside
_BESIDE = 5  # characters of the token beside that may matter
_OFTEN = 2  # what is seen of the token beside matters where multiword tokens have it so often
_CANDIDATES = 4  # rewritings that are tried at each place


class Rewriting(NamedTuple):
    """What is replaced at the end of a token, and what by: a piece that stays with the rest, and whole words."""

    replaced: str
    pieces: tuple[str, ...]  # none where a token stays whole


_STAYS = Rewriting("", ())


class _Place:
    """A place in the tree."""

    def __init__(self) -> None:
        self.next: dict[str, _Place] = {}
        self.here = Counter[Rewriting]()  # of tokens that go no further
        self.below = Counter[Rewriting]()


class _Rules(NamedTuple):
    cost: float  # of all tokens that come out wrong, and of the rules
    rules: dict[str, Rewriting]  # by their keys


def learn_multiword(sentences: Sequence[TreebankSentence]) -> list[str]:
    """The lines of a section of rules, its head first; nothing where all tokens are words."""
    if all(len(token.words) == 1 for sentence in sentences for token in sentence.tokens):
        return []
    at_end = _learn(_examples(sentences, backwards=False))
    at_beginning = _learn(_examples(sentences, backwards=True))
    backwards = at_beginning.cost < at_end.cost
    lines = ["beginning" if backwards else "end"]
    for key, rewriting in (at_beginning if backwards else at_end).rules.items():
        parts = (key, rewriting.replaced, " ".join(rewriting.pieces))
        lines.append("\t".join(part[::-1] for part in parts) if backwards else "\t".join(parts))
    return lines if len(lines) > 1 else []


class _Example(NamedTuple):
    """A token in small letters, what stands before it, and what becomes of it."""

    beside: str
    token: str
    rewriting: Rewriting


def _examples(sentences: Iterable[TreebankSentence], backwards: bool) -> Counter[_Example]:
    """The tokens of sentences; read backwards, what is true of beginnings is true of ends."""
    examples = Counter[_Example]()
    for sentence in sentences:
        beside = ""
        for token in reversed(sentence.tokens) if backwards else sentence.tokens:
            text, words = _read(token, backwards)
            if not any(one.isspace() or one == ZERO_WIDTH_SPACE for one in text + "".join(words)):
                examples[_Example(beside[-_BESIDE:], text, _rewriting(text, words))] += 1
            beside = f" {text}"
    return examples


def _read(token: TreebankToken, backwards: bool) -> tuple[str, list[str]]:
    words = [word.text.lower() for word in token.words]
    text = token.text.lower()
    return (text[::-1], [word[::-1] for word in reversed(words)]) if backwards else (text, words)


def _rewriting(text: str, words: Sequence[str]) -> Rewriting:
    if len(words) == 1:
        return _STAYS
    kept = 0
    while kept < min(len(text), len(words[0])) and text[kept] == words[0][kept]:
        kept += 1
    return Rewriting(text[kept:], (words[0][kept:], *words[1:]))


def _learn(examples: Counter[_Example]) -> _Rules:
    root = _Place()
    seen = _endings_of_multiword(examples)
    for (beside, token, rewriting), count in examples.items():
        key, place = f"{beside} {token}", root
        for length in range(1, len(key) + 1):
            often = seen[key[-length:]]
            if often < (_OFTEN if length > len(token) + 1 else 1):
                break
            place = place.next.setdefault(key[-length], _Place())
        place.here[rewriting] += count
    _sum(root)
    return _best(root, _STAYS, "", {})


def _endings_of_multiword(examples: Counter[_Example]) -> Counter[str]:
    """What multiword tokens, and what stands before them, end with: nothing else is worth a look."""
    seen = Counter[str]()
    for (beside, token, rewriting), count in examples.items():
        if rewriting != _STAYS:
            key = f"{beside} {token}"
            for length in range(1, len(key) + 1):
                seen[key[-length:]] += count
    return seen


def _sum(place: _Place) -> Counter[Rewriting]:
    place.below = Counter(place.here)
    for one in place.next.values():
        place.below.update(_sum(one))
    return place.below


def _best(place: _Place, inherited: Rewriting, key: str, known: dict[tuple[str, Rewriting], _Rules]) -> _Rules:
    """The best rules for all that lies below a place, where `inherited` holds so far."""
    if list(place.below) == [inherited]:
        return _Rules(0, {})
    if (key, inherited) not in known:
        token = key.rpartition(" ")[2]
        fitting = [one for one, _ in place.below.most_common(_CANDIDATES) if token.endswith(one.replaced)]
        choices = []
        for choice in dict.fromkeys([inherited, *fitting, _STAYS]):
            cost = float(place.here.total() - place.here[choice])
            rules = {} if choice == inherited else {key: choice}
            for character, one in place.next.items():
                below = _best(one, choice, character + key, known)
                cost += below.cost
                rules |= below.rules
            if choice != inherited:
                cost += _COST_BESIDE if len(key) > len(token) + 1 else _COST
            choices.append(_Rules(cost, rules))
        known[key, inherited] = min(choices, key=lambda one: one.cost)
    return known[key, inherited]
