# SPDX-License-Identifier: Apache-2.0
"""Pieces of Markdown that every benchmark prints."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence

WIDTH = 120  # columns of prose


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


def wrapped(text: str) -> str:
    """Markdown whose prose has no line over WIDTH columns; tables, headings and code stay as they are."""
    lines, code = [], False
    for line in text.split("\n"):
        code ^= line.startswith("```")
        if len(line) <= WIDTH or code or line.startswith(("|", "#")):
            lines.append(line)
        else:
            lines += textwrap.wrap(line, WIDTH, break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines)


def wrapped_command(command: str) -> str:
    """A command on as many lines as it needs, as a shell reads it."""
    lines = textwrap.wrap(command, WIDTH - 2, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)
    return " \\\n".join(lines)
