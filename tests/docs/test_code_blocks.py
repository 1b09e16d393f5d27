# SPDX-License-Identifier: Apache-2.0
"""What the pages tell people to type runs, and gives what the pages say it gives.

Python blocks (```python): all blocks of a page run one after the other, as one session. A comment on lines of its own
right below an expression, at the margin, is its result: what `repr` says of it, or what it prints. `…` stands for
anything, and white space for any white space. A comment behind code is prose.

Shell blocks (``` or ```sh): each line is a command, `\\` at its end goes on with the next line, and `# …` is prose. In
```console blocks a command begins with `$ `, and the lines below it are what it prints. Commands run in a folder with
the files of FILES, unless NOT_RUN has how they begin; those of docs/results were run when they were measured. Commands
of `budgie` and of the benchmarks that do not run must at least have the options that they are given.

Recipes (```toml) are read. What is none of these says so: ```text for pictures and pieces of commands.
"""

from __future__ import annotations

import ast
import contextlib
import gzip
import io
import itertools
import json
import lzma
import os
import re
import runpy
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from conftest import skip_if_missing

import budgie
from budgie.cli import make_parser
from budgie.train.network.recipe import load_recipe

ROOT = Path(__file__).parents[2]
PAGES = [
    page for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))) if "\n```" in page.read_text("utf-8")
]

# Commands that take long, need other data or another machine, or change the machine: how they begin.
NOT_RUN = (
    "budgie train",
    "budgie teach",
    "budgie reproduce",
    "budgie calibrate",
    "budgie annotate s3://",
    "budgie annotate crawl/ --engine ray",
    "budgie cluster part-",
    "python -m benchmarks",
    "python -m tools.",
    "python tools/",
    "make ",
    "pip install",
)

RAW = "Dr. Lee didn't ask why. Nobody knows.\n\nDer Hund schläft unter dem Tisch.\n"
WORDS = "The cat sleeps .\nThe dog sleeps .\nA dog barks at a cat .\nThe student reads a book .\n"
CHINESE = "我们在图书馆看书。\n研究生命的起源\n"
CONLLU = """\
# text = The cat sleeps.
1\tThe\tthe\tDET\t_\t_\t2\tdet\t_\t_
2\tcat\tcat\tNOUN\t_\t_\t3\tnsubj\t_\t_
3\tsleeps\tsleep\tVERB\t_\t_\t0\troot\t_\tSpaceAfter=No
4\t.\t.\tPUNCT\t_\t_\t3\tpunct\t_\t_

"""
# The files that the pages name.
FILES = {
    "letters.txt": RAW,
    "notes.txt": RAW,
    "crawl.jsonl": '{"id": 1, "text": "Der Hund schläft unter dem Tisch."}\n{"id": 2, "text": "Nobody knows."}\n',
    "reviews.csv": 'id,review\n1,"Der Hund schläft,\nund der Tisch auch."\n',
    "mixed.txt": "She said: «Qu'est-ce que vous faites ici?» Nobody answered.\n",
    "text.txt": RAW,
    "sentences.txt": WORDS,
    "plain.txt.xz": WORDS * 50,
    "plain.en.txt.xz": WORDS,
    "kyoto.en.txt": WORDS,
    "tanaka.en.txt": WORDS,
    "chinese.txt": CHINESE,
    "corpus.txt.xz": CHINESE,
    "gold.txt": "我们 在 图书馆 看书 。\n",
    "train.txt": "我们 在 看 电影 。\n",
    "mine.txt": "图书馆\n石墨烯\n",
    "corpus.conllu": CONLLU,
    "train.conllu": CONLLU,
    "test.conllu": CONLLU,
    "en_ewt-ud-test.conllu": CONLLU,
    "corpus/test.src": "the student reads a book .\n",
    "corpus/test.tgt": "学生 は 本 を 読む 。\n",
    "corpus/test.align": "0-0 1-0 2-4 3-2 4-2 5-5\n",
}

LINE = r"((?:\\\n|.)*)"  # and those that it goes on with

each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


class Block(NamedTuple):
    """A block of code of a page."""

    kind: str  # what stands behind ```
    text: str
    line: int  # of the page on which its text begins


class Command(NamedTuple):
    """A line for the shell."""

    text: str
    output: str | None  # what it prints, where the page says so
    line: int


def blocks(page: Path) -> Iterator[Block]:
    text = page.read_text("utf-8")
    for found in re.finditer(r"^```([^\n]*)\n(.*?)^```$", text, re.M | re.S):
        yield Block(found[1], found[2], text.count("\n", 0, found.start(2)) + 1)


def commands(page: Path) -> Iterator[Command]:
    for block in blocks(page):
        if block.kind == "console":
            for found in re.finditer(rf"^\$ {LINE}\n((?:(?!\$ ).*\n)*)", block.text, re.M):
                yield Command(found[1], found[2], block.line + block.text.count("\n", 0, found.start()))
        elif block.kind in ("", "sh"):
            for found in re.finditer(rf"^(?!#|\n){LINE}\n", block.text, re.M):
                yield Command(found[1], None, block.line + block.text.count("\n", 0, found.start()))


def is_run(page: Path, command: Command) -> bool:
    return not command.text.startswith(NOT_RUN) and "results" not in page.parts


def assert_same(found: str, shown: str, where: str) -> None:
    pattern = r"\s+".join(".*?".join(map(re.escape, word.split("…"))) for word in shown.split())
    assert re.fullmatch(pattern, found.strip(), re.S), f"{where} gives\n{found}\nand the page says\n{shown}"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with all files that pages name, and a command `budgie` that is the one under test."""
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(lzma.compress(text.encode()) if name.endswith(".xz") else text.encode())
    shutil.copy(ROOT / "src" / "budgie" / "models" / "pos-af.safetensors", "mine.safetensors")
    make_crawl()
    programs = tmp_path / ".bin"
    programs.mkdir()
    (programs / "budgie").write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m budgie "$@"\n')
    (programs / "budgie").chmod(0o755)
    monkeypatch.setenv("PYTHONPATH", str(Path(budgie.__file__).parents[1]))
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    return tmp_path


def make_crawl() -> None:
    """A corpus, as the pages call it."""
    records = [{**record, "body": record["text"]} for record in map(json.loads, FILES["crawl.jsonl"].splitlines())]
    Path("crawl/2026").mkdir(parents=True)
    with gzip.open("crawl/2026/a.jsonl.gz", "wt") as file:
        file.writelines(json.dumps(record) + "\n" for record in records)
    with contextlib.suppress(ImportError):
        import pyarrow as pa
        import pyarrow.parquet as pq

        for name in ("crawl.parquet", "crawl/part-0.parquet"):
            pq.write_table(pa.Table.from_pylist(records), name)


# ---- Python -----------------------------------------------------------------------------------------------------


def steps(block: Block) -> Iterator[tuple[ast.stmt, str]]:
    """The statements of a block, each with the comment below it."""
    lines = block.text.split("\n")
    for statement in ast.parse(block.text).body:
        below = []
        for line in lines[statement.end_lineno or 0 :]:
            if not line.startswith("#"):
                break
            below.append(line.removeprefix("#").removeprefix(" "))
        yield statement, "\n".join(below)


def run_step(statement: ast.stmt, names: dict[str, Any]) -> str:
    """Run a statement; what it prints, or the repr of what it gives."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        if not isinstance(statement, ast.Expr):
            exec(compile(ast.Module([statement], []), "page", "exec"), names)
            return printed.getvalue()
        value = eval(compile(ast.Expression(statement.value), "page", "eval"), names)
    return printed.getvalue() if value is None else repr(value)


def run_python(page: Path) -> None:
    """Run all Python of a page, and compare what it gives with what the page says."""
    names: dict[str, Any] = {"texts": ["good morning", b"guten Morgen"]}
    for block in blocks(page):
        if block.kind != "python":
            continue
        for statement, result in steps(block):
            where = f"{page.name}, line {block.line + statement.lineno - 1}"
            try:
                found = run_step(statement, names)
            except ModuleNotFoundError as error:
                pytest.skip(f"{where} needs {error.name}")
            if result and isinstance(statement, ast.Expr):
                assert_same(found, result, where)


@each_page
def test_python_runs_and_gives_what_the_page_says(page: Path, folder: Path) -> None:
    run_python(page)


@pytest.mark.parametrize(
    ("code", "wrong"),
    [
        ("1 + 1\n# 2", False),
        ("1 + 1\n# 3", True),
        ("1 / 3\n# 0.33…", False),
        ("1 / 3\n# 0.34…", True),
        ("1 + 1  # three", False),
        ("1 + 1\n\n# three", False),
        ("[\n    1,\n]\n# [1]", False),
        ("print('a  b\\nc')\n# a b\n# c", False),
        ("print('a  b\\nc')\n# a b", True),
    ],
)
def test_what_counts_as_a_result(tmp_path: Path, code: str, wrong: bool) -> None:
    (tmp_path / "page.md").write_text(f"A page.\n\n```python\n{code}\n```\n", "utf-8")
    with pytest.raises(AssertionError, match="line 4 gives") if wrong else contextlib.nullcontext():
        run_python(tmp_path / "page.md")


# ---- the shell --------------------------------------------------------------------------------------------------


@each_page
def test_commands_run_and_print_what_the_page_says(page: Path, folder: Path) -> None:
    for command in commands(page):
        if not is_run(page, command):
            continue
        where = f"{page.name}, line {command.line}: {command.text}"
        assert re.search(r"\bbudgie ", command.text), f"{where}\nis no command of Budgie, nor one of NOT_RUN"
        shell = ["bash", "-o", "pipefail", "-c", command.text]
        done = subprocess.run(shell, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60, check=False)
        skip_if_missing(done.stderr)
        assert done.returncode == 0, f"{where}\n{done.stderr}"
        if command.output is not None:
            assert_same(done.stdout, command.output, where)


@each_page
def test_commands_that_do_not_run_have_options_that_exist(page: Path) -> None:
    for command in commands(page):
        if is_run(page, command):
            continue
        words = words_of(command.text)
        where = f"{page.name}, line {command.line}: {command.text}"
        if words[0] == "budgie":
            check_arguments(words[1:], where)
        elif words[:2] == ["python", "-m"]:
            options = {word.partition("=")[0] for word in words if word.startswith("--")}
            assert not options or options <= options_of(words[2]), where
        else:
            assert command.text.startswith(NOT_RUN), f"{where}\nis no command of Budgie, nor one of NOT_RUN"


def test_make_demo_shows_raw_text_first(folder: Path) -> None:
    recipe = re.search(r"^demo:.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text("utf-8"), re.M)
    assert recipe
    lines = [line.strip().removeprefix("$(BIN)/") for line in recipe[1].splitlines()]
    shown = [line for line in lines if line.startswith("budgie ")]
    assert shown[0].startswith("budgie annotate ") and len(shown) > 5
    for command in shown:
        done = subprocess.run(shlex.split(command), cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
        skip_if_missing(done.stderr)
        assert done.returncode == 0 and done.stdout, f"{command}\n{done.stderr}"


def test_examples_of_the_help_have_options_that_exist() -> None:
    verbs: Any = make_parser()._subparsers
    helps = "\n".join(verb.epilog or "" for verb in verbs._group_actions[0].choices.values())
    examples = re.findall(rf"\bbudgie {LINE}", helps)
    assert examples
    for example in examples:
        check_arguments(words_of(example), example)


def words_of(command: str) -> list[str]:
    """A command up to where it reads and writes; a quoted `|` is longer than the one of a pipe."""
    words = shlex.split(command.replace("\\\n", " "), comments=True)
    return list(itertools.takewhile(lambda word: word not in ("|", "<", ">"), words))


def check_arguments(words: list[str], where: str) -> None:
    errors = io.StringIO()
    with contextlib.redirect_stderr(errors):
        try:
            make_parser().parse_args(words)
        except SystemExit:
            pytest.fail(f"{where}\n{errors.getvalue()}")


def options_of(module: str) -> set[str]:
    """The options of a benchmark, from its help."""
    shown, argv = io.StringIO(), sys.argv
    sys.argv = [str(ROOT / module.replace(".", "/")) + ".py", "--help"]
    try:
        with contextlib.redirect_stdout(shown), pytest.raises(SystemExit):
            runpy.run_module(module, run_name="__main__")
    finally:
        sys.argv = argv
    return set(re.findall(r"--[\w-]+", shown.getvalue()))


@each_page
def test_recipes_are_sound(page: Path, tmp_path: Path) -> None:
    for block in blocks(page):
        if block.kind == "toml":
            (tmp_path / "recipe.toml").write_text(block.text, "utf-8")
            load_recipe(str(tmp_path / "recipe.toml"))


@each_page
def test_blocks_are_of_a_known_kind(page: Path) -> None:
    assert {block.kind for block in blocks(page)} <= {"", "sh", "console", "python", "toml", "text"}
