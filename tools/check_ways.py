# SPDX-License-Identifier: Apache-2.0
"""Compare the way of one prediction, as it is, with the one that docs/architecture.md lists.

`make ways` builds core/tests/ways.cpp so that it tells every function it enters, and runs this. A way is the files of
the core in the order in which a prediction first comes to each of them. With --write the page is written anew.
"""

import argparse
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "architecture.md"
BLOCK = re.compile(r"(?<=<!-- ways: make ways -->\n)(.*?)(?=<!-- end -->)", re.DOTALL)
NAMES = {
    "identify": "a language",
    "tag": "tags",
    "segment": "words",
    "preorder": "an order",
    "annotate": "a document",
    "load": "a model",
}


def ways(program: str) -> dict[str, list[str]]:
    """The nouns of each way: a header and its source are one."""
    printed = subprocess.run([program, ROOT], capture_output=True, text=True, check=True).stdout
    return {name: nouns(program, addresses) for name, *addresses in map(str.split, printed.splitlines())}


def nouns(program: str, addresses: list[str]) -> list[str]:
    """Where these functions are defined, each place once."""
    command = ["addr2line", "--functions", "--demangle", "--exe", program, *addresses]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    found = dict[str, None]()
    for function, place in zip(lines[::2], lines[1::2], strict=True):
        noun = place.partition(str(ROOT / "core") + "/")[2].partition(".")[0]
        # What the compiler makes by itself, such as a destructor, is said to be wherever it was first needed.
        if f"budgie::{noun.partition('/')[0]}::" in function:
            found[noun] = None
    return list(found)


def page_of(found: dict[str, list[str]]) -> str:
    """The list, as the page has it."""
    return "\n".join(
        f"- **{NAMES[name]}**: {' → '.join(f'`{file}`' for file in files)}" for name, files in found.items()
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--write", action="store_true", help="write the page anew")
    options = parser.parse_args()
    found = ways(options.program)
    listed = "\n" + "".join(_wrap(line) for line in page_of(found).splitlines()) + "\n"
    page = PAGE.read_text("utf-8")
    if options.write:
        PAGE.write_text(BLOCK.sub(lambda _: listed, page), "utf-8")
    elif BLOCK.findall(page) != [listed]:
        sys.exit(f"docs/architecture.md lists other ways than these (make ways-page writes them):\n{listed}")


def _wrap(line: str) -> str:
    words, lines = line.split(" "), [""]
    for word in words:
        if len(lines[-1]) + len(word) + 1 > 120:
            lines.append(" ")
        lines[-1] += f"{' ' if lines[-1] else ''}{word}"
    return "\n".join(lines) + "\n"


main()
