# SPDX-License-Identifier: Apache-2.0
"""Budgie."""

from __future__ import annotations

from benchmarks.tagging.systems import Way, Ways, one_by_one

import budgie


def load(path: str) -> Ways:
    """A model file."""
    model = budgie.load(path)
    return {"one": Way(one_by_one(model.tag)), "batch": Way(model.tag_batch, whole=True)}
