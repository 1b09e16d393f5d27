# SPDX-License-Identifier: Apache-2.0
"""What the teacher reads: treebanks, plain text, and both as rows of word numbers of one length, ready for a GPU."""

from __future__ import annotations

import hashlib
import random
import unicodedata
import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from budgie.formats.lines import read_lines
from budgie.formats.sentences import TokenisedSentence

ROW = 128  # words; sentences share a row and do not see each other, longer ones are cut
LETTERS = 20  # of a word, its two boundaries included
_HEAD = 6  # letters kept at the beginning of a longer word; the rest of LETTERS is its end
LONGEST_COMPOUND = 8  # words
CODE_BASE = 0x9E3779B97F4A7C15
_RARE = 3  # times a word or a letter must occur to have a number of its own

NO_WORD, MASKED = 0, 1  # numbers of words
IGNORED = -100  # number of a tag that cross entropy leaves out
UNKNOWN = 0  # number of a word that is not frequent
_NO_LETTER, _ODD_LETTER, _BEGIN, _END, _MASKED_LETTER = range(5)

Words = tuple[str, ...]


def read_text(paths: Iterable[Path], exclude: Iterable[TokenisedSentence]) -> list[Words]:
    """Sentences of tokenised text, one a line, each once, without those that are also in `exclude`.

    Spaces and letter case do not count: the same sentence may have been tokenised in another way.
    """
    seen = {_fingerprint(sentence.words) for sentence in exclude}
    sentences = []
    for path in paths:
        for line in read_lines(path):
            words = tuple(line.split())
            key = _fingerprint(words)
            if words and key not in seen:
                seen.add(key)
                sentences.append(words)
    return sentences


def _fingerprint(words: Words) -> int:
    return hash("".join(words).casefold())


def sample(sentences: list[Words], words: int, shortest: int, longest: int, seed: int) -> list[Words]:
    """Random sentences of a fitting length, about `words` words in all."""
    fitting = [sentence for sentence in sentences if shortest <= len(sentence) <= longest]
    random.Random(seed).shuffle(fitting)
    chosen = []
    for sentence in fitting:
        if words <= 0:
            break
        chosen.append(sentence)
        words -= len(sentence)
    return chosen


class TeacherLexicon:
    """Numbers the words of all texts; knows how each is spelled and which are frequent.

    Only `letters` and `frequent` are learnt from, and both come from the text and the training sentences: a word
    that is met later is only spelled.
    """

    def __init__(self, letters: Sequence[str], frequent: Sequence[str], compounds: Iterable[Words] = ()) -> None:
        self.letters, self.frequent, self.compounds = list(letters), list(frequent), list(compounds)
        self._letter = {letter: number for number, letter in enumerate(letters, _MASKED_LETTER + 1)}
        self._frequent = {word: number for number, word in enumerate(frequent, UNKNOWN + 1)}
        self._numbers: dict[str, int] = {"": NO_WORD, "\0": MASKED}

    @classmethod
    def of(cls, sentences: Iterable[Words], most: int, compounds: Iterable[Words] = ()) -> TeacherLexicon:
        """A lexicon of the letters and of at most `most` frequent words of some sentences.

        `compounds` are runs of words that a list of words has: what a segmenter cuts into words are characters.
        """
        counts = Counter(word for words in sentences for word in words)
        letters: Counter[str] = Counter()
        for word, count in counts.items():
            for letter in unicodedata.normalize("NFD", word):
                letters[letter] += count
        return cls(
            [letter for letter, count in letters.most_common() if count >= _RARE],
            [word for word, count in counts.most_common(most) if count >= _RARE],
            compounds,
        )

    def numbers(self, words: Iterable[str]) -> list[int]:
        """The numbers of words; new words get one."""
        numbers = self._numbers
        return [numbers.setdefault(word, len(numbers)) for word in words]

    def spellings(self) -> Tensor:
        """The letters of each word [words, LETTERS]."""
        table = np.zeros((len(self._numbers), LETTERS), np.int16)
        for word, number in self._numbers.items():
            letters = self._spell(word)
            table[number, : len(letters)] = letters
        table[NO_WORD] = _NO_LETTER
        table[MASKED, :3] = _BEGIN, _MASKED_LETTER, _END
        return torch.from_numpy(table)

    def _spell(self, word: str) -> list[int]:
        # decomposed: an accent is a letter of its own, and so is each part of a Hangul syllable
        letters = [self._letter.get(letter, _ODD_LETTER) for letter in unicodedata.normalize("NFD", word)]
        if len(letters) > LETTERS - 2:
            letters = letters[:_HEAD] + letters[_HEAD + 2 - LETTERS :]
        return [_BEGIN, *letters, _END]

    def frequencies(self) -> Tensor:
        """The number among the frequent words of each word, or UNKNOWN [words]."""
        return torch.tensor([self._frequent.get(word, UNKNOWN) for word in self._numbers], dtype=torch.int32)

    def codes(self) -> Tensor:
        """A random number for each word [words]; `compound_codes` are made of the same."""
        return torch.from_numpy(np.array([_code(word) for word in self._numbers], dtype=np.uint64).view(np.int64))

    def compound_codes(self) -> Tensor:
        """The codes of the compounds, in ascending order: as a polynomial of those of their words."""
        codes = [
            sum(_code(word) * CODE_BASE**i for i, word in enumerate(words)) % 2**64
            for words in self.compounds
            if 2 <= len(words) <= LONGEST_COMPOUND
        ]
        return torch.from_numpy(np.sort(np.array(codes or [0], dtype=np.uint64).view(np.int64)))

    def hashes(self) -> Tensor:
        """A number of each word that is the same in every lexicon [words]."""
        return torch.tensor([zlib.crc32(word.encode("utf-8", "surrogatepass")) for word in self._numbers])

    def recased(self) -> tuple[Tensor, Tensor]:
        """The number of each word in lower and in upper case [words]; a word not met in that case stands for itself."""
        lower = [self._numbers.get(word.lower(), number) for word, number in self._numbers.items()]
        upper = [self._numbers.get(word.upper(), number) for word, number in self._numbers.items()]
        return torch.tensor(lower), torch.tensor(upper)


def _code(word: str) -> int:
    # A word is the same with and without a space before it (train/segmentation/units.py).
    word = word.removeprefix("▁") or word
    return int.from_bytes(hashlib.blake2b(word.lower().encode(), digest_size=8).digest(), "little")


@dataclass(frozen=True)
class SentenceRows:
    """Sentences in rows of ROW words."""

    words: Tensor  # numbers of words [rows, ROW]
    sentences: Tensor  # which sentence, counted from 1; 0 where there is no word [rows, ROW]
    places: Tensor  # where in the flattened rows each word of the text stands, in the order of the text [words]

    @classmethod
    def of(cls, sentences: Sequence[Words], lexicon: TeacherLexicon, device: torch.device) -> SentenceRows:
        """Put sentences into rows."""
        lengths = np.array([len(words) for words in sentences])
        places = _places(lengths.tolist())
        rows = int(places.max(initial=0)) // ROW + 1
        words = np.zeros(rows * ROW, np.int32)
        words[places] = lexicon.numbers(word for sentence in sentences for word in sentence)
        numbers = np.zeros(rows * ROW, np.int32)
        numbers[places] = np.repeat(np.arange(1, len(lengths) + 1), lengths)
        return cls(
            torch.from_numpy(words).view(rows, ROW).to(device),
            torch.from_numpy(numbers).view(rows, ROW).to(device),
            torch.from_numpy(places).to(device),
        )


def _places(lengths: Iterable[int]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Fill rows sentence by sentence; a few rows stay open until a sentence fits."""
    opened: list[tuple[int, int]] = []  # words already in a row, its number
    rows = 0
    pieces = []
    for length in lengths:
        for start in range(0, length, ROW):
            piece = min(ROW, length - start)
            fitting = next((i for i, (filled, _) in enumerate(opened) if filled + piece <= ROW), None)
            if fitting is None:
                if len(opened) == 8:
                    opened.remove(max(opened))
                opened.append((0, rows))
                fitting, rows = len(opened) - 1, rows + 1
            filled, row = opened[fitting]
            pieces.append(np.arange(row * ROW + filled, row * ROW + filled + piece))
            opened[fitting] = (filled + piece, row)
    return np.concatenate(pieces) if pieces else np.zeros(0, np.int64)


class TreebankRows:
    """The training sentences, in rows."""

    def __init__(
        self, sentences: list[TokenisedSentence], gold: Tensor, lexicon: TeacherLexicon, device: torch.device
    ) -> None:
        self.count = len(sentences)
        self.rows = SentenceRows.of([sentence.words for sentence in sentences], lexicon, device)
        self.gold = torch.full_like(self.rows.words, IGNORED, dtype=torch.long)
        self.gold.view(-1)[self.rows.places] = gold.to(device)
        lexicon.numbers(variant for s in sentences for word in s.words for variant in (word.lower(), word.upper()))
        self.lower, self.upper = (table.to(self.rows.words) for table in lexicon.recased())

    def held_out(self, member: int, folds: int, seed: int) -> Tensor:
        """Which places of the flattened rows a member must not learn from; `folds` members in turn hold out all."""
        sentences = self.rows.sentences.flatten()
        if folds < 2:
            return torch.zeros_like(sentences, dtype=torch.bool)
        fold = np.random.default_rng([seed, member // folds]).permutation(self.count + 1) % folds
        return torch.from_numpy(fold).to(sentences)[sentences] == member % folds

    def recase(self, words: Tensor, sentences: Tensor, lower: float, upper: float) -> Tensor:
        """Some sentences in lower case, some in upper case."""
        draw = torch.rand(self.count + 1, device=words.device)[sentences]
        words = self.lower[words].where(draw < lower, words)
        return self.upper[words].where(draw > 1 - upper, words)
