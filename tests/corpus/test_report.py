# SPDX-License-Identifier: Apache-2.0
"""The report of a corpus: a page that shows all of its summary, of any summary, without scripts or a network."""

from __future__ import annotations

import copy
import re
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgie.corpus.charts import Bin, histogram
from budgie.corpus.figures import duration, power_of_two, share, short, size
from budgie.corpus.report import page
from budgie.languages import known

ELEMENTS = set(
    "html head meta title style body h1 h2 p b bdi a code br div section dl dt dd details summary table thead tbody tr "
    "th td ol li footer svg desc rect line text span".split()
)


def summary(**changes: Any) -> dict[str, Any]:
    return {
        "budgie": "0.1.0",
        "options": {"tasks": ["language"], "text": "content"},
        "inputs": ["crawl/*.parquet"],
        "output": "annotated/",
        "shards": {"all": 12, "now": 12, "before": 0, "failed": 0, "failures": []},
        "documents": 1107,
        "kept": 1107,
        "bytes": 1_604_937,
        "kept_bytes": 1_604_937,
        "without_text": 3,
        "skipped": {"records": 0, "examples": []},
        "languages": {
            "en": {"documents": 701, "bytes": 1_203_703, "reliable": 690, "kept": 701},
            "sr-Latn": {"documents": 305, "bytes": 401_234, "reliable": 122, "kept": 305},
            "und": {"documents": 101, "bytes": 0, "reliable": 0, "kept": 101},
        },
        "lengths": {"0": 101, "64": 2, "128": 0, "1024": 404, "4096": 600},
        "probabilities": [*[0] * 3, 17, *[0] * 12, 21, 22, 23, 1024],
        "seconds": 2.0,
        "engine": "local",
        "workers": 2,
        **changes,
    }


EMPTY = summary(
    options={},
    inputs=[],
    shards={"all": 0, "now": 0, "before": 0, "failed": 0, "failures": []},
    documents=0,
    kept=0,
    bytes=0,
    kept_bytes=0,
    without_text=0,
    languages={},
    lengths={},
    probabilities=[0] * 20,
    seconds=0.0,
)


class Reader(HTMLParser):
    """What people read, the rows of tables, and all elements with their attributes; every element must be closed."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.text: list[str] = []
        self.rows: list[list[str]] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" in self.open:
            return
        data = data.replace("\xa0", " ")
        self.text.append(data)
        if {"td", "th"} & set(self.open) and "svg" not in self.open:
            self.rows[-1][-1] += data

    def of_class(self, kind: str) -> list[dict[str, str | None]]:
        return [found for _, found in self.elements if found.get("class") == kind]


def read(**changes: Any) -> Reader:
    return Reader(page(summary(**changes)))


def shown(**changes: Any) -> str:
    return "\n".join(read(**changes).text)


def test_tables_have_all_numbers() -> None:
    rows = read().rows
    assert ["English en", "701", "63.3 %", "1,203,703", "75.0 %", "690", "98.4 %"] in rows
    assert ["Serbian in Latin script sr-Latn", "305", "27.6 %", "401,234", "25.0 %", "122", "40.0 %"] in rows
    assert ["No language und", "101", "9.1 %", "0", "0 %", "0", "0 %"] in rows
    assert ["All", "1,107", "100 %", "1,604,937", "100 %", "812", "73.4 %"] in rows
    assert ["empty", "101", "9.1 %"] in rows
    assert ["64 B to 128 B", "2", "0.2 %"] in rows
    assert ["512 B to 1 KiB", "0", "0 %"] in rows  # between others, and not in the summary
    assert ["4 KiB to 8 KiB", "600", "54.2 %"] in rows
    assert not [row for row in rows if row[0].startswith("16 KiB")]
    assert ["0.15 to 0.20", "17", "1.5 %"] in rows and ["0.95 to 1.00", "1,024", "92.5 %"] in rows


def test_headline_figures() -> None:
    text = shown()
    for figure in ("1,107 documents in 2 languages", "1.60 MB", "1.45 KB each, on average", "73.4 % of documents rel"):
        assert figure in text
    assert "0.8 MB/s" in text and "554 documents/s" in text and "3 without text" in text
    assert "Kept" not in text and "kept" not in text and "Not complete" not in text
    assert "median: 4 KiB to 8 KiB" in text and "98.5 % have at least 0.8" in text
    assert "1 document in 1 language" in shown(documents=1, languages={"de": summary()["languages"]["en"]})
    assert "1.23 tn" in shown(documents=1_234_567_890_123)


def test_what_was_kept() -> None:
    some = copy.deepcopy(summary()["languages"])
    some["en"]["kept"], some["und"]["kept"] = 0, 0
    changes = {"kept": 305, "kept_bytes": 401_234, "languages": some}
    for options in ({"keep": ["sr-Latn"], "least": 0.5}, {}):
        reader = read(options=options, **changes)
        assert ["English en", "701", "63.3 %", "1,203,703", "75.0 %", "690", "98.4 %", "0", "0 %"] in reader.rows
        text = "\n".join(reader.text)
        assert "Kept\n27.6 %\n305 documents\n401 KB" in text
        assert "305 documents, 122 of them reliable, 305 kept" in text
        lines = [found for found in reader.of_class("kept") if found["width"] != "100%"]
        assert [found["width"] for found in lines] == [f"{100 * 305 / 701:.3f}%"]
        assert ("0.5 --least" in text) == bool(options)
    assert "0.8 reliable, --least" in shown(options={"least": 0.8})
    assert "Kept\n100 %" in shown(options={"keep": ["en"]})  # everything was kept, and something was asked for


def test_bars_are_as_long_as_their_numbers() -> None:
    bars = [found for found in read().of_class("bar") if "width" in found and found["height"] == "12.0"][:2]
    assert [found["width"] for found in bars] == [f"{100 * 690 / 701:.3f}%", f"{100 * 122 / 701:.3f}%"]
    pale = [found for found in read().of_class("pale") if found["height"] == "12.0"]
    assert [found["width"] for found in pale] == [f"{100 * part / 701:.3f}%" for part in (11, 183, 101)]
    reader = Reader(histogram("Some", [Bin(100, "a"), Bin(0, "b"), Bin(50, "c", True), Bin(1, "d")], []))
    heights = [float(str(found["height"])) for found in reader.of_class("bar") + reader.of_class("pale")]
    assert heights[0] == 2 * heights[2] and heights[1] > 1  # what is not nothing can be seen
    assert "b: 0 (0 %)" in reader.text and "d: 1 (0.7 %)" in reader.text


def test_the_smaller_languages_are_in_the_table_only() -> None:
    many = {label: {"documents": 1, "bytes": 1, "reliable": 1, "kept": 1} for label in list(known())[:40]}
    reader = read(languages=many)
    names = [row[0] for row in reader.rows]
    assert names.count("10 others") == 1
    assert [names.count(f"{language.name} {label}") for label, language in list(known().items())[:40]] == [
        *[2] * 30,
        *[1] * 10,
    ]
    assert ["10 others", "", "10", "25.0 %", "25.0 %", "100 %"] in reader.rows


def test_what_is_missing_is_said() -> None:
    text = shown(shards={"all": 12, "now": 7, "before": 2, "failed": 1, "failures": ["<b>.parquet: no"]})
    assert "Not complete:\n 1 shard failed, 2 shards left" in text
    assert "1 file could not be annotated." in text and "<b>.parquet: no" in text
    assert "7 in this run" in text and "2 before" in text and "1 failed" in text and "2 left" in text
    assert "MB/s" not in text and "7 of 12 shards" in text  # the time is not that of all documents
    assert "Not complete" not in shown(shards={"all": 12, "now": 7, "before": 5, "failed": 0, "failures": []})
    text = shown(skipped={"records": 2000, "examples": ["a.jsonl, line 17: not JSON", "b.csv, line 3: no text"]})
    assert "2,000 records could not be read." in text
    assert "a.jsonl, line 17: not JSON" in text and "b.csv, line 3: no text" in text


def test_options_and_inputs() -> None:
    options = {"tasks": ["language", "tags"], "least": 0.8, "priors": {"de": 0.5}, "spans": True, "x": None, "n": [1]}
    reader = read(options=options, inputs=[f"part-{number}.txt" for number in range(5)])
    for row in (["tasks", "language, tags"], ["least", "0.8"], ["priors", '{"de": 0.5}'], ["spans", "true"]):
        assert row in reader.rows
    assert "part-0.txt" in reader.text and "part-4.txt" in reader.text and " and 2 more" in "".join(reader.text)


def test_nothing_becomes_markup() -> None:
    evil = (
        '</title></style><script>alert(1)</script><img src="x" onerror=alert(1)> \ud800\0\u202e שלום & &lt; '
        + "x" * 9999
    )
    language = {"documents": 1, "bytes": 1, "reliable": 1, "kept": 1}
    html = page(
        summary(
            budgie=evil,
            options={evil: evil, "list": [evil], "object": {evil: [evil]}},
            inputs=[evil],
            output=evil,
            skipped={"records": 1, "examples": [evil]},
            languages={evil: language},
            engine=evil,
        )
    )
    html.encode("utf-8")
    reader = Reader(html)
    assert {tag for tag, _ in reader.elements} <= ELEMENTS
    assert "".join(reader.text).count(evil.replace("\ud800\0", "\ufffd\ufffd")) >= 8
    assert not {name for _, attributes in reader.elements for name in attributes if name.startswith("on")}


def test_a_page_opens_without_a_network() -> None:
    html = page(summary())
    assert html.startswith("<!DOCTYPE html>") and "default-src 'none'" in html
    assert not re.search(r"https?:|url\(|@import|<link|\bsrc=|<script", html)
    assert [found["href"] for tag, found in Reader(html).elements if tag == "a"] == ["_summary.json"]


def test_charts_are_told_to_those_who_do_not_see_them() -> None:
    reader = read()
    charts = [number for number, (_, found) in enumerate(reader.elements) if found.get("role") == "img"]
    assert len(charts) == 2
    assert all(
        [reader.elements[number + 1][0], reader.elements[number + 2][0]] == ["title", "desc"] for number in charts
    )
    others = [found for tag, found in reader.elements if tag == "svg" and "role" not in found]
    assert others and all(found["aria-hidden"] == "true" for found in others)  # the numbers stand beside them


def test_a_corpus_of_nothing() -> None:
    text = "\n".join(Reader(page(EMPTY)).text)
    assert "0 documents\n" in text and text.count("Nothing was counted.") == 3 and "None: all is as usual." in text
    assert "Not complete" not in text and "Skipped records\n0" in text


number = st.integers(0, 10**12)
some_text = st.text(max_size=20)


number = st.integers(0, 10**12)


@st.composite
def language(draw: Any) -> dict[str, int]:
    documents = draw(number)
    some = st.integers(0, documents)
    return {"documents": documents, "bytes": draw(number), "reliable": draw(some), "kept": draw(some)}


@given(
    languages=st.dictionaries(st.sampled_from(["und", *known()]) | st.text(max_size=20), language(), max_size=40),
    lengths=st.dictionaries(st.sampled_from(["0", *(str(2**power) for power in range(45))]), number),
    probabilities=st.lists(number, min_size=20, max_size=20) | st.just([]),
    least=st.none() | st.floats(0, 1) | st.integers(0, 1),
    seconds=st.floats(0, 1e7),
    documents=number,
    kept=number,
    shards=st.lists(st.integers(0, 10**6), min_size=4, max_size=4),
)
def test_any_summary(least: float | None, shards: list[int], **changes: Any) -> None:
    changes["shards"] = dict(zip(("now", "before", "failed"), shards, strict=False), all=sum(shards), failures=["x"])
    reader = read(options={} if least is None else {"least": least}, **changes)
    assert {tag for tag, _ in reader.elements} <= ELEMENTS
    widths = [str(found["width"]) for tag, found in reader.elements if tag == "rect"]
    assert all(width.endswith("%") and 0 <= float(width[:-1]) <= 100 for width in widths)


def test_figures() -> None:
    def plain(words: str) -> str:
        return words.replace("\xa0", " ")

    assert [plain(size(one)) for one in (0, 999, 1000, 99_960, 999_499, 999_500, 1_604_937_100, 2e18)] == [
        *("0 B", "999 B", "1.00 KB", "100 KB", "999 KB", "1.00 MB", "1.60 GB", "2,000 PB")
    ]
    assert [plain(power_of_two(one)) for one in (0, 9, 10, 25, 40)] == ["1 B", "512 B", "1 KiB", "32 MiB", "1 TiB"]
    assert [plain(short(one)) for one in (0, 50, 1000, 200_000, 999_999, 5e11)] == [
        *("0", "50", "1 k", "200 k", "1 M", "500 bn")
    ]
    assert [plain(share(one, 10**6)) for one in (0, 1, 1000, 999_999, 10**6)] == [
        *("0 %", "<0.1 %", "0.1 %", ">99.9 %", "100 %")
    ]
    assert share(0, 0) == "–"
    times = {0: "0.0 s", 12.34: "12.3 s", 59.96: "1 min 00 s", 250: "4 min 10 s", 3599.7: "1 h 00 min"}
    assert {seconds: plain(duration(seconds)) for seconds in times} == times


@pytest.mark.parametrize(
    ("lengths", "first", "last"), [({"1": 5}, "1 B to 2 B", "128 B to 256 B"), ({"0": 5}, "empty", "")]
)
def test_few_lengths_are_no_broad_bars(lengths: dict[str, int], first: str, last: str) -> None:
    rows = [row[0] for row in read(lengths=lengths).rows]
    assert first in rows and (not last or last in rows)
    assert len([name for name in rows if name == "empty" or " B to " in name]) >= 8
