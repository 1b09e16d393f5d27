# SPDX-License-Identifier: Apache-2.0
"""JSON lines, CSV and TSV in the commands; broken records; the output as a whole or not at all."""

from __future__ import annotations

import gzip
import json
import lzma
import os
import pty
import signal
import time
from pathlib import Path
from typing import Any

import pytest
from conftest import SENTENCES, Command, spawn

from budgie import LanguageIdentifier

RECORDS = [{"id": number, "text": sentence, "more": {"a": [1.5]}} for number, sentence in enumerate(SENTENCES)]
JSONL = "".join(json.dumps(record) + "\n" for record in RECORDS).encode()
BROKEN = b'{"text": "one"}\n{"text": \n\n{"text": null}\n{"text": "two"}\n'


@pytest.fixture
def identify(model_file: Path) -> tuple[str, ...]:
    return "identify", "--model", str(model_file)


def fields(identifier: LanguageIdentifier, text: str) -> dict[str, Any]:
    answer = identifier.identify(text)
    return {**answer.to_dict(), "probability": round(answer.probability, 6)}


# ---- identify --------------------------------------------------------------------------------------------------


def test_json_lines(budgie: Command, identify: tuple[str, ...], identifier: LanguageIdentifier, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl.xz").write_bytes(lzma.compress(JSONL))
    (tmp_path / "b").write_bytes(gzip.compress(JSONL))
    expected = [{**record, **fields(identifier, str(record["text"]))} for record in RECORDS]
    for source in (tmp_path / "a.jsonl.xz", tmp_path / "b", "-"):
        output = budgie(*identify, "--json", source, stdin=JSONL)
        assert [json.loads(line) for line in output.splitlines()] == expected
    plain = budgie(*identify, stdin="\n".join(SENTENCES).encode())
    assert budgie(*identify, stdin=JSONL) == plain
    (found, *_) = budgie(*identify, "--json", "--rank", 2, "--no-text", "--where", stdin=JSONL).splitlines()
    ranking = json.loads(found)
    assert [one["language"] for one in ranking.pop("ranking")] == [a.language for a in identifier.rank(SENTENCES[0], 2)]
    assert ranking == {"id": 0, "more": {"a": [1.5]}, "file": "-", "line": 1}
    (found, *_) = budgie(*identify, "--json", "--spans", "--into", "langid", stdin=JSONL).splitlines()
    assert len(json.loads(found)["langid"]["spans"]) == len(identifier.spans(SENTENCES[0]))
    budgie.fails(*identify, "--whole", tmp_path / "a.jsonl.xz", message=f"{tmp_path}/a.jsonl.xz is read as JSON lines")


def test_fields(budgie: Command, identify: tuple[str, ...], tmp_path: Path) -> None:
    lines = b'{"doc": {"body": "some words"}, "language": "xx"}\n'
    message = 'standard input looks like JSON lines without a field "text"; --field NAME says which has the text'
    budgie(*identify, stdin=lines, status=1)
    assert budgie.error.decode().startswith(f"budgie: {message}")
    assert budgie(*identify, "--field", "doc.body", stdin=lines).endswith(b"\tsome words\n")
    budgie(*identify, "--field", "doc.body", "--json", stdin=lines, status=1)
    assert b"line 1: there is a field 'language' already; --into NAME" in budgie.error
    found = json.loads(budgie(*identify, "--field", "doc.body", "--json", "--into", "found", stdin=lines))
    assert found["language"] == "xx"
    assert found["found"]["language"]
    assert budgie(*identify, "--input", "text", stdin=lines).endswith(b"\t" + lines)


def test_tables(budgie: Command, identify: tuple[str, ...], identifier: LanguageIdentifier, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b'id,text\n1,"the words,\nand more"\n2,words\n')
    (tmp_path / "b.tsv").write_bytes(b"id\ttext\n3\twords\n")
    (tmp_path / "c.csv").write_bytes(b"text,id\nwords,4\n")

    def row(text: str) -> str:
        answer = identifier.identify(text)
        return f"{answer.language}\t{answer.probability:.4f}\t{'yes' if answer.reliable else 'no'}"

    header, quoted = "language\tprobability\treliable\tid\ttext\n", '"the words,\nand more"'
    first = f"{row(quoted[1:-1])}\t1\t{quoted}\n{row('words')}\t2\twords\n"
    assert budgie(*identify, tmp_path / "a.csv").decode() == header + first
    assert budgie(*identify, tmp_path / "a.csv", tmp_path / "a.csv").decode() == header + 2 * first
    found = budgie(*identify, "--no-text", "--where", tmp_path / "b.tsv").decode().splitlines()
    assert found == ["language\tprobability\treliable\tfile\tline\tid", f"{row('words')}\t{tmp_path}/b.tsv\t2\t3"]
    assert budgie(*identify, "--rank", 2, tmp_path / "b.tsv").startswith(b"ranking\tid\ttext\n")
    assert json.loads(budgie(*identify, "--json", tmp_path / "b.tsv"))["id"] == "3"
    assert budgie(*identify, "--spans", tmp_path / "b.tsv").startswith(b"1\t0\t5\t")
    budgie(*identify, tmp_path / "a.csv", tmp_path / "c.csv", status=1)
    assert budgie.error.endswith(b"c.csv: its columns are not those of the tables before; take them one by one\n")
    budgie(*identify, tmp_path / "a.csv", tmp_path / "b.tsv", status=1)
    assert b"b.tsv is read as TSV, " in budgie.error
    budgie.fails(
        *identify, tmp_path / "a.csv", "--field", "x", message=f"{tmp_path}/a.csv: no column 'x'; --field says"
    )


def test_where(budgie: Command, identify: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"one\n\ntwo\n")
    found = [row.split("\t") for row in budgie(*identify, "--where", tmp_path / "a.txt").decode().splitlines()]
    assert [row[3:] for row in found] == [
        [f"{tmp_path}/a.txt", str(line), text] for line, text in ((1, "one"), (2, ""), (3, "two"))
    ]
    found = [
        row.split("\t") for row in budgie(*identify, "--where", "--spans", tmp_path / "a.txt").decode().splitlines()
    ]
    assert [row[:5] for row in found] == [[f"{tmp_path}/a.txt", line, line, "0", "3"] for line in ("1", "3")]
    found = budgie(*identify, "--where", "--spans", "--whole", tmp_path / "a.txt").decode().splitlines()
    assert [row.split("\t")[:3] for row in found] == [[f"{tmp_path}/a.txt", "1", "0"]]


# ---- errors ----------------------------------------------------------------------------------------------------


def test_broken_records(budgie: Command, identify: tuple[str, ...]) -> None:
    output = budgie(*identify, "--no-text", stdin=BROKEN, status=1)
    assert output.count(b"\n") == 1  # what came before
    assert budgie.error == (
        b"budgie: standard input, line 2: not JSON (Expecting value at character 10); "
        b"--errors skip goes on without such records\n"
    )
    output = budgie(*identify, "--errors", "skip", stdin=BROKEN, status=1)
    assert [row.split(b"\t")[3] for row in output.splitlines()] == [b"one", b"two"]
    assert budgie.error.splitlines() == [
        b"budgie: standard input, line 2: not JSON (Expecting value at character 10); left out",
        b"budgie: standard input, line 4: no text in the field 'text'; left out",
        b"budgie: the output is not complete, left out: 2 x broken record",
    ]
    assert budgie(*identify, "--errors", "skip", stdin=JSONL).count(b"\n") == len(RECORDS)


def test_damaged_and_missing_files(budgie: Command, identify: tuple[str, ...], tmp_path: Path) -> None:
    numbers = "".join(f"word {number}\n" for number in range(50_000)).encode()
    (tmp_path / "cut.gz").write_bytes(gzip.compress(numbers)[:-1000])
    (tmp_path / "fine.txt").write_bytes(b"fine\n")
    files = [tmp_path / "missing.txt", tmp_path / "cut.gz", tmp_path / "fine.txt"]
    output = budgie(*identify, "--errors", "skip", *files, status=1)
    assert output.endswith(b"\tfine\n")
    assert 40_000 < output.count(b"\n") < 50_000
    first, second, last = budgie.error.splitlines()
    assert first.endswith(b"missing.txt: No such file or directory; the rest of this input is left out")
    assert b"cut.gz: cannot be read (" in second
    assert last == b"budgie: the output is not complete, left out: 2 x input or a part of it"


def test_broken_sentences(budgie: Command) -> None:
    row = "{}\tword\t_\t_\t_\t_\t_\t_\t_\t_\n"
    text = row.format(1) + "\n" + row.format(1) + row.format(3) + row.format(4) + "\n" + row.format(1)
    output = budgie("tag", "--language", "en", "--errors", "skip", stdin=text.encode(), status=1)
    assert output.count(b"1\tword") == 2
    assert budgie.error.startswith(b"budgie: standard input, line 4: the id '3' is out of place, the next word is 2")
    assert budgie.error.count(b"\n") == 2


def test_what_is_no_text_is_refused(budgie: Command, identify: tuple[str, ...], tmp_path: Path) -> None:
    for name, data in (("a.txt", os.urandom(3000)), ("b.txt", "some words".encode("utf-16-le"))):
        (tmp_path / name).write_bytes(data)
        for command in (
            identify,
            ("segment", "--language", "en"),
            ("tag", "--language", "en"),
            ("preorder", "--pair", "en-ja"),
        ):
            budgie.fails(*command, tmp_path / name, message=f"{tmp_path}/{name}: this looks like ")
    (tmp_path / "c.txt").write_bytes("größer\n".encode("utf-16"))
    assert budgie(*identify, tmp_path / "c.txt").endswith("\tgrößer\n".encode())


# ---- output ----------------------------------------------------------------------------------------------------


def test_output_is_whole_or_not_there(budgie: Command, identify: tuple[str, ...], tmp_path: Path) -> None:
    out = tmp_path / "out.tsv"
    budgie(*identify, "--output", out, stdin=BROKEN, status=1)
    assert list(tmp_path.iterdir()) == []
    out.write_bytes(b"old")
    budgie(*identify, "--output", out, stdin=BROKEN, status=1)
    assert out.read_bytes() == b"old"
    assert budgie(*identify, "--output", out, "--errors", "skip", stdin=BROKEN, status=1) == b""
    assert out.read_bytes().count(b"\n") == 2
    expected = budgie(*identify, stdin=JSONL)
    assert budgie(*identify, "--output", "-", stdin=JSONL) == expected
    assert budgie(*identify, "--output", "/dev/null", stdin=JSONL) == b""
    for name, unpack in (("out.gz", gzip.decompress), ("out.xz", lzma.decompress)):
        budgie(*identify, "--output", tmp_path / name, stdin=JSONL)
        assert unpack((tmp_path / name).read_bytes()) == expected
    zstandard = pytest.importorskip("zstandard")
    budgie(*identify, "--output", tmp_path / "out.zst", stdin=JSONL)
    assert zstandard.ZstdDecompressor().decompressobj().decompress((tmp_path / "out.zst").read_bytes()) == expected
    assert not list(tmp_path.glob(".budgie*"))


def test_interrupt_leaves_no_part(identify: tuple[str, ...], tmp_path: Path) -> None:
    with spawn(*identify, "--output", tmp_path / "out.tsv") as process:
        assert process.stdin
        process.stdin.write(b"text\n")
        while not list(tmp_path.iterdir()):
            time.sleep(0.01)
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=10) == 130
    assert list(tmp_path.iterdir()) == []


# ---- progress --------------------------------------------------------------------------------------------------


def read_terminal(terminal: int) -> bytes:
    found = b""
    try:
        while part := os.read(terminal, 1000):
            found += part
    except OSError:  # its other side was closed
        return found
    return found


def test_progress_on_a_terminal(identify: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"some words of text\n" * 400_000)
    (tmp_path / "b.txt.gz").write_bytes(gzip.compress(b"some words of text\n" * 400_000))
    command = (*identify, tmp_path / "a.txt", tmp_path / "b.txt.gz", "--output", tmp_path / "out")
    with spawn(*command) as process:
        assert process.communicate() == (b"", b"")  # silent in a pipe
    terminal, other = pty.openpty()
    with spawn(*command, stderr=other) as process:
        os.close(other)
        lines = read_terminal(terminal).decode().split("\r")
    os.close(terminal)
    assert process.returncode == 0
    assert any(" MB/s, " in line and line.rstrip().endswith(" left") for line in lines)
    assert lines[-2:] == [" " * len(lines[-2]), ""]  # taken away


# ---- segment, tag, preorder ------------------------------------------------------------------------------------


def test_segment(budgie: Command, tmp_path: Path) -> None:
    segment, lines = ("segment", "--language", "en"), b'{"id": 1, "text": "It rains.\\nGo!"}\n{"text": ""}\n'
    assert budgie(*segment, stdin=lines) == b"It rains . Go !\n\n"
    first, second = map(json.loads, budgie(*segment, "--format", "json", "--where", stdin=lines).splitlines())
    assert list(first) == ["id", "text", "file", "line", "words", "spans", "sentences"]
    assert (first["id"], first["line"], first["words"]) == (1, 1, ["It", "rains", ".", "Go", "!"])
    assert (second["line"], second["words"]) == (2, [])
    (tmp_path / "a.csv").write_bytes(b"id,body\n1,Go!\n")
    found = budgie(*segment, "--format", "spans", "--where", "--field", "body", tmp_path / "a.csv").decode()
    assert found == f"{tmp_path}/a.csv\t2\t1\t0\t2\tGo\n{tmp_path}/a.csv\t2\t1\t2\t3\t!\n"
    budgie.fails(*segment, "--where", message="--where goes with --format json or spans")


def test_tag(budgie: Command, tmp_path: Path) -> None:
    tag = ("tag", "--language", "en")
    lines = b'{"id": 1, "text": "The cat\\nsleeps ."}\n{"id": 2, "text": ""}\n'
    first, second = map(json.loads, budgie(*tag, "--format", "json", "--into", "pos", stdin=lines).splitlines())
    assert first["pos"] == {"words": ["The", "cat", "sleeps", "."], "tags": ["DET", "NOUN", "VERB", "PUNCT"]}
    assert second == {"id": 2, "text": "", "pos": {"words": [], "tags": []}}
    assert budgie(*tag, "--format", "tsv", stdin=lines) == b"The\tDET\ncat\tNOUN\nsleeps\tVERB\n.\tPUNCT\n\n\n"
    (tmp_path / "a.tsv").write_bytes(b"The\tX\ncat\tX\n")  # words and tags
    assert budgie(*tag, "--format", "tsv", tmp_path / "a.tsv") == b"The\tDET\ncat\tNOUN\n\n"
    (tmp_path / "b.tsv").write_bytes(b"id\tbody\n1\tThe cat\n")
    assert budgie(*tag, "--format", "tsv", "--field", "body", tmp_path / "b.tsv") == b"The\tDET\ncat\tNOUN\n\n"
    budgie.fails(*tag, "--where", message="--where goes with --format json")
    budgie(*tag, "--where", "--format", "json", stdin=b"a b", status=1)
    assert budgie.error == b"budgie: --where is for records: JSON lines, CSV, TSV\n"


def test_preorder(budgie: Command) -> None:
    words = b"The student reads a book .\n"
    record = json.dumps({"text": words.decode()}).encode()
    preorder = ("preorder", "--pair", "en-ja", "--format")
    for form in ("words", "permutation", "json"):
        assert budgie(*preorder, form, stdin=record) == budgie(*preorder, form, stdin=words)
