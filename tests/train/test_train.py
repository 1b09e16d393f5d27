# SPDX-License-Identifier: Apache-2.0
"""The trainer: the paper's recipe, the grid in one program, files that come out the same twice, and clear stops."""

from __future__ import annotations

import argparse
import json
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs the extra `train`")

import budgie
from budgie.errors import ConfigError, DataError, Error
from budgie.model.config import Config, Group, TextConfig
from budgie.train.command import train_command
from budgie.train.langid.batches import Bagger, Batch, DocumentBatches
from budgie.train.langid.calibrate import calibrate
from budgie.train.network.loop import Run, train
from budgie.train.network.networks import Networks
from budgie.train.network.quantise import quantise_rows, quantise_table
from budgie.train.network.recipe import Optimise, load_recipe

WORDS = {
    "aa": "the cat sat on a mat with some hats and dogs".split(),
    "bb": "der hund und die katze sind auf dem dach".split(),
    "cc": "le chat est sur la table avec un chien".split(),
}
GROUPS = (
    Group("bigrams", "ngrams", 50, 4, n=2),
    Group("trigrams", "ngrams", 90, 4, n=3, combine="sum"),
    Group("words", "words", 40, 4),
)
CONFIG = Config("langid", GROUPS, 12, ("aa", "bb", "cc"), TextConfig())
QUICK = Optimise(batch=8, steps=40, learning_rate=(0.05,), evaluate_every=10)


def sentences(count: int, seed: int) -> tuple[list[str], np.ndarray]:
    rng = random.Random(seed)
    labels = [rng.randrange(3) for _ in range(count)]
    texts = [" ".join(rng.choices(WORDS[CONFIG.labels[label]], k=rng.randint(2, 6))) for label in labels]
    return texts, np.array(labels)


def batches(optimise: Optimise = QUICK) -> DocumentBatches:
    texts, labels = sentences(120, 1)
    return DocumentBatches(Bagger(CONFIG), texts, labels, optimise)


def held_out() -> list[Batch]:
    texts, labels = sentences(60, 2)
    return [Batch(Bagger(CONFIG).bags(texts), torch.from_numpy(labels))]


def test_learns() -> None:
    trained = train(CONFIG, replace(QUICK, steps=150), batches(), held_out(), Run(quiet=True))
    assert trained.score > 95


def test_a_grid_is_its_settings_one_by_one() -> None:
    grid = replace(QUICK, learning_rate=(0.1, 0.3), momentum=(0.8, 0.9))
    together = train(CONFIG, grid, batches(), held_out(), Run(quiet=True))
    assert len(together.scores) == 4
    networks = Networks(CONFIG, 4, seed=1)
    # The settings begin from different weights, so compare K = 1 with the same weights in one slot of the grid.
    one = Networks(CONFIG, 1, seed=1)
    for name, parameter in one.named_parameters():
        axis = one.axis(name)
        parameter.data.copy_(dict(networks.named_parameters())[name].select(axis, 2).unsqueeze(axis))
    bags = held_out()[0].bags
    assert torch.allclose(networks(bags)[2], one(bags)[0], atol=1e-6)


def test_sparse_and_dense_forms_agree() -> None:
    sparse, dense = Networks(CONFIG, 2, seed=3), Networks(CONFIG, 2, seed=3, form="dense")
    bags = held_out()[0].bags
    first, second = sparse(bags), dense(bags)
    assert torch.allclose(first, second, atol=1e-5)
    first.square().sum().backward()
    second.square().sum().backward()
    for one, other in zip(sparse.parameters(), dense.parameters(), strict=True):
        assert torch.allclose(one.grad, other.grad, atol=1e-3)


def test_paper_update_rule() -> None:
    """Momentum SGD, rate x 0.96 every gamma steps, L2 on all but the embeddings, by hand for two steps."""
    optimise = replace(QUICK, steps=2, learning_rate=(0.5,), momentum=(0.8,), gamma=(1,), l2=(0.01,), evaluate_every=1)
    source = batches(optimise)
    by_hand = Networks(CONFIG, 1, optimise.seed)
    velocity = [torch.zeros_like(p) for p in by_hand.parameters()]
    for step in range(2):
        batch = source[step]
        by_hand.zero_grad()
        torch.nn.functional.cross_entropy(by_hand(batch.bags)[0], batch.gold).backward()
        with torch.no_grad():
            for (name, p), v in zip(by_hand.named_parameters(), velocity, strict=True):
                v.mul_(0.8).add_(p.grad + (0.01 * p if by_hand.regularised(name) else 0))
                p.sub_(0.5 * 0.96 ** (step + 1) * v)
    trained = train(CONFIG, replace(optimise, average=0.0), source, None, Run(quiet=True))
    for name, parameter in by_hand.named_parameters():
        assert torch.allclose(trained.weights[name], parameter.select(by_hand.axis(name), 0), atol=1e-6), name


def test_dropout_crops_and_adam_run() -> None:
    optimise = replace(
        QUICK,
        optimiser="adam",
        schedule="linear",
        learning_rate=(0.01,),
        dropout=(0.0, 0.2),
        feature_dropout=0.3,
        crops=0.5,
    )
    assert train(CONFIG, replace(optimise, steps=120), batches(optimise), held_out(), Run(quiet=True)).score > 80


def test_loss_that_is_no_number_stops() -> None:
    with pytest.raises(Error, match="not a number any more at step 10: lower the learning rate"):
        train(CONFIG, replace(QUICK, learning_rate=(1e12,)), batches(), held_out(), Run(quiet=True))


def write_table(path: Path, count: int, seed: int) -> Path:
    texts, labels = sentences(count, seed)
    path.write_text("".join(f"{CONFIG.labels[y]}\t{text}\n" for text, y in zip(texts, labels, strict=True)))
    return path


def arguments(tmp_path: Path, **changes: object) -> argparse.Namespace:
    recipe = tmp_path / "tiny.toml"
    recipe.write_text(
        'task = "langid"\nabout = "tiny"\n[network]\nhidden = 8\n'
        'groups = [{ name = "bigrams", kind = "ngrams", n = 2, buckets = 60, dim = 4 }]\n'
        "[optimise]\nbatch = 8\nsteps = 60\nevaluate_every = 20\nlearning_rate = [0.1, 0.3]\n"
    )
    values = {
        "recipe": str(recipe),
        "train": [str(write_table(tmp_path / "train.tsv", 200, 1))],
        "dev": [str(write_table(tmp_path / "dev.tsv", 60, 2))],
        "silver": None,
        "clusters": None,
        "lexicon": None,
        "tagger": None,
        "start": None,
        "learn_dev": False,
        "budget": None,
        "set": [],
        "without": [],
        "out": str(tmp_path / "model.safetensors"),
        "device": "cpu",
        "threads": 1,
        "workers": 0,
        "seed": None,
        "steps": None,
        "resume": False,
        "log": None,
        "quiet": True,
    }
    return argparse.Namespace(**{**values, **changes})


def test_same_seed_same_file(tmp_path: Path) -> None:
    contents = []
    for name in ("one", "two"):
        train_command(arguments(tmp_path, out=str(tmp_path / name)))
        contents.append((tmp_path / name).read_bytes())
    assert contents[0] == contents[1]
    train_command(arguments(tmp_path, out=str(tmp_path / "three"), seed=7))
    assert (tmp_path / "three").read_bytes() != contents[0]


def test_model_knows_what_it_learnt_and_the_log_says_how(tmp_path: Path) -> None:
    train_command(arguments(tmp_path))
    model = budgie.load(tmp_path / "model.safetensors")
    assert model.identify("the cat sat on the mat").language == "aa"
    assert 0 < json.loads(model.model.info["scores"])["held-out accuracy"] <= 100
    lines = [json.loads(line) for line in (tmp_path / "model.safetensors.log.jsonl").read_text().splitlines()]
    assert [line["step"] for line in lines] == [20, 40, 60]
    assert not (tmp_path / "model.safetensors.checkpoint").exists()


def test_interrupted_and_resumed_is_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    train_command(arguments(tmp_path, out=str(tmp_path / "whole")))
    from budgie.train.network import loop

    step = loop.Training.step

    def interrupt(self: loop.Training, batch: object) -> object:
        if self.optimiser.step_count == 45:
            raise KeyboardInterrupt
        return step(self, batch)

    monkeypatch.setattr(loop.Training, "step", interrupt)
    with pytest.raises(KeyboardInterrupt):
        train_command(arguments(tmp_path, out=str(tmp_path / "broken")))
    assert (tmp_path / "broken.checkpoint").exists() and not (tmp_path / "broken").exists()
    monkeypatch.setattr(loop.Training, "step", step)
    train_command(arguments(tmp_path, out=str(tmp_path / "broken"), resume=True))
    assert (tmp_path / "broken").read_bytes() == (tmp_path / "whole").read_bytes()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "is empty"),
        ("aa\tthe cat\naa\tthe dog\n", "only one label"),
        ("aa\tthe cat\nno tab here\n", "train.tsv, line 2"),
        ("aa\tthe cat\nbb\tder \udcff hund\n", "train.tsv, line 2.*not UTF-8"),
    ],
)
def test_bad_training_data(tmp_path: Path, content: str, message: str) -> None:
    args = arguments(tmp_path)
    Path(args.train[0]).write_bytes(content.encode("utf-8", "surrogateescape"))
    Path(args.dev[0]).write_text("aa\tthe cat\n")
    with pytest.raises(DataError, match=message):
        train_command(args)
    assert not Path(args.out).exists()


def test_unknown_label_in_dev(tmp_path: Path) -> None:
    args = arguments(tmp_path)
    Path(args.dev[0]).write_text("aa\tthe cat\nzz\tzzz zz\n")
    with pytest.raises(DataError, match="'zz'"):
        train_command(args)


def test_out_without_a_folder(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there is no folder"):
        train_command(arguments(tmp_path, out=str(tmp_path / "no" / "model")))


def test_recipes_of_the_package_are_sound() -> None:
    for path in (Path(budgie.__file__).parent / "train" / "recipes").glob("*/*.toml"):
        assert load_recipe(path.stem).about
    with pytest.raises(ConfigError, match="there is no recipe nonsense"):
        load_recipe("nonsense")


def test_quantised_rows_are_near() -> None:
    table = np.random.default_rng(1).normal(size=(50, 16)).astype(np.float32)
    table[3] = 0
    rows, scales = quantise_rows(table)
    assert np.abs((rows.astype(np.float32) - 128) * scales.astype(np.float32)[:, None] - table).max() < 0.02
    assert (rows[3] == 128).all()
    rows, scale = quantise_table(table)
    assert np.square((rows.astype(np.float32) - 128) * scale.astype(np.float32) - table).mean() < 1e-3


def test_calibration_finds_the_temperature() -> None:
    class Overconfident:
        def scores(self, text: str) -> list[float]:
            return [4.0 if text.startswith("a") else -4.0, 0.0]

        def letters(self, text: str) -> int:
            return len(text)

    # Right three times of four: the probability should be 0.75, so the temperature 4 / ln 3.
    texts, labels = ["a" * 9] * 400, np.array([0, 0, 0, 1] * 100)
    a, b = calibrate(Overconfident(), texts, labels)  # type: ignore[arg-type]
    assert a + b / 3 == pytest.approx(4 / np.log(3), rel=0.05)
