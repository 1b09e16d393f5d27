# SPDX-License-Identifier: Apache-2.0
"""Training snippets for the language identifier: balanced labels and domains, every length, the noise of real text."""

from __future__ import annotations

import unicodedata
from random import Random

import numpy as np
import numpy.typing as npt

from budgie.errors import DataError
from budgie.train.langid import noise
from budgie.train.langid.background import BACKGROUND
from budgie.train.langid.cleaning import INTERFACE
from budgie.train.langid.corpora import Corpora, Pool
from budgie.train.langid.word_lists import SLOTS
from budgie.train.network.snippet_settings import SnippetSettings

WORD, PAIR, SHORT, PART, LINE, LINES = range(6)  # kinds of snippets, by length
_EDGES = " .,!?;:\"'()[]{}«»“”„…—–-*/|=<>。、，！？「」『』（）：；،؟।"

Doubles = npt.NDArray[np.float64]


_DEFAULT = SnippetSettings()


class SnippetSampler:
    """Draws batches of (text, label number); a batch depends on nothing but the corpora, the seed and its index."""

    def __init__(self, corpora: Corpora, seed: int, settings: SnippetSettings = _DEFAULT) -> None:
        self.labels = corpora.labels
        self.settings = settings
        self._seed = seed
        self._texts, self._words = corpora.texts, corpora.words
        sizes = _sizes(corpora.labels, corpora.texts)
        if not sizes.any():
            raise DataError("there is no text to draw snippets from")
        weights = [_label_weight(label, corpora, settings) for label in corpora.labels]
        self._label_cdf = _cdf(np.minimum(sizes, settings.label_cap) ** settings.label_power * weights)
        self._kind_cdf = _cdf(
            np.array([settings.word, settings.pair, settings.short, settings.part, settings.line, settings.lines])
        )
        self._text_rows = _PoolRows(corpora.labels, corpora.texts, settings)
        self._word_rows = _PoolRows(corpora.labels, corpora.words, settings)
        thinness = np.clip(1 - sizes / settings.thin, 0, 1)
        listed = settings.listed_words + (settings.listed_words_thin - settings.listed_words) * thinness
        self._listed = np.where(_sizes(corpora.labels, corpora.words) > 0, listed, 0.0)
        self._without_spaces, self._other_scripts = _writing(corpora)
        self._english = [number for number, pool in enumerate(corpora.texts) if pool.label == "en"]

    def batch(self, index: int, size: int) -> tuple[list[str], npt.NDArray[np.int64]]:
        """Batch number `index`."""
        rng = np.random.default_rng([self._seed, index])
        random = Random(int(rng.integers(1 << 62)))
        uniform = rng.random((6, size))
        labels = np.searchsorted(self._label_cdf, uniform[0], side="right")
        kinds = np.searchsorted(self._kind_cdf, uniform[1], side="right")
        listed = (uniform[2] < self._listed[labels]) & (kinds <= SHORT)
        numbers = np.where(
            listed, self._word_rows.draw(labels, uniform[3]), self._text_rows.draw(labels, uniform[3])
        ).tolist()
        texts = []
        draws = zip(kinds.tolist(), listed.tolist(), numbers, uniform[4].tolist(), uniform[5].tolist(), strict=True)
        for kind, from_list, number, place, length in draws:
            if from_list:
                pool = self._words[number]
                text = _listed_words(pool, kind, random)
            else:
                pool = self._texts[number]
                text = self._cut(pool, kind, place, length)
                if pool.label in self._other_scripts and text.isascii():  # a name, a number: nothing to learn from
                    text = self._cut(pool, LINE, place, length)
            texts.append(self._distort(text, pool.label, kind, random))
        return texts, labels.astype(np.int64)

    def _cut(self, pool: Pool, kind: int, place: float, length: float) -> str:
        """A piece of running text around the character at `place` (0 to 1); `length` (0 to 1) says how long."""
        settings, text = self.settings, pool.text
        at = int(place * len(text))
        first = text.rfind("\n", 0, at) + 1
        last = text.find("\n", at)
        if kind == LINES:
            wanted = settings.line_most * (settings.lines_most / settings.line_most) ** length
            end = max(text.rfind("\n", first, first + int(wanted)), last)
            return text[first : min(end, first + settings.lines_most)].replace("\n", " ")
        if kind == LINE:
            return text[first : min(last, first + settings.line_most)]
        if pool.label in self._without_spaces:
            return _cut_characters(text[first:last], at - first, _characters(kind, length, last - first, settings))
        if kind <= PAIR:
            words = _cut_words(text, kind + 1, at, first, last)
            return words if any(map(str.isalpha, words)) else text[first : min(last, first + settings.short_most)]
        if kind == SHORT:
            wanted = settings.short_least + int(length * (settings.short_most + 1 - settings.short_least))
        else:
            wanted = int(settings.short_most * max((last - first) / settings.short_most, 1.0) ** length)
        return _cut_spaced(text, wanted, at, (first, last), (length * 997) % 1 < settings.cut_inside_words)

    def _distort(self, text: str, label: str, kind: int, random: Random) -> str:
        """The text with a little of the noise of real life."""
        settings = self.settings
        chance = random.random()
        if chance < settings.upper:
            text = noise.upper(text, label)
        elif chance < settings.upper + settings.lower:
            text = noise.lower(text, label)
        elif chance < settings.upper + settings.lower + settings.title:
            text = text.title()
        if (
            label in noise.WITHOUT_DIACRITICS
            and random.random() < settings.diacritics * noise.WITHOUT_DIACRITICS[label]
        ):
            text = noise.without_diacritics(text, label)
        chance = random.random()
        if chance < noise.VARIANT.get(label, settings.variant):
            text = noise.spelling_variant(text, label, random)
        elif chance > 1 - settings.stretched:
            text = noise.stretch(text, random)
        chance = random.random()
        if chance < settings.inserted * (1 if kind < PART else 3):
            text = noise.insert(text, noise.insertion(random), random.random())
        elif kind >= PART and chance > 1 - settings.foreign:
            text = noise.insert(text, self._foreign_words(label, random), random.random())
        return text

    def _foreign_words(self, label: str, random: Random) -> str:
        """A word or two from English text, sometimes (and in English always) from any other."""
        if self._english and label != "en" and random.random() < 0.8:
            pool = self._texts[random.choice(self._english)]
        else:
            pool = random.choice(self._texts)
        return self._cut(pool, random.choice((WORD, PAIR)), random.random(), 0.0)


class _PoolRows:
    """For each label a row of cumulative probabilities of its pools, and their numbers, padded to one width."""

    def __init__(self, labels: tuple[str, ...], pools: tuple[Pool, ...], settings: SnippetSettings) -> None:
        of_label: dict[str, list[int]] = {label: [] for label in labels}
        for number, pool in enumerate(pools):
            of_label[pool.label].append(number)
        width = max([1, *map(len, of_label.values())])
        self._cumulative = np.ones((len(labels), width))
        self._numbers = np.zeros((len(labels), width), dtype=np.int64)
        for row, numbers in enumerate(of_label.values()):
            if numbers:
                weights = [
                    _SOURCE_WEIGHTS.get(pools[n].source, 1.0) * pools[n].size ** settings.source_power for n in numbers
                ]
                self._cumulative[row, : len(numbers)] = _cdf(np.array(weights))
                self._numbers[row, : len(numbers)] = numbers

    def draw(self, labels: npt.NDArray[np.intp], uniform: Doubles) -> npt.NDArray[np.int64]:
        """A pool number for each label."""
        column = (uniform[:, None] >= self._cumulative[labels]).sum(axis=1)
        drawn: npt.NDArray[np.int64] = self._numbers[labels, column]
        return drawn


def _label_weight(label: str, corpora: Corpora, settings: SnippetSettings) -> float:
    """What a label counts for, apart from the size of its text."""
    if label == BACKGROUND:
        return settings.background_weight
    if label in corpora.rare:
        return settings.rare_weight
    return _LABEL_WEIGHTS.get(label, 1.0)


# What labels count for, where it is not 1.
_LABEL_WEIGHTS = {
    # hardly met, and near to es, eo and fr
    **dict.fromkeys(("an", "io", "vo", "wa"), 0.4),
    # with more they would take half of what is hr, fil, it, id, sl and zu, which are written more
    **{"bs": 0.5, "ceb": 0.6, "co": 0.5, "ms": 0.6, "sr-Latn": 0.8, "xh": 0.4},
}

# What sources count for, where it is not 1.
_SOURCE_WEIGHTS = {
    **dict.fromkeys(INTERFACE, 0.3),
    # one book, and words of its own
    **dict.fromkeys(("bible_cc0", "bible_xml", "cis_hymnals", "ebible", "fijian_hymns", "jw300_test", "quran"), 0.3),
    # about software
    **dict.fromkeys(("debian_handbook", "gimp_help", "libreoffice_help", "lingua_corsa"), 0.2),
    **dict.fromkeys(("govza", "norec", "samoan_lds", "sr_translit"), 0.5),
    "dslcc": 2.0,  # the only news of one kind in Bosnian, Croatian and Serbian, and in Malay and Indonesian
    "newsgradient": 0.3,  # stands beside it
    "tesseract_text": 0.1,  # words of the web in no order
}


def _listed_words(pool: Pool, kind: int, random: Random) -> str:
    """One to three words of a word list; an entry of tesseract_bigrams is two already."""
    count = kind + 1
    if pool.source == "tesseract_bigrams" and count > 1:
        count -= 1
    assert pool.starts is not None
    starts = [pool.starts[int(random.random() * SLOTS)] for _ in range(count)]
    return " ".join([pool.text[start : pool.text.index("\n", start)] for start in starts])


def _cut_words(text: str, count: int, at: int, first: int, last: int) -> str:
    """One word or two, from the one that holds the character `at`, without the marks around them."""
    start = text.rfind(" ", first, at) + 1 or first
    end = text.find(" ", at, last)
    if count == 2 and end >= 0:
        end = text.find(" ", end + 1, last)
    return text[start : last if end < 0 else end].strip(_EDGES)


def _cut_spaced(text: str, wanted: int, at: int, line: tuple[int, int], anywhere: bool) -> str:
    """About `wanted` characters of a line from the word at `at`, whole words unless the end may fall `anywhere`."""
    first, last = line
    start = text.rfind(" ", first, at) + 1 or first
    if start + wanted > last:  # a start near the end of a line would give a stub: step back
        start = text.rfind(" ", first, max(last - wanted, first)) + 1 or first
    if start + wanted >= last:
        return text[start:last]
    end = start + wanted if anywhere else text.rfind(" ", start, start + wanted + 1)
    return text[start : end if end > start else start + wanted].strip()


def _characters(kind: int, length: float, most: int, settings: SnippetSettings) -> int:
    """How many characters a snippet has in writing without spaces."""
    if kind == WORD:
        return 2 + int(length * 4)
    if kind == PAIR:
        return 4 + int(length * 6)
    if kind == SHORT:
        return 6 + int(length * (settings.short_most - 5))
    return int(10 * max(most / 10, 1.0) ** length)


def _cut_characters(line: str, at: int, wanted: int) -> str:
    """`wanted` characters of a line around `at`, cut between any two, but not before a vowel sign."""
    start = max(min(at, len(line) - wanted), 0)
    while start > 0 and unicodedata.category(line[start])[0] == "M":
        start -= 1
    return line[start : start + wanted].strip(_EDGES) or line


def _sizes(labels: tuple[str, ...], pools: tuple[Pool, ...]) -> Doubles:
    """Bytes of the pools of each label."""
    sizes = dict.fromkeys(labels, 0.0)
    for pool in pools:
        sizes[pool.label] += pool.size
    return np.array(list(sizes.values()))


def _writing(corpora: Corpora) -> tuple[frozenset[str], frozenset[str]]:
    """Labels whose writing does not part words (Chinese, Japanese, Thai...), and those of scripts other than Latin."""
    samples = dict.fromkeys(corpora.labels, "")
    for pool in corpora.texts:
        samples[pool.label] += pool.text[:50_000]
    without_spaces = [label for label, text in samples.items() if text.count(" ") < 0.07 * len(text)]
    other_scripts = [label for label, text in samples.items() if len(text.encode("ascii", "ignore")) < 0.5 * len(text)]
    return frozenset(without_spaces), frozenset(other_scripts)


def _cdf(weights: Doubles) -> Doubles:
    """Cumulative probabilities; the last one is above any number that `random` gives."""
    cumulative: Doubles = np.cumsum(weights) / weights.sum()
    cumulative[-1] = 1.0
    return cumulative
