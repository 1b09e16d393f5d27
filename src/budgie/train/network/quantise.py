# SPDX-License-Identifier: Apache-2.0
"""Embedding rows as bytes (appendix A of the paper): scale = max|e| / 127, q = floor(1/2 + e / scale + 128)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]


STEPS = {2: 0.375, 4: 0.125}  # between two values of a weight of so many bits; exact in float16
_CLIPS = (1.0, 0.8, 0.65, 0.5, 0.4, 0.3, 0.2)  # of the largest weight


def quantise_rows(table: Floats) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float16]]:
    """One scale for each row, as in the paper."""
    scales = (np.abs(table).max(axis=1) / 127).astype(np.float16)
    return _bytes(table, scales.astype(np.float32)[:, None]), scales


def quantise_table(table: Floats) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float16]]:
    """One scale for the whole matrix; the few largest weights are clipped where that loses least over all."""
    largest = float(np.abs(table).max())
    best: tuple[float, npt.NDArray[np.uint8], npt.NDArray[np.float16]] | None = None
    for clip in _CLIPS:
        scale = np.array([largest * clip / 127], dtype=np.float16)
        q = _bytes(table, scale.astype(np.float32))
        error = float(np.square((q.astype(np.float32) - 128) * scale.astype(np.float32) - table).mean())
        if best is None or error < best[0]:
            best = error, q, scale
    assert best is not None
    return best[1], best[2]


def quantise_packed(table: Floats, bits: int) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float16]]:
    """2 or 4 bits a weight, on the grid that training rounds to (`networks.rounded`); neighbours share a byte.

    Byte j of a row holds weights j, j + width, j + 2 * width … from its low bits up, where width is the row's bytes.
    """
    step, half = STEPS[bits], 2 ** (bits - 1)
    q = (np.clip(np.floor(table / np.float32(step)), -half, half - 1) + half).astype(np.uint8)
    parts = np.split(q, 8 // bits, axis=1)
    rows = np.zeros_like(parts[0])
    for i, part in enumerate(parts):
        rows |= part << np.uint8(bits * i)
    return rows, np.array([step], dtype=np.float16)


def unpack(rows: npt.NDArray[np.uint8], bits: int) -> Floats:
    """Weights before they are scaled, from rows of 2, 4 or 8 bits a weight."""
    if bits == 8:
        return rows.astype(np.float32) - 128
    parts = [rows >> np.uint8(shift) & np.uint8(2**bits - 1) for shift in range(0, 8, bits)]
    return np.concatenate(parts, axis=1).astype(np.float32) - np.float32((2**bits - 1) / 2)


def _bytes(table: Floats, scale: Floats) -> npt.NDArray[np.uint8]:
    quotient = np.divide(table, scale, out=np.zeros_like(table), where=scale > 0)
    return np.clip(np.floor(0.5 + quotient + 128), 0, 255).astype(np.uint8)
