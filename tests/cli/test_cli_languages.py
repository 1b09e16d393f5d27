# SPDX-License-Identifier: Apache-2.0
"""`budgie` alone, `budgie languages`, `budgie models`, and names that nobody knows."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from conftest import Command

import budgie as package
from budgie.cli import make_parser
from budgie.distributions import known

PAGE = Path(__file__).parents[2] / "docs" / "languages.md"


def test_the_command_alone_says_what_there_is(budgie: Command) -> None:
    shown = budgie().decode()
    usage = make_parser().format_help()
    commands = re.findall(r"^    (\w+)", usage, re.M)[1:]
    assert len(commands) > 10
    for command in commands:
        assert len(re.findall(rf"^  {command}\b.*\w$", shown, re.M)) == 1, command
    assert all(len(line) < 120 for line in shown.splitlines())
    for example in re.findall(r"^  echo '(.+)' \| budgie (.+)$", shown, re.M):
        assert budgie(*example[1].split(), stdin=example[0].encode())


def test_languages(budgie: Command) -> None:
    rows = {row["label"]: row for row in json.loads(budgie("languages", "--json"))}
    assert rows.keys() == set(package.load("langid").all_languages)
    assert rows["en"] == {
        "label": "en",
        "code": "eng_Latn",
        "language": "English",
        "identified": "yes",
        "tokens": "yes",
        "sentences": "yes",
        "tags": "pos-en",
        "segmenter": None,
        "licence": "free",
    }
    assert (rows["bs"]["tokens"], rows["bs"]["tags"]) == ("as hr", "pos-hr")
    assert (rows["zh"]["segmenter"], rows["zh"]["licence"]) == ("seg-zh", "free")
    assert (rows["th"]["tokens"], rows["th"]["sentences"]) == ("yes", "general")
    assert (rows["zh-Latn"]["language"], rows["zh-Latn"]["tags"]) == ("Chinese in Latin script", None)
    assert rows["yue"]["identified"] == "rare"
    named = json.loads(budgie("languages", "German", "zh-TW", "srp_Latn", "--json"))
    assert [row["label"] for row in named] == ["de", "zh-Hant", "sr-Latn"]
    assert [row["code"] for row in named] == ["deu_Latn", "zho_Hant", "srp_Latn"]
    text = budgie("languages").decode()
    assert text.count("\n") == len(rows) + 1
    assert re.search(r"^ru-Latn +rus_Latn +Russian in Latin script +yes +general +general +– +– +free$", text, re.M)
    budgie.fails("languages", "germn", message="Budgie does not know the language 'germn'; did you mean german?")


def test_the_page_of_languages_is_what_the_command_prints(budgie: Command) -> None:
    assert f"\n{budgie('languages', '--markdown').decode()}<!-- end -->\n" in PAGE.read_text("utf-8"), (
        "budgie languages --markdown | python -m benchmarks.report budgie languages --markdown"
    )


def test_models(budgie: Command) -> None:
    header, *rows = budgie("models").decode().splitlines()
    assert header.split() == ["model", "task", "languages", "licence", "size", "distribution"]
    assert [row.split()[0] for row in rows] == known()
    shown = {row.split()[0]: re.split(" {2,}", row)[1:] for row in rows}
    assert shown["langid"] == [
        "language identifier",
        "340 languages, 178 of them rare",
        "free",
        "1.48 MB",
        "budgie-nlp",
    ]
    assert shown["seg-zh"][1] == "Simplified Chinese and Traditional Chinese (general gsd)"
    assert shown["preorder-en-ja"][:3] == ["preorderer", "English to Japanese", "unclear"]
    as_json = {row["model"]: row for row in json.loads(budgie("models", "--json"))}
    assert list(as_json) == known()
    assert as_json["seg-km"]["licence"] == "non-commercial"
    assert as_json["langid"]["size"] == len(package.read_model("langid").to_bytes())


def test_models_of_another_distribution(budgie: Command) -> None:
    package.file_of("seg-zh-research")  # or the test is skipped
    (row,) = (row for row in budgie("models").decode().splitlines() if row.startswith("seg-zh-research "))
    languages = "Simplified Chinese and Traditional Chinese (general wtb pku sxu sinica gsd)"
    assert re.split(" {2,}", row)[1:] == ["segmenter", languages, "research", "1.52 MB", "budgie-nlp-restricted"]


def test_what_a_model_may_be_used_for(budgie: Command) -> None:
    assert re.search(rb"^licence class +free$", budgie("info", "langid"), re.M)
    assert json.loads(budgie("info", "seg-zh-research", "--json"))["licence_class"] == "research"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["info", "lnagid"], "there is no file lnagid and no model of that name; did you mean langid?"),
        (["tag", "--language", "englsh"], "no tagger for 'englsh' comes with Budgie; did you mean english?"),
        (["tag", "--language", "Hungarian"], "no tagger for 'Hungarian' comes with Budgie; there are taggers for: af "),
        (["segment", "--language", "germn"], "no segmenter for 'germn' comes with Budgie; did you mean german?"),
        (["segment", "--language", "xq"], "no segmenter for 'xq' comes with Budgie; there are segmenters for ja "),
    ],
    ids=lambda one: one[-1] if isinstance(one, list) else "",
)
def test_names_that_nobody_knows(arguments: list[str], message: str, budgie: Command) -> None:
    budgie.fails(*arguments, message=message)


def test_commands_have_the_models_that_the_table_names(budgie: Command) -> None:
    text = b"Dobar dan. Kako ste?\n"
    for label in ("bs", "sr-Latn", "ms", "malay"):
        assert budgie("segment", "--language", label, "--sentences", stdin=text) == b"Dobar dan .\nKako ste ?\n"
    words = b"Dobar dan .\nKako ste ?\n"
    assert budgie("tag", "--language", "Bosnian", stdin=words) == budgie("tag", "--language", "hr", stdin=words)
