# SPDX-License-Identifier: Apache-2.0
"""`budgie annotate`, with the embedded models."""

from __future__ import annotations

import gzip
import json
import os
import re
import sys
from pathlib import Path

import pytest
from conftest import Command

import budgie as package
from budgie.cli import main
from budgie.formats.sentences import read_sentences

ENGLISH, FRENCH = "Dr. Lee didn't ask why. Nobody knows.", "Je vois du pain sur la table de la cuisine."
TEXT = f"{ENGLISH}\n{FRENCH}\n\n \n\n12 我们在图书馆看书。\r\n"
PARAGRAPHS = [f"{ENGLISH}\n{FRENCH}", "12 我们在图书馆看书。"]
RECORDS = [{"id": 1, "text": ENGLISH}, {"id": 2, "text": ""}, {"id": 3, "text": f"{FRENCH}\n\n{ENGLISH}"}]
JSONL = "".join(json.dumps(record) + "\n" for record in RECORDS).encode()

UNTAGGED = """\
A kutya az asztal alatt alszik és álmodik.
Кучето спи под масата и сънува нещо хубаво.
La hundo dormas sub la tablo kaj sonĝas.
Koer magab laua all ja näeb und.
Txakurra mahaiaren azpian lo dago eta amets egiten du.
कुत्ता मेज़ के नीचे सोता है और सपने देखता है।
நாய் மேசைக்கு அடியில் தூங்குகிறது.
الكلب ينام تحت الطاولة ويحلم.
Canis sub mensa dormit et somniat.
Mbwa analala chini ya meza na kuota ndoto.
Aja naa sun labẹ tabili ó sì ń lá àlá.
कुकुर टेबुल मुनि सुत्छ र सपना देख्छ।
"""


@pytest.fixture
def letters(tmp_path: Path) -> Path:
    path = tmp_path / "my letters.txt.gz"
    path.write_bytes(gzip.compress(TEXT.encode()))
    return path


def test_conllu(budgie: Command, letters: Path, tmp_path: Path) -> None:
    output = budgie("annotate", letters).decode()
    expected = [package.annotate(text).to_conllu(f"my_letters.txt.gz-p{n}-s") for n, text in enumerate(PARAGRAPHS, 1)]
    first, second = ("# newpar id = my_letters.txt.gz-p1\n", "# newpar id = my_letters.txt.gz-p2\n")
    assert output == f"# newdoc id = my_letters.txt.gz\n{first}{expected[0]}{second}{expected[1]}"
    assert {"# lang = en", "# lang = fr", f"# text = {FRENCH}"} <= set(output.splitlines())
    (tmp_path / "out.conllu").write_text(budgie("annotate", letters, letters, "-", stdin=TEXT.encode()).decode())
    sentences = list(read_sentences(tmp_path / "out.conllu"))
    ids = [line for sentence in sentences for line in sentence.lines if line.startswith("# sent_id = ")]
    assert len(ids) == len(set(ids)) == len(sentences) == 12
    assert budgie("annotate", "--where", stdin=TEXT.encode()).decode().count("# file = -\n# line = ") == 2
    assert budgie("annotate", stdin=b"\n \n") == budgie("annotate", stdin=b"") == b""


def test_units(budgie: Command) -> None:
    for unit, lines in (("line", [1, 2, 6]), ("paragraph", [1, 6]), ("file", [1])):
        output = budgie("annotate", "--unit", unit, "--where", stdin=TEXT.encode()).decode()
        assert [int(line) for line in re.findall("# line = (.*)", output)] == lines
    budgie("annotate", "--unit", "line", stdin=JSONL, status=1)
    assert budgie.error.startswith(b"budgie: standard input is read as JSON lines, where a text is what a record has")


def test_records_are_documents(budgie: Command) -> None:
    output = budgie("annotate", stdin=JSONL).decode()
    assert re.findall("# newdoc id = (.*)", output) == ["stdin-1", "stdin-3"]
    assert "newpar" not in output
    assert re.findall("# sent_id = (.*)", output) == [f"stdin-{n}" for n in ("1-s1", "1-s2", "3-s1", "3-s2", "3-s3")]


def test_json_lines(budgie: Command, letters: Path) -> None:
    output = [json.loads(line) for line in budgie("annotate", "--format", "jsonl", letters).splitlines()]
    assert output == [{"text": text, **package.annotate(text).to_dict()} for text in PARAGRAPHS]
    output = [json.loads(line) for line in budgie("annotate", "--format", "jsonl", stdin=JSONL).splitlines()]
    assert output == [{**record, **package.annotate(str(record["text"])).to_dict()} for record in RECORDS]
    options = ("--into", "found", "--where", "--probabilities", "--language", "English")
    first, *_ = budgie("annotate", "--format", "jsonl", *options, stdin=JSONL).splitlines()
    document = package.annotate(ENGLISH, "en", probabilities=True)
    assert json.loads(first) == {**RECORDS[0], "found": {"file": "-", "line": 1, **document.to_dict()}}
    output = [
        json.loads(line)
        for line in budgie("annotate", "--format", "jsonl", "--tasks", "language", stdin=JSONL).splitlines()
    ]
    assert [(one["language"], one["sentences"]) for one in output] == [
        ("en", []),
        ("und", []),
        (output[2]["language"], []),
    ]


def test_priors_and_languages(budgie: Command) -> None:
    annotate = ("annotate", "--format", "jsonl", "--tasks", "language")
    for option in (("--priors", "German=20, en=50"), ("--languages", "en,German")):
        assert json.loads(budgie(*annotate, *option, stdin=b"Berg"))["language"] == "de"
    assert json.loads(budgie(*annotate, stdin=b"Berg"))["language"] != "de"
    budgie.fails("annotate", "--priors", "de=0", message="the prior of 'de' must be a number")


def test_rows(budgie: Command, letters: Path) -> None:
    output = budgie("annotate", "--format", "tsv", letters, letters).decode()
    expected = [package.annotate(text).to_tsv(f"{number}\t") for number, text in enumerate(PARAGRAPHS * 2, 1)]
    assert output == "".join(expected)
    output = budgie("annotate", "--format", "tsv", "--where", "--probabilities", letters).decode()
    assert output.startswith(f"{letters}\t1\t1\t1\t0\t3\ten\tDr.\tPROPN\t")
    assert budgie("annotate", "--format", "tsv", "--tasks", "tokens", letters).startswith(b"1\t1\t0\t3\ten\tDr.\t_\n")


def test_html_is_read_as_its_text(budgie: Command, tmp_path: Path) -> None:
    page = f"<html><style>p {{x: y}}</style><p>Dr. Lee <b>did</b>n&apos;t ask why.\nNobody knows.<p>{FRENCH}".encode()
    path = tmp_path / "page.html"
    path.write_bytes(page)
    texts = [ENGLISH, FRENCH]
    expected = [{"text": text, **package.annotate(text).to_dict()} for text in texts]
    for found in (budgie("annotate", "--format", "jsonl", path), budgie("annotate", "--format", "jsonl", stdin=page)):
        assert [json.loads(line) for line in found.splitlines()] == expected
    (whole,) = budgie("annotate", "--format", "jsonl", "--unit", "file", path).splitlines()
    assert json.loads(whole)["text"] == "\n\n".join(texts)
    assert budgie("identify", path, "--no-text").count(b"\n") == 3  # lines, one of them empty
    assert b"\t<p>" not in budgie("annotate", "--format", "tsv", "--input", "html", stdin=b"<p>Hello <b>world</b></p>")
    assert b"\t<b>" in budgie("annotate", "--format", "tsv", "--input", "text", path)


def test_a_page(budgie: Command, letters: Path, tmp_path: Path) -> None:
    assert budgie("annotate", "--format", "html", letters, letters, "--output", tmp_path / "page.html") == b""
    page = (tmp_path / "page.html").read_text("utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert page.endswith("</html>\n")
    assert (page.count("<title>"), page.count("<article")) == (1, 4)


def test_threads_and_tables_change_nothing(budgie: Command, tmp_path: Path) -> None:
    text = "\n\n".join(f"Number {number} is here. It doesn't sleep." for number in range(2000)).encode()
    expected = budgie("annotate", "--threads", 1, stdin=text)
    assert budgie("annotate", "--threads", 2, stdin=text) == expected
    assert budgie("annotate", "--language", "en", stdin=text) == expected
    (tmp_path / "a.csv").write_text(f'id,text\n1,"{ENGLISH}"\n')
    (first,) = budgie("annotate", "--format", "jsonl", tmp_path / "a.csv").splitlines()
    assert json.loads(first) == {"id": "1", "text": ENGLISH, **package.annotate(ENGLISH).to_dict()}


def test_offsets_and_how_they_lead_back(budgie: Command, tmp_path: Path) -> None:
    text = "One line.\r\nTwo lines.\n\n  Then " + 9000 * "some words. " + "\n\nEnd.\n"  # 108 KB on one line
    (tmp_path / "a.txt").write_bytes(text.encode())
    lines = text.split("\n")

    def rows(unit: str) -> list[list[str]]:
        options = ("--format", "tsv", "--where", "--tasks", "tokens", "--language", "en", "--unit", unit)
        output = budgie("annotate", *options, tmp_path / "a.txt").decode()
        return [row.split("\t") for row in output.splitlines() if row]

    for _, _, _, _, start, end, _, token, _ in rows("file"):  # from the first character of the file
        assert text[int(start) : int(end)] == token
    for _, line, number, _, start, end, _, token, _ in rows("line"):  # from the first of that line, which is never cut
        assert lines[int(line) - 1][int(start) : int(end)] == token
        assert number == line
    pieces, places = dict[str, str](), set[tuple[str, ...]]()
    for _, line, number, sentence, start, end, _, token, _ in rows("paragraph"):
        pieces.setdefault(number, line)
        places.add((number, sentence, start))
        if list(pieces.values()).count(line) == 1:  # from the first of the line on which the paragraph begins
            assert "\n".join(lines[int(line) - 1 :])[int(start) : int(end)] == token
    assert list(pieces.items()) == [("1", "1"), ("2", "4"), ("3", "4"), ("4", "6")]  # the long line is two texts
    assert len(places) == len(rows("paragraph"))


@pytest.mark.skipif(sys.platform == "darwin", reason="names of files are UTF-8 there")
def test_names_of_files_may_be_any_bytes(budgie: Command, tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"a \xff.txt")
    path.write_text(ENGLISH)
    assert budgie("annotate", path, "--where").decode().startswith("# newdoc id = a_\ufffd.txt\n")
    assert budgie("annotate", path, "--where", "--format", "tsv").decode().startswith(f"{tmp_path}/a \ufffd.txt\t1\t")


def test_output_must_not_be_standard_input(
    capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch, letters: Path
) -> None:
    before = letters.read_bytes()
    with letters.open() as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        assert main(["annotate", "--output", str(letters)]) == 1
    assert b"is one of the inputs; it would be lost" in capfdbinary.readouterr().err
    assert letters.read_bytes() == before


def test_records_that_are_not_utf8_make_json_that_is(budgie: Command) -> None:
    lines = b'{"text": "a \xff b", "n": 1.50}\n'
    (line,) = budgie("annotate", "--format", "jsonl", "--language", "en", stdin=lines).decode().splitlines()
    assert line.startswith('{"text": "a \ufffd b", "n": 1.50, "language": ')


def test_ids_of_files_of_one_name(budgie: Command, tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("x/a", "y/a", "a-2", "z/a", "w/a-2", "a-2-2")]
    for path in paths:
        path.parent.mkdir(exist_ok=True)
        path.write_text("Yes.")
    output = budgie("annotate", *paths, "--language", "en").decode()
    names = ["a", "a-2", "a-2-2", "a-3", "a-2-3", "a-2-2-2"]
    assert re.findall("# newdoc id = (.*)", output) == names
    assert re.findall("# sent_id = (.*)", output) == [f"{name}-p1-s1" for name in names]


def test_columns_of_one_name(budgie: Command) -> None:
    annotate = ("annotate", "--input", "csv", "--format", "jsonl")
    budgie(*annotate, stdin=b"text,text\na,b\n", status=1)
    assert b"standard input: there are several columns 'text'; give them names" in budgie.error
    budgie(*annotate, stdin=b"id,id,text\n1,2,b\n", status=1)
    assert b"standard input: JSON has no place for several columns of one name" in budgie.error
    annotate = ("annotate", "--input", "csv", "--format", "tsv", "--language", "en")
    assert budgie(*annotate, stdin=b"id,id,text\n1,2,b\n").startswith(b"1\t1\t0\t1")


def test_languages_without_a_tagger_are_named(budgie: Command) -> None:
    text = "A kutya az asztal alatt alszik.\n\nКучето спи под масата, както винаги.\n\nNobody asked why. 12".encode()
    for form in ("conllu", "jsonl", "tsv", "html"):
        budgie("annotate", "--format", form, stdin=text, notes=True)
        assert budgie.error == (
            b"budgie: no tagger for bg, hu: no tags there; `budgie languages` shows what there is\n"
        )
    budgie("annotate", "--tasks", "tokens", stdin=text)  # who wants no tags misses none
    budgie("annotate", stdin=b"Nobody asked why.\n\n12 ...\n")
    lines = b"{}\n" + json.dumps({"text": "A kutya az asztal alatt alszik."}).encode()
    budgie("annotate", "--input", "jsonl", "--errors", "skip", stdin=lines, status=1)
    assert budgie.error.splitlines()[-1].startswith(b"budgie: no tagger for hu: ")
    budgie("annotate", "--unit", "line", stdin=UNTAGGED.encode(), notes=True)
    assert b" and 2 others: no tags there" in budgie.error


def test_errors(budgie: Command) -> None:
    lines = JSONL + b"{}\n" + JSONL
    output = budgie("annotate", "--format", "jsonl", "--errors", "skip", stdin=lines, status=1)
    assert output.count(b"\n") == 2 * len(RECORDS)
    assert b"standard input, line 4: no text in the field 'text'; left out" in budgie.error
    budgie.fails("annotate", "--tasks", "language", message="--tasks language finds no tokens; --format jsonl, ")
    budgie.fails("annotate", "--tasks", "words", message="there is no task 'words': tasks are language, spans, sent")
    budgie.fails("annotate", "--into", "x", message="--into goes with --format jsonl")
    budgie.fails("annotate", "--format", "html", "--where", message="--where goes with --format conllu, jsonl or tsv")
    budgie("annotate", "--language", "germann", stdin=b"x", status=1)
    assert budgie.error.startswith(b"budgie: the pipeline does not know the language 'germann'; did you mean german")
