# SPDX-License-Identifier: Apache-2.0
"""Corpora of text: JSON lines, CSV and plain text into a folder. Needs nothing but Budgie."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from conftest import Command
from corpus_material import TEXTS, files, json_lines, make_corpus, read_lines, rows, with_text

import budgie as package

NAMES = {"a.jsonl", "deep/b.jsonl.gz", "deep/er/c.jsonl", "plain.jsonl"}


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return make_corpus(tmp_path)


def test_every_file_becomes_one(budgie: Command, corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert budgie("annotate", corpus, "--output", f"{out}/", notes=True) == b""
    assert files(out) == NAMES
    for name, first, count in (("a.jsonl", 0, 40), ("deep/b.jsonl.gz", 100, 30)):
        given = with_text(rows(count, first))
        assert read_lines(out / name) == [{**one, **package.annotate(one["text"]).to_dict()} for one in given]
    assert [one["id"] for one in read_lines(out / "deep/er/c.jsonl")] == ["1", "2"]
    assert [one["language"] for one in read_lines(out / "plain.jsonl")] == ["de", "en"]
    notes = budgie.error.decode()
    assert notes.startswith("budgie: 4 of 4 files, ") and "_report.html" in notes
    assert (out / "_report.html").read_text().startswith("<!DOCTYPE html>")


def test_the_same_as_one_file_by_itself(budgie: Command, corpus: Path, tmp_path: Path) -> None:
    """Each file is as the command writes it alone, in every format, with every option."""
    options = ("--keep", "de,en", "--least", "0.5", "--where", "--probabilities")
    for form in ("jsonl", "conllu", "tsv"):
        out = tmp_path / form
        budgie("annotate", corpus, *options, "--format", form, "--output", f"{out}/", notes=True)
        alone = budgie("annotate", *options, "--format", form, corpus / "a.jsonl", notes=True)
        assert (out / f"a.{form}").read_bytes() == alone != b""
    budgie("annotate", corpus, "--format", "html", "--output", f"{tmp_path}/html/", notes=True)
    assert (tmp_path / "html/plain.html").read_text().count("<article") == 2


def test_workers_and_threads_change_nothing(budgie: Command, corpus: Path, tmp_path: Path) -> None:
    for workers in (1, 2):
        budgie("annotate", corpus, "--workers", workers, "--output", f"{tmp_path}/{workers}/", notes=True)
    summaries = [json.loads((tmp_path / f"{workers}/_summary.json").read_bytes()) for workers in (1, 2)]
    for name in NAMES:
        assert (tmp_path / "1" / name).read_bytes() == (tmp_path / "2" / name).read_bytes()
    for one in summaries:
        assert one.pop("seconds") > 0
        assert one.pop("workers") and one.pop("output")
    assert summaries[0] == summaries[1]


def test_summary(budgie: Command, corpus: Path, tmp_path: Path) -> None:
    budgie(
        "annotate", corpus / "a.jsonl", "--keep", "de", "--tasks", "language", "--output", f"{tmp_path}/o/", notes=True
    )
    summary = json.loads((tmp_path / "o/_summary.json").read_bytes())
    texts = [str(one["text"]) for one in with_text(rows(40))]
    answers = [package.identify(text) for text in texts]
    sizes = [len(text.encode()) for text in texts]
    kept = [one.language == "de" and one.reliable for one in answers]
    assert (summary["documents"], summary["bytes"], summary["kept"]) == (len(texts), sum(sizes), sum(kept))
    assert summary["kept_bytes"] == sum(size for size, is_kept in zip(sizes, kept, strict=True) if is_kept)
    german = [one for one in answers if one.language == "de"]
    assert summary["languages"]["de"]["documents"] == len(german)
    assert summary["languages"]["de"]["reliable"] == sum(one.reliable for one in german)
    assert sum(summary["lengths"].values()) == sum(summary["probabilities"]) == len(texts)
    assert summary["lengths"]["0"] == sizes.count(0)
    assert summary["lengths"]["32"] == sum(32 <= size < 64 for size in sizes)
    assert summary["probabilities"][19] == sum(one.probability >= 0.95 for one in answers)
    assert summary["options"] == {"tasks": ["language"], "keep": ["de"]}
    assert b"kept 5 of 35 texts (14.3 %)" in budgie.error
    assert [one["text"] for one in read_lines(tmp_path / "o/a.jsonl")] == [TEXTS[0]] * 5


def test_broken_records_and_files(budgie: Command, corpus: Path, tmp_path: Path) -> None:
    (corpus / "b.jsonl").write_bytes(json_lines(rows(5)) + b"{\n")  # one text is null
    (corpus / "c.txt.gz").write_bytes(b"\x1f\x8b, and then nothing of a gzip file")
    out = f"{tmp_path}/out/"
    budgie("annotate", corpus, "--workers", 1, "--output", out, status=1)
    assert b"b.jsonl, line 4: no text in the field 'text'; --errors skip goes on" in budgie.error
    assert "b.jsonl" not in files(tmp_path / "out")
    shards = json.loads((tmp_path / "out/_summary.json").read_bytes())["shards"]
    assert (shards["all"], shards["now"], shards["failed"]) == (6, 1, 1)
    budgie("annotate", corpus, "--errors", "skip", "--output", out, status=1)
    assert files(tmp_path / "out") == NAMES | {"b.jsonl"}
    summary = json.loads((tmp_path / "out/_summary.json").read_bytes())
    assert summary["skipped"]["records"] == 2 and "line 4" in summary["skipped"]["examples"][0]
    assert summary["shards"]["failed"] == 1 and "c.txt.gz" in summary["shards"]["failures"][0]
    assert len(read_lines(tmp_path / "out/b.jsonl")) == 4


def test_a_file_of_which_every_record_is_broken(budgie: Command, corpus: Path, tmp_path: Path) -> None:
    annotate = ("annotate", corpus / "a.jsonl", "--field", "nothing", "--errors", "skip", "--output", f"{tmp_path}/o/")
    budgie(*annotate, status=1)
    assert b"a.jsonl: all of its 35 records are broken, as" in budgie.error
    assert files(tmp_path / "o") == set()


def test_from_python(corpus: Path, tmp_path: Path) -> None:
    from budgie.corpus import Options, annotate_corpus

    options = Options(tasks="language", keep="de,ja")  # type: ignore[arg-type]  # as people write it
    run = annotate_corpus(corpus / "a.jsonl", tmp_path / "o", options)
    assert {one["language"] for one in read_lines(tmp_path / "o/a.jsonl")} == {"de", "ja"}
    again = annotate_corpus(
        [str(corpus / "a.jsonl")], f"{tmp_path}/o/", Options(tasks=("language",), keep=("ja", "de"))
    )
    assert (run.done, again.before, again.found) == (1, 1, run.found)


def test_what_cannot_be(budgie: Command, corpus: Path, tmp_path: Path) -> None:
    out = f"{tmp_path}/out/"
    budgie.fails("annotate", corpus, "--output", corpus, message=f"{corpus / 'a.jsonl'} is inside of the folder")
    budgie.fails("annotate", f"{corpus}/*.nothing", "--output", out, message=f"{corpus}/*.nothing: there are no files")
    budgie.fails("annotate", corpus / "nothing", "--output", out, message=f"{corpus / 'nothing'}: No such file")
    budgie.fails("annotate", "--output", out, message="files are needed")
    for many in (corpus, f"{corpus}/*.jsonl"):
        budgie.fails(
            "annotate", many, "--output", "new", message=f"--output new is a file, and {many} may be many; for"
        )
    (tmp_path / "full").mkdir()
    (tmp_path / "full/mine.txt").write_text("mine")
    budgie.fails("annotate", corpus, "--output", tmp_path / "full", message=f"{tmp_path / 'full'} has files that no")
    for option in (["--engine", "local"], ["--workers", "2"], ["--overwrite"]):
        budgie.fails("annotate", corpus / "a.jsonl", *option, message=f"{option[0]} goes with --output FOLDER/")
    budgie.fails("annotate", corpus, "--output", out, "--address", "x", message="--address goes with --engine ray")
    (corpus / "a.csv").write_text("text\nx\n")
    budgie.fails("annotate", corpus / "a.csv", corpus / "a.jsonl", "--output", out, message=f"{corpus / 'a.csv'} and")


def test_nothing_of_others_is_lost(budgie: Command, corpus: Path, tmp_path: Path) -> None:
    """Inputs, and files that were there before, by whatever names and links."""
    out, line = tmp_path / "out", (corpus / "a.jsonl").read_bytes()
    annotate = ("annotate", corpus / "a.jsonl", "--tasks", "language", "--output", f"{out}/")
    out.mkdir()
    (out / "a.jsonl").symlink_to(corpus / "a.jsonl")
    for option in ([], ["--overwrite"]):
        budgie.fails(*annotate, *option, message=f"{out}/a.jsonl is a link that leads out of {out}/")
    (out / "a.jsonl").unlink()
    (out / "_summary.json").symlink_to(tmp_path / "elsewhere")
    budgie.fails(*annotate, message=f"{out}/_summary.json is a link that leads out of")
    (out / "_summary.json").unlink()
    (tmp_path / "x.jsonl").write_bytes(line)
    up = ("annotate", f"{corpus}/d*/../../x.jsonl", "--tasks", "language", "--output", f"{out}/")
    budgie.fails(*up, message=f"{corpus}/../x.jsonl would be written to {out}/../x.jsonl, where it must not be")
    budgie(*annotate, notes=True)
    other = tmp_path / "other"
    other.mkdir()
    (other / "a.jsonl").write_bytes(line)
    fails = ("annotate", other, "--tasks", "language", "--output", f"{out}/")
    budgie.fails(
        *fails, message=f"{out}/a.jsonl was made of {corpus}/a.jsonl, and {other}/a.jsonl would take its place"
    )
    (corpus / "z.jsonl").write_bytes(line)
    (out / "z.jsonl").write_text("mine")
    budgie.fails(
        "annotate", corpus, *annotate[2:], message=f"{out}/z.jsonl is there, and no earlier run has written it"
    )
    assert (out / "z.jsonl").read_text() == "mine" and (corpus / "a.jsonl").read_bytes() == line
    budgie.fails("annotate", "", "--output", f"{out}/", message="an empty name is that of no file")


def test_output_among_the_inputs(budgie: Command, corpus: Path) -> None:
    annotate = ("annotate", corpus, "--tasks", "language", "--output", f"{corpus}/out/")
    budgie(*annotate, notes=True)
    budgie(*annotate, notes=True)
    assert b"4 of 4 files (4 by an earlier run)" in budgie.error
    assert files(corpus / "out") == NAMES


def test_links_are_followed_once(budgie: Command, corpus: Path, tmp_path: Path) -> None:
    (corpus / "deep/loop").symlink_to(corpus)
    (corpus / "again.txt").symlink_to(corpus / "plain.txt")
    budgie("annotate", corpus, corpus / "a.jsonl", "--tasks", "language", "--output", f"{tmp_path}/o/", notes=True)
    assert files(tmp_path / "o") == {"again.jsonl", *NAMES} - {"plain.jsonl"}


def test_overwriting_removes_what_was_made_otherwise(budgie: Command, corpus: Path, tmp_path: Path) -> None:
    out = f"{tmp_path}/o/"
    budgie("annotate", corpus, "--tasks", "language", "--output", out, notes=True)
    budgie("annotate", corpus / "a.jsonl", "--tasks", "spans", "--overwrite", "--output", out, notes=True)
    assert files(tmp_path / "o") == {"a.jsonl"}


def test_parquet_without_pyarrow(
    budgie: Command, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.startswith("budgie.corpus.tables")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    out = f"{tmp_path}/out/"
    budgie.fails(
        "annotate", corpus, "--format", "parquet", "--output", out, message="Parquet and Arrow files need pyarr"
    )
    assert not Path(out).exists()
