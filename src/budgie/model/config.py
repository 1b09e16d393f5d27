# SPDX-License-Identifier: Apache-2.0
"""What a network looks like: its feature groups, layers and labels, as plain data.

The same description drives feature extraction in training and in inference (the core reads it), the model
file (it is stored there as JSON) and the accounting. An ablation is a changed description, never a changed program.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from budgie import _core
from budgie.errors import ConfigError

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
    "sentence",
    "endings",
    "opening",
    "line",
]

SENTENCE_ACTIONS = _core.ACTIONS  # the labels of a segmenter that finds sentences, too
ACTIONS = SENTENCE_ACTIONS[:2]  # and of one that finds words alone
MOVES = _core.MOVES  # and of a preorderer
# What a preorderer looks at: the spans from the top of the stack (s0) and from the front of the buffer (b0), and words
# of each, in the order in which the core numbers them.
SPANS = _core.SPANS
PLACES = _core.PLACES
MAX_EXTENT = _core.MAX_EXTENT  # of any axis of any tensor, and of any count that has no tighter limit
MAX_ERROR_BITS = _core.MAX_ERROR_BITS


def _check(check: Any, description: dict[str, Any]) -> Any:
    """Ask the core, which alone knows what makes sense."""
    try:
        return check(json.dumps(description))
    except _core.Refused as error:
        raise ConfigError(str(error)) from None


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
    by_standard: bool = False  # ngrams and shapes of units: does each standard have rows of its own
    bits: Literal[2, 4, 8, 32] = 8  # of a weight: 2, 4, 8: integers with float16 scales; 32: float32
    scale: Literal["row", "table"] = "row"  # one scale for each row (the paper), or one for the whole matrix

    @property
    def slots(self) -> int:
        """How many vectors of `dim` this group contributes to h0."""
        positions = len(self.positions) * (len(self.places) or 1) + len(self.starts)
        return positions * (2 * self.n if self.kind == "bytes" else 1)

    def __post_init__(self) -> None:
        _check(_core.check_group, dataclasses.asdict(self))


@dataclass(frozen=True)
class TextConfig:
    """How raw text becomes the characters that features see."""

    fold_case: bool = True  # simple lower case, so that UPPERCASE text looks the same
    drop_markup: bool = False  # leave out what stands between < and >
    drop_urls: bool = True  # leave out addresses: :// or @, and all around it up to spaces and text without spaces
    blocks: tuple[int, ...] = ()  # letters count only in these blocks of 128 code points; none named: everywhere
    units: Literal["characters", "runs"] = "runs"  # segmentation: does each character stand alone (core/text/units.hpp)
    # Segmentation: white space is a word of its own, may stand inside of words (Vietnamese), or only between them.
    spaces: Literal["break", "join", "between"] = "break"


@dataclass(frozen=True)
class BloomMap:
    """The static map from words to clusters (the paper's appendix C; core/features/bloom.hpp)."""

    words: int
    slots: tuple[int, ...]  # bits of each layer
    error_bits: int = 0  # a word that is not in the map gets some cluster with a probability of 2 ** -error_bits
    fold_case: bool = False  # which words are the same word
    fold_digits: bool = False

    @property
    def size(self) -> int:
        """Bytes of the layers."""
        return _core.size_of_bloom_map(list(self.slots))


@dataclass(frozen=True)
class Lexicon:
    """A Bloom filter of words of several units (core/features/lexicon.hpp)."""

    words: int  # how many went into it
    longest: int  # units of a word
    size: int  # bytes


@dataclass(frozen=True)
class Multiword:
    """Rules that split tokens into words (core/tasks/multiword.hpp)."""

    rules: int
    size: int  # bytes


@dataclass(frozen=True)
class Config:
    """A whole network, without its weights."""

    task: Task
    groups: tuple[Group, ...]
    hidden: int  # M of the paper
    labels: tuple[str, ...]
    text: TextConfig = TextConfig()
    layer_bits: Literal[16, 32] = 32  # float width of the hidden and the output layer
    bloom: BloomMap | None = None
    standards: tuple[str, ...] = ()  # word definitions of which a segmenter knows several
    lexicon: Lexicon | None = None
    multiword: Multiword | None = None
    variants: int = 0  # of a segmenter: characters that count as others (core/features/variants.hpp)
    rare: tuple[str, ...] = ()  # of an identifier: labels not chosen from unless somebody asks for them
    background: tuple[str, ...] = ()  # and labels of text in no language, which are never chosen
    shared_space: bool = False  # vectors of all groups are added up in h0, instead of standing side by side
    # Networks inside of this one, by name: a preorderer carries the `tagger` whose tags it needs.
    networks: Mapping[str, Config] = field(default_factory=dict, hash=False)

    @property
    def h0(self) -> int:
        """Width of the embedding layer."""
        return self.groups[0].dim if self.shared_space else sum(group.slots * group.dim for group in self.groups)

    def __post_init__(self) -> None:
        _check(_core.check_config, self.to_dict())

    def to_dict(self) -> dict[str, Any]:
        """The description as JSON-ready data."""
        parts = {one.name: getattr(self, one.name) for one in dataclasses.fields(self)}
        return {name: _plain(part) for name, part in parts.items()}

    def to_short_dict(self) -> dict[str, Any]:
        """The same without what is as it is by default."""
        short: dict[str, Any] = _shortened(self)
        return short

    def to_json(self) -> str:
        """The description as the core takes it."""
        return json.dumps(self.to_dict())

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Config:
        """The inverse of `to_dict`; refuses unknown names, missing names and wrong types."""
        return cls._from_checked(json.loads(_check(_core.check_config, data)))

    @classmethod
    def from_json(cls, text: str) -> Config:
        """A config out of a file that the core has read."""
        return cls._from_checked(json.loads(text))

    @classmethod
    def _from_checked(cls, data: dict[str, Any]) -> Config:
        """From what the core has written: every name is there, and every type is right."""
        return cls(
            task=data["task"],
            groups=tuple(Group(**_tuples(group)) for group in data["groups"]),
            hidden=data["hidden"],
            labels=tuple(data["labels"]),
            rare=tuple(data["rare"]),
            background=tuple(data["background"]),
            text=TextConfig(**_tuples(data["text"])),
            layer_bits=data["layer_bits"],
            shared_space=data["shared_space"],
            bloom=BloomMap(**_tuples(data["bloom"])) if data["bloom"] else None,
            standards=tuple(data["standards"]),
            lexicon=Lexicon(**data["lexicon"]) if data["lexicon"] else None,
            multiword=Multiword(**data["multiword"]) if data["multiword"] else None,
            variants=data["variants"],
            networks={name: cls._from_checked(one) for name, one in data["networks"].items()},
        )


def _tuples(data: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in data.items()}


def _plain(part: Any) -> Any:
    if isinstance(part, Config):
        return part.to_dict()
    if dataclasses.is_dataclass(part) and not isinstance(part, type):
        return dataclasses.asdict(part)
    if isinstance(part, Mapping):
        return {name: _plain(one) for name, one in part.items()}
    return [_plain(one) for one in part] if isinstance(part, tuple) else part


def _shortened(part: Any) -> Any:
    if dataclasses.is_dataclass(part) and not isinstance(part, type):
        pairs = ((one, getattr(part, one.name)) for one in dataclasses.fields(part))
        return {one.name: _shortened(value) for one, value in pairs if value not in (one.default, {})}
    if isinstance(part, Mapping):
        return {name: _shortened(one) for name, one in part.items()}
    return [_shortened(one) for one in part] if isinstance(part, tuple) else part
