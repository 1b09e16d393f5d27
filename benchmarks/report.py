# SPDX-License-Identifier: Apache-2.0
"""Where the results of a benchmark go: to standard output, to files, and with --docs into pages, mostly docs/results.

A page keeps the tables of a command between two comments; the first names the command, or how it begins:

    <!-- from: python -m benchmarks.tagging.run -->
    <!-- end -->

What other commands print is put there by a pipe:

    budgie reproduce table1 | python -m benchmarks.report budgie reproduce table1
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import re
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from benchmarks.markdown import wrapped, wrapped_command
from benchmarks.places import ROOT
from benchmarks.workers import progress

PAGES = ROOT / "docs"
BLOCK = re.compile(r"^<!-- from: (.+?) -->\n.*?^<!-- end -->$", re.M | re.S)

_Effort = TypeVar("_Effort", bound=Any)  # a dataclass with `rounds`


class ReportError(Exception):
    """These results cannot be put into a page."""


def parse(parser: argparse.ArgumentParser, numbers: Path | None = None) -> argparse.Namespace:
    """The options of a run: the parser's own, and where results go; `numbers` is the usual place of --json."""
    add_outputs(parser)
    if numbers:
        parser.add_argument("--json", type=Path, default=numbers, help="where all numbers go")
    options = parser.parse_args()
    if options.docs:
        try:
            find(command(sys.argv))  # now, not when all is measured
        except ReportError as error:
            parser.error(str(error))
    return options


def some_of(choices: Sequence[str]) -> Callable[[str], tuple[str, ...]]:
    """The type of an option: some of these, with commas between."""

    def listed(given: str) -> tuple[str, ...]:
        for name in given.split(","):
            if name not in choices:
                raise argparse.ArgumentTypeError(f"{name!r} is not one of {', '.join(choices)}")
        return tuple(given.split(","))

    return listed


def add_effort(parser: argparse.ArgumentParser) -> None:
    """How much to measure."""
    parser.add_argument("--quick", action="store_true", help="less text and fewer rounds, for a first look")
    parser.add_argument("--rounds", type=int, help="rounds of speed, systems taking turns")


def effort_of(options: argparse.Namespace, full: _Effort, quick: _Effort) -> _Effort:
    """The same as `add_effort` has it of the command line: one of two, and its `rounds` where they are named."""
    effort = quick if options.quick else full
    return dataclasses.replace(effort, rounds=options.rounds) if options.rounds else effort


def add_outputs(parser: argparse.ArgumentParser) -> None:
    """The options of all benchmarks."""
    parser.add_argument("--out", type=Path, help="also write the tables to this file")
    parser.add_argument("--docs", action="store_true", help="also put the tables into their page of docs/results")


def publish(text: str, numbers: Mapping[str, object] | None, options: argparse.Namespace) -> None:
    """The report to standard output, --out and --docs, the numbers behind it to --json."""
    if numbers is not None:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(numbers, indent=1, ensure_ascii=False), encoding="utf-8")
        progress(f"numbers in {options.json}")
    if options.out:
        options.out.write_text(text, encoding="utf-8")
    print(text)
    if options.docs:
        put(text, command(sys.argv))


def record(systems: object, place: Path) -> None:
    """Keep a row for each system beside a benchmark, where the chart of the README finds it."""
    numbers = {"command": command(sys.argv), "systems": systems}
    place.write_text(json.dumps(numbers, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    progress(f"rows in {place}")


def command(argv: Sequence[str]) -> str:
    """The command line of a benchmark as pages have it: without its outputs, and without folders of this machine."""
    outputs = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    add_outputs(outputs)
    outputs.add_argument("--json")
    _, rest = outputs.parse_known_args(argv[1:])
    module = ".".join(Path(argv[0]).resolve().relative_to(ROOT).with_suffix("").parts)
    return " ".join(["python", "-m", module, *(shlex.quote(re.sub(r"(^|=)/.*/", r"\1", word)) for word in rest)])


def find(run: str, pages: Path = PAGES) -> tuple[Path, str]:
    """The page that has a block for a command, and what the block's comment says: the longest beginning counts."""
    blocks = {name: page for page in sorted(pages.rglob("*.md")) for name in BLOCK.findall(page.read_text("utf-8"))}
    words = run.split()
    fitting = [name for name in blocks if name.split() == words[: len(name.split())]]
    if not fitting:
        raise ReportError(f"no page of {pages.name}/ has the comment <!-- from: {run} -->, nor one for how it begins")
    name = max(fitting, key=len)
    return blocks[name], name


def put(text: str, run: str, pages: Path = PAGES) -> None:
    """Put a report in place of the last one of its command."""
    page, name = find(run, pages)
    old = page.read_text("utf-8")
    block = next(found for found in BLOCK.finditer(old) if found[1] == name)
    above = re.findall(r"^(#+) ", BLOCK.sub("", old[: block.start()]), re.M)  # headings of other reports do not count
    tables = below(text, len(above[-1]) if above else 1)
    fresh = f"<!-- from: {name} -->\n```\n{wrapped_command(run)}\n```\n\n{tables}\n<!-- end -->"
    page.write_text(old[: block.start()] + fresh + old[block.end() :], encoding="utf-8")
    progress(f"tables in {page}")


def below(text: str, level: int) -> str:
    """A report as part of a page: without its title, its headings below one of this level, its lines wrapped."""
    untitled = re.sub(r"\A# .*\n", "", text)
    return wrapped(re.sub(r"^#(#+ )", "#" * level + r"\1", untitled, flags=re.M)).strip()


def main() -> None:
    """Put what comes in on standard input where the command line says."""
    if len(sys.argv) < 2:
        sys.exit("benchmarks/report: name the command that made what comes in on standard input")
    try:
        text = sys.stdin.read()
        if not text.strip():
            raise ReportError("nothing came in: did the command fail?")
        put(text, shlex.join(sys.argv[1:]))
    except ReportError as error:
        sys.exit(f"benchmarks/report: {error}")


if __name__ == "__main__":
    main()
