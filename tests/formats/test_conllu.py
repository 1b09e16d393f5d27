# SPDX-License-Identifier: Apache-2.0
"""CoNLL-U in and out: what is accepted, what is said about what is not, and that nothing is lost."""

from __future__ import annotations

import itertools

import pytest
from sentence_material import CONLLU, ROW, TAGS, WORDS, read, written

from budgie.errors import DataError
from budgie.formats.sentence_writers import to_conllu
from budgie.formats.sentences import parse


def test_conllu_words_and_tags() -> None:
    first, second = read(CONLLU)
    assert (first.words, first.tags) == (WORDS, TAGS)
    assert (second.words, second.tags) == (("#",), ("SYM",))


@pytest.mark.parametrize(
    "text",
    [
        CONLLU,
        "\n" + CONLLU + "\n\n" + CONLLU,  # sentences of no words
        "# only a comment\n\n" + CONLLU,
        CONLLU.replace("4\tel\t", "# in the midst\n4\tel\t"),
        CONLLU.replace("# sent_id", "#sent_id\twith a tab"),
        CONLLU.replace("\t_\t_\n", "\t\t\n"),
    ],
)
def test_conllu_is_written_as_it_was_read(text: str) -> None:
    assert written(read(text)) == text


def test_new_tags_change_the_column_of_tags_alone() -> None:
    sentences = read(CONLLU)
    tagged = "".join(to_conllu(sentence, ["X"] * len(sentence.words)) for sentence in sentences)
    for before, after in zip(CONLLU.splitlines(), tagged.splitlines(), strict=True):
        if before.partition("\t")[0].isdecimal():
            columns = before.split("\t")
            assert after.split("\t") == [*columns[:3], "X", *columns[4:]]
        else:
            assert after == before


def test_probabilities_in_conllu() -> None:
    rows = to_conllu(read(CONLLU)[0], TAGS, [1, 0.5, 0.25, 0.125, 0.99996, 0]).splitlines()
    notes = {row.split("\t")[0]: row.split("\t")[9] for row in rows if "\t" in row}
    assert notes == {
        "1-2": "_",
        "1": "TagProb=1.0000",
        "2": "TagProb=0.5000",
        "2.1": "CopyOf=1",
        "2.2": "_",
        "3-4": "Note=a|Note=b",
        "3": "TagProb=0.2500",
        "4": "TagProb=0.1250",
        "5": "SpaceAfter=No|TagProb=1.0000",
        "6": "SpaceAfter=No|TagProb=0.0000",
    }


@pytest.mark.parametrize(
    ("ids", "line", "message"),
    [
        (["1", "1"], 2, "the id '1' is out of place, the next word is 2; is the blank line"),
        (["1", "2", "1"], 3, "is the blank line between sentences missing?"),
        (["2"], 1, "the id '2' is out of place, the next word is 1"),
        (["1", "3"], 2, "the id '3' is out of place, the next word is 2"),
        (["0"], 1, "the id '0'"),
        (["01"], 1, "the id '01'"),
        ([""], 1, "the id ''"),
        (["x" * 1000], 1, "the id 'xxxxxxxxxxxxxxxxxxxx' is out of place"),
        (["9" * 10_000], 1, "the id '99999999999999999999' is out"),
        (["１"], 1, "the id '１'"),
        (["1", "1-2"], 2, "the id '1-2'"),
        (["2-3", "1"], 1, "the id '2-3'"),
        (["2-1"], 1, "the id '2-1'"),
        (["1-3", "1", "2-3"], 3, "the id '2-3'"),
        (["1-2", "1-2"], 2, "the id '1-2'"),
        (["1-3", "1", "2"], 3, "a multiword range ends with word 3, but the last is 2"),
        (["1-" + "9" * 5000], 1, "the id '1-999999999999999999' is out"),
        (["1.1"], 1, "the id '1.1'"),
        (["1", "1.2"], 2, "the id '1.2'"),
        (["1", "1.1", "1.1"], 3, "the id '1.1'"),
        (["1", "1.0"], 2, "the id '1.0'"),
        (["1", "2", "1.1"], 3, "the id '1.1'"),
    ],
)
def test_conllu_ids_out_of_place(ids: list[str], line: int, message: str) -> None:
    text = "".join(f"{one}{ROW}\n" for one in ids)
    with pytest.raises(DataError) as caught:
        read(text, "conllu")
    assert str(caught.value).startswith(f"here, line {line}: ")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("1\tthe\tDET", "3 columns; a line of CoNLL-U has 10, separated by tabs"),
        ("1 the _ DET _ _ 0 root _ _", "1 column; a line of CoNLL-U"),
        ("1\t" + ROW, "11 columns"),
        ("1\t\t_\tDET\t_\t_\t_\t_\t_\t_", "the word is empty"),
        ("1\t  \t_\tDET\t_\t_\t_\t_\t_\t_", "the word is empty"),
    ],
)
def test_conllu_lines_that_are_wrong(row: str, message: str) -> None:
    with pytest.raises(DataError) as caught:
        read(f"{CONLLU}# comment\n{row}\n", "conllu")
    assert str(caught.value).startswith(f"here, line 20: {message}")


def test_sentences_before_an_error_come_out() -> None:
    sentences = itertools.chain.from_iterable(parse([f"{CONLLU}1\tno\n".split("\n")], "here"))
    assert [next(sentences).words, next(sentences).words] == [WORDS, ("#",)]
    with pytest.raises(DataError, match="here, line 19"):
        next(sentences)
