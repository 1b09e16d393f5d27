# SPDX-License-Identifier: Apache-2.0
"""Training of taggers, on a made-up language whose endings tell the tag, but for one word that needs its neighbours."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from conftest import Command, write_columns
from conftest import made_up_sentences as sentences

torch = pytest.importorskip("torch", reason="training needs the extra `train`")

import budgie
from budgie import read_model
from budgie.cli import main
from budgie.clusters.table import ClusterTable
from budgie.errors import DataError
from budgie.formats.sentences import TokenisedSentence
from budgie.model.accounting import account
from budgie.model.config import Config, Group, TextConfig
from budgie.model.features import make_word_features
from budgie.train.data.treebanks import Treebank, renewed
from budgie.train.network.drawn import Chunks, DrawnBatches
from budgie.train.network.loop import Run
from budgie.train.network.networks import Networks
from budgie.train.network.recipe import Optimise, fit, load_recipe, make_config, map_clusters
from budgie.train.network.samples import Sample, gold_sample, mix
from budgie.train.network.silver import read_silver
from budgie.train.network.words import WordTable
from budgie.train.reproduce.budget import Point, make_recipe
from budgie.train.tagging.train import TaggingMaterial, labels_of, recased, train_tagger
from budgie.train.tagging.windows import Reach, TaggedText

CPU = torch.device("cpu")
RECIPE = """
task = "pos"
about = "tiny"
[network]
hidden = 16
groups = [
  { name = "bigrams", kind = "ngrams", n = 2, buckets = 100, dim = 4, positions = [-1, 0, 1] },
  { name = "bytes", kind = "bytes", n = 2, buckets = 256, dim = 2, positions = [-1, 0, 1] },
  { name = "words", kind = "words", buckets = 50, dim = 4, positions = [-1, 0, 1] },
]
[optimise]
optimiser = "adam"
batch = 32
steps = 400
learning_rate = [0.01]
l2 = [0.0]
average = 0.9
evaluate_every = 100
silver = 0.5
"""


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.toml"
    path.write_text(RECIPE)
    return path


def test_a_tagger_learns_from_the_command_line(
    tmp_path: Path, recipe: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = {name: write_columns(tmp_path / f"{name}.tsv", sentences(n, i)) for i, (name, n) in enumerate(
        {"train": 120, "dev": 30, "test": 30}.items()
    )}  # fmt: skip
    out = tmp_path / "tiny.safetensors"
    options = ["--train", data["train"], "--dev", data["dev"], "--out", str(out), "--quiet"]
    assert main(["train", str(recipe), *options]) == 0
    tagger = budgie.load(out)
    assert tagger.tag(["lo", "pato"]) == ["DET", "NOUN"]
    assert tagger.tag(["lo", "pata", "pato"]) == ["PRON", "VERB", "NOUN"]
    assert tagger.model.info["trained_on"] == "train.tsv"
    capsys.readouterr()
    assert main(["evaluate", str(out), data["test"], "--json"]) == 0
    assert '"accuracy": 1.0' in capsys.readouterr().out
    again = tmp_path / "again.safetensors"
    assert main(["train", str(recipe), *options[:-3], "--out", str(again), "--quiet"]) == 0
    assert again.read_bytes() == out.read_bytes()


def test_silver_text_teaches_words_that_the_treebank_lacks(tmp_path: Path, recipe: Path) -> None:
    training, unseen = sentences(40, 1), [TokenisedSentence(("zu", "lo", "mina"), ("PART", "DET", "NOUN"))] * 3
    plain = train_tagger(load_recipe(recipe), TaggingMaterial(training + unseen, training), Run(quiet=True), {})
    assert budgie.Tagger(plain).tag(["lo", "xx"])[1] == "NOUN"
    taught = [TokenisedSentence(("lo", "xx", "fifo"), ("PRON", "VERB", "NOUN"))] * 2
    silver = Path(write_columns(tmp_path / "silver.tsv", taught, ":1.0"))
    model = train_tagger(
        load_recipe(recipe), TaggingMaterial(training + unseen, training, [silver]), Run(quiet=True), {}
    )
    assert budgie.Tagger(model).tag(["lo", "xx", "fifo"]) == ["PRON", "VERB", "NOUN"]


def test_clusters_tell_what_words_alone_cannot(tmp_path: Path, recipe: Path, budgie: Command) -> None:
    """Words that occur once, without anything in common: only their clusters tell how they are tagged."""
    draw = Random(1)
    names = ["".join(draw.choices("abcdefghij", k=6)) for _ in range(400)]
    found = [TokenisedSentence((name,), ("NOUN" if i % 2 else "VERB",)) for i, name in enumerate(names)]
    recipe.write_text(RECIPE.replace('kind = "words", buckets = 50', 'kind = "clusters", buckets = 4'))
    training, dev = (write_columns(tmp_path / name, s) for name, s in (("t.tsv", found[:300]), ("d.tsv", found[300:])))
    table = tmp_path / "clusters.tsv"
    table.write_text("".join(f"{name}\t{i % 2}\n" for i, name in enumerate(names)))
    out = tmp_path / "tagger.safetensors"
    material = ["--train", training, "--dev", dev, "--quiet", "--out", out]
    budgie("train", recipe, *material, "--clusters", table, "--set", "network.bloom.error_bits = 3")
    model = read_model(out)
    assert json.loads(model.info["scores"])["held-out accuracy"] > 99
    assert model.config.bloom is not None
    assert model.config.bloom.error_bits == 3
    assert "clusters.tsv" in model.info["trained_on"]
    budgie.fails("train", recipe, *material, message="group words needs a table of clusters: give --clusters, or")
    budgie.fails("train", "pos", *material, "--clusters", table, message="the recipe has no group of kind clusters")
    text = budgie("info", out).decode()
    assert " words in 2 clusters" in text
    assert "3 error bits" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["pos"], "give --train and --dev"),
        (["en"], "there is no recipe en"),
        (["pos", "--train", "a.tsv"], "give --train and --dev"),
        (["langid", "--train", "a", "b"], "one --train"),
        (["langid", "--train", "a", "--silver", "b"], "no use for --silver"),
        (["pos", "--set", "network.hidden = x"], "network.hidden = x"),
        (["pos", "--set", "network.hiden = 4"], "unknown name: 'hiden'"),
        (["pos", "--without", "nothing"], "has no group nothing"),
        (["langid", "--train", "a", "--clusters", "b"], "no use for --clusters"),
        (["langid", "--train", "a", "--lexicon", "b"], "no use for --lexicon"),
        (["pos", "--lexicon", "b"], "no use for --lexicon"),
    ],
)
def test_training_that_cannot_begin(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", *arguments]) == 1
    assert message in capsys.readouterr().err


def test_recipes_can_be_changed() -> None:
    changed = load_recipe("pos", ["network.hidden = 7", "optimise.dropout = [0.1, 0.2]"], ["bytes", "shapes"])
    assert changed.network.hidden == 7
    assert len(changed.optimise.settings()) == 2
    assert {group.kind for group in changed.network.groups} == {"ngrams", "words"}
    assert changed.optimise.batch == load_recipe("pos").optimise.batch


def small_config(labels: tuple[str, ...]) -> Config:
    groups = (
        Group("bigrams", "ngrams", 40, 3, n=2, positions=(-2, 0, 1), combine="sum"),
        Group("bytes", "bytes", 256, 2, n=2, positions=(0, -1)),
        Group("shapes", "shapes", 16, 2, positions=(1,)),
    )
    return Config("pos", groups, 8, labels, TextConfig(fold_case=False, drop_urls=False))


def tagged_text(config: Config, samples: Sequence[Sample], form: Any) -> TaggedText:
    reach, words = Reach(config), (word for sample in samples for word in sample.words)
    features = make_word_features(config, {})
    return TaggedText(WordTable(config.groups, reach.columns, features, words, CPU, form), reach, samples)


@pytest.mark.parametrize("form", ["sparse", "dense"])
def test_both_forms_give_the_scores_of_the_core(form: Any) -> None:
    from budgie.train.network.export import make_model

    found = sentences(12, 5)
    config = small_config(labels_of(found))
    config = replace(config, groups=tuple(replace(group, bits=32) for group in config.groups))
    samples = [gold_sample(sentence, config.labels) for sentence in found]
    networks = Networks(config, 1, 3, form)
    text = tagged_text(config, samples, form)
    scores = torch.cat([networks(batch.bags)[0] for batch in Chunks(text)])
    weights = {n: p.detach().select(networks.axis(n), 0).contiguous() for n, p in networks.named_parameters()}
    tagger = budgie.Tagger(make_model(config, weights))
    expected = np.concatenate([[[tag.probability for tag in row] for row in tagger.rank(s.words, 1)] for s in found])
    assert torch.softmax(scores, 1).amax(1).detach().numpy() == pytest.approx(expected[:, 0], abs=1e-5)


def test_every_annotated_word_comes_once_an_epoch() -> None:
    found = sentences(30, 6)
    config = small_config(labels_of(found))
    samples = [gold_sample(sentence, config.labels) for sentence in found]
    text = tagged_text(config, samples + samples[:10], "sparse")
    gold = sum(len(sample.words) for sample in samples)
    batches = DrawnBatches(text, gold, Optimise(batch=20, silver=0.25))
    seen = [n for step in range(gold // 15) for n in batches[step].chosen.tolist()]
    annotated, silver = [n for n in seen if n < gold], [n for n in seen if n >= gold]
    assert len(annotated) == len(set(annotated)) == gold // 15 * 15
    assert len(silver) == gold // 15 * 5
    assert torch.equal(batches[3].chosen, batches[3].chosen)
    assert (DrawnBatches(text, gold, Optimise(batch=2, silver=0.99))[0].chosen < gold).tolist() == [True, False]
    assert batches[3].labels().tolist() == batches[3].gold.argmax(1).tolist()


def test_feature_dropout_keeps_sums_on_average() -> None:
    found = sentences(5, 7)
    config = small_config(labels_of(found))
    samples = [gold_sample(sentence, config.labels) for sentence in found]
    text, table = tagged_text(config, samples, "sparse"), torch.rand(40, 6)
    torch.manual_seed(1)
    whole = text.bags(torch.arange(8), 0.0)[0].sums(table)
    dropped = torch.stack([text.bags(torch.arange(8), 0.4)[0].sums(table) for _ in range(4000)])
    assert torch.allclose(dropped.mean(0), whole, atol=0.15)
    assert not torch.allclose(dropped[0], whole)


def test_teachers_and_treebank_are_mixed() -> None:
    one = np.array([[1, 0]], dtype=np.float32)
    gold = [Sample(("a",), one), Sample(("b",), one)]
    taught = [Sample(("a",), 1 - one), Sample(("a",), one), Sample(("c",), one), Sample(("c",), 1 - one)]
    mixed, more = mix(gold, taught)
    assert [sample.targets.tolist() for sample in mixed] == [[[0.75, 0.25]], [[1, 0]]]
    assert [(sample.words, sample.targets.tolist()) for sample in more] == [(("c",), [[0.5, 0.5]])]


def test_some_sentences_come_again_in_another_case() -> None:
    samples = [gold_sample(sentence, ("DET", "NOUN", "PRON", "VERB")) for sentence in sentences(40, 8)]
    again = recased(samples, Optimise(recased=0.25))
    assert len(again) == 10
    assert sum(all(map(str.isupper, sample.words)) for sample in again) == 5
    originals = {sample.words: sample for sample in samples}
    for sample in again:
        assert originals[tuple(map(str.lower, sample.words))].targets is sample.targets
    assert recased(samples, Optimise()) == []


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("word", "line 2: not a word, a tab and tag:probability pairs"),
        ("word\tNOUN", "line 2: not a word"),
        ("word\tNOUN:x", "line 2: not a word"),
        ("word\tNOUN:inf", "line 2: not a word"),
        ("word\tNOUN:-0.5 DET:1.0", "line 2: not a word"),
        ("word\tXYZ:0.5", "line 2: the training sentences have no tag 'XYZ'"),
        ("word\tNOUN:0.0", "line 2: the probabilities do not add up"),
    ],
)
def test_bad_silver(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "silver.tsv"
    path.write_text(f"lo\tDET:1.0\n{line}\n")
    with pytest.raises(DataError, match=message):
        list(read_silver(path, ("DET", "NOUN")))


def test_silver_probabilities_sum_to_one(tmp_path: Path) -> None:
    path = tmp_path / "silver.tsv"
    path.write_text("lo\tDET:0.6 NOUN:0.2\n\n\nNew York\tNOUN:1.0\n")
    first, second = read_silver(path, ("DET", "NOUN"))
    assert (first.words, second.words) == (("lo",), ("New York",))
    assert first.targets.tolist() == [[pytest.approx(0.75), pytest.approx(0.25)]]


def test_old_tags_are_renewed() -> None:
    old = [(("and", "is", "go"), ("CONJ", "VERB", "VERB")), (("or", "go"), ("CONJ", "NOUN"))]
    now = [(("is", "go"), ("AUX", "VERB")), (("is", "is", "and"), ("AUX", "AUX", "X"))]
    both = ([TokenisedSentence(*one) for one in some] for some in (old, now))
    tags = [sentence.tags for sentence in renewed(*both)]
    assert tags == [("CCONJ", "AUX", "VERB"), ("CCONJ", "NOUN")]


def test_dev_sentences_are_either_trained_on_or_held_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import lzma

    folder = tmp_path / "pos" / "ud2"
    folder.mkdir(parents=True)
    for name, count in (("x-train", 7), ("x-dev", 25)):
        text = "".join(f"{name}{i}\tNOUN\n\n" for i in range(count))
        (folder / f"{name}.tsv.xz").write_bytes(lzma.compress(text.encode()))
    monkeypatch.setenv("BUDGIE_DATA", str(tmp_path))
    treebank = Treebank("x", "CC0-1.0", ("x-train",), ("x-dev",), ())
    assert (len(treebank.read("train")), len(treebank.read("dev"))) == (7, 25)
    both = replace(treebank, dev_too=True)
    training, held_out = ({s.words for s in both.read(split)} for split in ("train", "dev"))
    assert (len(training), len(held_out)) == (7 + 22, 3)
    assert not training & held_out


def test_table_2(
    tmp_path: Path, recipe: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from budgie.train.reproduce import table2, ud11

    splits = {split: sentences(30, i) for i, split in enumerate(("train", "dev", "test"))}
    treebank = Treebank("tiny", "CC0-1.0", (), (), ())
    monkeypatch.setattr(Treebank, "read", lambda _, split: splits[split])
    for module in (table2, ud11):
        monkeypatch.setattr(module, "UD11", {"el": treebank, "da": treebank})
    monkeypatch.setattr(table2, "ROWS", (table2.TaggerRow("Tiny", str(recipe), 0),))
    out = tmp_path / "table.md"
    assert main(["reproduce", "table2", "--languages", "el,da", "--steps", "200", "--quiet", "--out", str(out)]) == 0
    table = capsys.readouterr().out
    assert out.read_text() == table
    exact, stand_in = table.split("Stand-in training sets")
    assert "| Tiny | el | 100.00 | 100.00 | 96.88 |" in exact
    assert "| Tiny | da | 100.00 | 100.00 | 94.17 |" in stand_in
    assert main(["reproduce", "table2", "--languages", "xx"]) == 1
    monkeypatch.setattr(
        table2, "ROWS", (table2.TaggerRow("Tiny", str(recipe), 0), table2.TaggerRow("C", "pos-clusters", None))
    )
    arguments = ["reproduce", "table2", "--languages", "el", "--steps", "5", "--quiet"]
    assert main(arguments) == 0  # without the rows that need clusters
    assert "| C |" not in capsys.readouterr().out
    assert main([*arguments, "--rows", "pos-clusters"]) == 1
    assert main([*arguments, "--clusters", str(tmp_path)]) == 1
    assert "there is no el.tsv; budgie cluster makes such files" in capsys.readouterr().err
    assert main(["reproduce", "table2", "--rows", "xx"]) == 1


def test_a_budget_is_filled_with_buckets(tmp_path: Path, recipe: Path, budgie: Command) -> None:
    material = [write_columns(tmp_path / f"{seed}.tsv", sentences(40, seed)) for seed in (1, 2)]
    out = tmp_path / "m.safetensors"
    asked = ["train", recipe, "--train", material[0], "--dev", material[1], "--out", out, "--quiet", "--steps", 5]
    budgie(*asked, "--budget", "20KB")
    model = read_model(out)
    assert 19_000 < account(model.config).size <= 20_000
    assert model.config.groups[0].buckets // 2 == model.config.groups[2].buckets > 100
    assert model.config.groups[1].buckets == 256  # bytes are as many as there are
    assert "network.budget=20000" in model.info["changes"]
    budgie.fails(*asked, "--budget", "1000", message="with next to no buckets the network takes 4,")
    for nonsense in ("much", "0.5", "9" * 400, "0MB"):
        with pytest.raises(SystemExit):
            budgie(*asked, "--budget", nonsense)


def test_large_groups_fit_a_budget() -> None:
    recipe = load_recipe("pos", ["network.hidden=16"])
    groups = (Group("many", "words", 2**24, 4, positions=(0,), bits=4, scale="table"),)
    config = Config("pos", groups, 16, ("DET", "NOUN"), recipe.network.text)
    assert 970_000 < account(fit(config, 1_000_000)).size <= 1_000_000


def test_clusters_are_part_of_the_budget() -> None:
    table = ClusterTable(tuple(f"w{i}" for i in range(9000)), tuple(i % 100 for i in range(9000)), 100)
    sizes = []
    for clusters in (None, table):
        recipe = make_recipe(Point(400, 128, clusters is not None), silver=True, steps=None)
        config = make_config(recipe, ("DET", "NOUN"), built=map_clusters(recipe, clusters))
        sizes.append(account(config).size)
        assert config.hidden == 128
        assert [group.buckets for group in config.groups if group.kind == "clusters"] == ([100] if clusters else [])
    assert all(390 * 1024 < size <= 400 * 1024 for size in sizes)


def test_the_table_of_budgets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What has been trained is in the log, and is not trained again."""
    from budgie.train.reproduce import budget

    log, plot = tmp_path / "log.jsonl", tmp_path / "plot.svg"
    for language in ("el", "en"):
        (tmp_path / f"{language}.tsv").write_text("a\t1\n")
    rows = [
        budget.Measured(point, language, 1000 * point.budget, 95 + point.clusters, 94.5, silver=False, steps=2500)
        for point in budget.POINTS
        for language in ("el", "en")
    ]
    log.write_text("".join(json.dumps(asdict(row)) + "\n" for row in rows))
    arguments = [
        "reproduce",
        "budget",
        "--languages",
        "el,en",
        "--clusters",
        str(tmp_path),
        "--log",
        str(log),
        "--quiet",
    ]
    assert main(arguments) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2 + len(budget.POINTS)
    assert (
        "| 700 KB | clusters, 256 units, 8 dimensions | 684, 96.00, 94.50 | 684, 96.00, 94.50 | 96.00 | 94.50 |"
        in lines
    )
    if importlib.util.find_spec("matplotlib"):
        assert main([*arguments, "--plot", str(plot)]) == 0
        assert b"<svg" in plot.read_bytes()
    else:
        assert main([*arguments, "--plot", str(plot)]) == 1
        assert "pip install matplotlib" in capsys.readouterr().err
    assert main([*arguments, "--languages", "xx"]) == 1
    with log.open("a") as file:
        file.write('{"point"')
    assert main(arguments) == 1
    assert f"{log}, line {len(rows) + 1}: not a row" in capsys.readouterr().err
