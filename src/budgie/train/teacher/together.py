# SPDX-License-Identifier: Apache-2.0
"""One teacher for several languages, as parts of speech are the same for all: large treebanks help small ones.

Each sentence begins with a word that says which language it is in, so that what differs between treebanks can be learnt
as well; it is taken away again before anything is written.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor

from budgie.errors import DataError
from budgie.formats.sentences import TokenisedSentence, pairs, read_tagged
from budgie.train.teacher.text import Words, read_text, sample

_TAG = "X"  # of the word that says the language: anything that each treebank may have


@dataclass(frozen=True)
class Languages:
    """Sentences of all languages, marked."""

    train: list[TokenisedSentence]
    dev: list[TokenisedSentence]
    text: list[Words]


def read_languages(folder: Path, words: int, lengths: tuple[int, int], seed: int) -> Languages:
    """Read LANGUAGE/train*, LANGUAGE/dev* and LANGUAGE/text* of a folder; of each text a sample of so many words."""
    found = Languages([], [], [])
    for path in sorted(path for path in folder.iterdir() if path.is_dir()):
        train, dev = (read_tagged(*sorted(path.glob(f"{part}*"))) for part in ("train", "dev"))
        if not train or not dev:
            raise DataError(f"{path} must have files train* and dev* of tagged sentences")
        found.train.extend(_marked(sentence, path.name) for sentence in train)
        found.dev.extend(_marked(sentence, path.name) for sentence in dev)
        text = sample(read_text(sorted(path.glob("text*")), dev), words, *lengths, seed)
        found.text.extend((_mark(path.name), *sentence) for sentence in text)
    if not found.train:
        raise DataError(f"{folder} must have a folder for each language")
    return found


def by_language(sentences: Iterable[Words]) -> dict[str, tuple[list[Words], Tensor]]:
    """Of each language the sentences, without their marks, and where their words stand among all words and marks."""
    found: dict[str, tuple[list[Words], list[int]]] = {}
    place = 0
    for mark, *words in sentences:
        own, places = found.setdefault(mark[1:-1], ([], []))
        own.append(tuple(words))
        places.extend(range(place + 1, place + 1 + len(words)))
        place += 1 + len(words)
    return {language: (own, torch.tensor(places)) for language, (own, places) in found.items()}


def tags_by_language(sentences: Iterable[TokenisedSentence]) -> dict[str, set[str]]:
    """The tags that the treebank of each language has, of marked sentences."""
    found: dict[str, set[str]] = {}
    for sentence in sentences:
        mark, *tags = (word if i == 0 else tag for i, (word, tag) in enumerate(pairs(sentence)))
        found.setdefault(mark[1:-1], set()).update(tags)
    return found


def _mark(language: str) -> str:
    return f"⟨{language}⟩"


def _marked(sentence: TokenisedSentence, language: str) -> TokenisedSentence:
    assert sentence.tags is not None  # read_tagged refuses others
    return TokenisedSentence((_mark(language), *sentence.words), (_TAG, *sentence.tags))
