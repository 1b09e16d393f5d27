# SPDX-License-Identifier: Apache-2.0
"""`budgie tag`, and `budgie evaluate` for taggers."""

from __future__ import annotations

import gzip
import json
import lzma
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import SENTENCES, Command, calls_of_the_core, random_tagger, spawn

from budgie import Tagger, coverage
from budgie.cli import main
from budgie.evaluation.tagging import TagScore, evaluate_tags
from budgie.formats.sentence_writers import to_conllu
from budgie.formats.sentences import TokenisedSentence
from budgie.model.config import Group

TOKENISED = [re.sub(r"([.,;?])", r" \1", sentence) for sentence in SENTENCES]
TEXT = "".join(f"{sentence}\n" for sentence in TOKENISED)
WORDS = [sentence.split(" ") for sentence in TOKENISED]
CONLLU = """\
# sent_id = 1
# text = del mar
1-2\tdel\t_\t_\t_\t_\t_\t_\t_\t_
1\tde\tde\tOLD\tS\t_\t3\tcase\t_\t_
2\tel\tel\t_\t_\t_\t3\tdet\t_\tSpaceAfter=No
2.1\t_\t_\t_\t_\t_\t_\t_\t_\t_
3\tmar\tmar\t_\t_\t_\t0\troot\t_\t_

"""


@pytest.fixture(scope="session")
def tagger() -> Tagger:
    groups = (Group("2-grams", "ngrams", 300, 4, n=2, positions=(-1, 0, 1)), Group("ends", "bytes", 256, 2, n=3))
    return Tagger(random_tagger(groups=groups))


@pytest.fixture(scope="session")
def tagger_file(tagger: Tagger, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tagger") / "small.safetensors"
    tagger.model.write(path)
    return path


@pytest.fixture
def tag(tagger_file: Path) -> tuple[str, ...]:
    return "tag", "--model", str(tagger_file)


def tagged(tagger: Tagger, sentences: list[list[str]]) -> bytes:
    """What the command gives for plain text."""
    return "".join(to_conllu(TokenisedSentence(tuple(words)), tagger.tag(words)) for words in sentences).encode()


# ---- tag -------------------------------------------------------------------------------------------------------


def test_plain_text(budgie: Command, tag: tuple[str, ...], tagger: Tagger) -> None:
    expected = tagged(tagger, WORDS)
    assert expected.startswith(b"1\tThe\t_\t")
    for text in (TEXT, TEXT.removesuffix("\n"), TEXT.replace("\n", "\r\n"), "\ufeff" + TEXT, TEXT.replace(" ", "  ")):
        assert budgie(*tag, stdin=text.encode()) == expected
    assert budgie(*tag, "--threads", 2, "-", stdin=TEXT.encode()) == expected
    assert budgie(*tag, stdin=b"") == b""
    assert budgie(*tag, stdin=b"\na\n\n") == b"\n" + tagged(tagger, [["a"]]) + b"\n"


def test_conllu_changes_the_tags_alone(budgie: Command, tag: tuple[str, ...], tagger: Tagger) -> None:
    first, second, third = tagger.tag(["de", "el", "mar"])
    expected = CONLLU.replace("OLD", first).replace("el\tel\t_", f"el\tel\t{second}")
    expected = expected.replace("mar\tmar\t_", f"mar\tmar\t{third}")
    assert budgie(*tag, stdin=(CONLLU * 2).encode()).decode() == expected * 2
    assert budgie(*tag, stdin=CONLLU.replace("\n", "\r\n").rstrip().encode()).decode() == expected


def test_columns(budgie: Command, tag: tuple[str, ...], tagger: Tagger) -> None:
    text = "# text = #1\n#\tX\t-\n1\t_\n\nsecond\tX\n"
    tags = [*tagger.tag(["#", "1"]), *tagger.tag(["second"])]
    output = budgie(*tag, stdin=text.encode()).decode()
    assert output.startswith("# text = #1\n")
    assert [row.split("\t")[3] for row in output.splitlines() if "\t" in row] == tags
    output = budgie(*tag, "--format", "tsv", stdin=text.encode()).decode()
    assert output == "#\t{}\n1\t{}\n\nsecond\t{}\n\n".format(*tags)
    assert budgie(*tag, "--format", "tsv", stdin=output.encode()).decode() == output


def test_input_can_be_named(budgie: Command, tag: tuple[str, ...], tagger: Tagger) -> None:
    assert budgie(*tag, "--input", "text", stdin=b"New York\tsleeps\n") == tagged(tagger, [["New York", "sleeps"]])
    assert budgie(*tag, "--input", "columns", stdin=b"# only\n# comments") == b"# only\n# comments\n\n"
    budgie(*tag, "--input", "conllu", stdin=b"a b", status=1)
    assert budgie.error.startswith(
        b"budgie: standard input, line 1: 1 column; a line of CoNLL-U has 10, separated by tabs"
    )


def test_formats_and_probabilities(budgie: Command, tag: tuple[str, ...], tagger: Tagger) -> None:
    words = WORDS[3]
    tags, (numbers,) = tagger.tag(words), tagger.probabilities([words])
    text = (" ".join(words) + "\n\n").encode()
    rows = zip(words, tags, numbers, strict=True)
    tsv = "".join(f"{word}\t{one}\t{number:.4f}\n" for word, one, number in rows) + "\n\n"
    assert budgie(*tag, "--format", "tsv", "--probabilities", stdin=text).decode() == tsv
    conllu = to_conllu(TokenisedSentence(tuple(words)), tags, numbers) + "\n"
    assert budgie(*tag, "--probabilities", stdin=text).decode() == conllu
    assert f"TagProb={numbers[0]:.4f}\n" in conllu
    first, second = budgie(*tag, "--format", "json", "--probabilities", stdin=text).splitlines()
    assert words[0].encode() in first  # readable, not escaped
    assert json.loads(first) == {
        "words": words,
        "tags": tags,
        "probabilities": [round(number, 6) for number in numbers],
    }
    assert json.loads(second) == {"words": [], "tags": [], "probabilities": []}
    assert json.loads(budgie(*tag, "--format", "json", stdin=b"\n")) == {"words": [], "tags": []}


@pytest.mark.parametrize("options", [[], ["--probabilities"]])
def test_every_sentence_is_tagged_once(
    options: list[str], budgie: Command, tag: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = calls_of_the_core(monkeypatch, "budgie.tasks.tagging", "Tagger")
    budgie(*tag, *options, "--threads", 3, stdin=TEXT.encode())
    ((name, (sentences, *rest)),) = calls
    assert (name, set(rest)) == ("tag_batch", {3, bool(options)})
    assert [list(words) for words in sentences] == WORDS


def test_bytes_that_are_not_utf8(budgie: Command, tag: tuple[str, ...], tagger: Tagger) -> None:
    output = budgie(*tag, stdin=b"caf\xe9 \xff\xfe nul\x00\n")
    assert output == tagged(tagger, [["caf\ufffd", "\ufffd\ufffd", "nul\x00"]])


def test_files_compressed_or_not(budgie: Command, tag: tuple[str, ...], tagger: Tagger, tmp_path: Path) -> None:
    text = (TEXT * 40).encode()
    (tmp_path / "a.txt").write_bytes(text)
    (tmp_path / "b.txt.gz").write_bytes(gzip.compress(text))
    (tmp_path / "c.conllu.xz").write_bytes(lzma.compress(tagged(tagger, WORDS * 40)))  # each is guessed by itself
    files, expected = sorted(tmp_path.iterdir()), tagged(tagger, WORDS * 40)
    for file in files:
        assert budgie(*tag, file) == expected
    assert budgie(*tag, files[2], "-", files[0], stdin=text) == expected * 3
    assert budgie(*tag, *files, "--output", tmp_path / "out") == b""
    assert (tmp_path / "out").read_bytes() == expected * 3


def test_languages(
    budgie: Command, tagger_file: Path, tagger: Tagger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("langid", "pos-xx", "pos-yy"):
        (tmp_path / f"{name}.safetensors").write_bytes(tagger_file.read_bytes())
    monkeypatch.setattr("budgie._MODELS", str(tmp_path))
    monkeypatch.setattr(
        coverage, "of", lambda label: coverage.Coverage(label, coverage.NO_LANGUAGE, None, f"pos-{label}")
    )
    assert budgie("tag", "--language", "xx", stdin=b"a b") == tagged(tagger, [["a", "b"]])
    budgie("tag", "--language", "zz", status=1)
    assert budgie.error == (
        b"budgie: no tagger for 'zz' comes with Budgie; there are taggers for: xx yy; --model takes a model file\n"
    )


def test_answers_come_before_the_input_ends(tag: tuple[str, ...]) -> None:
    with spawn(*tag, "--format", "tsv") as process:
        assert process.stdin and process.stdout
        for text in (b"first", b"second"):
            process.stdin.write(text + b"\n")
            assert process.stdout.readline().startswith(text + b"\t")  # would wait for ever
            assert process.stdout.readline() == b"\n"
        process.stdin.close()
        assert process.wait(timeout=10) == 0


def test_what_came_before_an_error_is_tagged(tag: tuple[str, ...], budgie: Command) -> None:
    output = budgie(*tag, stdin=f"{CONLLU}2\tx\n".encode(), status=1)
    assert output.count(b"\n") == CONLLU.count("\n")
    assert budgie.error == (
        b"budgie: standard input, line 9: 2 columns; a line of CoNLL-U has 10, separated by tabs; "
        b"--errors skip goes on without such records\n"
    )


def test_the_start_imports_little(tag: tuple[str, ...]) -> None:
    program = (
        "import sys, budgie.cli; budgie.cli.main(sys.argv[1:]); heavy = {'numpy', 'torch', 'rich'}; "
        "print(sorted(heavy & sys.modules.keys()))"
    )
    output = subprocess.run([sys.executable, "-c", program, *tag], input=b"text", capture_output=True, check=True)
    assert output.stdout.endswith(b"\n[]\n")


def test_errors_are_one_sentence(budgie: Command, tag: tuple[str, ...], model_file: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.gz").write_bytes(b"no gzip")
    (tmp_path / "in.txt").write_bytes(b"keep me\n")
    (tmp_path / "bad.conllu").write_bytes(b"1\tno\n")
    cases: list[tuple[tuple[object, ...], str]] = [
        (("tag", "--model", "nonsense"), "there is no file nonsense and no model of that name"),
        (("tag", "--model", model_file), "this is a model for langid, not for tagging"),
        (("identify", "--model", tag[2]), "this is a model for pos, not for language identification"),
        ((*tag, tmp_path / "missing.txt"), f"{tmp_path}/missing.txt: No such file or directory"),
        ((*tag, tmp_path / "bad.gz"), f"{tmp_path}/bad.gz: cannot be read (Not a gzipped file"),
        ((*tag, tmp_path / "bad.conllu"), f"{tmp_path}/bad.conllu, line 1: 2 columns"),
        ((*tag, tmp_path / "in.txt", "--output", tmp_path / "in.txt"), f"--output {tmp_path}/in.txt is one of the"),
        (("evaluate", tag[2], tmp_path / "in.txt"), f"{tmp_path}/in.txt, line 1: 1 column"),
        (("evaluate", tag[2], tmp_path / "in.txt", "--known"), f"--known makes no sense with {tag[2]}"),
        (("evaluate", tag[2], tmp_path / "in.txt", "--languages", "en"), "--languages makes no sense"),
        (("evaluate", model_file, tmp_path / "in.txt", "--train", "a"), f"--train makes no sense with {model_file}"),
    ]
    for arguments, message in cases:
        budgie.fails(*arguments, message=message)
    assert (tmp_path / "in.txt").read_bytes() == b"keep me\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ["tag"],
        ["tag", "--language", "en", "--model", "x"],
        ["tag", "--language", "en", "--input", "x"],
        ["tag", "--threads", "0"],
    ],
)
def test_wrong_use(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 2
    assert "usage: budgie tag" in capsys.readouterr().err


def test_help_says_that_text_must_be_tokenised(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["tag", "--help"])
    assert stop.value.code == 0
    assert "tokenised" in capsys.readouterr().out


def test_info(budgie: Command, tagger_file: Path) -> None:
    text = budgie("info", tagger_file).decode()
    assert "2-grams: mean of 2-grams at -1 0 1, 300 x 4, 8 bits, one scale a row" in text
    assert "ends: mean of first and last 3 bytes, 256 x 2" in text


# ---- evaluate --------------------------------------------------------------------------------------------------


def test_evaluate(budgie: Command, tagger: Tagger, tagger_file: Path, tmp_path: Path) -> None:
    answers = tagger.tag_batch(WORDS)
    answers[1][0] = answers[1][1] = "NEW"  # two wrong answers in one sentence of ten
    rows = ["".join(f"{w}\t{t}\n" for w, t in zip(*both, strict=True)) for both in zip(WORDS, answers, strict=True)]
    test, train = tmp_path / "test.tsv", tmp_path / "train.tsv.xz"
    test.write_text("\n".join(rows), "utf-8")
    train.write_bytes(lzma.compress("\n".join([*rows[:1], *rows[2:]]).encode()))
    words = sum(map(len, WORDS))

    result = json.loads(budgie("evaluate", tagger_file, test, "--json", "--threads", 2))
    assert result == {
        "sentences": 10,
        "words": words,
        "accuracy": (words - 2) / words,
        "sentence_accuracy": 0.9,
        "unknown_words": None,
        "unknown_word_accuracy": None,
        "unknown_tags": ["NEW"],
    }
    result = json.loads(budgie("evaluate", tagger_file, test, test, "--train", train, "--json", "--per-label"))
    unknown = len(WORDS[1]) - 1  # no other sentence has any of its words but the full stop
    assert (result["words"], result["unknown_words"]) == (2 * words, 2 * unknown)
    assert result["unknown_word_accuracy"] == (unknown - 2) / unknown
    assert result["tags"]["NEW"] == {"words": 4, "precision": None, "recall": 0.0, "f1": 0.0}
    assert sum(score["words"] for score in result["tags"].values()) == 2 * words
    assert all(confusion["tag"] == "NEW" for confusion in result["confusions"])
    assert sum(confusion["words"] for confusion in result["confusions"]) == 4

    text = budgie("evaluate", tagger_file, test, "--train", train, "--per-label").decode()
    assert f"{words} in 10 sentences" in text
    assert f"{100 * (words - 2) / words:.2f} % of all words" in text
    assert "90.00 % have no wrong tag" in text
    assert f"of the {unknown} words that were not in training" in text
    assert "NEW (always wrong: the model does not know them)" in text
    assert "taken for" in text
    text = budgie("evaluate", tagger_file, test, "--train", test).decode()
    assert "- of the 0 words that were not in training" in text
    assert "taken for" not in text


def test_scores_of_tags(tagger: Tagger) -> None:
    """Six words of three tags; the tagger is asked for its answers, and the data are made from them."""
    words = ("a", "b", "c", "d", "e", "f")
    answers = tagger.tag(words)
    gold = tuple("Z" if answer == answers[0] and number else answer for number, answer in enumerate(answers))
    evaluation = evaluate_tags(tagger, [TokenisedSentence(words, gold)], {"a"})
    first = answers.count(answers[0])
    assert evaluation.tags[answers[0]] == TagScore(words=1, precision=1 / first, recall=1.0, f1=2 / (1 + first))
    assert evaluation.unknown_words == 5
    assert sum(confusion.words for confusion in evaluation.confusions) == first - 1
