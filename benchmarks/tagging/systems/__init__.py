# SPDX-License-Identifier: Apache-2.0
"""One tagger a module, asked from inside its own environment: the standard library and that tagger only.

Each has `load(path) -> Ways`; the peers also `train(train, dev, path)`, which learns a model and writes it. A peer's
model is learnt again when its module changes above `load`, as the settings are there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

Words = list[str]
Tagged = list[tuple[str, str]]  # a sentence: words and their tags


@dataclass(frozen=True)
class Way:
    """A way to call a tagger. What `prepare` makes of the sentences is not timed; `tag` gives their tags."""

    tag: Callable[[Sequence[Any]], list[list[str]]]
    prepare: Callable[[list[Words]], Sequence[Any]] = list
    whole: bool = False  # gains from getting all sentences at once, and is given them so


# A loaded tagger: "one", a sentence a call; "batch", as many as it takes at once; others where it has them.
Ways = dict[str, Way]


def one_by_one(tag: Callable[[Any], list[str]]) -> Callable[[Sequence[Any]], list[list[str]]]:
    """A way to tag many sentences with a call for each."""
    return lambda sentences: [tag(sentence) for sentence in sentences]
