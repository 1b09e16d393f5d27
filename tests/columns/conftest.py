# SPDX-License-Identifier: Apache-2.0
"""Every test gives back all structs that it has made."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest
from arrow_structs import alive


@pytest.fixture(autouse=True)
def _nothing_stays() -> Iterator[None]:
    before = alive()
    yield
    gc.collect()  # tracebacks hold what tests held
    assert alive() == before
