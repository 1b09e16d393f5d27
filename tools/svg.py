# SPDX-License-Identifier: Apache-2.0
"""Pictures of the pages: SVG on a card of its own, readable on light and on dark pages."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

FONT = 'system-ui, -apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif'
STYLE = f"""
.card {{fill: #fff; stroke: #d0d7de}}
text {{font: 12px {FONT}; fill: #1f2328}}
.small {{font-size: 11px; fill: #59636e}}
.box {{fill: #f0f2f4}}
@media (prefers-color-scheme: dark) {{
  .card {{fill: #0d1117; stroke: #3d444d}}
  text {{fill: #f0f6fc}}
  .small {{fill: #9198a1}}
  .box {{fill: #21262d}}
}}
"""


def picture(width: int, height: int, title: str, style: str, drawn: Iterable[str]) -> str:
    """A whole picture; its title is for those who do not see it, `style` comes after the style of all pictures."""
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'role="img">',
        f"<title>{escape(title)}</title>",
        f"<style>{STYLE}{style.lstrip()}</style>",
        f'<rect class="card" x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8"/>',
    ]
    return "\n".join([*lines, *drawn, "</svg>", ""])


def text(x: float, y: float, words: str, kind: str = "", anchor: str = "start") -> str:
    """Words at a place: their beginning, middle or end, and their baseline."""
    of_kind = f' class="{kind}"' if kind else ""
    return f'<text{of_kind} x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'


def box(x: float, y: float, width: float, height: float, kind: str, round_by: float = 2) -> str:
    """A rectangle with round corners."""
    return f'<rect class="{kind}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="{round_by:g}"/>'
