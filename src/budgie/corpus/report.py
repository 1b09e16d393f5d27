# SPDX-License-Identifier: Apache-2.0
"""The summary of an annotated corpus as a page with charts, which opens without a network."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from budgie.corpus import charts
from budgie.corpus.charts import Bin, Tick
from budgie.corpus.figures import count, duration, power_of_two, share, short, size
from budgie.coverage import NO_LANGUAGE
from budgie.formats.html_page import escaped, head
from budgie.languages import name_of

Summary = Mapping[str, Any]

_LARGEST = 30  # languages of the chart; all are in the table
_FEWEST_LENGTHS = 8  # bars of the histogram: fewer would be too broad
_RELIABLE = 0.8  # probability; docs/langid.md
_COUNTED = ("documents", "bytes", "reliable", "kept")  # of each language
_LONG = 10**9  # documents that are rounded in the headline figures
_FIRST = 3  # inputs that the head names

_STYLE = (
    charts.STYLE
    + """
body {font: 16px/1.5 system-ui, sans-serif; background: var(--page); color: var(--ink); max-width: 68em;
  margin: 2em auto; padding: 0 1em}
h1 {font-size: 1.9em; line-height: 1.2; margin: 0}
h2 {font-size: 1.15em; margin: 0 0 .2em}
a {color: var(--bar)}
.about, .note, footer {color: var(--faint); font-size: .9em; margin: .3em 0 .5em; overflow-wrap: anywhere}
.about b {color: var(--bad)}
section, .figures > div {background: var(--card); border: 1px solid var(--line); border-radius: .6em}
section {padding: 1em 1.2em; margin: 1em 0; min-width: 0}
.figures {display: grid; grid-template-columns: repeat(auto-fit, minmax(10em, 1fr)); gap: .8em; margin: 1.2em 0 1em}
.figures > div {padding: .7em 1em}
.figures dt {color: var(--faint); font-size: .85em}
.figures dd {margin: 0; font-size: .85em; color: var(--faint)}
.figures dd:first-of-type {font-size: 1.6em; line-height: 1.3; font-weight: 650; color: var(--ink)}
.two {display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26em), 1fr)); gap: 1em;
  align-items: start; margin: 1em 0}
.two section {margin: 0}
table {border-collapse: collapse; width: 100%; font-size: .9em; font-variant-numeric: tabular-nums}
th {text-align: start; font-weight: 400}
thead th {color: var(--faint); font-size: .9em; vertical-align: bottom; overflow-wrap: normal}
td, th {padding: .15em .4em; overflow-wrap: anywhere}
.number {text-align: end; white-space: nowrap}
.chart tbody th {width: 15em}
.chart td:first-of-type {min-width: 5em}
.scroll tbody th {min-width: 7em}
@media (max-width: 1000px) {.figures {grid-template-columns: repeat(3, 1fr)}}
@media (max-width: 640px) {.figures {grid-template-columns: repeat(2, 1fr)}
  section {padding: .8em .7em} .chart tbody th {width: 7em}}
.rows td, .rows th {border-top: 1px solid var(--line); vertical-align: top}
.run th {color: var(--faint); width: 9em}
code {color: var(--faint); font-size: .9em; white-space: nowrap}
summary {cursor: pointer; color: var(--bar); font-size: .9em; margin-top: .6em}
.scroll {overflow: auto; max-height: 32em; margin-top: .5em}
.long {overflow: auto; max-height: 9em; overflow-wrap: anywhere}
li {margin: .3em 0}
"""
)


def page(summary: Summary) -> str:
    """The whole page."""
    names = [language for language in summary["languages"] if language != NO_LANGUAGE]
    title = count(summary["documents"], "document") + (f" in {count(len(names), 'language')}" if names else "")
    inputs = [str(one) for one in summary["inputs"]]
    more = f" and {len(inputs) - _FIRST:,} more" if len(inputs) > _FIRST else ""
    paths = ", ".join(_isolated(one) for one in inputs[:_FIRST])
    return "".join(
        [
            head(title, _STYLE),
            f'<body>\n<h1>{title}</h1>\n<p class="about">{paths}{more} → {_isolated(summary["output"])}</p>\n',
            _missing(summary["shards"]),
            _figures(summary, len(names)),
            _languages(summary),
            f'<div class="two">\n{_lengths(summary)}{_probabilities(summary)}</div>\n',
            f'<div class="two">\n{_run(summary)}{_options(summary["options"])}</div>\n',
            _failed(summary["shards"]),
            _skipped(summary["skipped"]),
            f"<footer>Annotated by Budgie {escaped(str(summary['budgie']))}. The same numbers as JSON: "
            '<a href="_summary.json">_summary.json</a></footer>\n</body>\n</html>\n',
        ]
    )


def _missing(shards: Mapping[str, int]) -> str:
    """What the counts are not of."""
    failed, left = shards["failed"], _left(shards)
    said = [f"{count(failed, 'shard')} failed"] * (failed > 0) + [f"{count(left, 'shard')} left"] * (left > 0)
    return f'<p class="about"><b>Not complete:</b> {", ".join(said)}</p>\n' if said else ""


def _left(shards: Mapping[str, int]) -> int:
    return max(shards["all"] - shards["now"] - shards["before"] - shards["failed"], 0)


def _figures(summary: Summary, languages: int) -> str:
    documents, size_of_all, without = summary["documents"], summary["bytes"], summary["without_text"]
    labelled, _, reliable, _ = _added(_counts(summary))
    shown = [
        ("Documents", f"{documents:,}", f"{size(size_of_all / documents)} each, on average" if documents else ""),
        ("Text", size(size_of_all), f"{size_of_all:,} bytes"),
        ("Languages", f"{languages:,}", f"{share(reliable, labelled)} of documents reliable" if labelled else ""),
    ]
    if documents >= _LONG:
        shown[0] = ("Documents", short(documents), f"{documents:,}<br>{shown[0][2]}")
    if _is_filter(summary):
        kept = f"{count(summary['kept'], 'document')}<br>{size(summary['kept_bytes'])}"
        shown.append(("Kept", share(summary["kept"], documents), kept))
    shown.append(("Skipped records", f"{summary['skipped']['records']:,}", f"{without:,} without text" * bool(without)))
    shown.append(("Time", duration(summary["seconds"]), _speed(summary)))
    tiles = (f"<div><dt>{name}</dt><dd>{figure}</dd><dd>{note}</dd></div>\n" for name, figure, note in shown)
    return f'<dl class="figures">\n{"".join(tiles)}</dl>\n'


def _speed(summary: Summary) -> str:
    shards, seconds = summary["shards"], summary["seconds"]
    if shards["before"]:  # counts are of all shards, and the time is of some
        return f"{shards['now']:,} of {count(shards['all'], 'shard')}"
    if not seconds:
        return ""
    return f"{summary['bytes'] / seconds / 1e6:,.1f} MB/s<br>{summary['documents'] / seconds:,.0f} documents/s"


# ---- languages --------------------------------------------------------------------------------------------------


def _languages(summary: Summary) -> str:
    some_left_out = _is_filter(summary)
    counts = dict(zip(summary["languages"], _counts(summary), strict=True))
    if not counts:
        return _section("Languages", _note("Nothing was counted."))
    total = _added(counts.values())
    highest = max(1, *(numbers[0] for numbers in counts.values()))
    shown = [(_language(label), numbers) for label, numbers in itertools.islice(counts.items(), _LARGEST)]
    if len(counts) > _LARGEST:
        others = _added(itertools.islice(counts.values(), _LARGEST, None))
        shown.append((count(len(counts) - _LARGEST, "other"), others))
        highest = max(highest, others[0])
    rows = "".join(_language_bar(name, numbers, total, highest, some_left_out) for name, numbers in shown)
    kinds = [("bar", "reliable"), ("pale", "not reliable")] + [("kept", "kept")] * some_left_out
    heads = ["Language", "", "Documents", "Share", "of text", "Reliable"]
    chart = _table(heads, rows, "chart", wide=("Documents", "Reliable"))
    return _section("Languages", charts.key(kinds), chart, _all_languages(counts, total, some_left_out))


def _language_bar(name: str, numbers: Sequence[int], total: Sequence[int], highest: int, some_left_out: bool) -> str:
    documents, size_of_all, reliable, kept = numbers
    says = f"{count(documents, 'document')}, {reliable:,} of them reliable" + f", {kept:,} kept" * some_left_out
    parts = [("bar", reliable / highest), ("pale", (documents - reliable) / highest)]
    bar = charts.strip(says, parts, kept / highest if some_left_out else 0.0)
    return _row(
        name,
        [
            ("", bar),
            ("number wide", f"{documents:,}"),
            ("number", share(documents, total[0])),
            ("number", share(size_of_all, total[1])),
            ("number wide", share(reliable, documents)),
        ],
    )


def _all_languages(counts: Mapping[str, Sequence[int]], total: Sequence[int], some_left_out: bool) -> str:
    def cells(numbers: Sequence[int]) -> list[tuple[str, str]]:
        documents, size_of_all, reliable, kept = numbers
        shown = [f"{documents:,}", share(documents, total[0]), f"{size_of_all:,}", share(size_of_all, total[1])]
        shown += [f"{reliable:,}", share(reliable, documents)]
        shown += [f"{kept:,}", share(kept, documents)] if some_left_out else []
        return [("number", one) for one in shown]

    rows = "".join(_row(_language(label), cells(numbers)) for label, numbers in counts.items())
    counted = ["Documents", "Bytes", "Reliable"] + ["Kept"] * some_left_out
    heads = ["Language", *itertools.chain.from_iterable((one, "Share") for one in counted)]
    rows += _row("All", cells(total))
    names = count(len(counts.keys() - {NO_LANGUAGE}), "language")
    return _details(f"All numbers: {names}", _table(heads, rows, "rows"))


def _language(label: str) -> str:
    name = "No language" if label == NO_LANGUAGE else name_of(label)
    return f"{_isolated(name)} <code>{_isolated(label)}</code>" if name != label else _isolated(label)


def _counts(summary: Summary) -> list[tuple[int, ...]]:
    return [tuple(one[name] for name in _COUNTED) for one in summary["languages"].values()]


def _added(counts: Iterable[Sequence[int]]) -> tuple[int, ...]:
    return tuple(map(sum, zip(*counts, strict=True))) or (0,) * len(_COUNTED)


# ---- histograms -------------------------------------------------------------------------------------------------


def _lengths(summary: Summary) -> str:
    """By powers of two; the first bar is of empty texts, if there are any."""
    counts = {int(least): number for least, number in summary["lengths"].items() if number}
    total = sum(counts.values())
    if not total:
        return _section("Lengths of documents", _note("Nothing was counted."))
    exponents = [least.bit_length() - 1 for least in counts if least] or [0]
    low, high = min(exponents), max(exponents) + 1
    while high - low < _FEWEST_LENGTHS:
        low, high = max(low - 1, 0), high + 1
    bins = [Bin(counts.get(0, 0), "empty")] if 0 in counts else []
    empty = len(bins)
    for one in range(low, high):
        bins.append(Bin(counts.get(2**one, 0), f"{power_of_two(one)} to {power_of_two(one + 1)}"))
    ticks = [Tick(0.5 / len(bins), "empty")] * empty
    every = -(-(high - low) // 8)
    for number, one in list(enumerate(range(low, high + 1, every)))[empty:]:
        ticks.append(Tick((one - low + empty) / len(bins), power_of_two(one), wide=number % 2 == 1))
    so_far = itertools.accumulate(one.number for one in bins)
    median = next(one.name for one, number in zip(bins, so_far, strict=True) if 2 * number >= total)
    chart = charts.histogram("Documents by length", bins, ticks)
    said = f"Documents by bytes of their text; median: {median}."
    return _section("Lengths of documents", _note(said), chart, _numbers("Length", bins, total))


def _probabilities(summary: Summary) -> str:
    counts = summary["probabilities"]
    total = sum(counts)
    if not total:
        return _section("Confidence", _note("Nothing was counted."))
    bins = [
        Bin(number, f"{place / len(counts):.2f} to {(place + 1) / len(counts):.2f}", place < _RELIABLE * len(counts))
        for place, number in enumerate(counts)
    ]
    marks = {_RELIABLE: "reliable"}
    least = summary["options"].get("least")
    if isinstance(least, int | float) and 0 <= least <= 1:
        marks[least] = ", ".join(name for name in (marks.get(least), "--least") if name)
    sure = sum(one.number for one in bins if not one.pale)
    chart = charts.histogram(
        "Documents by probability of their language",
        bins,
        [Tick(place / 5, f"{place / 5:g}") for place in range(6)],
        [Tick(place, f"{place:g} {name}") for place, name in sorted(marks.items(), reverse=True)],
    )
    said = f"Documents by probability of their language; {share(sure, total)} have at least {_RELIABLE}."
    return _section("Confidence", _note(said), chart, _numbers("Probability", bins, total))


def _numbers(what: str, bins: Iterable[Bin], total: int) -> str:
    rows = "".join(
        _row(one.name, [("number", f"{one.number:,}"), ("number", share(one.number, total))]) for one in bins
    )
    return _details("All numbers", _table([what, "Documents", "Share"], rows, "rows"))


# ---- the run ----------------------------------------------------------------------------------------------------


def _run(summary: Summary) -> str:
    shards = summary["shards"]
    states = [
        ("bar", shards["now"], "in this run"),
        ("pale", shards["before"], "before"),
        ("bad", shards["failed"], "failed"),
        ("rest", _left(shards), "left"),
    ]
    said = [(kind, f"{number:,} {state}") for kind, number, state in states if number]
    bar = charts.strip(
        ", ".join(words for _, words in said), [(kind, number / max(shards["all"], 1)) for kind, number, _ in states]
    )
    facts = [
        ("Shards", f"{shards['all']:,}{bar if said else ''}{charts.key(said) if said else ''}"),
        ("Inputs", f'<div class="long">{"<br>".join(_isolated(str(one)) for one in summary["inputs"])}</div>'),
        ("Output", _isolated(summary["output"])),
        ("Engine", f"{_isolated(summary['engine'])}, {count(summary['workers'], 'worker')}"),
        ("Time", duration(summary["seconds"])),
        ("Budgie", _isolated(summary["budgie"])),
    ]
    return _section("Run", _facts(facts))


def _options(options: Mapping[str, Any]) -> str:
    if not options:
        return _section("Options", _note("None: all is as usual."))
    facts = [(_isolated(name), f'<div class="long">{_isolated(_value(one))}</div>') for name, one in options.items()]
    return _section("Options", _facts(facts))


def _value(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list | tuple) and all(isinstance(one, str) for one in value):
        return ", ".join(value)
    return json.dumps(value, ensure_ascii=False, default=str)


def _skipped(skipped: Mapping[str, Any]) -> str:
    if not skipped["records"]:
        return ""
    said = _note(f"{count(skipped['records'], 'record')} could not be read.")
    return _section("Skipped records", said, _listed("Examples", skipped["examples"]))


def _failed(shards: Mapping[str, Any]) -> str:
    if not shards["failed"]:
        return ""
    said = _note(f"{count(shards['failed'], 'file')} could not be annotated.")
    return _section("Files left out", said, _listed("Which, and why", shards["failures"]))


def _listed(title: str, lines: Iterable[Any]) -> str:
    shown = [f'<li><div class="long">{_isolated(str(one))}</div></li>\n' for one in lines]
    return _details(title, f"<ol>\n{''.join(shown)}</ol>") if shown else ""


# ---- pieces of a page -------------------------------------------------------------------------------------------


def _is_filter(summary: Summary) -> bool:
    """Whether texts may have been left out."""
    return bool({"keep", "least"} & set(summary["options"])) or summary["kept"] != summary["documents"]


def _isolated(text: Any) -> str:
    """Words of others, which may be written from right to left."""
    return f"<bdi>{escaped(str(text))}</bdi>"


def _section(title: str, *pieces: str) -> str:
    return f"<section>\n<h2>{title}</h2>\n{''.join(pieces)}</section>\n"


def _note(said: str) -> str:
    return f'<p class="note">{said}</p>\n'


def _details(title: str, shown: str) -> str:
    return f'<details><summary>{title}</summary><div class="scroll">{shown}</div></details>\n'


def _facts(facts: Iterable[tuple[str, str]]) -> str:
    rows = "".join(_row(name, [("", shown)]) for name, shown in facts)
    return f'<table class="rows run"><tbody>\n{rows}</tbody></table>\n'


def _table(heads: Iterable[str], rows: str, kind: str, wide: Sequence[str] = ()) -> str:
    """A table of numbers, whose rows begin with a name."""
    first, *others = heads
    shown = "".join(f'<th class="number{" wide" * (one in wide)}" scope="col">{one}</th>' for one in others)
    return (
        f'<table class="{kind}"><thead><tr><th scope="col">{first}</th>{shown}</tr></thead><tbody>\n'
        f"{rows}</tbody></table>\n"
    )


def _row(name: str, cells: Iterable[tuple[str, str]]) -> str:
    shown = "".join(f'<td class="{kind}">{one}</td>' if kind else f"<td>{one}</td>" for kind, one in cells)
    return f'<tr><th scope="row">{name}</th>{shown}</tr>\n'
