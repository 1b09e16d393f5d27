# SPDX-License-Identifier: Apache-2.0
"""Dependency trees, and what there is to choose in them: which of two parts of a head comes first.

The parts of a head are the head itself and what depends on it, each dependent with all that is below it. An order of
the parts of each head is an order of the words, in which every part stays together.
"""

from __future__ import annotations

import itertools
import json
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from budgie.formats.lines import read_lines

ROOT = -1  # the head of what depends on no word
ROWS = 1 << 17  # of weights, which features share by a hash
ARTICLES = frozenset(("a", "an", "the"))  # which Japanese has not: they go with the next word
_PREPOSITIONS = ("IN", "TO")
_QUESTIONS = frozenset(("WP", "WRB", "WDT", "WP$"))
_PUNCTUATION = frozenset((",", ";", ":", "(", ")", ".", "?", "!", '"', "-", "/", "[", "]", "'"))


@dataclass(frozen=True)
class Tree:
    """The words of a sentence, and of each its head, its relation to that and its tag."""

    words: list[str]
    heads: list[int]
    relations: list[str]
    tags: list[str]

    @cached_property
    def children(self) -> list[list[int]]:
        """Of each word, and at the end those of ROOT."""
        found: list[list[int]] = [[] for _ in range(len(self.words) + 1)]
        for word, head in enumerate(self.heads):
            found[head].append(word)
        return found

    def below(self, word: int) -> list[int]:
        """A word and all that depends on it."""
        return [word, *(one for child in self.children[word] for one in self.below(child))]

    def parts(self, head: int) -> list[int]:
        """The head and its children, as they stand."""
        return sorted([*self.children[head], *([head] if head != ROOT else [])])


def read_trees(path: Path) -> Iterator[Tree]:
    """What `parse.py` wrote."""
    for line in read_lines(path):
        yield Tree(**json.loads(line))


class Choices:
    """Of each head the parts, and of each two of them a row of features: the first of them stands first."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.below = [tree.below(word) for word in range(len(tree.words))]
        self.parts = {head: parts for head in range(ROOT, len(tree.words)) if len(parts := tree.parts(head)) > 1}
        self.pairs = [
            (head, *pair) for head, parts in self.parts.items() for pair in itertools.combinations(range(len(parts)), 2)
        ]
        rows = [[zlib.crc32(one.encode()) % ROWS for one in self._features(*pair)] for pair in self.pairs]
        self.rows = np.array(rows, np.int32)

    def words_of(self, head: int, part: int) -> list[int]:
        """The words of a part, the head alone where it is one."""
        return [part] if part == head else self.below[part]

    def _features(self, head: int, first: int, second: int) -> list[str]:
        tree, parts = self.tree, self.parts[head]
        a, b = parts[first], parts[second]
        side = "head" if head in (a, b) else "before" if b < head else "around" if a < head else "behind"
        relations = [self._relation(head, one) for one in (a, b)]
        both = "|".join((*relations, side))
        words, tags = [tree.words[one].lower() for one in (a, b)], "|".join((tree.tags[a], tree.tags[b]))
        markers = [self._marker(head, one) for one in (a, b)]
        sizes = "|".join(str(min(4, len(self.words_of(head, one)).bit_length())) for one in (a, b))
        comma = str(any(tree.words[one] in _PUNCTUATION for one in parts[first + 1 : second]))
        last = str(tree.words[parts[min(second + 1, len(parts) - 1)]] in _PUNCTUATION)
        word, tag, above = ("", "", "") if head == ROOT else (tree.words[head], tree.tags[head], tree.relations[head])
        children = {tree.relations[child] for child in tree.children[head]}
        subject = str(bool(children & {"nsubj", "nsubjpass", "csubj", "expl"}))
        question = str(any(tree.tags[one] in _QUESTIONS for one in self.words_of(head, a)))
        alone = [tags, "|".join(markers), "|".join(words), relations[0], relations[1], *words]
        with_both = [
            *("", tag, tags, f"{tags}|{tag}", f"{tags}|{comma}|{last}", "|".join(words), words[0], words[1]),
            *("|".join(markers), markers[0], markers[1], f"{'|'.join(markers)}|{comma}", word.lower(), above),
            *(sizes, f"{sizes}|{comma}|{tag}", f"{comma}|{last}", f"{second - first}", f"{first}", subject, question),
            f"{above}|{tag}|{comma}",
        ]
        return [
            *(f"{number}|{side}|{one}" for number, one in enumerate(alone)),
            *(f"{number}||{both}|{one}" for number, one in enumerate(with_both)),
        ]

    def _relation(self, head: int, part: int) -> str:
        return "head" if part == head else self.tree.relations[part]

    def _marker(self, head: int, part: int) -> str:
        """The preposition or conjunction of a part."""
        tree = self.tree
        if part == head or tree.tags[part] in _PREPOSITIONS:
            return "" if part == head else tree.words[part].lower()
        marks = (one for one in tree.children[part] if one < part and tree.relations[one] in ("mark", "case"))
        return next((tree.words[one].lower() for one in marks), "")


def with_articles(words: Sequence[str], order: Sequence[int]) -> list[int]:
    """The order, but each article before the word that follows it."""
    found: list[int] = []
    for place in order:
        if words[place].lower() in ARTICLES and place + 1 < len(words):
            continue
        begin = place
        while begin > 0 and words[begin - 1].lower() in ARTICLES:
            begin -= 1
        found += range(begin, place + 1)
    return found
