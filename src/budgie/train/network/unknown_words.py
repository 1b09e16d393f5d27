# SPDX-License-Identifier: Apache-2.0
"""Training words that are taken for unknown ones now and then.

What only one word has, its whole form and its long n-grams, says nothing of an unknown word: there it is hashed to rows
that were learnt for something else. A network that has met its training words only would trust them all the same, so
some words get such rows at random while it learns.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from budgie.model.config import Config
from budgie.model.features import make_word_features

_WIDE = 2**24  # buckets, so many that hardly two features share one
HASHED = ("ngrams", "words")  # kinds of groups
_MOST = 0.5  # of the time that a word is taken for an unknown one


@dataclasses.dataclass(frozen=True)
class UnknownWords:
    """How often that happens to each word, by its number, and which of its features are its own."""

    chances: Tensor  # [words]; number 0 is no word
    own: dict[int, Tensor]  # of each hashed group: whether no other training word has a feature [features of all words]
    buckets: list[int]

    @classmethod
    def of(
        cls, config: Config, words: Sequence[str], counts: Mapping[str, int], share: float, device: torch.device
    ) -> UnknownWords:
        """Words that occur `counts` times in the training text are taken for unknown `share` of these times."""
        hashed = [number for number, group in enumerate(config.groups) if group.kind in HASHED]
        wide = tuple(dataclasses.replace(config.groups[number], buckets=_WIDE) for number in hashed)
        found = make_word_features(dataclasses.replace(config, groups=wide, bloom=None), {}).ids(list(words))
        known = np.array([counts.get(word, 0) > 0 for word in words])
        own = {
            number: torch.from_numpy(_own(ids, starts, known)).to(device)
            for number, (ids, starts) in zip(hashed, found, strict=True)
        }
        chances = [min(_MOST, share / counts[word]) if counts.get(word) else 0.0 for word in words]
        return cls(torch.tensor([0.0, *chances], device=device), own, [group.buckets for group in config.groups])

    def draw(self, words: Tensor) -> Tensor:
        """Which of some words are unknown this time."""
        return torch.rand(words.shape, device=words.device) < self.chances[words]

    def replace(self, group: int, ids: Tensor, places: Tensor, unknown: Tensor) -> Tensor:
        """Rows of a group at `places` among all features, and other ones where they are an unknown word's own."""
        if group not in self.own:
            return ids
        others = torch.randint(self.buckets[group], ids.shape, device=ids.device)
        return torch.where(unknown & self.own[group][places], others, ids)


def _own(
    ids: npt.NDArray[np.int64], starts: npt.NDArray[np.int64], known: npt.NDArray[np.bool_]
) -> npt.NDArray[np.bool_]:
    """Which features at most one known word has."""
    lengths = np.diff(starts, append=len(ids))
    words = np.repeat(np.repeat(np.arange(len(known)), len(starts) // len(known)), lengths)
    features, numbers = np.unique(ids, return_inverse=True)
    of_known = known[words]
    pairs = np.unique(numbers[of_known] * len(known) + words[of_known])
    having = np.bincount(pairs // len(known), minlength=len(features))
    alone: npt.NDArray[np.bool_] = having[numbers] <= 1
    return alone
