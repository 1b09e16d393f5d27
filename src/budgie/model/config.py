# SPDX-License-Identifier: Apache-2.0
"""What a network looks like: its feature groups, layers and labels, as plain data.

The same description drives feature extraction in training and in inference (the core reads it), the model
file (it is stored there as JSON) and the accounting. An ablation is a changed description, never a changed program.
"""

from __future__ import annotations

import dataclasses
import re
import typing
from dataclasses import dataclass
from typing import Any, Literal

from budgie import _core
from budgie.errors import ConfigError
from budgie.model.plain_data import build, check_range

Task = Literal["langid", "pos", "seg", "preorder"]
Kind = Literal[
    "ngrams",
    "words",
    "bytes",
    "shapes",
    "clusters",
    "vocabulary",
    "kinds",
    "length",
    "standard",
    "lexicon",
    "tags",
    "swapped",
]

ACTIONS = ("SPLIT", "MERGE")  # the labels of a segmenter
MOVES = ("SHIFT", "APPEND", "SWAP")  # and of a preorderer
KINDS: dict[Task, tuple[Kind, ...]] = {
    "langid": ("ngrams", "words"),
    "pos": ("ngrams", "words", "bytes", "shapes", "clusters"),
    "seg": ("ngrams", "words", "vocabulary", "kinds", "length", "standard", "lexicon"),
    "preorder": ("ngrams", "words", "bytes", "shapes", "clusters", "tags", "swapped", "length"),
}
OF_SPANS = ("swapped", "length")  # kinds that a preorderer has of whole spans, not of words
# What a preorderer looks at: the spans from the top of the stack (s0) and from the front of the buffer (b0), and words
# of each. The numbers of the words are those of core/preordering.hpp.
SPANS = tuple(f"{pile}{depth}" for pile in "sb" for depth in range(_core.SPANS_SEEN))
PLACES = tuple(f"{span}.{corner}" for span in SPANS for corner in ("first", "second", "before_last", "last"))

MAX_EXTENT = 2**24  # of any axis of any tensor, and of any count below that has no tighter limit
MAX_LABELS = 65_535
FARTHEST_POSITION = 64
MAX_ERROR_BITS = 32
MAX_LAYERS = 16  # of a Bloom map
MAX_REMEMBERED = 2**16  # hidden units times words of a window: what a tagger keeps of each word it meets
MAX_MULTIPLIED = 2**24  # hidden units times rows: what a segmenter multiplies at load, or has at hand of a text
MAX_SEGMENTER_H0 = 2**16
_AT_HAND = 512  # units of two runs (core/unit_window.hpp)
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")  # no dot: "name.rows" must not be readable in two ways
_LABEL = re.compile(r"[^\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")  # a label must survive UTF-8 and a line of TSV


@dataclass(frozen=True)
class Group:
    """One feature group: an embedding matrix of `buckets` rows and the features that look rows up in it."""

    name: str
    kind: Kind
    buckets: int  # V_g of the paper: rows of the matrix
    dim: int  # D_g of the paper
    n: int = 0  # ngrams, vocabulary, kinds: length in characters or units; bytes: how many from each end of a word
    positions: tuple[int, ...] = (0,)  # words or units relative to the focus; each one adds its own part of h0
    starts: tuple[int, ...] = ()  # segmentation: units relative to the first one of the current word
    places: tuple[str, ...] = ()  # preordering: words of spans (PLACES), to which positions are relative, or SPANS
    keys: int = 0  # vocabulary: bytes of the stored n-grams
    combine: Literal["mean", "sum"] = "mean"  # how several ids of one position become one vector
    across: bool = True  # ngrams of running text: may a space stand inside (True) or only at the ends (False)
    ends: bool = True  # ngrams of single words: do the ends of the word count as characters
    bits: Literal[2, 4, 8, 32] = 8  # of a weight: 2, 4, 8: integers with float16 scales; 32: float32
    scale: Literal["row", "table"] = "row"  # one scale for each row (the paper), or one for the whole matrix

    @property
    def slots(self) -> int:
        """How many vectors of `dim` this group contributes to h0."""
        positions = len(self.positions) * (len(self.places) or 1) + len(self.starts)
        return positions * (2 * self.n if self.kind == "bytes" else 1)

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise ConfigError(f"group name {self.name[:40]!r} is not 1 to 64 of the characters A-Z a-z 0-9 _ -")
        where = f"group {self.name}:"
        check_range(f"{where} buckets", self.buckets, 1, MAX_EXTENT)
        check_range(f"{where} dim", self.dim, 1, MAX_EXTENT)
        longest = {"ngrams": _core.LONGEST_NGRAM, "bytes": _core.LONGEST_NGRAM, "kinds": _core.LONGEST_NGRAM}
        longest["vocabulary"] = 2
        check_range(f"{where} n of kind {self.kind}", self.n, int(self.kind in longest), longest.get(self.kind, 0))
        check_range(f"{where} keys", self.keys, 0, MAX_EXTENT if self.kind == "vocabulary" else 0)
        if self.kind == "bytes" and self.buckets != 256:
            raise ConfigError(f"{where} a matrix of bytes has 256 buckets, not {self.buckets}")
        if self.bits < 8 and (self.scale == "row" or self.dim * self.bits % 8):
            raise ConfigError(f"{where} rows of {self.bits} bits have one scale a table and fill whole bytes")
        for positions in (self.positions, self.starts):
            if self.slots == 0 or len(set(positions)) < len(positions):
                raise ConfigError(f"{where} positions must be one or more different numbers")
        if len(set(self.places)) < len(self.places):
            raise ConfigError(f"{where} places must be different")
        for positions in (self.positions, self.starts):
            for position in positions:
                check_range(f"{where} position", position, -FARTHEST_POSITION, FARTHEST_POSITION)


@dataclass(frozen=True)
class Text:
    """How raw text becomes the characters that features see."""

    fold_case: bool = True  # simple lower case, so that UPPERCASE text looks the same
    drop_markup: bool = False  # leave out what stands between < and >
    drop_urls: bool = True  # leave out addresses: from :// or @ to the next space
    blocks: tuple[int, ...] = ()  # letters count only in these blocks of 128 code points; none named: everywhere
    units: Literal["characters", "runs"] = "runs"  # segmentation: does each character stand alone (core/units.hpp)
    spaces: Literal["break", "join"] = "break"  # segmentation: may a word have spaces inside (Vietnamese)

    def __post_init__(self) -> None:
        for block in self.blocks:
            check_range("block of text", block, 0, 0x110000 // 128 - 1)


@dataclass(frozen=True)
class BloomMap:
    """The static map from words to clusters (the paper's appendix C; core/bloom.hpp)."""

    words: int
    slots: tuple[int, ...]  # bits of each layer
    error_bits: int = 0  # a word that is not in the map gets some cluster with a probability of 2 ** -error_bits
    fold_case: bool = False  # which words are the same word
    fold_digits: bool = False

    @property
    def size(self) -> int:
        """Bytes of the layers."""
        return _core.BloomMap.size(list(self.slots))

    def __post_init__(self) -> None:
        check_range("bloom.words", self.words, 1, MAX_EXTENT)
        check_range("bloom.error_bits", self.error_bits, 0, MAX_ERROR_BITS)
        check_range("number of layers of the Bloom map", len(self.slots), 1, MAX_LAYERS)
        for slots in self.slots:
            check_range("slots of a layer of the Bloom map", slots, _core.FEWEST_SLOTS, 8 * MAX_EXTENT)
        check_range("size of the Bloom map", self.size, 1, MAX_EXTENT)


@dataclass(frozen=True)
class Lexicon:
    """A Bloom filter of words of several units (core/lexicon.hpp)."""

    words: int  # how many went into it
    longest: int  # units of a word
    size: int  # bytes

    def __post_init__(self) -> None:
        check_range("lexicon.words", self.words, 0, MAX_EXTENT)
        check_range("lexicon.longest", self.longest, 2, _core.LONGEST_WORD)
        check_range("lexicon.size", self.size, 8, MAX_EXTENT)
        if self.size % 8:
            raise ConfigError(f"lexicon.size must be a multiple of 8, not {self.size}")


@dataclass(frozen=True)
class Config:
    """A whole network, without its weights."""

    task: Task
    groups: tuple[Group, ...]
    hidden: int  # M of the paper
    labels: tuple[str, ...]
    text: Text = Text()
    layer_bits: Literal[16, 32] = 32  # float width of the hidden and the output layer
    bloom: BloomMap | None = None
    standards: tuple[str, ...] = ()  # word definitions of which a segmenter knows several
    lexicon: Lexicon | None = None
    tagger: Config | None = None  # of a pipeline: a preorderer carries the tagger whose tags it needs

    @property
    def h0(self) -> int:
        """Width of the embedding layer."""
        return sum(group.slots * group.dim for group in self.groups)

    def __post_init__(self) -> None:
        check_range("hidden", self.hidden, 1, MAX_EXTENT)
        check_range("number of labels", len(self.labels), 1, MAX_LABELS)
        check_range("number of groups", len(self.groups), 1, MAX_EXTENT)
        check_range("width of h0", self.h0, 1, MAX_EXTENT)
        self._check_names()
        for group in self.groups:
            if group.kind not in KINDS.get(self.task, ()):
                raise ConfigError(f"group {group.name}: {self.task} has no groups of kind {group.kind}")
        if self.task != "seg" and (self.standards or self.lexicon):
            raise ConfigError(f"only a segmenter has {'standards' if self.standards else 'a lexicon'}")
        if self.task != "preorder" and (self.tagger or any(group.places for group in self.groups)):
            raise ConfigError(f"only a preorderer has {'a tagger inside' if self.tagger else 'places'}")
        {
            "langid": self._check_langid,
            "pos": self._check_tagging,
            "seg": self._check_segmentation,
            "preorder": self._check_preordering,
        }[self.task]()
        clusters = [group for group in self.groups if group.kind == "clusters"]
        if (self.bloom is None) is bool(clusters):
            raise ConfigError("a Bloom map and a group of kind clusters need each other")
        if len({group.buckets for group in clusters}) > 1:
            raise ConfigError("groups of kind clusters have the same number of buckets: all look into one Bloom map")

    def _check_names(self) -> None:
        for label in self.labels:
            if not _LABEL.fullmatch(label):
                raise ConfigError(f"label {label[:40]!r} is empty, has control characters or is not valid Unicode")
        for what, names in (("label", self.labels), ("group", [group.name for group in self.groups])):
            if len(set(names)) < len(names):
                raise ConfigError(f"two {what}s have the same name")

    def _check_langid(self) -> None:
        if any(group.positions != (0,) or group.starts for group in self.groups):
            raise ConfigError("langid reads the text as a whole: its groups are ngrams or words at position 0")

    def _check_tagging(self) -> None:
        if any(group.starts for group in self.groups):
            raise ConfigError("only segmentation has a current word, and groups with starts")
        places = [0, *(position for group in self.groups for position in group.positions)]
        window = max(places) - min(places) + 1
        check_range(f"hidden units times {window} words of the window", self.hidden * window, 1, MAX_REMEMBERED)

    def _check_segmentation(self) -> None:
        if self.labels != ACTIONS:
            raise ConfigError(f"the labels of a segmenter are {' and '.join(ACTIONS)}")
        for group in self.groups:
            following = {"length": (0,), "standard": (0,), "words": (-1, 0, 1)}.get(group.kind)
            if following and (group.starts or not set(group.positions) <= set(following)):
                raise ConfigError(f"group {group.name}: positions of kind {group.kind} are among {following}")
            numbered = {"standard": len(self.standards), "lexicon": self.lexicon.longest**3 if self.lexicon else 0}
            rows = numbered.get(group.kind, group.buckets)
            if group.buckets != rows:
                raise ConfigError(f"group {group.name} must have {rows} rows, as many as it has features")
        if len(set(self.standards)) < len(self.standards) or not all(map(_LABEL.fullmatch, self.standards)):
            raise ConfigError("standards must have different names without control characters")
        for kind, there in (("standard", bool(self.standards)), ("lexicon", self.lexicon is not None)):
            if there is not any(group.kind == kind for group in self.groups):
                raise ConfigError(f"a {kind} and a group of kind {kind} need each other")
        # A small file must not ask for much memory.
        most = {"length": _core.FEW_BUCKETS, "words": _core.FEW_BUCKETS, "standard": MAX_EXTENT}
        rows = sum(len(group.positions) * min(group.buckets, most.get(group.kind, 0)) for group in self.groups)
        rows = max(rows, _AT_HAND)
        check_range(f"hidden units times {rows} rows", self.hidden * rows, 1, MAX_MULTIPLIED)
        check_range("width of h0 of a segmenter", self.h0, 1, MAX_SEGMENTER_H0)

    def _check_preordering(self) -> None:
        if self.labels != MOVES:
            raise ConfigError(f"the labels of a preorderer are {', '.join(MOVES)}")
        if (self.tagger is not None) is not any(group.kind == "tags" for group in self.groups):
            raise ConfigError("a tagger and a group of kind tags need each other")
        if self.tagger and self.tagger.task != "pos":
            raise ConfigError(f"the tagger inside is a model for {self.tagger.task}")
        tags = len(self.tagger.labels) if self.tagger else 0
        for group in self.groups:
            known = SPANS if group.kind in OF_SPANS else PLACES
            if group.starts:
                raise ConfigError(f"group {group.name}: only segmentation has a current word, and starts")
            if not group.places or not set(group.places) <= set(known):
                raise ConfigError(f"group {group.name}: places of kind {group.kind} are among {' '.join(known)}")
            if group.kind in OF_SPANS and group.positions != (0,):
                raise ConfigError(f"group {group.name}: a span has no words around it, only position 0")
            rows = {"tags": tags, "swapped": 2}.get(group.kind, group.buckets)
            if group.buckets != rows:
                raise ConfigError(f"group {group.name} must have {rows} rows, as many as it has features")
        of_words = {
            (place, position)
            for group in self.groups
            if group.kind not in (*OF_SPANS, "tags")
            for place in group.places
            for position in group.positions
        }
        corners = {place for group in self.groups if group.kind not in OF_SPANS for place in group.places}
        looked_at = max(len(of_words), len(corners), 1)
        units = (self.hidden + 15) // 16 * 16  # as the core has them
        check_range(f"hidden units times {looked_at} words looked at", units * looked_at, 1, MAX_REMEMBERED)
        rows = sum(group.buckets * group.slots for group in self.groups if group.kind in (*OF_SPANS, "tags"))
        check_range(f"hidden units times {rows} rows", units * rows, 0, MAX_MULTIPLIED)

    @property
    def classes(self) -> int:
        """How many clusters words may belong to."""
        return max((group.buckets for group in self.groups if group.kind == "clusters"), default=0)

    def to_dict(self) -> dict[str, Any]:
        """The description as JSON-ready data."""
        return dataclasses.asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Config:
        """The inverse of `to_dict`; refuses unknown names, missing names and wrong types."""
        return typing.cast(Config, build(cls, data, "config"))
