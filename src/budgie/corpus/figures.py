# SPDX-License-Identifier: Apache-2.0
"""Numbers as people read them. A number and its unit stay on one line."""

from __future__ import annotations

_SPACE = "\N{NO-BREAK SPACE}"
_SHORT = ((1e12, "tn"), (1e9, "bn"), (1e6, "M"), (1e3, "k"))
_SIZES = ("B", "KB", "MB", "GB", "TB", "PB")  # 1,000 of one are the next
_EDGES = ("B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB")  # 1,024 are


def count(number: int, noun: str) -> str:
    """How many of something there are: 1 document, 2,000 documents."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def short(number: float) -> str:
    """A number to three digits: 200 k, 1.23 bn."""
    for unit, name in _SHORT:
        if number >= 0.9995 * unit:
            return f"{number / unit:.3g}{_SPACE}{name}"
    return f"{number:g}"


def size(number: float) -> str:
    """Bytes to three digits: 1.60 GB."""
    unit = 0
    while number >= 999.5 and unit < len(_SIZES) - 1:
        number /= 1000
        unit += 1
    digits = 0 if unit == 0 or number >= 99.95 else 1 if number >= 9.995 else 2
    return f"{number:,.{digits}f}{_SPACE}{_SIZES[unit]}"


def power_of_two(exponent: int) -> str:
    """So many bytes, exactly: 512 B, 64 KiB."""
    unit = min(exponent // 10, len(_EDGES) - 1)
    return f"{2 ** (exponent - 10 * unit)}{_SPACE}{_EDGES[unit]}"


def share(part: int, whole: int) -> str:
    """A part in percent; nothing and all are said only of nothing and all."""
    if not whole:
        return "–"
    percent = 100 * part / whole
    if 0 < percent < 0.1:
        return f"<0.1{_SPACE}%"
    if 99.9 < percent < 100:
        return f">99.9{_SPACE}%"
    return f"{percent:.1f}{_SPACE}%" if percent % 100 else f"{percent:.0f}{_SPACE}%"


def duration(seconds: float) -> str:
    """A time: 12.3 s, 4 min 10 s, 3 h 05 min."""
    if seconds < 59.95:
        return f"{seconds:.1f}{_SPACE}s"
    whole = round(seconds)
    if whole < 3600:
        return f"{whole // 60}{_SPACE}min {whole % 60:02}{_SPACE}s"
    minutes = round(seconds / 60)
    return f"{minutes // 60:,}{_SPACE}h {minutes % 60:02}{_SPACE}min"
