# SPDX-License-Identifier: Apache-2.0
# The C++ core as Python sees it; written by hand beside core/bindings.cpp.
from collections.abc import Sequence
from typing import Any, AnyStr, TypeAlias

import numpy as np
from numpy.typing import NDArray

from budgie.tasks.records import Identification, Reordering, Span, Tag, TokenSpan

_Texts: TypeAlias = list[str] | list[bytes] | list[str | bytes]
_Words: TypeAlias = Sequence[str] | Sequence[bytes]

UNICODE: str
HASH: str
LONGEST_NGRAM: int
LONGEST_CODE: int
FEWEST_SLOTS: int
LONGEST_WORD: int
FEW_BUCKETS: int
OUTSIDE: int
CORNERS: int
SPANS_SEEN: int

class Group:
    @staticmethod
    def make(
        kind: str,
        n: int,
        buckets: int,
        across: bool,
        ends: bool,
        positions: Sequence[int],
        starts: Sequence[int],
        places: Sequence[int],
    ) -> Group: ...

class Features:
    def __init__(
        self, groups: Sequence[Group], fold_case: bool, drop_markup: bool, drop_urls: bool, blocks: Sequence[int]
    ) -> None: ...
    def ids(self, texts: _Texts) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]: ...

class BloomMap:
    @staticmethod
    def make(
        lengths: bytes, slots: list[int], error_bits: int, fold_case: bool, fold_digits: bool, bits: bytes
    ) -> BloomMap: ...
    @staticmethod
    def build(
        words: list[str], clusters: list[int], classes: int, error_bits: int, fold_case: bool, fold_digits: bool
    ) -> tuple[bytes, list[int], bytes]: ...
    @staticmethod
    def size(slots: list[int]) -> int: ...
    def find(self, word: str | bytes) -> int: ...

class WordFeatures:
    def __init__(self, groups: Sequence[Group], fold_case: bool, clusters: BloomMap | None) -> None: ...
    def ids(self, words: _Texts) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]: ...

class Embedding:
    @staticmethod
    def make(dim: int, mean: bool, bits: int, rows: bytes, scales: bytes) -> Embedding: ...

class Layer:
    @staticmethod
    def make(weights: bytes, dtype: str, bias: bytes) -> Layer: ...

def set_records(
    identification: type[Identification],
    span: type[Span],
    tag: type[Tag],
    reordering: type[Reordering[Any]],
    token_span: type[TokenSpan],
    /,
) -> None: ...

class Languages:
    def __init__(self, numbers: Sequence[int], /) -> None: ...

class Identifier:
    def __init__(
        self,
        features: Features,
        embeddings: Sequence[Embedding],
        hidden: Layer,
        output: Layer,
        a: float,
        b: float,
        threshold: float,
        labels: list[str],
        /,
    ) -> None: ...
    def identify(self, text: str | bytes, allowed: Languages) -> Identification: ...
    def identify_batch(self, texts: _Texts, allowed: Languages, threads: int, /) -> list[Identification]: ...
    def rank(self, text: str | bytes, k: int, allowed: Languages) -> list[Identification]: ...
    def rank_batch(
        self, texts: Sequence[str | bytes], k: int, allowed: Languages, threads: int, /
    ) -> list[list[Identification]]: ...
    def spans(self, text: str | bytes, allowed: Languages) -> list[Span]: ...
    def spans_batch(self, texts: Sequence[str | bytes], allowed: Languages, threads: int, /) -> list[list[Span]]: ...
    def letters(self, text: str | bytes) -> int: ...
    def scores(self, text: str | bytes) -> list[float]: ...

class TaggingNetwork: ...

class Tagger(TaggingNetwork):
    def __init__(
        self,
        features: WordFeatures,
        embeddings: Sequence[Embedding],
        hidden: Layer,
        output: Layer,
        labels: list[str],
        /,
    ) -> None: ...
    def tag(self, sentence: Sequence[str] | Sequence[bytes]) -> list[str]: ...
    def tag_batch(
        self, sentences: Sequence[_Words], threads: int, probable: bool, /
    ) -> list[list[str]] | list[list[Tag]]: ...
    def probabilities(self, sentences: Sequence[_Words], threads: int, /) -> list[list[float]]: ...
    def distributions(self, sentence: _Words) -> list[list[float]]: ...

# ---- clusters

def fold_word(word: str, fold_case: bool, fold_digits: bool) -> str: ...

class WordCounter:
    def __init__(self, fold_case: bool, fold_digits: bool) -> None: ...
    def read(self, chunk: bytes) -> None: ...
    def finish_file(self) -> None: ...
    @property
    def words(self) -> int: ...
    def keep(self, most: int, least: int) -> KeptWords: ...

class KeptWords:
    @property
    def words(self) -> list[str]: ...
    @property
    def counts(self) -> list[int]: ...

class BigramCounter:
    def __init__(self, kept: KeptWords, fold_case: bool, fold_digits: bool) -> None: ...
    def read(self, chunk: bytes) -> None: ...
    def finish_file(self) -> None: ...
    @property
    def words(self) -> int: ...
    def take(self) -> Bigrams: ...

class Bigrams:
    @property
    def total(self) -> int: ...
    @property
    def totals(self) -> list[int]: ...

class Exchange:
    def __init__(
        self,
        bigrams: Bigrams,
        classes: int,
        two_sided: bool,
        cycles: int,
        rounds: int,
        seed: int,
        batch_words: int,
    ) -> None: ...
    def advance(self, threads: int, seconds: float) -> bool: ...
    @property
    def round(self) -> int: ...
    @property
    def rounds(self) -> int: ...
    @property
    def words_done(self) -> int: ...
    @property
    def last_moves(self) -> int: ...
    @property
    def gained(self) -> float: ...
    @property
    def likelihood(self) -> float: ...
    @property
    def mutual_information(self) -> float: ...
    @property
    def classes(self) -> list[int]: ...

def build_lexicon(words: list[str], longest: int, runs: bool, join: bool, bits_a_word: int) -> tuple[int, bytes]: ...

class Dictionary:
    def __init__(self, words: list[str]) -> None: ...

class UnitFeatures:
    def __init__(
        self, groups: Sequence[Group], keys: Sequence[bytes], words: bytes, longest: int, runs: bool, join: bool
    ) -> None: ...
    def units(self, text: str | bytes) -> list[tuple[int, int, int, bool]]: ...
    def ids(
        self, texts: _Texts, starts: Sequence[Sequence[int]], standards: Sequence[int]
    ) -> list[NDArray[np.int32]]: ...

class Segmenter:
    def __init__(
        self, features: UnitFeatures, embeddings: Sequence[Embedding], hidden: Layer, output: Layer
    ) -> None: ...
    def segment(self, text: AnyStr, dictionary: Dictionary | None, standard: int) -> list[AnyStr]: ...
    def spans(self, text: str | bytes, dictionary: Dictionary | None, standard: int) -> list[TokenSpan]: ...
    def segment_batch(
        self, texts: list[AnyStr], threads: int, dictionary: Dictionary | None, standard: int
    ) -> list[list[AnyStr]]: ...
    def spans_batch(
        self, texts: list[AnyStr], threads: int, dictionary: Dictionary | None, standard: int
    ) -> list[list[TokenSpan]]: ...

# ---- preordering

_States: TypeAlias = tuple[
    NDArray[np.int32], NDArray[np.int32], NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]
]

def gold_states(orders: Sequence[Sequence[int]]) -> _States: ...

class Preorderer:
    def __init__(
        self,
        features: WordFeatures,
        embeddings: Sequence[Embedding],
        hidden: Layer,
        output: Layer,
        tagger: TaggingNetwork | None,
        /,
    ) -> None: ...
    def reorder(self, sentence: Sequence[AnyStr], beam: int) -> Reordering[AnyStr]: ...
    def reorder_batch(
        self, sentences: Sequence[Sequence[AnyStr]], beam: int, threads: int, /
    ) -> list[Reordering[AnyStr]]: ...
    def permutations(self, sentences: Sequence[_Words], beam: int, threads: int, /) -> list[list[int]]: ...
