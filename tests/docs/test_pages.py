# SPDX-License-Identifier: Apache-2.0
"""What the pages show is true: links lead somewhere, files are there, and lines are short enough to read."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = ("docs", "benchmarks", "tools", "restricted")
PAGES = [*sorted(ROOT.glob("*.md")), *(page for folder in FOLDERS for page in sorted((ROOT / folder).rglob("*.md")))]
WIDTH = 120  # columns of prose and of code
LINK = r"\[[^\]]*\]\(([^)\s]+)\)"
CODE = re.compile(r"^```.*?^```$", re.M | re.S)
SOURCES = [
    file
    for folder in ("core", "bindings", "src", "tests", "benchmarks", "tools", "restricted")
    for suffix in ("py", "pyi", "hpp", "cpp")
    for file in sorted((ROOT / folder).rglob(f"*.{suffix}"))
]
FILE = r"(?:core|bindings|src|tests|benchmarks|tools|examples|docs|restricted)/[\w./-]*"

each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


def prose(page: Path) -> str:
    """A page without its blocks of code; lines keep their numbers."""
    return CODE.sub(lambda block: "\n" * block[0].count("\n"), page.read_text("utf-8"))


def anchors(page: Path) -> set[str]:
    """What the headings of a page are called in links, as GitHub makes it of their words."""
    seen: Counter[str] = Counter()
    found = set()
    for heading in re.findall(r"^#+ (.+)$", prose(page), re.M):
        words = re.sub(LINK, lambda link: link[0][1:].split("]")[0], heading)
        name = re.sub(r"[^\w\- ]", "", words).lower().replace(" ", "-")
        found.add(f"{name}-{seen[name]}" if seen[name] else name)
        seen[name] += 1
    return found


@each_page
def test_lines_are_short(page: Path) -> None:
    free = re.compile(rf"\s*\||<!--|\s*([-*] )?!?{LINK}[.,;:]?$")  # tables, comments, links alone
    lines = enumerate(page.read_text("utf-8").split("\n"), 1)
    assert [f"line {number}" for number, line in lines if len(line) > WIDTH and not free.match(line)] == []


@each_page
def test_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(LINK, re.sub(r"`[^`]*`", "", prose(page))):
        if re.match(r"[a-z]+:", link):
            continue  # of the web
        path, _, anchor = link.partition("#")
        target = (page.parent / path) if path else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


@each_page
def test_files_of_the_repository_are_there(page: Path) -> None:
    named = re.findall(rf"`({FILE})`", prose(page))
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_files_that_sources_name_are_there() -> None:
    gone = [
        f"{source.relative_to(ROOT)}: {path}"
        for source in SOURCES
        for path in re.findall(rf"(?<![\w./$-])({FILE}\.(?:py|hpp|cpp|md|json))\b", source.read_text("utf-8"))
        if not (ROOT / path).exists()
    ]
    assert gone == []


@each_page
def test_nothing_is_left_to_fill_in(page: Path) -> None:
    assert "@@" not in page.read_text("utf-8")


def test_tables_name_the_command_that_prints_them() -> None:
    commands = []
    for page in sorted((ROOT / "docs" / "results").glob("*.md")):
        text = page.read_text("utf-8")
        marks = re.findall(r"^<!-- (from|end)\b.*-->$", text, re.M)
        assert marks == ["from", "end"] * (len(marks) // 2), page.name
        for command, shown in re.findall(r"^<!-- from: ([^\n]+) -->\n```\n(.*?)\n```\n", text, re.M | re.S):
            assert " ".join(shown.replace("\\\n", " ").split()).startswith(command), command
            module = re.match(r"python -m ([\w.]+)", command)
            assert not module or (ROOT / module[1].replace(".", "/")).with_suffix(".py").exists(), command
            commands.append(command)
        assert len(re.findall("^<!-- from:", text, re.M)) == len(re.findall("^<!-- from: .+ -->\n```\n", text, re.M))
    assert len(set(commands)) == len(commands) > 0


def test_readme_shows_a_change_of_language() -> None:
    import budgie

    spans = budgie.load("langid").spans("Der Hund schläft. Where is the station?")
    assert [(span.start, span.end, span.language) for span in spans] == [(0, 18, "de"), (18, 39, "en")]
