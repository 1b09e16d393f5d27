# SPDX-License-Identifier: Apache-2.0
"""Pieces of Markdown that every benchmark prints."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """One Markdown table."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def percent(share: float | None, decimals: int = 1) -> str:
    """A share as a percentage."""
    return "–" if share is None else f"{100 * share:.{decimals}f}"


def left_out(failures: Mapping[str, str]) -> str:
    """A line on the systems that failed."""
    why = "; ".join(f"{name} ({error.splitlines()[-1]})" for name, error in failures.items())
    return f"**Left out**, as they failed: {why}.\n"
