# SPDX-License-Identifier: Apache-2.0
"""Sentences in and out: what readers accept, what they say about what they do not, and that nothing is lost."""

from __future__ import annotations

import gzip
import itertools
import json
import lzma
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sentence_material import COLUMNS, CONLLU, ROW, WORDS, read, written

from budgie.errors import DataError
from budgie.formats.sentence_writers import to_conllu, to_json, to_tsv
from budgie.formats.sentences import InputFormat, TokenisedSentence, parse, read_sentences, read_tagged

# ---- columns ---------------------------------------------------------------------------------------------------


def test_columns() -> None:
    first, second = read(COLUMNS)
    assert (first.words, first.tags) == (("#", "1", "und"), ("SYM", "NUM", "_"))
    assert (second.words, second.tags) == (("Ach so",), ("INTJ",))
    row = "\t_\t_\t_\t_\t_\t"
    assert written([first, second]) == (
        f"# text = #1 und\n1\t#\t_\tSYM{row}SpaceAfter=No\n2\t1\t_\tNUM{row}_\n3\tund\t_\t_{row}_\n\n"
        f"1\tAch so\t_\tINTJ{row}_\n\n"
    )


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("the\tDET\ncat\n", 2, "1 column; each line must be a word, a tab and a tag, or ten columns of CoNLL-U"),
        ("the\tDET\n\ncat\tcat\tNOUN\t_\n", 3, "4 columns"),
        ("the\tDET\n\tNOUN\n", 2, "the word is empty"),
        ("the\tthe\tDET\n", 1, "the third column is 'DET'; it must be - (no space follows) or a probability"),
    ],
)
def test_columns_that_are_wrong(text: str, line: int, message: str) -> None:
    with pytest.raises(DataError) as caught:
        read(text)
    assert str(caught.value).startswith(f"here, line {line}: {message}")


# ---- plain text ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("The cat sat .", ("The", "cat", "sat", ".")),
        ("  two  spaces ", ("two", "spaces")),
        ("New York\tis \t\t big", ("New York", "is", "big")),
        ("# 1", ("#", "1")),
        ("non\u00a0breaking \u3000 \u2028", ("non\u00a0breaking", "\u3000", "\u2028")),
        ("", ()),
        ("   ", ()),
        (" \t ", ()),
        ("nul\x00 \x0c", ("nul\x00", "\x0c")),
    ],
)
def test_plain_text(line: str, words: tuple[str, ...]) -> None:
    assert read(f"{line}\nlast", "text") == [TokenisedSentence(words), TokenisedSentence(("last",))]


def test_plain_text_becomes_conllu() -> None:
    rest = "\t_\tX\t_\t_\t_\t_\t_\t"
    first, second, third = read("the cat\n\n_", "text")
    assert to_conllu(first, ["X", "X"]) == f"1\tthe{rest}_\n2\tcat{rest}_\n\n"
    assert to_conllu(second, []) == "\n"
    assert to_conllu(third, ["X"], [0.5]) == f"1\t_{rest}TagProb=0.5000\n\n"


# ---- which format ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("\n\n" + CONLLU, [(), (), WORDS, ("#",)]),
        ("# a comment\twith a tab\n" + CONLLU, [WORDS, ("#",)]),
        (COLUMNS, [("#", "1", "und"), ("Ach so",)]),
        ("#\tSYM\n", [("#",)]),
        ("#\tSYM\n1\tNUM", [("#", "1")]),
        ("# 1\n\nthe cat", [("#", "1"), (), ("the", "cat")]),
        ("# 1\n", [("#", "1")]),
        ("a\tb\tc\td\n", [("a", "b", "c", "d")]),
        ("a b\na\tb\n", [("a", "b"), ("a", "b")]),
        ("\n\n", [(), ()]),
        ("# 1\n" * 2000 + "a\tb\n", [*([("#", "1")] * 2000), ("a", "b")]),  # nobody can wait for ever
        ("", []),
    ],
)
def test_the_format_is_guessed(text: str, words: list[tuple[str, ...]]) -> None:
    sentences = list(itertools.chain.from_iterable(parse([[line] for line in text.splitlines()], "here")))
    assert [sentence.words for sentence in sentences] == words


def test_the_format_can_be_named() -> None:
    assert read("a\tb\n", "text") == [TokenisedSentence(("a", "b"))]
    with pytest.raises(DataError, match="here, line 1: 2 columns"):
        read("a\tb\n", "conllu")
    for suffix in ("", ".gz", ".xz", ".zst"):
        with pytest.raises(DataError, match=rf"corpus\.conllu{suffix}, line 1: 1 column"):
            list(parse([["1 the"]], f"corpus.conllu{suffix}"))


@pytest.mark.parametrize("text", ["plain text\n\nmore\n", "the\tDET\n\ncat\tNOUN\n\n", f"1{ROW}\n2{ROW}\n\n1{ROW}\n"])
def test_a_piece_gives_the_sentences_it_completes(text: str) -> None:
    answered = 0

    def pieces() -> Iterator[list[str]]:
        for number, line in enumerate(text.splitlines()):
            assert answered == number  # all that has come was answered before more is asked for
            yield [line]

    for _ in parse(pieces(), "here"):
        answered += 1


# ---- files -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", ["", ".gz", ".xz"])
def test_files(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"corpus{suffix}"
    data = ("\ufeff" + CONLLU).replace("\n", "\r\n").rstrip().encode()
    path.write_bytes(gzip.compress(data) if suffix == ".gz" else lzma.compress(data) if suffix else data)
    assert list(read_sentences(path)) == read(CONLLU)
    with pytest.raises(DataError, match=f"corpus{suffix}, line 12: the word 'mar' has no tag"):
        read_tagged(path)


def test_reading_is_streaming(tmp_path: Path) -> None:
    path = tmp_path / "corpus"
    path.write_text(COLUMNS + "\n" + "a\tX\n\n" * 5000 + "broken\n", "utf-8")
    sentences = read_sentences(path)
    assert next(sentences).words == ("#", "1", "und")
    with pytest.raises(DataError, match="line 10008: 1 column"):
        list(sentences)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("the\tDET\ncat\t_\n", "line 2: the word 'cat' has no tag"),
        ("the\tDET\ncat\t\n", "line 2: the word 'cat' has no tag"),
        ("the\tDET\ncat\t \n", "line 2: the word 'cat' has no tag"),
        ("\n# text\nthe cat\n", "line 3: 1 column; each line must be a word, a tab and a tag"),
        ("1\tthe\tthe\tDET\t_\n", "line 1: 5 columns"),
        (f"1{ROW}\n\n\n1\tno\n", "line 4: 2 columns"),
        ("# text\n\n\n", "holds no words"),
        ("\n\n", "holds no words"),
        ("", "is empty"),
    ],
)
def test_training_needs_tags(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "train.tsv"
    path.write_text(text, "utf-8")
    with pytest.raises(DataError, match=r"train\.tsv") as caught:
        read_tagged(path)
    assert message in str(caught.value)


def test_training_leaves_out_sentences_of_no_words(tmp_path: Path) -> None:
    path = tmp_path / "train.tsv"
    path.write_text("\n# comment\n\nthe\tDET\n\n\n\ncat\tNOUN", "utf-8")
    assert [(sentence.words, sentence.tags) for sentence in read_tagged(path)] == [
        (("the",), ("DET",)),
        (("cat",), ("NOUN",)),
    ]


def test_every_official_file_can_be_read(shared_data: Callable[[str], Path]) -> None:
    files = [path for name in ("ud11", "ud2") for path in sorted(shared_data(name).glob("*.xz"))]
    assert len(files) > 100
    for path in files:
        sentences = list(itertools.islice(read_sentences(path, tagged=True), 40))
        assert len(sentences) > 30
        assert all(sentence.words and sentence.tags for sentence in sentences)


# ---- any text --------------------------------------------------------------------------------------------------

# What can stand in one line, or in one column, once bytes have been decoded.
lines_of_text = st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]))
cells = st.text(st.characters(exclude_characters="\n\t", exclude_categories=["Cs"]), min_size=1)
words_of_text = cells.filter(lambda word: word.strip(" ") != "")
# Lines that are nearly right come further than any text does.
ids = st.sampled_from(["1", "2", "3", "1-2", "2-3", "0.1", "1.1", "1.2", "#", ""])
rows = st.lists(cells | st.just("_"), min_size=9, max_size=9).map("\t".join)
lines_of_words = st.one_of(st.just(""), ids, st.builds("{}\t{}".format, ids, rows | cells), lines_of_text)
tagged_words = st.lists(st.tuples(words_of_text, st.sampled_from(["NOUN", "X", "ΟΥΣ"])), min_size=1)


@given(st.lists(lines_of_words), st.sampled_from([None, "conllu", "columns", "text"]), st.booleans())
def test_any_text_gives_sentences_or_an_error_with_its_line(
    lines: list[str], form: InputFormat | None, tagged: bool
) -> None:
    try:
        sentences = list(itertools.chain.from_iterable(parse([lines], "here", form, tagged)))
    except DataError as error:
        assert str(error).startswith("here, line ")
        return
    for sentence in sentences:
        assert all(sentence.words)
        assert sentence.tags is None or len(sentence.tags) == len(sentence.words)
    again = written(sentences).split("\n")[:-1]
    if form == "conllu":
        assert again == [line.strip(" \t") and line for line in lines] + [""] * (len(again) - len(lines))
    assert [one.words for many in parse([again], "here", "conllu") for one in many] == [one.words for one in sentences]


@given(st.lists(tagged_words), st.data())
def test_round_trip_of_columns(sentences: list[list[tuple[str, str]]], data: st.DataObject) -> None:
    originals = [TokenisedSentence(*map(tuple, zip(*sentence, strict=True))) for sentence in sentences]
    probabilities = [[data.draw(st.floats(0, 1)) for _ in sentence] for sentence in sentences]
    for numbers in (probabilities, [None] * len(originals)):
        text = "".join(to_tsv(one, one.tags or (), some) for one, some in zip(originals, numbers, strict=True))
        back = read(text, "columns")
        assert [(one.words, one.tags) for one in back] == [(one.words, one.tags) for one in originals]


@given(tagged_words, st.booleans())
def test_round_trip_of_json(sentence: list[tuple[str, str]], scored: bool) -> None:
    words, tags = map(tuple, zip(*sentence, strict=True))
    line = to_json(TokenisedSentence(words), tags, [0.1234567] * len(words) if scored else None)
    assert line.count("\n") == 1
    assert json.loads(line) == {"words": list(words), "tags": list(tags)} | (
        {"probabilities": [0.123457] * len(words)} if scored else {}
    )


@given(st.lists(st.lists(words_of_text.map(lambda word: word.replace(" ", "_")))))
def test_round_trip_of_plain_text(sentences: list[list[str]]) -> None:
    text = "".join(" ".join(words) + "\n" for words in sentences)
    back = read(text, "text")
    assert [list(sentence.words) for sentence in back] == sentences
    assert [one.words for one in read(written(back), "conllu")] == [one.words for one in back]


def test_long_lines_and_long_sentences() -> None:
    word = "x" * 10_000_000
    (sentence,) = read(f"1\t{word}" + "\t_" * 8 + "\n")
    assert sentence.words == (word,)
    (sentence,) = read("".join(f"{number}{ROW}\n" for number in range(1, 100_001)))
    assert len(sentence.words) == 100_000
    assert sys.getsizeof(sentence.words) < 2**20


def test_two_words_with_a_tab_are_not_a_word_with_its_tag() -> None:
    assert [s.words for piece in parse([["Việt Nam\tđẹp"]], "x") for s in piece] == [("Việt Nam", "đẹp")]
    assert [s.words for piece in parse([["Việt Nam\tPROPN", ""]], "x") for s in piece] == [("Việt Nam",)]
