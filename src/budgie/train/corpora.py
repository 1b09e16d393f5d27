# SPDX-License-Identifier: Apache-2.0
"""Corpora for the embedded language identifier: read, cleaned, deduplicated, split into training and held-out text."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from budgie.data import label_of, read_lines, text_files
from budgie.errors import DataError
from budgie.train.cleaning import INTERFACE, SCRIPT, clean, key, script_letters

WORD_LISTS = frozenset({"tesseract_bigrams", "tesseract_wordlist", "unilex_wordfreq"})
SLOTS = 1 << 16  # of a word list's sampling table: a word takes slots by its dampened frequency


@dataclass(frozen=True)
class CorpusSettings:
    """What is read and how it is cleaned."""

    leave_out: tuple[str, ...] = ("sh",)  # would compete with bs, hr and sr-Latn
    udhr_for_training: tuple[str, ...] = ("co", "haw", "sm")  # too thin without; never evaluate these on UDHR
    held_out_share: float = 0.02  # the last lines of each file
    held_out_lines: int = 300  # at most, of each file
    words: int = 30_000  # at most, of each word list, most frequent first
    words_ceb: int = 3_000  # the Cebuano lists come from a Wikipedia of species names
    word_damping: float = 0.5  # words are drawn by frequency to this power
    english_excess: float = 3.0  # a listed word this many times as frequent in English is an English word


@dataclass(frozen=True)
class Pool:
    """The text of one label from one source, as one string: every line ends in a line feed.

    One string instead of a list: forked workers then share it, since drawing a line touches no other object.
    A word list also has `starts`: where the word of each of its sampling slots begins.
    """

    label: str
    source: str
    text: str
    starts: array[int] | None = None

    @property
    def size(self) -> int:
        """Bytes of UTF-8."""
        return len(self.text.encode())


@dataclass(frozen=True)
class Corpora:
    """What a sampler draws from. `labels` is sorted and gives each label its number."""

    labels: tuple[str, ...]
    texts: tuple[Pool, ...]
    words: tuple[Pool, ...] = ()


def load_corpora(
    train: Path, dev: Path | None = None, settings: CorpusSettings = CorpusSettings(), exclude: Collection[str] = ()
) -> tuple[Corpora, Corpora]:
    """Read SOURCE/LABEL.txt.xz below `train`, and give the training and the held-out corpora.

    `dev` is where udhr/ stands; `exclude` holds keys (`cleaning.key`) of sentences of evaluation sets, which are dropped.
    """
    files = [path for path in text_files(train) if label_of(path) not in settings.leave_out]
    if dev is not None:
        files += [dev / "udhr" / f"{label}.txt.xz" for label in settings.udhr_for_training]
    running = [path for path in files if path.parent.name not in WORD_LISTS]
    lists = [path for path in files if path.parent.name in WORD_LISTS]
    if not running:
        raise DataError(f"{train} holds no SOURCE/LABEL.txt.xz of running text")
    lines = _read_running_text(running, exclude)
    parts = {name: _split(kept, settings) for name, kept in lines.items()}
    labels = tuple(sorted({label for label, _ in parts}))
    frequencies = _word_frequencies(parts)
    words = [
        _word_pool(label_of(path), path, frequencies, settings) for path in lists if label_of(path) in labels
    ]
    return (
        Corpora(labels, _pools((name, train) for name, (train, _) in parts.items()), tuple(p for p in words if p.text)),
        Corpora(labels, _pools((name, held_out) for name, (_, held_out) in parts.items())),
    )


def evaluation_keys(lines: Iterable[str], least: int = 15) -> set[str]:
    """The keys of evaluation sentences; short ones (`least` characters) are common property and stay in training."""
    return {found for found in map(key, lines) if len(found) >= least}


def coverage(corpora: Corpora) -> dict[str, dict[str, int]]:
    """Bytes of each label from each source."""
    table: dict[str, dict[str, int]] = {label: {} for label in corpora.labels}
    for pool in (*corpora.texts, *corpora.words):
        table[pool.label][pool.source] = pool.size
    return table


def _read_running_text(files: Sequence[Path], exclude: Collection[str]) -> dict[tuple[str, str], list[str]]:
    """Cleaned lines of each (label, source); English first, since copies of it are dropped elsewhere."""
    english: set[str] = set()
    seen: dict[str, set[str]] = {}
    lines: dict[tuple[str, str], list[str]] = {}
    for path in sorted(files, key=lambda path: (label_of(path) != "en", path)):
        label, source = label_of(path), path.parent.name
        known = seen.setdefault(label, english if label == "en" else set())
        kept = lines.setdefault((label, source), [])
        for raw in read_lines(path):
            line = clean(raw, label, source)
            if not line:
                continue
            found = key(line)
            if found in known or found in exclude:
                continue
            known.add(found)
            if label != "en" and found in english and (source in INTERFACE or line.count(" ") >= 2):
                continue
            kept.append(line)
    return {name: kept for name, kept in lines.items() if kept}


def _split(lines: list[str], settings: CorpusSettings) -> tuple[list[str], list[str]]:
    """Training lines and held-out lines (the last ones: neighbours in a text stay on one side)."""
    count = min(settings.held_out_lines, int(len(lines) * settings.held_out_share))
    return lines[: len(lines) - count], lines[len(lines) - count :]


def _pools(parts: Iterable[tuple[tuple[str, str], list[str]]]) -> tuple[Pool, ...]:
    return tuple(Pool(label, source, "\n".join(lines) + "\n") for (label, source), lines in sorted(parts) if lines)


def _word_frequencies(parts: Mapping[tuple[str, str], tuple[list[str], list[str]]]) -> dict[str, dict[str, float]]:
    """Relative frequency of every word in the running text of each label."""
    counts: dict[str, Counter[str]] = {}
    for (label, _), (lines, _) in parts.items():
        counter = counts.setdefault(label, Counter())
        for line in lines:
            counter.update(word.strip(".,!?;:\"'()«»“”„…") for word in line.lower().split())
    totals = {label: counter.total() for label, counter in counts.items()}
    return {
        label: {word: count / totals[label] for word, count in counter.items()} for label, counter in counts.items()
    }


def _word_pool(label: str, path: Path, frequencies: Mapping[str, Mapping[str, float]], settings: CorpusSettings) -> Pool:
    """A word list with a sampling table."""
    limit = settings.words_ceb if label == "ceb" else settings.words
    weights: list[float] = []
    words: list[str] = []
    own, english = frequencies[label], frequencies.get("en", {})
    for entry, frequency in _listed_words(path):
        if len(words) == limit:
            break
        entry = clean(entry, label, path.parent.name)
        parts = entry.split()
        if not parts or not all(_is_word(part, label) for part in parts):
            continue
        if label != "en" and any(
            english.get(part.lower(), 0.0) > settings.english_excess * max(own.get(part.lower(), 0.0), frequency)
            for part in parts
        ):
            continue
        weight = frequency**settings.word_damping
        words.append(entry)
        # most capitalised words of a list are names, and names belong to no language; German writes its nouns so
        weights.append(0.2 * weight if entry[0].isupper() and label not in ("de", "lb") else weight)
    if not words:
        return Pool(label, path.parent.name, "")
    lengths = np.array([len(word) + 1 for word in words])
    cumulative = np.cumsum(weights)
    slots = np.searchsorted(cumulative, (np.arange(SLOTS) + 0.5) / SLOTS * cumulative[-1])
    starts = array("i", (np.cumsum(lengths) - lengths)[slots].tolist())
    return Pool(label, path.parent.name, "\n".join(words) + "\n", starts)


def _listed_words(path: Path) -> Iterator[tuple[str, float]]:
    """Words (or pairs of words) and their relative frequency, by Zipf's law where only the order is known."""
    lines = list(read_lines(path))
    if path.parent.name == "unilex_wordfreq":
        entries = [line.rpartition("\t") for line in lines]
        total = sum(int(count) for _, _, count in entries)
        for word, _, count in entries:
            yield word, int(count) / total
    else:
        for rank, line in enumerate(lines, 3):
            yield line, 0.08 / rank


def _is_word(word: str, label: str) -> bool:
    """Whether every character is a letter of the right script, an apostrophe, a hyphen or a combining mark."""
    if len(word) < 2 and SCRIPT.get(label) not in ("Han", "Japanese", "Hangul"):
        return len(word) == 1 and word.isalpha() and word.islower()
    return script_letters(word, label) >= len(word) - sum(word.count(mark) for mark in "'’ʻ‘ʼ-") and word[0] not in "'-"
