# SPDX-License-Identifier: Apache-2.0
"""The recipe langid-free: a language identifier that learns from free sources alone."""

from __future__ import annotations

import dataclasses
import lzma
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="training needs the extra `train`")

from budgie.errors import ConfigError
from budgie.licences import classify, classify_model
from budgie.train.data.datasets import DATASETS
from budgie.train.langid import train
from budgie.train.langid.background import BACKGROUND
from budgie.train.langid.corpora import Corpora, CorpusSettings, Pool, load_corpora
from budgie.train.network.loop import Run
from budgie.train.network.recipe import load_recipe

# Of every class, running text and lists of words.
SOURCES = ("tatoeba", "mediawiki", "dslcc", "masakhane", "newsgradient", "unilex_wordfreq", "crubadan_wordfreq")
FREE = {"tatoeba", "mediawiki", "unilex_wordfreq"}


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Official data, made up: each source has lines of its own in two languages, and one that nobody has listed."""
    for folder, sources in {"train": (*SOURCES, "unheard_of"), "train_extra": (), "train_more": ("bible_xml",)}.items():
        (tmp_path / "langid" / folder).mkdir(parents=True)
        for source in sources:
            for label, word in (("de", "Wort"), ("en", "word")):
                names = ["".join(chr(ord("a") + int(digit)) for digit in str(i)) for i in range(100, 140)]
                lines = [f"{source} {word} {name} {label}" for name in names]
                if source.endswith("wordfreq"):
                    lines = [f"{word}\t7", f"{label}\t5"]
                file = tmp_path / "langid" / folder / source / f"{label}.txt.xz"
                file.parent.mkdir(exist_ok=True)
                file.write_bytes(lzma.compress("\n".join(lines).encode()))
    (tmp_path / "langid" / "dev" / "udhr").mkdir(parents=True)
    for label in CorpusSettings().udhr_for_training:
        (tmp_path / "langid" / "dev" / "udhr" / f"{label}.txt.xz").write_bytes(lzma.compress(b"ua saoloto lo latou\n"))
    monkeypatch.setenv("BUDGIE_DATA", str(tmp_path))
    return tmp_path / "langid" / "train"


def sources_of(corpora: Corpora) -> set[str]:
    return {pool.source for pool in (*corpora.texts, *corpora.words)}


def test_sources_that_are_not_free_are_left_out(data: Path) -> None:
    rare = data.parent / "train_more"
    training, held_out = load_corpora([data], settings=CorpusSettings(free_only=True), rare=rare)
    assert sources_of(training) == FREE
    assert sources_of(held_out) <= FREE
    training, _ = load_corpora([data], rare=rare)
    assert sources_of(training) == {*SOURCES, "unheard_of", "bible_xml"} - {"masakhane"}  # not for commercial use


def test_the_recipe_is_langid_without_them() -> None:
    free, usual = load_recipe("langid-free"), load_recipe("langid")
    assert free.snippets and usual.snippets and not usual.snippets.free_only
    assert free.snippets == dataclasses.replace(usual.snippets, free_only=True)
    assert (free.network, free.optimise) == (usual.network, usual.optimise)
    assert free.about != usual.about


@pytest.mark.parametrize("name", ["langid-free", "langid"])
def test_training_says_what_it_has_learnt_from(data: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Without the training itself: masakhane is not for commercial use, and so taught to nobody."""
    monkeypatch.setattr(train, "train_on_snippets", lambda _recipe, _corpora, _held, _run, about: about)
    about = train.train_identifier(load_recipe(name), data, None, Run(quiet=True))
    assert isinstance(about, dict)
    assert classify_model("langid", about) == "free"
    assert "masakhane" not in about["trained_on"]
    assert ("newsgradient" in about["trained_on"]) == (name == "langid")
    assert ("not stated" in about["licence"].split("; ")) == (name == "langid")  # of what nobody has listed


def test_made_up_text_needs_no_licence() -> None:
    pools = (
        Pool("en", "tatoeba", "text\n"),
        Pool(BACKGROUND, "keys", "asdf\n"),
        Pool(BACKGROUND, "python_library", "x\n"),
    )
    about = train.sources_of(Corpora(("en", BACKGROUND), pools))
    assert about["licence"] == "CC-BY-2.0-FR; PSF-2.0"
    assert classify_model("pos", about) == classify(DATASETS["tatoeba"].licence) == "free"


def test_what_makes_no_sense(data: Path, tmp_path: Path) -> None:
    recipe, run = load_recipe("langid-free"), Run(quiet=True)
    with pytest.raises(ConfigError, match="free_only is for the official text"):
        train.train_identifier(recipe, tmp_path, None, run)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('like = "langid-free"', "is like langid-free, which is itself like another one"),
        ("like = 7", "like must be the name of a recipe"),
        ('like = "nonsense"', "there is no recipe nonsense"),
        ('like = "langid"\n[network]\nunits = 7', "unknown name: 'units'"),
    ],
)
def test_recipes_that_are_like_others(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "mine.toml").write_text(text)
    with pytest.raises(ConfigError, match=message):
        load_recipe(tmp_path / "mine.toml")
