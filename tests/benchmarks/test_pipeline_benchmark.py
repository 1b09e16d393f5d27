# SPDX-License-Identifier: Apache-2.0
"""The benchmark of the pipeline, as far as it needs no peers: what systems say becomes what is scored."""

from __future__ import annotations

import json
import re
import sys
from types import SimpleNamespace

import pytest
from benchmarks.pipeline import material, tables, udpipe_models
from benchmarks.pipeline.scores import read, scored
from benchmarks.pipeline.systems import System, located, one_by_one, one_pass
from benchmarks.places import ROOT

from budgie.formats.treebank import TreebankSentence, TreebankToken, TreebankWord


def token(text: str, space: str = " ", *words: tuple[str, str]) -> TreebankToken:
    return TreebankToken(text, space, tuple(TreebankWord(*word) for word in words or ((text, "X"),)))


GOLD = [
    TreebankSentence((token("Il"), token("parle"), token("du", " ", ("de", "ADP"), ("le", "DET")), token("chat", ""))),
    TreebankSentence((token("Oui", ""), token(".", "")), begins_paragraph=True),
]
TEST = material.TestSet("fr_test", "fr", GOLD)
DU = [("de", "ADP"), ("le", "DET")]


def test_paragraphs_are_texts() -> None:
    assert TEST.texts == ["Il parle du chat", "Oui."]
    assert [len(some) for some in material.paragraphs(GOLD)] == [1, 1]
    assert TEST.tokens == 6


def test_a_perfect_answer_is_right() -> None:
    right = [[(0, 2, [("Il", "X")]), (3, 8, [("parle", "X")]), (9, 11, DU), (12, 16, [("chat", "X")])]]
    found = scored(TEST, [right, [[(0, 3, [("Oui", "X")]), (3, 4, [(".", "X")])]]])
    assert (found.tokens.f1, found.sentences.f1, found.words.f1, found.tags.f1) == (1, 1, 1, 1)


def test_what_a_system_leaves_out_is_wrong_but_not_lost() -> None:
    # Without the word in the middle, and with both sentences of the second text in one token.
    found = scored(TEST, [[[(0, 2, []), (9, 16, [])]], [[(0, 4, [])]]])
    assert (found.tokens.gold, found.tokens.found, found.tokens.right) == (6, 4, 2)  # Il, parle
    assert found.sentences.f1 == 1


def test_what_stands_before_a_sentence_belongs_to_the_one_before() -> None:
    made = read("A - B c", [[(0, 1, [])], [(4, 5, [])]])
    assert [[one.text for one in sentence.tokens] for sentence in made] == [["A", "-"], ["B", "c"]]
    assert [[one.text for one in sentence.tokens] for sentence in read("- B", [])] == [["-", "B"]]


def test_places_of_strings() -> None:
    text = "One  two\nthree four"
    assert list(located(text, ["One ", "two three", "4", "four"])) == [(0, 3), (5, 14), (14, 14), (15, 19)]
    assert list(located(text, ["two"])) == [(5, 8)]  # something before it was left out


def test_texts_for_speed_end_with_a_sentence() -> None:
    sentence = TreebankSentence((token("a" * 300),))
    texts = material.TestSet("en_test", "en", list(material.in_texts([sentence] * 20))).texts
    assert "".join(texts).count("a") == 6000
    assert all(len(text.strip()) >= material.TEXT for text in texts[:-1])


def test_passes_are_cut_short() -> None:
    asked: list[int] = []
    system = System(one_by_one(lambda _: []), {"tokens": lambda texts: asked.append(len(texts))})
    passes, peak = system.time("tokens", ["a"] * 160, 0.001)
    assert peak > 0 and passes[0][0] == 10  # the first is a sixteenth
    assert passes[1][0] == 160 and asked[1] == 160  # and this was quick enough for all at once
    assert one_pass(lambda texts: sum(range(20_000)), ["a"] * 160, 20, 1e-9)[0] == 20


def test_conllu_that_udpipe_learns_from() -> None:
    lines = list(udpipe_models.conllu(GOLD))
    assert lines[2] == "3-4\tdu\t_\t_\t_\t_\t_\t_\t_\t_"
    assert [line.split("\t")[1] for line in lines if line[:1].isdigit()] == "Il parle du de le chat Oui .".split()
    assert lines[5].endswith("SpaceAfter=No") and lines[7] == "# newpar"


def test_summary_says_where_ours_is_behind() -> None:
    tests = [material.TestSet(name, name[:2], []) for name in ("de_a", "de_b", "fr_a")]

    def same(*values: float) -> dict[str, dict[str, float]]:
        return {test.name: {"tokens": value} for test, value in zip(tests, values, strict=True)}

    found = {"budgie": same(0.9, 0.8, 0.7), "udpipe": same(0.8, 0.8, 0.75)}
    assert tables.by_language(found, tests, "budgie", "tokens") == pytest.approx({"de": 0.85, "fr": 0.7})
    assert "| UDPipe 1 | 2 | 77.50 | 77.50 | 1, 0, 1 |" in tables.summary(found, tests, ["tokens"])
    assert tables.best_of_all(found, tests, "tokens") == (
        "Tokens: no peer is better in 1 of 2 languages; behind by points of F1 in fr 5.00 (UDPipe 1).\n"
    )


def test_long_texts_for_pysbd(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pysbd", SimpleNamespace(Segmenter=None))
    from benchmarks.pipeline.systems.pysbd import in_pieces

    text = "One two. Three. Four five six. " * 30
    sizes: list[int] = []

    def segment(piece: str) -> list[str]:
        sizes.append(len(piece))
        return re.findall(r"[^.]+\.? ?", piece)

    assert list(in_pieces(text, segment, 100)) == segment(text)
    assert max(sizes[:-1]) == 100
    assert "".join(in_pieces("a" * 250, segment, 100)) == "a" * 250


def test_recorded_results_are_those_of_the_page() -> None:
    recorded = json.loads((ROOT / "benchmarks" / "pipeline" / "results.json").read_text("utf-8"))
    page = (ROOT / "docs" / "results" / "pipeline.md").read_text("utf-8")
    assert f"\n{recorded['command']}\n" in page
    for system in recorded["systems"]:
        for found in system["by_language"].values():
            scores = [f"{value:.2f}" for name, value in found.items() if name.endswith("_f1") and name != "words_f1"]
            rates = [f"{value:,}" for name, value in found.items() if name.endswith("_per_s")]
            assert [value for value in scores + rates if value not in page] == [], system["name"]
