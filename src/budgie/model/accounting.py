# SPDX-License-Identifier: Apache-2.0
"""Weights, bytes and FLOPs of a network, counted as in the paper's tables, from its config alone."""

from __future__ import annotations

import math
from dataclasses import dataclass

from budgie.model.config import Config
from budgie.model.tensors import WIDTHS, expected_tensors

KB, MB = 1024, 1024**2  # as in the paper


@dataclass(frozen=True)
class Account:
    """What a network costs; a pipeline costs what all its networks do."""

    h0: int  # width of the embedding layer
    weights: int  # embeddings, both layers and their biases; scales and the Bloom map are no weights
    flops: int  # of one decision of each network in its two layers; the paper leaves out the embeddings and the biases
    size: int  # bytes of all parameters and resources, without the header of the file


def account(config: Config) -> Account:
    """Count a network."""
    h0, hidden, labels = config.h0, config.hidden, len(config.labels)
    embeddings = sum(group.buckets * group.dim for group in config.groups)
    inside = [account(network) for network in config.networks.values()]
    return Account(
        h0=h0,
        weights=embeddings + hidden * (h0 + 1) + labels * (hidden + 1) + sum(one.weights for one in inside),
        # n products and n - 1 sums for each unit
        flops=hidden * (2 * h0 - 1) + labels * (2 * hidden - 1) + sum(one.flops for one in inside),
        size=sum(math.prod(shape) * WIDTHS[dtype] for dtype, shape in expected_tensors(config).values()),
    )


def paper_bits(entropy: float, error_bits: int) -> float:
    """Bits a word of the paper's Bloom map (appendix C): `entropy` is that of the distribution of words to clusters."""
    return 1.23 * (error_bits + entropy)
