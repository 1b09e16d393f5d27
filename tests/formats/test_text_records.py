# SPDX-License-Identifier: Apache-2.0
"""Records of plain text, JSON lines and tables, sound and broken."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgie import ConfigError, DataError
from budgie.formats.record_writers import RecordWriter, json_bytes, tsv_row, utf8
from budgie.formats.records import Batch, Reading, Records

Faults = list[tuple[str, int, str]]


def read(path: Path, data: bytes | str, **options: Any) -> tuple[Records, Batch, Faults]:
    """The records, all of them in one batch, and what was wrong."""
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    faults: Faults = []
    records = Records(str(path), Reading(broken=lambda *fault: faults.append(fault), **options))
    batches = list(records)
    return records, Batch(*([one for batch in batches for one in batch[column]] for column in range(4))), faults


def test_plain_text(tmp_path: Path) -> None:
    path, data = tmp_path / "a.txt", b"\xef\xbb\xbfone\r\n\r\ntwo\xff\nthree"
    records, batch, _ = read(path, data)
    assert records.form == "text"
    assert batch.texts == [b"one", b"", b"two\xff", b"three"]
    assert batch.raw == [b"one\r", b"\r", b"two\xff", b"three"]
    assert batch.lines == [1, 2, 3, 4]
    assert batch.decoded() == ["one", "", "two\ufffd", "three"]
    assert batch.some([3, 1]) == Batch([b"three", b""], [b"three", b"\r"], [4, 2], [])
    _, batch, _ = read(path, data, unit="paragraph")
    assert (batch.texts, batch.lines) == ([b"one", b"two\xff\nthree"], [1, 3])
    _, batch, _ = read(path, data, unit="file")
    assert batch.texts == [data.removeprefix(b"\xef\xbb\xbf")]
    assert read(path, "", unit="file")[1].texts == [b""]
    assert read(path, "")[1].texts == []


def test_json_lines(tmp_path: Path) -> None:
    lines = ['{"text": "a\\nb", "n": 1.10}', "", ' {"n": 2, "text": ""}\r', '{"text": "\\ud83d \\u4e2d"}']
    records, batch, faults = read(tmp_path / "a.jsonl", "\n".join(lines))
    assert records.form == "jsonl"
    assert batch.texts == ["a\nb", "", "\ud83d 中"]
    assert batch.lines == [1, 3, 4]
    assert batch.raw == [lines[0].encode(), lines[2].encode(), lines[3].encode()]
    assert batch.fields[0] == {"text": "a\nb", "n": 1.1}
    assert not faults


def test_names_of_fields(tmp_path: Path) -> None:
    line = json.dumps({"a": {"b": {"c": "deep"}}, "a.b": "flat", "x": {"y.z": "both"}})
    for field, text in (("a.b.c", "deep"), ("a.b", "flat"), ("x.y.z", "both")):
        assert read(tmp_path / "a.jsonl", line, field=field)[1].texts == [text]
    hint = "--field says which has the text, there are 'a.b', 'x.y.z'"
    assert read(tmp_path / "a.jsonl", line, field="a.x.c")[2][0][2] == f"no text in the field 'a.x.c'; {hint}"


def test_names_of_fields_are_told_once(tmp_path: Path) -> None:
    lines = '{"n": 1}\n{"id": "x", "text": null}\n' + 3 * '{"n": 1, "id": "x", "\\u001b": "y", "doc": {"body": "z"}}\n'
    faults = [fault for _, _, fault in read(tmp_path / "a.jsonl", lines)[2]]
    absent = "no text in the field 'text'"
    hint = "--field says which has the text, there are 'id', '\\x1b', 'doc.body'"
    assert faults == [absent, absent, f"{absent}; {hint}", absent, absent]
    many = json.dumps({f"f{number}": "x" for number in range(1000)})
    (fault,) = (fault for _, _, fault in read(tmp_path / "a.jsonl", many)[2])
    assert fault.count("'f") == 20


def test_broken_json(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    broken = {
        '{"text": "x"': "not JSON (Expecting ',' delimiter at character 13)",
        "[" * 100_000: "nested too deeply",
        '["text"]': "not an object of JSON",
        '{"text": null}': "no text in the field 'text'",
        "{}": "no text in the field 'text'",
        '{"text": ["x"]}': "the field 'text' is no text",
        '{"text": 12}': "the field 'text' is no text",
    }
    lines = [line for one in broken for line in ('{"text": "fine"}', one)]
    _, batch, faults = read(path, "\n".join(lines))
    assert batch.texts == ["fine"] * len(broken)
    assert faults == [(str(path), 2 * number, fault) for number, fault in enumerate(broken.values(), 1)]
    found: list[list[str] | list[bytes]] = []
    with pytest.raises(DataError, match=r"a\.jsonl, line 2: not JSON"):
        found.extend(batch.texts for batch in Records(str(path)))
    assert found[0] == ["fine"]  # what came before


def test_tables(tmp_path: Path) -> None:
    records, batch, faults = read(tmp_path / "a.csv", '\ufeffid,text\n1,"a\nb"\n2\n3,c\n')
    assert (records.form, records.columns, records.header) == ("csv", ["id", "text"], b"id,text")
    assert (batch.texts, batch.lines, batch.fields) == (["a\nb", "c"], [2, 5], [["1", "a\nb"], ["3", "c"]])
    assert batch.raw == [b'1,"a\nb"', b"3,c"]
    assert faults == [(str(tmp_path / "a.csv"), 4, "1 columns, the header has 2")]
    assert read(tmp_path / "a.tsv", "id\tbody\n1\tx\n", field="body")[1].texts == ["x"]
    assert read(tmp_path / "a.csv", "")[1].texts == read(tmp_path / "a.csv", "text\n")[1].texts == []
    with pytest.raises(
        DataError, match=r"a\.csv: no column 'text'; --field says which has the text, there are id, body"
    ):
        read(tmp_path / "a.csv", "id,body\n")
    with pytest.raises(DataError, match=r"a\.csv, line 1: not CSV"):
        read(tmp_path / "a.csv", 'id,"te"xt\n')


@pytest.mark.parametrize("end", ["\n", "\r\n", "\n\r\n\n", ""])
def test_rows_before_empty_lines_at_the_end_are_read(tmp_path: Path, end: str) -> None:
    _, batch, _ = read(tmp_path / "a.csv", f"id,text\n1,Hello there\n2,Guten Tag\n{end}")
    assert (batch.texts, batch.lines) == (["Hello there", "Guten Tag"], [2, 3])
    assert read(tmp_path / "a.tsv", f"text\n\n\nWer?\n{end}")[1].texts == ["Wer?"]


def test_a_record_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(
        ConfigError, match=r"a\.jsonl is read as JSON lines, where a text is what a record has, and no fil"
    ):
        read(tmp_path / "a.jsonl", '{"text": "a"}', unit="file")
    assert read(tmp_path / "a.jsonl", '{"text": "a"}', usual_unit="paragraph")[1]
    assert read(tmp_path / "a.jsonl", '{"text": "a"}', unit="file", form="text")[1].texts == [b'{"text": "a"}']


# ---- writers ---------------------------------------------------------------------------------------------------


def written(path: Path, data: str, answer: dict[str, Any], field: str | None = None, **options: Any) -> list[bytes]:
    path.write_bytes(data.encode())
    records = Records(str(path), Reading(field=field))
    writer = RecordWriter(records, answer, **options)
    (batch,) = (batch for batch in records if batch.texts)
    return [writer.json(batch, number, dict(answer)) for number in range(len(batch.texts))]


def test_json_of_plain_text(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    assert written(path, "we\n", {"n": 1}) == [b'{"text": "we", "n": 1}\n']
    assert written(path, "we\n", {"n": 1}, into="x") == [b'{"text": "we", "x": {"n": 1}}\n']
    assert written(path, "we\n", {"n": 1}, text=False) == [b'{"n": 1}\n']
    found = written(path, "we\n", {"n": 1}, where=True, text=False)
    assert [json.loads(line) for line in found] == [{"file": str(path), "line": 1, "n": 1}]


def test_json_of_records(tmp_path: Path) -> None:
    path, line = tmp_path / "a.jsonl", ' {"id": 1.50, "text": "\\u4e2d", "more": {"b": [1]}} '
    assert written(path, line, {"n": 1}) == [
        b'{"id": 1.50, "text": "\\u4e2d", "more": {"b": [1]}, "n": 1}\n'  # to the last digit
    ]
    assert written(path, line, {"n": 1}, into="x") == [
        b'{"id": 1.50, "text": "\\u4e2d", "more": {"b": [1]}, "x": {"n": 1}}\n'
    ]
    assert written(path, line, {"n": 1}, text=False) == [b'{"id": 1.5, "more": {"b": [1]}, "n": 1}\n']
    assert written(path, '{"text": "x"}', {"n": 1}, text=False) == [b'{"n": 1}\n']
    nested = '{"a": {"b": "x", "c": 1}}'
    assert written(path, nested, {"n": 1}, "a.b", text=False) == [b'{"a": {"c": 1}, "n": 1}\n']
    with pytest.raises(
        DataError, match=r"a\.jsonl, line 1: there is a field 'more' already; --into NAME gives the ans"
    ):
        written(path, line, {"more": 1})
    with pytest.raises(DataError, match="line 1: there is a field 'id' already"):
        written(path, line, {"n": 1}, into="id")
    with pytest.raises(DataError, match=r"a\.csv: there is a field 'n' already; --into NAME gives the answer a place"):
        written(tmp_path / "a.csv", "n,text\n1,x\n", {"n": 1})
    assert written(tmp_path / "a.csv", 'id,text\n1,"x\ny"\n', {"n": 1}) == [b'{"id": "1", "text": "x\\ny", "n": 1}\n']


def test_columns(tmp_path: Path) -> None:
    records, batch, _ = read(tmp_path / "a.csv", 'id,text,n\n"1\t2","""x"" y",5" z\n')
    writer = RecordWriter(records)
    assert writer.header(["language"]) == b"language\tid\ttext\tn\n"
    assert writer.beside(batch) == [b'\t"1\t2"\t"""x"" y"\t5" z\n']
    assert RecordWriter(records, text=False).header(["a"]) == b"a\tid\tn\n"
    writer = RecordWriter(records, into="x", where=True)
    assert writer.header(["a", "id"]) == b"x.a\tx.id\tfile\tline\tid\ttext\tn\n"
    place = f"\t{tmp_path}/a.csv\t2\t".encode()
    assert writer.beside(batch)[0].startswith(place)
    with pytest.raises(DataError, match="there is a field 'id' already"):
        RecordWriter(records).header(["id"])
    records, batch, _ = read(tmp_path / "a.jsonl", '{"text": "a\\tb\\nc\\ud83d"}')
    assert RecordWriter(records).beside(batch) == ["\ta b c\ufffd\n".encode()]


def test_lone_surrogates() -> None:
    assert utf8("a\ud83d😀\udc00") == "a\ufffd😀\ufffd".encode()
    assert json_bytes({"a": "中"}) == '{"a": "中"}'.encode()
    assert json.loads(json_bytes({"a": "中\ud83d"})) == {"a": "中\ud83d"}
    assert tsv_row(["a", "b"]) == b"a\tb\n"


# ---- anything ----------------------------------------------------------------------------------------------------


@given(
    st.binary(max_size=60) | st.text('{}[]":,;\t\r\n "text"a1\\', max_size=60).map(str.encode),
    st.sampled_from(["a.txt", "a.jsonl", "a.csv", "a.tsv", "a.gz", "a.xz"]),
    st.sampled_from([None, "line", "paragraph", "file"]),
)
def test_any_bytes_are_records_or_a_data_error(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, name: str, unit: Any
) -> None:
    try:
        _, batch, _ = read(tmp_path_factory.mktemp("any") / name, data, usual_unit=unit or "line")
    except DataError:
        return
    assert len(batch.texts) == len(batch.raw) == len(batch.lines)
    assert batch.lines == sorted(batch.lines)
