# SPDX-License-Identifier: Apache-2.0
"""A default for corpora that nobody has learnt from: what several standards mean by a word, taken together.

What a network knows of a standard is the row of its group `standard`. The mean of some rows is a row, too, and does as
well on a corpus that was left out as the best of these standards, without our knowing which one that is
(docs/decisions/034-a-free-segmenter-of-chinese.md). Nothing is trained, and the other standards stay as they are.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection

import numpy as np

from budgie.model.file import Model
from budgie.model.tensors import Tensor


def with_general(model: Model, name: str, standards: Collection[str]) -> Model:
    """A segmenter with one standard more, its default: the mean of some that it has."""
    config = model.config
    (group,) = (group for group in config.groups if group.kind == "standard")
    rows = np.frombuffer(model.tensors[f"{group.name}.rows"].data, np.float32).reshape(group.buckets, group.dim)
    mean = rows[[config.standards.index(one) for one in standards]].mean(axis=0, keepdims=True)
    more = np.concatenate([mean, rows])
    groups = tuple(
        dataclasses.replace(one, buckets=len(more)) if one.kind == "standard" else one for one in config.groups
    )
    return Model(
        dataclasses.replace(config, groups=groups, standards=(name, *config.standards)),
        {**model.tensors, f"{group.name}.rows": Tensor("F32", more.shape, more.tobytes())},
        model.info,
    )
