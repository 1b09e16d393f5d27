# SPDX-License-Identifier: Apache-2.0
"""Corpora for training a language identifier: read, cleaned, deduplicated, split into training and held-out text."""

from __future__ import annotations

import math
from array import array
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from budgie.errors import DataError
from budgie.formats.labelled import Example, label_of, text_files
from budgie.formats.lines import read_lines
from budgie.licences import MAY_TEACH_IDENTIFIERS, classify
from budgie.train.data.datasets import DATASETS
from budgie.train.langid.background import BACKGROUND, no_language
from budgie.train.langid.cleaning import INTERFACE, chinese, clean, key, normalise, slovak
from budgie.train.langid.vocabulary import Vocabulary, nearer, stray, vocabulary, words_of
from budgie.train.langid.word_lists import WORD_LISTS, read_word_list

_LEAST_COUNT, _LEAST_SHARE = 10, 0.00001  # of the characters of a block, so that a few stray ones do not count

Lines = dict[tuple[str, str], list[str]]  # (label, source) -> lines


@dataclass(frozen=True)
class CorpusSettings:
    """What is read and how it is cleaned."""

    leave_out: tuple[str, ...] = ("sh",)  # labels; sh would compete with bs, hr and sr-Latn
    leave_out_files: tuple[str, ...] = (  # SOURCE/LABEL
        "bible_cc0/eu",  # of 1571, in the spelling of 1571
        "ebible/sr",  # Latin, and in a broken encoding
        "mozilla_www/oc",  # French
        "tesseract_bigrams/ceb",  # the names of insects
        "tesseract_text/ceb",
        "tesseract_wordlist/ceb",
        "udhr/bi",  # of train_more: the same as in dev
        "udhr/ty",
    )
    udhr_for_training: tuple[str, ...] = (
        "bi",
        "co",
        "haw",
        "sm",
        "ty",
    )  # too thin without; never evaluate these on UDHR
    held_out_share: float = 0.02  # the last lines of each file
    held_out_lines: int = 300  # at most, of each file
    words: int = 30_000  # at most, of each word list, most frequent first
    word_damping: float = 0.5  # words are drawn by frequency to this power
    background_lines: int = 0  # of each kind of text that is in no language
    background_seed: int = 1
    free_only: bool = False  # leave out sources that are not free for any use


_DEFAULT = CorpusSettings()


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
    """What a sampler draws from. `labels` gives each label its number."""

    labels: tuple[str, ...]
    texts: tuple[Pool, ...]
    words: tuple[Pool, ...] = ()
    rare: frozenset[str] = frozenset()  # labels that are hardly met


def load_corpora(
    train: Sequence[Path],
    dev: Path | None = None,
    settings: CorpusSettings = _DEFAULT,
    exclude: Set[str] = frozenset(),
    rare: Path | None = None,
) -> tuple[Corpora, Corpora]:
    """The official corpora, SOURCE/LABEL.txt.xz below the folders `train`: those for training and the held-out ones.

    `rare` is a folder of languages that are hardly met, and of more text for others.

    Sentences of `dev` are not trained on, but for udhr_for_training, nor are those whose keys (`evaluation_keys`)
    stand in `exclude`.
    """
    folders = [*train, *([rare] if rare else [])]
    files = [path for folder in folders for path in text_files(folder) if _wanted(path, settings)]
    usual = {label_of(path) for path in files if rare not in path.parents}
    if dev is not None:
        moved = [dev / "udhr" / f"{label}.txt.xz" for label in settings.udhr_for_training]
        files += moved
        exclude = {*exclude, *_dev_keys(dev, moved)}
    running = [path for path in files if path.parent.name not in WORD_LISTS]
    if not running:
        raise DataError(f"{train[0]} holds no SOURCE/LABEL.txt.xz of running text")
    lines = _read(running, exclude)
    vocabularies = _vocabularies(lines)
    _relabel_slovak(lines, vocabularies)
    lines = {
        (label, source): [line for line in kept if not stray(words_of(line), label, vocabularies)]
        for (label, source), kept in lines.items()
    }
    if settings.background_lines:
        for source, made in no_language(settings.background_seed, settings.background_lines):
            lines[BACKGROUND, source] = made
    training, held_out = split(lines, settings)
    lists = [
        Pool(label_of(path), path.parent.name, *found)
        for path in files
        if path.parent.name in WORD_LISTS
        and label_of(path) in vocabularies
        and (found := read_word_list(path, vocabularies, settings.words, settings.word_damping))
    ]
    found_rare = frozenset(training.labels) - usual - {BACKGROUND}
    # Those that are chosen from by default stand together, which makes the choice faster.
    labels = tuple(sorted(training.labels, key=lambda label: (label not in usual, label)))
    return (
        replace(training, labels=labels, words=tuple(lists), rare=found_rare),
        replace(held_out, labels=labels, rare=found_rare),
    )


def corpora_of(examples: Iterable[Example], settings: CorpusSettings = _DEFAULT) -> tuple[Corpora, Corpora]:
    """Anyone's labelled text, with nothing removed but repetitions: the corpora for training and the held-out ones."""
    lines: Lines = defaultdict(list)
    seen: set[tuple[str, str]] = set()
    for example in examples:
        text = " ".join(example.text.split())
        if text and (example.label, text) not in seen:
            seen.add((example.label, text))
            lines[example.label, example.source].append(text)
    return split(lines, settings)


def split(lines: Mapping[tuple[str, str], list[str]], settings: CorpusSettings) -> tuple[Corpora, Corpora]:
    """Corpora for training and held-out ones: the last lines of each file, so that neighbours stay on one side."""
    training: list[Pool] = []
    held_out: list[Pool] = []
    for (label, source), kept in sorted(lines.items()):
        count = min(settings.held_out_lines, math.ceil(len(kept) * settings.held_out_share)) if len(kept) >= 5 else 0
        for pools, part in ((training, kept[: len(kept) - count]), (held_out, kept[len(kept) - count :])):
            if part:
                pools.append(Pool(label, source, "\n".join(part) + "\n"))
    labels = tuple(sorted({pool.label for pool in training}))
    return Corpora(labels, tuple(training)), Corpora(labels, tuple(held_out))


def evaluation_keys(lines: Iterable[str], least: int = 15) -> set[str]:
    """The keys of evaluation sentences; short ones (under `least` letters) are common property and stay in training."""
    keys = (key(normalise(line)) for line in lines)
    return {found for found in keys if len(found) >= least}


def blocks(corpora: Corpora) -> tuple[int, ...]:
    """Blocks of 128 code points that the text of some label uses: what lies outside was never learnt."""
    counts: dict[str, npt.NDArray[np.int64]] = {}
    for pool in corpora.texts:
        points = np.frombuffer(pool.text.encode("utf-32-le", "replace"), dtype="<u4")
        found = np.bincount(points // 128, minlength=0x110000 // 128)
        counts[pool.label] = counts.get(pool.label, np.zeros_like(found)) + found
    used = [(found >= _LEAST_COUNT) & (found >= _LEAST_SHARE * found.sum()) for found in counts.values()]
    return tuple(np.flatnonzero(np.any(used, axis=0)).tolist())


def _wanted(path: Path, settings: CorpusSettings) -> bool:
    label, source = label_of(path), DATASETS.get(path.parent.name)
    kind = classify(source.licence) if source else "unclear"
    if kind != "free" and (settings.free_only or kind not in MAY_TEACH_IDENTIFIERS):
        return False
    return label not in settings.leave_out and f"{path.parent.name}/{label}" not in settings.leave_out_files


def _dev_keys(dev: Path, moved: list[Path]) -> set[str]:
    """The keys of the sentences in `dev`; single words and pairs of words are everyone's."""
    sources = ("lingua_sentences", "udhr")
    files = [path for path in text_files(dev) if path.parent.name in sources and path not in moved]
    return evaluation_keys(line for path in files for line in read_lines(path))


def _read(files: list[Path], exclude: Set[str]) -> Lines:
    """Cleaned lines, no sentence twice under a label; English comes first, since copies of it are dropped elsewhere."""
    english: set[str] = set()
    seen: dict[str, set[str]] = defaultdict(set, en=english)
    lines: Lines = defaultdict(list)
    for path in sorted(files, key=lambda path: (label_of(path) != "en", path)):
        source = path.parent.name
        for raw in read_lines(path):
            label = label_of(path)
            line = clean(raw, label, source)
            if not line:
                continue
            if label in ("zh", "zh-Hant"):
                label = chinese(line)
            found = key(line)
            if found in seen[label] or found in exclude:
                continue
            seen[label].add(found)
            if label != "en" and found in english and (source in INTERFACE or line.count(" ") >= 2):
                continue
            lines[label, source].append(line)
    return lines


def _vocabularies(lines: Lines) -> dict[str, Vocabulary]:
    """A vocabulary of each label; the mixed file of Slovene and Slovak is left out."""
    of_label: dict[str, list[list[str]]] = defaultdict(list)
    for name, kept in lines.items():
        if name != ("sl", "tatoeba"):
            of_label[name[0]].append(kept)
    return {label: vocabulary(line for part in parts for line in part) for label, parts in of_label.items()}


def _relabel_slovak(lines: Lines, vocabularies: Mapping[str, Vocabulary]) -> None:
    """Take apart tatoeba/sl, most of which is Slovak; what could be either is dropped."""
    mixed = lines.pop(("sl", "tatoeba"), [])
    if "sk" not in vocabularies or "sl" not in vocabularies:
        return
    for line in mixed:
        words = words_of(line)
        if slovak(line) or nearer(words, vocabularies["sk"], vocabularies["sl"]):
            lines["sk", "tatoeba"].append(line)
        elif nearer(words, vocabularies["sl"], vocabularies["sk"]):
            lines["sl", "tatoeba"].append(line)
