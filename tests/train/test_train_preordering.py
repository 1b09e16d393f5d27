# SPDX-License-Identifier: Apache-2.0
"""Training of preorderers, on two made-up languages: one has the verb in the middle, the other at the end."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from conftest import Command

from budgie import load

pytest.importorskip("torch")

from budgie.formats.orders import Ordered
from budgie.train.network.export import make_model, weights_of
from budgie.train.network.recipe import Optimise
from budgie.train.preordering.train import with_unended

SUBJECTS, VERBS, OBJECTS = "ann bob cat dan".split(), "sees hits owns".split(), "tea milk bread wine".split()
STEPS = ["optimise.steps=200", "optimise.batch=64", "optimise.evaluate_every=100", "optimise.silver=0.5"]


def write_aligned(prefix: Path, count: int, seed: int) -> Path:
    """Sentences such as `ann sees red tea`, aligned to a target that says them as `ann red tea sees`."""
    random = Random(seed)
    sources, targets, links = [], [], []
    for _ in range(count):
        things = [random.choice(OBJECTS) for _ in range(random.randint(1, 3))]
        words = [random.choice(SUBJECTS), random.choice(VERBS), *things]
        order = [0, *range(2, len(words)), 1]
        sources.append(" ".join(words))
        targets.append(" ".join(words[i].upper() for i in order))
        links.append(" ".join(f"{word}-{place}" for place, word in enumerate(order)))
    for suffix, lines in ((".src", sources), (".tgt", targets), (".align", links)):
        Path(f"{prefix}{suffix}").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return prefix


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    write_aligned(tmp_path / "train", 60, 1)
    write_aligned(tmp_path / "dev", 20, 2)
    return tmp_path


@pytest.mark.parametrize("silver", [False, True])
def test_a_pipeline_learns_from_the_command_line(budgie: Command, corpus: Path, silver: bool) -> None:
    model, options = corpus / "model", ["--tagger", "pos-en", "--without", "clusters", "--set", *STEPS]
    if silver:
        write_order(corpus / "orders.jsonl", ["ann", "sees", "tea"], [0, 2, 1])
        options += ["--silver", str(corpus / "orders.jsonl")]
    train(budgie, corpus, "preorder", *options)
    scores = json.loads(budgie("evaluate", model, corpus / "dev", "--json"))
    assert scores["frs"] == 1 > scores["frs_unchanged"]
    info = json.loads(budgie("info", model, "--json"))
    assert info["networks"]["tagger"]["labels"] == list(load("pos-en").tags)
    assert info["info"]["trained_on"] == ("train, orders.jsonl" if silver else "train")
    assert info["info"]["tagger"].startswith("UD English-EWT 2.16 (CC-BY-SA-4.0), silver: Common Voice (CC0-1.0), ")
    assert info["info"]["scores"]["held-out FRS"] == 100
    assert budgie("preorder", "--model", model, stdin=b"dan owns milk bread\n") == b"dan milk bread owns\n"


def test_silver_orders_teach_words_that_the_alignments_lack(budgie: Command, corpus: Path) -> None:
    # These verbs stay in the middle; nobody has aligned one.
    for name in ("one", "two"):
        write_order(corpus / name, ["ann", "likes", "tea"], [0, 1, 2])
    options = ["--without", "clusters", "more-clusters", "--set", *STEPS]
    train(budgie, corpus, "preorder-clusters", *options, "--silver", str(corpus / "one"), str(corpus / "two"))
    preorderer = load(corpus / "model")
    assert preorderer.tagger is None
    assert preorderer.reorder(["bob", "likes", "wine"]).permutation == [0, 1, 2]
    assert preorderer.reorder(["bob", "owns", "wine"]).permutation == [0, 2, 1]


def test_another_pair_begins_with_what_one_knows(budgie: Command, corpus: Path) -> None:
    write_aligned(corpus / "one", 2, 3)
    options = ["--train", corpus / "one", "--dev", corpus / "dev", "--out", corpus / "model", "--quiet"]
    options += ["--set", "optimise.steps=20"]
    budgie("train", "preorder-tune", "--start", "preorder-en-ja", *options)
    start, model = load("preorder-en-ja").model, load(corpus / "model").model
    assert model.config == start.config
    assert model.network("tagger") == start.network("tagger")
    assert model.tensors["bloom.bits"] == start.tensors["bloom.bits"]
    assert model.tensors["hidden.bias"] != start.tensors["hidden.bias"]
    assert model.info["start"] == "preorder-en-ja"
    assert model.info["licence"] == start.info["licence"]


def test_the_same_again(budgie: Command, corpus: Path) -> None:
    options = ["--without", "clusters", "more-clusters", "--set", "optimise.steps=20", "optimise.batch=32"]
    files = []
    for _ in range(2):
        train(budgie, corpus, "preorder-clusters", *options)
        files.append((corpus / "model").read_bytes())
    assert files[0] == files[1]


def test_clusters(budgie: Command, corpus: Path) -> None:
    (corpus / "clusters.tsv").write_text("# fold_case=no fold_digits=no\nann\t0\t9\nsees\t1\t8\ntea\t2\t7\n")
    train(budgie, corpus, "preorder-clusters", "--clusters", str(corpus / "clusters.tsv"), "--set", "optimise.steps=5")
    assert load(corpus / "model").model.config.bloom.words == 3


@pytest.mark.parametrize(
    ("recipe", "options", "message"),
    [
        ("preorder", ["--without", "clusters"], "the recipe has groups of tags, and needs the tagger"),
        ("preorder-paper", ["--tagger", "pos-en"], "the recipe has no group of kind tags: leave out --tagger"),
        ("preorder-paper", ["--tagger", "seg-zh"], "this is a model for seg, not for tagging"),
        ("preorder", ["--tagger", "pos-en"], "group clusters needs a table of clusters"),
        ("preorder-paper", ["--lexicon", "x"], "preorderers have no use for --lexicon"),
        ("preorder-paper", ["--silver", "nothing.jsonl"], "nothing.jsonl: No such file"),
        ("preorder-tune", ["--start", "pos-en"], "this is a model for pos, not for preordering"),
        (
            "preorder-tune",
            ["--start", "preorder-en-ja", "--tagger", "pos-en"],
            "preorderers that start as another have",
        ),
        ("pos", ["--start", "pos-en"], "taggers have no use for --start"),
        ("pos", ["--tagger", "pos-en"], "taggers have no use for --tagger"),
    ],
)
def test_what_makes_no_sense(budgie: Command, corpus: Path, recipe: str, options: list[str], message: str) -> None:
    paths = ["--train", corpus / "train", "--dev", corpus / "dev", "--out", corpus / "model"]
    budgie.fails("train", recipe, *paths, *options, "--quiet", message=message)


def test_without_held_out_sentences(budgie: Command, corpus: Path) -> None:
    budgie.fails("train", "preorder-paper", "--train", corpus / "train", message="preorderers need held-out sentences")


def test_weights_come_back_from_a_model() -> None:
    model = load("preorder-en-ja").model
    assert make_model(model.config, weights_of(model), info=model.info, resources=model.tensors) == model


def train(budgie: Command, corpus: Path, recipe: str, *options: str) -> None:
    paths = ["--train", corpus / "train", "--dev", corpus / "dev", "--out", corpus / "model"]
    budgie("train", recipe, *paths, *options, "--quiet")


def write_order(path: Path, words: list[str], order: list[int]) -> None:
    path.write_text(json.dumps({"source": words, "permutation": order}) + "\n", encoding="utf-8")


def test_sentences_without_their_end() -> None:
    sentences = [Ordered(("a", "b", "."), [2, 0, 1]), Ordered(("c", "d"), [1, 0]), Ordered((".",), [0])]
    assert with_unended(sentences, Optimise(unended=1.0)) == [*sentences, Ordered(("a", "b"), [0, 1])]
    assert with_unended(sentences, Optimise()) == sentences
