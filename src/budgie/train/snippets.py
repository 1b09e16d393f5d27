# SPDX-License-Identifier: Apache-2.0
"""Training snippets for the language identifier: balanced labels and domains, every length, the noise of real text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

import numpy as np
import numpy.typing as npt

from budgie.errors import ConfigError
from budgie.train.cleaning import WITHOUT_SPACES
from budgie.train.corpora import SLOTS, Corpora, Pool
from budgie.train.noise import (
    WITHOUT_DIACRITICS,
    change_case,
    foreign_word,
    insert,
    insertion,
    spelling_variant,
    stretch,
    without_diacritics,
)

WORD, PAIR, SHORT, PART, LINE, LINES = range(6)
_EDGES = " .,!?;:\"'()[]{}«»“”„…—–-*/|=<>。、，！？「」『』（）：；،؟।"


@dataclass(frozen=True)
class SnippetSettings:
    """Shares and probabilities; shares need not sum to one."""

    # lengths
    word: float = 0.10  # one word
    pair: float = 0.12  # two words, in order
    short: float = 0.36  # short_least to short_most characters
    part: float = 0.17  # a part of a sentence
    line: float = 0.20  # a sentence, as the corpus has it
    lines: float = 0.05  # neighbouring sentences: costly
    short_least: int = 14
    short_most: int = 34
    line_most: int = 400
    lines_most: int = 1000
    cut_inside_words: float = 0.1  # of short snippets: the end falls anywhere, as where a program cuts

    # balance
    label_power: float = 0.3  # labels are drawn by bytes to this power
    label_cap: int = 2_000_000  # bytes beyond this do not count
    source_power: float = 0.5  # sources of a label likewise, times their weight
    source_weight: Mapping[str, float] = field(
        default_factory=lambda: {
            "mediawiki": 0.3,
            "mozilla_www": 0.3,
            "ebible": 0.3,
            "bible_cc0": 0.3,
            "govza": 0.5,
            "tesseract_text": 0.1,
        }
    )
    listed_words: float = 0.2  # of words, pairs and short snippets: from word lists
    listed_words_thin: float = 0.5  # the same for a label of no running text; between the two for a thin one
    thin: int = 300_000  # bytes of running text below which a label is thin

    # noise
    lower: float = 0.06
    upper: float = 0.05
    title: float = 0.02
    inserted: float = 0.04  # addresses, numbers, emoji, tags (in longer snippets, three times as often)
    foreign: float = 0.03  # an English word or a name inside a longer snippet
    diacritics: float = 1.0  # times the share of each language in noise.WITHOUT_DIACRITICS
    variant: float = 0.05  # another encoding of the same spelling
    stretched: float = 0.003


class SnippetSampler:
    """Draws batches of (text, label number); a batch depends on nothing but the corpora, the seed and its index."""

    def __init__(self, corpora: Corpora, seed: int, settings: SnippetSettings = SnippetSettings()) -> None:
        self.labels = corpora.labels
        self.settings = settings
        self._seed = seed
        self._texts, self._words = corpora.texts, corpora.words
        text_bytes = _bytes_of_labels(corpora.labels, corpora.texts)
        if not all(text_bytes):
            raise ConfigError(f"no running text for {corpora.labels[text_bytes.index(0)]}")
        self._label_cdf = _cdf(np.minimum(text_bytes, settings.label_cap) ** settings.label_power)
        self._kind_cdf = _cdf(
            np.array([settings.word, settings.pair, settings.short, settings.part, settings.line, settings.lines])
        )
        self._text_cdf = _pool_cdf(corpora.labels, corpora.texts, settings)
        self._word_cdf = _pool_cdf(corpora.labels, corpora.words, settings)
        thinness = np.clip(1 - np.array(text_bytes) / settings.thin, 0, 1)
        listed = settings.listed_words + (settings.listed_words_thin - settings.listed_words) * thinness
        with_words = {pool.label for pool in corpora.words}
        self._listed = listed * [label in with_words for label in corpora.labels]

    @property
    def label_shares(self) -> dict[str, float]:
        """How often each label is drawn."""
        return dict(zip(self.labels, np.diff(self._label_cdf, prepend=0.0).tolist(), strict=True))

    def batch(self, index: int, size: int) -> tuple[list[str], npt.NDArray[np.int64]]:
        """Batch number `index`."""
        rng = np.random.default_rng([self._seed, index])
        random = Random(int(rng.integers(1 << 62)))
        uniform = rng.random((6, size))
        labels = np.searchsorted(self._label_cdf, uniform[0], side="right")
        kinds = np.searchsorted(self._kind_cdf, uniform[1], side="right")
        listed = (uniform[2] < self._listed[labels]) & (kinds <= SHORT)
        pools = np.where(listed, _draw(self._word_cdf, labels, uniform[3]), _draw(self._text_cdf, labels, uniform[3]))
        texts = []
        draws = zip(
            kinds.tolist(), listed.tolist(), pools.tolist(), uniform[4].tolist(), uniform[5].tolist(), strict=True
        )
        for kind, from_list, pool_number, place, length in draws:
            pool = self._words[pool_number] if from_list else self._texts[pool_number]
            text = _listed(pool, kind, random) if from_list else self._cut(pool, kind, place, length)
            texts.append(self._distort(text, pool.label, kind, random))
        return texts, labels.astype(np.int64)

    def _cut(self, pool: Pool, kind: int, place: float, length: float) -> str:
        """A piece of running text around the character at `place` (0 to 1); `length` (0 to 1) says how long."""
        settings, text = self.settings, pool.text
        at = int(place * len(text))
        first = text.rfind("\n", 0, at) + 1
        last = text.find("\n", at)
        if kind == LINES:
            size = settings.line_most * (settings.lines_most / settings.line_most) ** length
            end = text.rfind("\n", first, first + int(size))
            return text[first : max(end, last)][: settings.lines_most].replace("\n", " ")
        if kind == LINE:
            return text[first : min(last, first + settings.line_most)]
        if pool.label in WITHOUT_SPACES:
            return _cut_characters(text, kind, at, first, last, length, settings)
        start = text.rfind(" ", first, at) + 1 or first
        if kind <= PAIR:
            end = text.find(" ", at, last)
            if kind == PAIR and end >= 0:
                end = text.find(" ", end + 1, last)
            word = text[start : last if end < 0 else end].strip(_EDGES)
            return word if any(map(str.isalpha, word)) else text[first : min(last, first + settings.short_most)]
        if kind == SHORT:
            size = settings.short_least + int(length * (settings.short_most + 1 - settings.short_least))
        else:
            size = int(settings.short_most * (max(last - first, settings.short_most) / settings.short_most) ** length)
        # a start near the end of a line would give a stub: step back as far as the wanted size
        if start + size > last:
            start = text.rfind(" ", first, max(last - size, first)) + 1 or first
        if start + size >= last:
            return text[start:last]
        if (length * 997) % 1 < settings.cut_inside_words:
            return text[start : start + size].strip()
        end = text.rfind(" ", start, start + size + 1)
        return text[start : end if end > start else start + size].strip()

    def _distort(self, text: str, label: str, kind: int, random: Random) -> str:
        """The text with a little of the noise of real life."""
        settings = self.settings
        chance = random.random()
        if chance < settings.upper:
            text = change_case(text, label, "upper")
        elif chance < settings.upper + settings.lower:
            text = change_case(text, label, "lower")
        elif chance < settings.upper + settings.lower + settings.title:
            text = change_case(text, label, "title")
        if label in WITHOUT_DIACRITICS and random.random() < settings.diacritics * WITHOUT_DIACRITICS[label]:
            text = without_diacritics(text, label)
        chance = random.random()
        if chance < settings.variant:
            text = spelling_variant(text, label, random)
        elif chance > 1 - settings.stretched:
            text = stretch(text, random)
        chance = random.random()
        if chance < settings.inserted * (1 if kind < PART else 3):
            text = insert(text, insertion(random), random.random())
        elif kind >= PART and chance > 1 - settings.foreign:
            text = insert(text, foreign_word(random), random.random())
        return text


def _listed(pool: Pool, kind: int, random: Random) -> str:
    """One to three words of a word list; an entry of tesseract_bigrams is two already."""
    count = 1 if kind == WORD else 2 if kind == PAIR else 3
    if pool.source == "tesseract_bigrams" and count > 1:
        count -= 1
    assert pool.starts is not None
    starts = [pool.starts[int(random.random() * SLOTS)] for _ in range(count)]
    return " ".join([pool.text[start : pool.text.index("\n", start)] for start in starts])


def _cut_characters(
    text: str, kind: int, at: int, first: int, last: int, length: float, settings: SnippetSettings
) -> str:
    """The same for scripts that write no spaces between words: cut between any two characters."""
    if kind == WORD:
        size = 2 + int(length * 4)
    elif kind == PAIR:
        size = 4 + int(length * 6)
    elif kind == SHORT:
        size = 6 + int(length * (settings.short_most - 5))
    else:
        size = int(10 * (max(last - first, 10) / 10) ** length)
    start = max(min(at, last - size), first)
    return text[start : min(start + size, last)].strip(_EDGES) or text[first:last]


def _bytes_of_labels(labels: tuple[str, ...], pools: tuple[Pool, ...]) -> list[int]:
    """Bytes of the pools of each label."""
    sizes = dict.fromkeys(labels, 0)
    for pool in pools:
        sizes[pool.label] += pool.size
    return list(sizes.values())


def _cdf(weights: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Cumulative probabilities; the last one is above any number `random` gives."""
    cumulative = np.cumsum(weights) / weights.sum()
    cumulative[-1] = 1.0
    return cumulative


def _pool_cdf(
    labels: tuple[str, ...], pools: tuple[Pool, ...], settings: SnippetSettings
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    """For each label the cumulative probabilities of its pools, and their numbers, padded to the longest row."""
    of_label: dict[str, list[int]] = {label: [] for label in labels}
    for number, pool in enumerate(pools):
        of_label[pool.label].append(number)
    width = max([1, *map(len, of_label.values())])
    cumulative = np.ones((len(labels), width))
    numbers = np.zeros((len(labels), width), dtype=np.int64)
    for row, mine in enumerate(of_label.values()):
        if mine:
            weights = [
                settings.source_weight.get(pools[i].source, 1.0) * pools[i].size**settings.source_power for i in mine
            ]
            cumulative[row, : len(mine)] = _cdf(np.array(weights))
            numbers[row, : len(mine)] = mine
    return cumulative, numbers


def _draw(
    cdf: tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]],
    labels: npt.NDArray[np.intp],
    uniform: npt.NDArray[np.float64],
) -> npt.NDArray[np.int64]:
    """A pool number for each label."""
    cumulative, numbers = cdf
    column = (uniform[:, None] >= cumulative[labels]).sum(axis=1)
    return numbers[labels, column]
