# SPDX-License-Identifier: Apache-2.0
"""What was found in a corpus: documents, bytes, languages, lengths, probabilities, and what was left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

_EXAMPLES = 10  # of what was left out
_LONGEST = 1000  # characters of one
BINS = 20  # of probabilities


@dataclass
class OfLanguage:
    """The documents in one language."""

    documents: int = 0
    bytes: int = 0
    reliable: int = 0
    kept: int = 0

    def add(self, documents: int, size: int, reliable: int, kept: int) -> None:
        """More of them."""
        self.documents += documents
        self.bytes += size
        self.reliable += reliable
        self.kept += kept


@dataclass
class Counts:
    """Counts of a shard, or of several together. Lengths are in bytes of UTF-8."""

    kept_bytes: int = 0
    without_text: int = 0
    skipped: int = 0
    examples: list[str] = field(default_factory=list)
    languages: dict[str, OfLanguage] = field(default_factory=dict)
    lengths: Counter[int] = field(default_factory=Counter)  # by bits of the length: 0 of none, else from 2^(n-1) on
    probabilities: list[int] = field(default_factory=lambda: [0] * BINS)

    @property
    def documents(self) -> int:
        """All that have a text."""
        return sum(one.documents for one in self.languages.values())

    @property
    def bytes(self) -> int:
        """Of their texts."""
        return sum(one.bytes for one in self.languages.values())

    @property
    def kept(self) -> int:
        """Documents that were written."""
        return sum(one.kept for one in self.languages.values())

    def of(self, language: str) -> OfLanguage:
        """The counts of a language."""
        return self.languages.setdefault(language, OfLanguage())

    def add(self, answers: Iterable[tuple[str, float, bool]], sizes: Iterable[int], kept: Iterable[bool]) -> None:
        """Documents: what was found of each, its length, and whether it is written."""
        for (language, probability, reliable), size, is_kept in zip(answers, sizes, kept, strict=True):
            self.of(language).add(1, size, reliable, is_kept)
            self.lengths[size.bit_length()] += 1
            self.probabilities[bin_of(probability)] += 1
            self.kept_bytes += size if is_kept else 0

    def skip(self, fault: str) -> None:
        """A record that is left out."""
        self.skipped += 1
        if len(self.examples) < _EXAMPLES:
            self.examples.append(fault[:_LONGEST])

    def merge(self, other: Counts) -> None:
        """Add those of another shard."""
        self.kept_bytes += other.kept_bytes
        self.without_text += other.without_text
        self.skipped += other.skipped
        self.examples = [*self.examples, *other.examples][:_EXAMPLES]
        for language, one in other.languages.items():
            self.of(language).add(one.documents, one.bytes, one.reliable, one.kept)
        self.lengths.update(other.lengths)
        self.probabilities = [a + b for a, b in zip(self.probabilities, other.probabilities, strict=True)]

    def to_dict(self) -> dict[str, Any]:
        """As the summary has them."""
        order = sorted(self.languages.items(), key=lambda pair: (-pair[1].documents, pair[0]))
        return {
            "documents": self.documents,
            "kept": self.kept,
            "bytes": self.bytes,
            "kept_bytes": self.kept_bytes,
            "without_text": self.without_text,
            "skipped": {"records": self.skipped, "examples": self.examples},
            "languages": {language: vars(one) for language, one in order},
            "lengths": {str(1 << bits >> 1): count for bits, count in sorted(self.lengths.items())},
            "probabilities": self.probabilities,
        }

    @staticmethod
    def from_dict(found: dict[str, Any]) -> Counts:
        """What to_dict() has made."""
        return Counts(
            kept_bytes=found["kept_bytes"],
            without_text=found["without_text"],
            skipped=found["skipped"]["records"],
            examples=found["skipped"]["examples"],
            languages={language: OfLanguage(**one) for language, one in found["languages"].items()},
            lengths=Counter({int(least).bit_length(): count for least, count in found["lengths"].items()}),
            probabilities=found["probabilities"],
        )


def bin_of(probability: float) -> int:
    """The twentieth that a probability is in."""
    return min(int(probability * BINS), BINS - 1)
