# SPDX-License-Identifier: Apache-2.0
"""Charts as SVG in a page. Places across are in percent, so that bars follow the page, and letters keep their size."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from budgie.corpus.figures import share, short
from budgie.formats.html_page import escaped

_TOP, _HEIGHT, _BELOW = 40, 190, 24  # pixels: for the names of marks, for bars, for the axis
_LEAST = 1.5  # pixels of a bar that is not nothing
_LINES = 5  # at most, over the base of a histogram

STYLE = """
:root {--page: #f6f8fa; --card: #fff; --line: #d0d7de; --ink: #1f2328; --faint: #59636e; --bar: #1351c3;
  --pale: #9dbbf0; --kept: #2da44e; --bad: #cf222e}
@media (prefers-color-scheme: dark) {
  :root {--page: #0d1117; --card: #151b23; --line: #3d444d; --ink: #f0f6fc; --faint: #9198a1; --bar: #58a6ff;
    --pale: #2c4f7c; --kept: #3fb950; --bad: #f85149}
}
svg {display: block; width: 100%; overflow: visible}
svg text {font: 12px system-ui, sans-serif; fill: var(--faint)}
.bar {fill: var(--bar)}
.pale {fill: var(--pale)}
.kept {fill: var(--kept)}
.bad {fill: var(--bad)}
.rest {fill: var(--line)}
.grid {stroke: var(--line)}
.mark {stroke: var(--ink); stroke-dasharray: 3 3}
.over {fill: none; pointer-events: all}
.over:hover {fill: rgba(128, 128, 128, .15)}
.plot {padding-inline: 3em 1.4em}
.key {color: var(--faint); font-size: .85em; margin: .4em 0}
.key svg {display: inline-block; width: 1em; height: .8em; margin-inline: 0 .35em; vertical-align: -.05em}
.key span {display: inline-block; margin-inline-end: 1.2em}
@media (max-width: 640px) {.wide {display: none}}
"""


class Bin(NamedTuple):
    """A bar of a histogram."""

    number: int
    name: str  # what it counts
    pale: bool = False


class Tick(NamedTuple):
    """A place of the axis, from 0 to 1, that has a name; narrow pages leave out those that are wide."""

    place: float
    name: str
    wide: bool = False


def histogram(title: str, bins: Sequence[Bin], ticks: Iterable[Tick], marks: Iterable[Tick] = ()) -> str:
    """Bars beside each other; marks are lines across them, named at the top."""
    all_of_them = sum(one.number for one in bins)
    highest = max([1, *(one.number for one in bins)])
    base, width = _TOP + _HEIGHT, 100 / max(len(bins), 1)
    drawn = []
    for number in range(0, highest + 1, _step(highest)):
        y = base - _HEIGHT * number / highest
        drawn.append(f'<line class="grid" x1="0" x2="100%" y1="{y:.1f}" y2="{y:.1f}"/>')
        drawn.append(_text("-8", y + 4, short(number), "end"))
    for place, one in enumerate(bins):
        x = place * width
        if one.number:
            height = max(_HEIGHT * one.number / highest, _LEAST)
            kind = "pale" if one.pale else "bar"
            drawn.append(_box(x + width * 0.06, width * 0.88, base - height, height, kind))
        says = f"{one.name}: {one.number:,} ({share(one.number, all_of_them)})"
        drawn.append(_box(x, width, _TOP, _HEIGHT, "over", says))
    for tick in ticks:
        drawn.append(_text(f"{100 * tick.place:.2f}%", base + 17, tick.name, "middle", "wide" if tick.wide else ""))
    for row, mark in enumerate(marks):
        x, y = 100 * mark.place, 10 + 14 * row
        drawn.append(f'<line class="mark" x1="{x:.2f}%" x2="{x:.2f}%" y1="{y + 4}" y2="{base}"/>')
        drawn.append(_text(f"{x:.2f}%", y, mark.name, "end" if mark.place > 0.5 else "start"))
    return (
        f'<div class="plot"><svg height="{base + _BELOW}" role="img"><title>{escaped(title)}</title>'
        f"<desc>{escaped(_description(bins, all_of_them))}</desc>{''.join(drawn)}</svg></div>"
    )


def strip(says: str, parts: Iterable[tuple[str, float]], line: float = 0.0) -> str:
    """One bar across: parts of kinds, beside each other, each so much of the whole width, and a line below them."""
    drawn, x = [], 0.0
    for kind, part in parts:
        if part > 0:
            drawn.append(_box(x, 100 * part, 3, 12, kind))
            x += 100 * part
    if line > 0:
        drawn.append(_box(0, 100 * line, 16, 3, "kept"))
    return f'<svg height="20" aria-hidden="true"><title>{escaped(says)}</title>{"".join(drawn)}</svg>'


def key(kinds: Iterable[tuple[str, str]]) -> str:
    """What the kinds of a chart mean."""
    box = '<svg aria-hidden="true"><rect class="{}" width="100%" height="100%" rx="2"/></svg>'
    return f'<p class="key">{" ".join(f"<span>{box.format(kind)}{escaped(name)}</span>" for kind, name in kinds)}</p>'


def _step(highest: int) -> int:
    """From one line to the next: 1, 2 or 5, and zeros."""
    step = 1
    for times in itertools.cycle((2, 2.5, 2)):
        if step * _LINES >= highest:
            break
        step = int(step * times)
    return step


def _description(bins: Sequence[Bin], all_of_them: int) -> str:
    if not all_of_them:
        return "Nothing was counted."
    most = max(bins, key=lambda one: one.number)
    return f"{all_of_them:,} in all, most of them {most.name}: {most.number:,}. The table below has all numbers."


def _box(x: float, width: float, y: float, height: float, kind: str, says: str = "") -> str:
    place = f'class="{kind}" x="{x:.3f}%" width="{width:.3f}%" y="{y:.1f}" height="{height:.1f}"'
    return f"<rect {place}><title>{escaped(says)}</title></rect>" if says else f"<rect {place}/>"


def _text(x: str, y: float, words: str, anchor: str, kind: str = "") -> str:
    of_kind = f' class="{kind}"' if kind else ""
    return f'<text{of_kind} x="{x}" y="{y:.1f}" text-anchor="{anchor}">{escaped(words)}</text>'
