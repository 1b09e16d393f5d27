# SPDX-License-Identifier: Apache-2.0
"""The tables of preorderers, on a made-up language: verbs, which end in -r, go to the end of the sentence."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from conftest import Command, made_up_sentences, random_tagger

torch = pytest.importorskip("torch", reason="training needs the extra `train`")

from budgie import read_model
from budgie.formats.alignments import Aligned
from budgie.model.accounting import MB, account
from budgie.model.config import MOVES
from budgie.train.data.preordering import AlignedCorpus
from budgie.train.data.treebanks import Treebank
from budgie.train.network.recipe import load_recipe, make_config

GROUPS = """
  { name = "bigrams", kind = "ngrams", n = 2, buckets = 100, dim = 4, places = ["s0.last", "s1.last", "b0.first"] },
  { name = "bytes", kind = "bytes", n = 1, buckets = 256, dim = 4, places = ["s0.last", "s1.last", "b0.first"] },
"""
TAGS = """
  { name = "tags", kind = "tags", buckets = 17, dim = 2, places = ["s0.last", "s1.last", "b0.first"] },
"""
RECIPE = """
task = "preorder"
about = "tiny"
[network]
hidden = 24
groups = [{}]
text = {{ drop_urls = false }}
[optimise]
optimiser = "adam"
batch = 64
steps = 300
learning_rate = [0.02]
l2 = [0.0]
average = 0.9
evaluate_every = 100
"""


def verbs_last(count: int, seed: int) -> list[Aligned]:
    draw = random.Random(seed)
    found = []
    for _ in range(count):
        words = tuple(draw.choices(["pato", "casa", "comer", "ir", "lo"], k=draw.randint(1, 6)))
        order = sorted(range(len(words)), key=lambda place: words[place].endswith("r"))
        found.append(Aligned(words, tuple((order.index(place),) for place in range(len(words)))))
    return found


@pytest.fixture
def recipes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Path]:
    """Tiny ones, and small data instead of the official ones."""
    splits = {split: verbs_last(60, seed) for seed, split in enumerate(("train", "dev", "test"))}
    tagged = {split: made_up_sentences(30, seed) for seed, split in enumerate(("train", "dev", "test"))}
    monkeypatch.setattr(AlignedCorpus, "read", lambda _, split: splits[split])
    monkeypatch.setattr(AlignedCorpus, "prefix", lambda _, split: tmp_path / split)
    monkeypatch.setattr(Treebank, "read", lambda _, split: tagged[split])
    paths = {}
    for name, groups in (("plain", GROUPS), ("tags", GROUPS + TAGS)):
        paths[name] = tmp_path / f"{name}.toml"
        paths[name].write_text(RECIPE.format(groups))
    return paths


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


def first_number(cell: str) -> float:
    return float(cell.split(maxsplit=1)[0])


def test_table_4(tmp_path: Path, recipes: dict[str, Path], monkeypatch: pytest.MonkeyPatch, budgie: Command) -> None:
    from budgie.train.reproduce import table4

    names = {name: str(path) for name, path in recipes.items()}
    rows = (table4.Row("Tiny", names["plain"], "75.2"), table4.Row("Tiny + tags", names["tags"], "81.3"))
    monkeypatch.setattr(table4, "ROWS", rows)
    monkeypatch.setattr(table4, "_TAGGER_STEPS", 20)
    out, models = tmp_path / "table.md", tmp_path / "models"
    table = budgie("reproduce", "table4", "--quiet", "--seeds", 2, "--out", out, "--models", models).decode()
    assert out.read_text("utf-8") == table
    head, _, unchanged, plain, tags = map(cells, table.splitlines())
    assert len(head) == len(unchanged) == len(plain) == len(tags)
    assert [plain[0], tags[0]] == ["Tiny", "Tiny + tags"]
    for one in (plain, tags):
        assert first_number(one[2]) > float(unchanged[2]) + 10
        assert "±" in one[1]
    assert plain[8] == plain[10] == "-"
    assert tags[8] == f"{320 * 815 + 4 * 639:,}"  # the paper's tagger, with the four tags of the made-up language
    assert (plain[-1], tags[-1]) == ("75.2", "81.3")
    inside = read_model(models / "tags-2.safetensors").network("tagger")
    assert inside is not None
    assert inside.tensors == read_model(models / "pos-paper.safetensors").tensors


def test_some_rows_of_table_4(
    tmp_path: Path, recipes: dict[str, Path], monkeypatch: pytest.MonkeyPatch, budgie: Command
) -> None:
    from budgie.train.reproduce import table4

    monkeypatch.setattr(table4, "ROWS", (table4.Row("Tiny", str(recipes["tags"]), "-"),))
    random_tagger().write(tmp_path / "tagger.safetensors")
    asked = ["reproduce", "table4", "--quiet", "--steps", 5, "--seeds", 1]
    table = budgie(*asked, "--tagger", tmp_path / "tagger.safetensors", "--rows", recipes["tags"]).decode()
    assert "±" not in table
    budgie.fails(*asked, "--rows", "xx", message="no row xx; there are ")


def test_pairs(tmp_path: Path, recipes: dict[str, Path], monkeypatch: pytest.MonkeyPatch, budgie: Command) -> None:
    from budgie.train.reproduce import pairs

    assert len(pairs.NAMES) == 17
    assert not any("auto" in name for name in pairs.NAMES)
    monkeypatch.setattr(pairs, "RECIPE", str(recipes["tags"]))
    random_tagger().write(tmp_path / "tagger.safetensors")
    asked = ["reproduce", "pairs", "--quiet", "--tagger", tmp_path / "tagger.safetensors"]
    out, models = tmp_path / "table.md", tmp_path / "models"
    options = ["--names", "enhi-wpt05-manual,enit-xlwa", "--seeds", 1, "--out", out, "--models", models]
    table = budgie(*asked, *options).decode()
    assert out.read_text("utf-8") == table
    head, _, hindi, italian = map(cells, table.splitlines())
    assert len(head) == len(hindi) == len(italian)
    assert hindi[:4] == ["en-hi", "EMILLE, WPT 2005", "60, aligned by hand", "60"]
    assert italian[:3] == ["en-it", "XL-WA, English-Italian", "60, aligned by a program"]
    assert italian[-1] == "CC-BY-NC-SA-4.0"
    for trained in (4, 7, 10):  # then left as it is, then tuned
        assert float(hindi[trained]) > float(hindi[trained + 1]) + 3
        assert float(hindi[trained + 2]) > float(hindi[trained + 1]) + 3
    names = {f"{name}{kind}-1.safetensors" for name in ("enhi-wpt05-manual", "enit-xlwa") for kind in ("", "-tuned")}
    assert {path.name for path in models.iterdir()} == names
    budgie.fails(*asked, "--names", "enja-kyoto-auto", message="no set enja-kyoto-auto; there are enja-kftt-manual, ")


def test_folds(tmp_path: Path, recipes: dict[str, Path], budgie: Command) -> None:
    asked = ["reproduce", "folds", "--quiet", "--recipe", recipes["plain"], "--folds", 3]
    out, models = tmp_path / "table.md", tmp_path / "models"
    table = budgie(*asked, "--out", out, "--models", models).decode()
    assert out.read_text("utf-8") == table
    head, _, *rows = map(cells, table.splitlines())
    assert [row[0] for row in rows] == ["1", "2", "3", "all"]
    assert all(len(row) == len(head) for row in rows)
    assert sum(int(row[1]) for row in rows[:3]) == int(rows[3][1]) == 120
    assert "±" in rows[3][2]
    for row in rows:
        assert first_number(row[2]) > float(row[3]) + 10
    assert {path.name for path in models.iterdir()} == {f"fold-{number}.safetensors" for number in (1, 2, 3)}
    assert budgie(*asked, "--only", 2).decode().splitlines()[2] == table.splitlines()[3]
    for wrong in (["--only", 4], ["--folds", 2]):
        budgie.fails(*asked, *wrong, message="--folds must be at least 3 ")


def test_folds_with_silver_orders(tmp_path: Path, recipes: dict[str, Path], budgie: Command) -> None:
    (tmp_path / "2.jsonl").write_text('{"source": ["ir", "casa"], "permutation": [1, 0]}\n')
    options = ["--folds", 3, "--steps", 2, "--set", "optimise.silver=0.5", "--silver", tmp_path / "FOLD.jsonl"]
    asked = ["reproduce", "folds", "--quiet", "--recipe", recipes["plain"], *options]
    assert len(budgie(*asked, "--only", 2).splitlines()) == 4
    budgie.fails(*asked, "--only", 1, message=f"{tmp_path}/1.jsonl")


@pytest.mark.parametrize(
    ("name", "megabytes"), [("preorder-paper", 0.5), ("preorder-paper-tags", 1.3), ("preorder-paper-inputs", 3.7)]
)
def test_the_paper_s_sizes(name: str, megabytes: float) -> None:
    recipe = load_recipe(name)
    tagger = make_config(load_recipe("pos-paper"), tuple(map(str, range(17))))
    networks = {"tagger": tagger} if "tags" in name else {}
    assert round(account(make_config(recipe, MOVES, networks=networks)).size / MB, 1) == megabytes
