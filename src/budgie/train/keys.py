# SPDX-License-Identifier: Apache-2.0
"""Keyed groups: each row of a matrix belongs to the one feature of its bucket that tells most about the label.

All other features of the bucket are ignored at run time (but for one in 256, whose 8-bit key is the same by chance),
so a small matrix holds selected features instead of a mixture of everything that hashes there.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from budgie.config import Config
from budgie.langid import make_features
from budgie.train.batches import Labels

Counts = npt.NDArray[np.int64]


def select_keys(config: Config, batches: Iterable[tuple[list[str], Labels]], threads: int = 1) -> list[bytes]:
    """The keys of every group (empty for groups without), from labelled texts."""
    features = make_features(config, hashes=True)
    tallies = [_Tally(group.buckets, len(config.labels)) if group.keyed else None for group in config.groups]
    for texts, labels in batches:
        for tally, (hashes, starts) in zip(tallies, features.ids(texts, threads), strict=True):
            if tally:
                lengths = np.diff(np.append(starts, len(hashes)))
                tally.add(hashes, np.repeat(labels, lengths))
    return [tally.keys() if tally else b"" for tally in tallies]


class _Tally:
    """How often each (bucket, key) occurs with each label, as sorted codes and counts."""

    _MERGE = 20_000_000  # codes held before equal ones are merged

    def __init__(self, buckets: int, labels: int) -> None:
        self._buckets, self._labels = buckets, labels
        self._codes: list[Counts] = []
        self._counts: list[Counts] = []
        self._held = 0

    def add(self, hashes: Counts, labels: Labels) -> None:
        cells = (hashes * self._buckets >> 32) * 256 + (hashes & 255)
        codes, counts = np.unique(cells * self._labels + labels, return_counts=True)
        self._codes.append(codes)
        self._counts.append(counts)
        self._held += len(codes)
        if self._held > self._MERGE:
            self._merge()

    def _merge(self) -> None:
        codes, inverse = np.unique(np.concatenate(self._codes), return_inverse=True)
        counts = np.bincount(inverse, weights=np.concatenate(self._counts), minlength=len(codes)).astype(np.int64)
        self._codes, self._counts, self._held = [codes], [counts], 0

    def keys(self) -> bytes:
        """For each bucket the key whose features share the most information with the label."""
        self._merge()
        cells, labels = np.divmod(self._codes[0], self._labels)
        counts = self._counts[0].astype(np.float64)
        found, inverse = np.unique(cells, return_inverse=True)
        of_cell = np.bincount(inverse, weights=counts)
        of_label = np.bincount(labels, weights=counts, minlength=self._labels)
        surprise = np.log(counts * counts.sum() / (of_cell[inverse] * of_label[labels]))
        information = np.bincount(inverse, weights=counts * surprise)
        order = np.argsort(information, kind="stable")
        keys = np.zeros(self._buckets, dtype=np.uint8)
        keys[found[order] // 256] = (found[order] % 256).astype(np.uint8)  # the last, largest one stays
        return keys.tobytes()
