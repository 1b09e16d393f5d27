# SPDX-License-Identifier: Apache-2.0
"""What an input is: by its name, by how it begins, and what is refused."""

from __future__ import annotations

import bz2
import io
import random
import zipfile

import pytest
from conftest import SENTENCES

from budgie import ConfigError, DataError
from budgie.formats.sniffing import Form, find_form
from budgie.formats.sources import Source

TEXT = "\n".join(SENTENCES)


def form(begin: bytes | str, name: str = "-", said: Form | None = None, field: str | None = None) -> Form:
    return find_form(Source(name), begin.encode() if isinstance(begin, str) else begin, said, field)


@pytest.mark.parametrize(
    "begin", ["", "\n\n", "a", TEXT, "{braces} in text", "[1] a note\n", '{"not": json lines\n' + TEXT]
)
def test_plain_text(begin: str) -> None:
    assert form(begin) == "text"


@pytest.mark.parametrize("suffix", ["", ".gz", ".xz", ".zst"])
def test_names(suffix: str) -> None:
    names = {"a.jsonl": "jsonl", "a.NDJSON": "jsonl", "a.csv": "csv", "a.b.tsv": "tsv", "a.txt": "text", "csv": "text"}
    assert {name: form("text\n", name + suffix) for name in names} == names
    assert form("text\n", f"a.csv{suffix}", said="text") == "text"


@pytest.mark.parametrize(
    "begin", ['{"text": "a"}\n', '\n {"id": 1, "text" : "a"}\r\n{"text', '{"text": "' + "x" * 10**6]
)
def test_json_lines(begin: str) -> None:
    assert form(begin) == form(begin, field="id") == "jsonl"
    assert form(begin, said="text") == "text"


def test_json_that_is_refused() -> None:
    with pytest.raises(DataError, match=r'standard input looks like JSON lines without a field "text"; --field NAME'):
        form('{"body": "a"}\n{"body": "b"}\n')
    for begin in ('[{"text": "a"}]', '{\n  "text": "a"\n}\n', '[\n  {"text": "a"},\n  {"text": "b"},\n'):
        with pytest.raises(DataError, match="looks like JSON, but not like one record a line; jq -c makes"):
            form(begin)


def test_pages() -> None:
    for begin in ("<!DOCTYPE html>\n", "\n <html lang=en>", "<!doctype HTML PUBLIC"):
        assert form(begin) == "html"
        assert form(begin, said="text") == form(begin, "a.txt", said="text") == "text"
    for begin in ("<p>Hello", "<!DOCTYPE htmlx>", "<htmlish>", "a <html>"):
        assert form(begin) == "text"
        assert form(begin, "a.htm") == form(begin, "A.HTML.gz") == form(begin, said="html") == "html"
    with pytest.raises(ConfigError, match=r"--field: a\.html is read as HTML; --input says what it is"):
        form("<html>", "a.html", field="body")


def test_a_field_finds_the_table() -> None:
    assert form("id,body\n1,x\n", field="body") == "csv"
    assert form('id;"body"\r\n1;x\n', field="body") == "csv"
    assert form("id\tbody\n1\tx\n", field="body") == "tsv"
    with pytest.raises(ConfigError, match="--field: standard input is read as plain text; --input says what it is"):
        form("id,body\n", field="text")
    with pytest.raises(ConfigError, match="--field"):
        form("id,text\n", said="text", field="text")


def archive() -> bytes:
    with zipfile.ZipFile(file := io.BytesIO(), "w") as out:
        out.writestr("a", random.Random(0).randbytes(5000))
    return file.getvalue()


@pytest.mark.parametrize(
    ("begin", "what"),
    [
        (random.Random(0).randbytes(5000), "a binary file"),
        (random.Random(0).randbytes(70), "a binary file"),
        (b"\x7fELF" + bytes(60) + TEXT.encode(), "a binary file"),
        (bz2.compress(random.Random(0).randbytes(5000)), "a bzip2 file"),
        (archive(), "a zip file"),
        (SENTENCES[3].encode("cp1251") * 3, "or text that is not UTF-8: convert it"),
        (SENTENCES[6].encode("gb18030") * 3, "or text that is not UTF-8: convert it"),
        (SENTENCES[0].encode("utf-16-le"), "UTF-16LE without a byte order mark"),
        (SENTENCES[0].encode("utf-16-be"), "UTF-16BE without a byte order mark"),
        ("ok\n".encode("utf-16-le"), "UTF-16LE without a byte order mark"),
        (SENTENCES[3].encode("utf-32-le"), "UTF-32LE without a byte order mark"),
        (SENTENCES[3].encode("utf-32-be"), "UTF-32BE without a byte order mark"),
        (SENTENCES[3].encode("utf-16-le") * 2, "this looks like"),
        (SENTENCES[6].encode("utf-16-le") * 3, "this looks like"),
    ],
)
def test_what_is_no_text(begin: bytes, what: str) -> None:
    for name in ("-", "a.txt", "a.jsonl"):
        with pytest.raises(DataError, match=what):
            form(begin, name)
    assert form(begin, said="text") == "text"


def test_text_may_have_strange_bytes() -> None:
    czech = "Malý pes spí pod stolem a venku prší, takže dnes zůstaneme raději doma."
    for begin in (czech.encode("iso-8859-2"), TEXT.encode() + b"\0\xff\xfe", b"caf\xe9", b"\xff\xff\xff", b"a\0b\n"):
        assert form(begin) == "text"
