# SPDX-License-Identifier: Apache-2.0
"""A small network beside its teacher: one number of a row for both, what is learnt from it, going on after a stop."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs the extra `train`")

import budgie
from budgie.errors import ConfigError
from budgie.model.config import Config, Group
from budgie.train.langid.batches import Bagger, SnippetBatches
from budgie.train.langid.corpora import Corpora, Pool
from budgie.train.langid.snippets import SnippetSampler
from budgie.train.langid.train import train_on_snippets
from budgie.train.network.loop import Run, Training
from budgie.train.network.networks import Bag
from budgie.train.network.recipe import Optimise, Recipe, TeacherSettings, load_recipe
from budgie.train.network.taught import TaughtTraining, teacher_of

TEACHER = TeacherSettings(rows=3, width=2, hidden=16, learning_rate=0.02, feature_dropout=0.1)
GROUPS = (Group("pairs", "ngrams", 97, 4, n=2), Group("words", "words", 61, 4))
CONFIG = Config("langid", GROUPS, 12, ("aa", "bb"))
OPTIMISE = Optimise(optimiser="adam", schedule="linear", batch=16, steps=60, learning_rate=(0.02,), evaluate_every=20)
TEXTS = {"aa": "the cat sat on a mat with hats\n" * 40, "bb": "der hund und die katze auf dem dach\n" * 40}
CORPORA = Corpora(("aa", "bb"), tuple(Pool(label, "made_up", text) for label, text in TEXTS.items()))


def recipe(teacher: TeacherSettings | None = TEACHER) -> Recipe:
    usual = load_recipe("langid")
    network = dataclasses.replace(usual.network, hidden=12, groups=GROUPS, shared_space=False)
    return dataclasses.replace(usual, network=network, optimise=OPTIMISE, teacher=teacher)


def sampler() -> SnippetSampler:
    return SnippetSampler(CORPORA, 1)


def test_rows_of_the_teacher_are_those_of_the_network_taken_apart() -> None:
    texts = ["der Hund", "the cat sat on the mat", "", "ünïcödé 猫 кот"]
    fine, own = Bagger(teacher_of(CONFIG, TEACHER)).bags(texts), Bagger(CONFIG).bags(texts)
    for large, small in zip(fine, own, strict=True):
        coarse = large.coarser(TEACHER.rows)
        torch.testing.assert_close(coarse.ids, small.ids)
        torch.testing.assert_close(coarse.weights, small.weights)
        assert large.ids.max() >= 97 or large.ids.max() >= 61


def test_what_is_learnt_is_the_label_and_what_the_teacher_says() -> None:
    training = TaughtTraining(CONFIG, OPTIMISE, Run(quiet=True), dataclasses.replace(TEACHER, warm=0.5, share=0.6))
    batches = SnippetBatches(Bagger(training.teacher.networks.config), sampler(), OPTIMISE)
    golds = []
    learn = training.learn
    training.learn = lambda bags, gold: golds.append(gold) or learn(bags, gold)  # type: ignore[method-assign]
    for step in range(40):
        training.step(batches[step])
    labels = batches[39].gold
    torch.testing.assert_close(golds[0], torch.eye(2)[batches[0].gold])  # nobody is asked before the first step
    torch.testing.assert_close(golds[39].sum(1), torch.ones(16))
    given = golds[39].gather(1, labels[:, None])
    assert float(given.min()) >= 0.4  # of the label
    assert float(given.max()) < 1
    assert float(training.share) == pytest.approx(0.6)


def test_a_teacher_makes_a_difference_and_the_file_is_the_network_alone(tmp_path: Path) -> None:
    taught = train_on_snippets(recipe(), CORPORA, CORPORA, Run(quiet=True), {})
    alone = train_on_snippets(recipe(None), CORPORA, CORPORA, Run(quiet=True), {})
    taught.write(tmp_path / "taught")
    assert [tensor.shape for tensor in taught.tensors.values()] == [tensor.shape for tensor in alone.tensors.values()]
    identifier = budgie.load(tmp_path / "taught")
    assert identifier.identify("the cat sat on the mat").language == "aa"
    assert taught.tensors["output.bias"].data != alone.tensors["output.bias"].data


def test_interrupted_and_resumed_is_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = train_on_snippets(recipe(), CORPORA, CORPORA, Run(quiet=True), {})
    step = TaughtTraining.step

    def interrupt(self: Training, batch: object) -> object:
        if self.optimiser.step_count == 45:
            raise KeyboardInterrupt
        return step(self, batch)

    run = Run(quiet=True, checkpoint=tmp_path / "checkpoint")
    monkeypatch.setattr(TaughtTraining, "step", interrupt)
    with pytest.raises(KeyboardInterrupt):
        train_on_snippets(recipe(), CORPORA, CORPORA, run, {})
    monkeypatch.setattr(TaughtTraining, "step", step)
    again = train_on_snippets(recipe(), CORPORA, CORPORA, dataclasses.replace(run, resume=True), {})
    assert {name: tensor.data for name, tensor in again.tensors.items()} == {
        name: tensor.data for name, tensor in whole.tensors.items()
    }
    other = dataclasses.replace(recipe(), teacher=dataclasses.replace(TEACHER, hidden=17))
    with pytest.raises(ConfigError, match="of a training with another recipe"):
        train_on_snippets(other, CORPORA, CORPORA, dataclasses.replace(run, resume=True), {})


def test_minibatches_of_one_shape_say_the_same() -> None:
    bagger = Bagger(CONFIG)
    plain, alike = SnippetBatches(bagger, sampler(), OPTIMISE), SnippetBatches(bagger, sampler(), OPTIMISE, alike=True)
    one, other = alike[3], alike[4]
    assert one.alike and other.alike
    assert [len(bag.ids) for bag in one.bags] == [len(bag.ids) for bag in other.bags]
    table = torch.from_numpy(np.random.default_rng(1).normal(size=(97, 4)).astype(np.float32))
    torch.testing.assert_close(one.bags[0].sums(table), plain[3].bags[0].sums(table))
    moved = one.to(torch.device("meta"))
    assert moved.varying() is not None
    assert moved.varying().shape == other.to(torch.device("meta")).varying().shape
    assert plain[3].to(torch.device("meta")).varying() is None


def test_thinned_bags_weigh_as_much_in_the_mean() -> None:
    torch.manual_seed(1)
    bag = Bag(torch.zeros(10_000, dtype=torch.int32), torch.tensor([0]), torch.ones(10_000))
    thin = bag.thinned(0.2)
    assert float(thin.weights.mean()) == pytest.approx(1, abs=0.02)
    assert float((thin.weights == 0).float().mean()) == pytest.approx(0.2, abs=0.02)
    assert bag.thinned(0) is bag


def test_a_teacher_needs_snippets() -> None:
    with pytest.raises(ConfigError, match=r"\[teacher\] is for recipes that have \[snippets\]"):
        load_recipe("pos", ["teacher = {rows = 2, width = 2, hidden = 8, learning_rate = 0.1}"])
    with pytest.raises(ConfigError, match=r"teacher\.share must be between"):
        load_recipe("langid-taught", ["teacher.share = 2.0"])
