# SPDX-License-Identifier: Apache-2.0
"""Several ways to an order side by side: the most probable one is found, and the beam is kept and checked."""

from __future__ import annotations

import json
import pickle
import random
import time
from pathlib import Path
from typing import Any

import pytest
from conftest import (
    PLAIN_GROUPS,
    SENTENCES,
    Command,
    random_model,
    random_preorderer,
    random_segmenter,
    random_tagger,
    stubborn_preorderer,
)
from reference.preordering import Network

import budgie as package
from budgie import ConfigError, Preorderer
from budgie.cli import main
from budgie.evaluation.preordering import evaluate_order
from budgie.formats.alignments import read_aligned
from budgie.model.config import Group

WORDS = [sentence.split() for sentence in SENTENCES]
MODELS = {"tags": random_preorderer(0), "without tags": random_preorderer(17, PLAIN_GROUPS)}
NETWORKS = {name: Network(model) for name, model in MODELS.items()}
every_model = pytest.mark.parametrize("name", MODELS)


def drawn(count: int, shortest: int, longest: int, seed: int) -> list[list[str]]:
    draw = random.Random(seed)
    return [
        [draw.choice("abcdef") + draw.choice("xyz") for _ in range(draw.randint(shortest, longest))]
        for _ in range(count)
    ]


# ---- what it finds ---------------------------------------------------------------------------------------------


@every_model
def test_a_beam_of_one_is_greedy(name: str) -> None:
    network, one = NETWORKS[name], Preorderer(MODELS[name], beam=1)
    sentences, compared = [*WORDS, *drawn(20, 0, 20, 1)], 0
    assert one.permutations(sentences) == Preorderer(MODELS[name]).permutations(sentences)
    for sentence in sentences:
        expected, clear = network.reorder(sentence)
        if clear > 1e-4:
            compared += 1
            assert one.reorder(sentence).permutation == expected == network.beam(sentence, 1)[0]
    assert compared > 0.8 * len(sentences)


@every_model
def test_a_beam_of_many_finds_the_most_probable_way(name: str) -> None:
    """Of three words there are 20 ways, of four 560: then a beam of 64 could miss the best one, but seldom does."""
    network, compared, others = NETWORKS[name], 0, 0
    widest = Preorderer(MODELS[name], beam=64)
    for sentence in [*drawn(40, 0, 3, 2), *drawn(20, 4, 4, 2)]:
        expected, clear = network.most_probable(sentence)
        if clear > 1e-4:
            compared += 1
            others += network.reorder(sentence)[0] != expected
            assert widest.reorder(sentence).permutation == expected
    assert compared > 50
    assert others > 0  # greedily it is another one


@every_model
@pytest.mark.parametrize("width", [2, 3, 8])
def test_a_beam_is_that_of_the_reference(name: str, width: int) -> None:
    network, preorderer = NETWORKS[name], Preorderer(MODELS[name], width)
    compared, others, sentences = 0, 0, drawn(15, 4, 12, width)
    for sentence in sentences:
        expected, clear = network.beam(sentence, width)
        if clear > 1e-4:
            compared += 1
            others += network.reorder(sentence)[0] != expected
            assert preorderer.reorder(sentence).permutation == expected
    assert compared > 0.6 * len(sentences)
    assert others > 0


@every_model
@pytest.mark.parametrize("width", [2, 7, 64])
def test_neither_batch_nor_threads_change_an_order(name: str, width: int) -> None:
    preorderer, sentences = Preorderer(MODELS[name], beam=width), [*WORDS, *drawn(60, 0, 15, 3)]
    sentences.insert(5, [f"w{i}" for i in range(1100)])
    alone = [preorderer.reorder(sentence) for sentence in sentences]
    orders = [one.permutation for one in alone]
    assert [sorted(order) for order in orders] == [list(range(len(sentence))) for sentence in sentences]
    for threads in (1, 3):
        assert preorderer.reorder_batch(sentences, threads) == alone
        assert preorderer.permutations(sentences[::-1], threads) == orders[::-1]
    assert orders != Preorderer(MODELS[name]).permutations(sentences)


def test_a_long_line_takes_no_minutes() -> None:
    for model in (MODELS["tags"], stubborn_preorderer(1, 0, 2)):
        begin = time.process_time()
        assert sorted(Preorderer(model, beam=4).reorder(["w"] * 3000).permutation) == list(range(3000))
        assert time.process_time() - begin < 10


# ---- the setting -----------------------------------------------------------------------------------------------


def test_widths_that_make_no_sense(tmp_path: Path) -> None:
    model, path = MODELS["without tags"], tmp_path / "model.safetensors"
    model.write(path)
    for wrong in (0, 65, -1, 2**70):
        for make in (lambda beam: Preorderer(model, beam), lambda beam: package.load(path, beam=beam)):
            with pytest.raises(ConfigError, match=f"beam must be between 1 and 64, not {wrong}"):
                make(wrong)
    other: Any
    for other in (2.5, "4", [4]):
        with pytest.raises(TypeError, match="beam must be a whole number, not "):
            Preorderer(model, other)
        with pytest.raises(TypeError, match="beam must be a whole number, not "):
            package.load(path, beam=other)


def test_the_beam_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    MODELS["tags"].write(path)
    assert package.load(path).beam == Preorderer(MODELS["tags"]).beam == 1
    loaded = package.load(path, beam=2)
    assert loaded.beam == 2
    with pytest.raises(AttributeError):
        loaded.beam = 3
    assert loaded.beam == 2
    assert repr(loaded) == "<Preorderer with <Tagger of 5 tags>, beam 2>"
    again = pickle.loads(pickle.dumps(loaded))
    assert (again.beam, repr(again)) == (2, repr(loaded))
    sentences = drawn(40, 0, 15, 4)
    assert again.permutations(sentences) == loaded.permutations(sentences) != package.load(path).permutations(sentences)


# ---- the command line ------------------------------------------------------------------------------------------


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "model.safetensors"
    MODELS["tags"].write(path)
    return path


def test_preorder(budgie: Command, model: Path) -> None:
    sentences = [*WORDS, *drawn(30, 0, 15, 5)]
    text = "".join(" ".join(sentence) + "\n" for sentence in sentences).encode()
    answers = {
        beam: "".join(" ".join(one.words) + "\n" for one in package.load(model, beam=beam).reorder_batch(sentences))
        for beam in (1, 2)
    }
    assert answers[1] != answers[2]
    for threads in (1, 2):
        found = budgie("preorder", "--model", model, "--beam", 2, "--threads", threads, stdin=text)
        assert found.decode() == answers[2]
    assert budgie("preorder", "--model", model, "--beam", 1, stdin=text).decode() == answers[1]
    budgie.fails("preorder", "--model", model, "--beam", 65, message="beam must be between 1 and 64, not 65")


@pytest.mark.parametrize("beam", ["0", "-1", "2.5", "many"])
def test_what_is_no_width(beam: str, model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["preorder", "--model", str(model)], ["evaluate", str(model), "data"]):
        with pytest.raises(SystemExit) as stop:
            main([*arguments, "--beam", beam])
        assert stop.value.code == 2
        assert "--beam" in capsys.readouterr().err


def test_evaluate(budgie: Command, model: Path, tmp_path: Path) -> None:
    draw, sentences = random.Random(6), drawn(30, 2, 12, 6)
    links = [" ".join(f"{i}-{j}" for i, j in enumerate(draw.sample(range(len(one)), len(one)))) for one in sentences]
    prefix = tmp_path / "test"
    (tmp_path / "test.src").write_text("".join(" ".join(one) + "\n" for one in sentences), "utf-8")
    (tmp_path / "test.align").write_text("".join(one + "\n" for one in links), "utf-8")
    scores = {
        beam: evaluate_order(Preorderer(MODELS["tags"], beam=beam), read_aligned(prefix)).tau for beam in (1, 2, 64)
    }
    assert len(set(scores.values())) == 3
    for beam, tau in scores.items():
        found = json.loads(budgie("evaluate", model, prefix, "--json", "--beam", beam))
        assert found["tau"] == pytest.approx(tau)
    budgie.fails("evaluate", model, prefix, "--beam", 65, message="beam must be between 1 and 64, not 65")


def test_other_tasks_have_no_beam(budgie: Command, tmp_path: Path) -> None:
    path, data = tmp_path / "other.safetensors", tmp_path / "data"
    data.write_text("en\ta text\n", "utf-8")
    segmenter = random_segmenter(0, (Group("chars", "ngrams", 50, 4, n=1, positions=(0, 1)),))
    for other, task in ((random_model(), "langid"), (random_tagger(), "pos"), (segmenter, "seg")):
        other.write(path)
        budgie.fails("evaluate", path, data, "--beam", 2, message=f"--beam makes no sense with {path}, which is")
        with pytest.raises(ConfigError, match=f"is a model for {task} and takes no beam, "):
            package.load(path, beam=2)
