# SPDX-License-Identifier: Apache-2.0
"""A table of clusters as a Bloom map: the part of a model file that knows the cluster of each word."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from budgie import _core
from budgie.clusters.table import ClusterTable
from budgie.errors import DataError
from budgie.model.config import BloomMap
from budgie.model.tensors import Tensor


@dataclass(frozen=True)
class BuiltMap:
    """A Bloom map: its description and its tensors."""

    bloom: BloomMap
    classes: int
    tensors: Mapping[str, Tensor]


def build_bloom_map(table: ClusterTable, words: int, error_bits: int) -> BuiltMap:
    """Build the map of the first `words` words of a table."""
    chosen, classes = list(table.words[:words]), table.number_of_classes
    try:
        lengths, slots, bits = _core.build_bloom_map(
            chosen, list(table.classes[:words]), classes, error_bits, table.fold_case, table.fold_digits
        )
    except ValueError as error:
        raise DataError(f"no Bloom map of these words: {error}") from None
    return BuiltMap(
        BloomMap(len(chosen), tuple(slots), error_bits, table.fold_case, table.fold_digits),
        classes,
        {"bloom.lengths": Tensor("U8", (classes,), lengths), "bloom.bits": Tensor("U8", (len(bits),), bits)},
    )
