# SPDX-License-Identifier: Apache-2.0
"""Sentences with their translations and automatic links: a file of them, and batches of tensors."""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from tools.teach_orders.settings import Mode
from torch import Tensor

from budgie.formats.alignments import Aligned
from budgie.formats.lines import read_lines

AUTOMATIC = ("enja-kyoto-auto/train", "enja-tanaka50k-auto/train")
TRAIN, DEV = "enja-kftt-manual/train", "enja-kftt-manual/dev"
LONGEST = 256  # words of a sentence
CHANNELS = 5  # of a link: forward and reverse of stems, forward and reverse of whole words, likeness of sound
SOUND = 4  # the last of them
UNKNOWN = 1  # a rare word or feature; 0 is none
RARE = 3  # what is seen less often
BUCKETS = 16_384  # for hashed pieces of words
PIECES = 16  # of a word at most

Kind = tuple[str | int, ...]  # the features of a word


@dataclass(frozen=True)
class Pair:
    """A sentence and its translation."""

    origin: str  # such as enja-kftt-manual/dev
    source: list[str]
    tags: list[str]
    clusters: list[int]  # 0: unknown
    target: list[list[str]]  # surface, tag and lemma of each word
    links: list[list[float]]  # source position, target position, channels
    manual: list[list[int]] | None  # by source word, to the words of the corpus, which are not those of `target`
    manual_links: list[list[int]]  # source position, target position

    def aligned(self) -> Aligned:
        """The manual alignment."""
        assert self.manual is not None
        return Aligned(tuple(self.source), tuple(map(tuple, self.manual)))


def write_pairs(path: Path, pairs: Iterable[Pair]) -> None:
    """JSON lines, compressed with gzip."""
    with gzip.open(path, "wt", compresslevel=5, encoding="utf-8", newline="\n") as file:
        for pair in pairs:
            file.write(json.dumps(vars(pair), ensure_ascii=False, separators=(",", ":")) + "\n")


def read_pairs(path: Path) -> list[Pair]:
    """What `write_pairs` wrote."""
    return [Pair(**json.loads(line)) for line in read_lines(path)]


@dataclass
class Words:
    """One side of a batch."""

    features: Tensor  # [sentences, words, columns], the number of the word first
    pieces: Tensor  # [sentences, words, pieces]
    mask: Tensor  # [sentences, words]: not padding
    lengths: np.ndarray  # of the sentences


@dataclass
class Batch:
    """Some sentences, padded."""

    source: Words
    target: Words | None = None
    links: Tensor | None = None  # that the network is shown [sentences, source words, target words, channels]
    automatic_links: Tensor | None = None  # shares of the alignments [sentences, source words, target words]
    manual_links: Tensor | None = None  # [sentences, source words, target words]


class Text:
    """One side of all sentences. The first feature of a word is the word itself, whose spelling counts as well."""

    def __init__(self, sentences: Sequence[Sequence[Kind]], pieces: tuple[int, ...], device: torch.device) -> None:
        """`pieces` are lengths of parts of words."""
        kinds: dict[Kind, int] = {}
        self.kinds = [
            np.array([kinds.setdefault(word, len(kinds) + 1) for word in sentence], np.int32) for sentence in sentences
        ]
        counts = np.bincount(np.concatenate(self.kinds), minlength=len(kinds) + 1)[1:]
        table = np.zeros((len(kinds) + 1, len(next(iter(kinds)))), np.int64)
        self.sizes = []
        for column, values in enumerate(zip(*kinds, strict=True)):
            seen: Counter[str | int] = Counter()
            for value, count in zip(values, counts.tolist(), strict=True):
                seen[value] += count
            numbers = {value: number for number, value in enumerate((v for v, n in seen.items() if n >= RARE), 2)}
            table[1:, column] = [numbers.get(value, UNKNOWN) for value in values]
            self.sizes.append(len(numbers) + 3)  # none, unknown, and the hidden word
        spellings = [[0] * PIECES, *(_pieces(str(word[0]), pieces) for word in kinds)]
        self.features, self.spellings = put(table, device), torch.tensor(spellings, device=device)
        self.lengths = np.array([len(sentence) for sentence in sentences])

    def batch(self, chosen: np.ndarray) -> Words:
        """Some sentences, padded to a multiple of 8."""
        lengths = self.lengths[chosen]
        mask = np.arange(-(-lengths.max() // 8) * 8) < lengths[:, None]
        kinds = np.zeros(mask.shape, np.int64)
        kinds[mask] = np.concatenate([self.kinds[one] for one in chosen])
        padded = put(kinds, self.features.device)
        return Words(self.features[padded], self.spellings[padded], padded > 0, lengths)


class Corpus:
    """All sentences, ready for batches."""

    def __init__(self, pairs: Sequence[Pair], device: torch.device) -> None:
        self.pairs, self.device = pairs, device
        self.source = Text([_source_words(pair) for pair in pairs], (3, 4), device)
        self.target = Text([[(fold(w), tag, lemma) for w, tag, lemma in one.target] for one in pairs], (1, 2), device)
        self.links = [np.array(pair.links, np.float32).reshape(-1, 2 + CHANNELS) for pair in pairs]
        manual = ([[*link, 1] for link in pair.manual_links] for pair in pairs)
        self.manual_links = [np.array(rows, np.float32).reshape(-1, 3) for rows in manual]

    def chosen(self, *origins: str) -> np.ndarray:
        """The numbers of the sentences of some origins."""
        return np.array([number for number, pair in enumerate(self.pairs) if pair.origin in origins], np.int64)

    def batch(self, chosen: np.ndarray, mode: Mode) -> Batch:
        """What a mode shows of some sentences."""
        batch = Batch(self.source.batch(chosen))
        if mode is not Mode.SOURCE:
            batch.target = self.target.batch(chosen)
            batch.links = self._dense(self.links, chosen, batch)
            batch.automatic_links = batch.links[..., :SOUND].mean(-1)
            batch.manual_links = self._dense(self.manual_links, chosen, batch)[..., 0]
            if mode is Mode.TARGET:
                batch.links[..., :SOUND] = 0
        return batch

    def _dense(self, links: list[np.ndarray], chosen: np.ndarray, batch: Batch) -> Tensor:
        """Links of some sentences as a tensor [sentences, source words, target words, channels]."""
        assert batch.target is not None
        found = [links[one] for one in chosen]
        sentences = put(np.repeat(np.arange(len(found)), [len(one) for one in found]), self.device)
        joined = put(np.concatenate(found), self.device)
        source, target = joined[:, :2].long().unbind(1)
        shape = (*batch.source.mask.shape, batch.target.mask.shape[1], joined.shape[1] - 2)
        dense = torch.zeros(shape, device=self.device)
        dense[sentences, source, target] = joined[:, 2:]
        return dense

    def automatic(self, number: int) -> tuple[np.ndarray, np.ndarray]:
        """The positions of a sentence's links, and how many of the alignments have each."""
        rows = self.links[number]
        return rows[:, :2].astype(int), rows[:, 2 : 2 + SOUND].mean(1)

    def batches(self, chosen: np.ndarray, words: int, generator: np.random.Generator) -> Iterator[np.ndarray]:
        """Sentences of like length together, in random order, about so many words of both sides at once."""
        lengths = self.source.lengths[chosen] + self.target.lengths[chosen]
        order = np.argsort(lengths + generator.uniform(-3, 3, len(chosen)))
        parts = [chosen[order[part]] for part in runs(lengths[order], words)]
        yield from (parts[number] for number in generator.permutation(len(parts)))


def put(array: np.ndarray, device: torch.device) -> Tensor:
    """A tensor on the device. A GPU is not waited for: it is to work while the next step is prepared."""
    tensor = torch.from_numpy(array)
    return tensor.pin_memory().to(device, non_blocking=True) if device.type == "cuda" else tensor


def runs(lengths: np.ndarray, words: int) -> Iterator[slice]:
    """Parts of a list of sentences: at most so many words, each sentence as long as the longest of its part."""
    start = longest = 0
    for place, length in enumerate(lengths.tolist()):
        longest = max(longest, length)
        if place > start and longest * (place - start + 1) > words:
            yield slice(start, place)
            start, longest = place, length
    yield slice(start, len(lengths))


def fold(word: str) -> str:
    """Without letter case; digits are alike."""
    return re.sub(r"\d", "0", word.lower())


def _source_words(pair: Pair) -> list[Kind]:
    columns = (map(fold, pair.source), pair.tags, pair.clusters, map(_case, pair.source))
    return list(zip(*columns, strict=True))


def _case(word: str) -> str:
    if word.islower():
        return "lower"
    return "upper" if word.isupper() and len(word) > 1 else "title" if word[:1].isupper() else "other"


def _pieces(word: str, lengths: tuple[int, ...]) -> list[int]:
    text = f"<{word}>"
    pieces = {text[start : start + n] for n in lengths for start in range(len(text) - n + 1)}
    shortest = sorted(pieces, key=lambda piece: (len(piece), piece))[:PIECES]
    hashed = [1 + zlib.crc32(piece.encode()) % (BUCKETS - 1) for piece in shortest]
    return hashed + [0] * (PIECES - len(hashed))
