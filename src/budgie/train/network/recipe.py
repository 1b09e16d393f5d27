# SPDX-License-Identifier: Apache-2.0
"""A recipe: a TOML file that says what the network looks like and how it is trained. Lists of numbers span a grid."""

from __future__ import annotations

import bisect
import dataclasses
import itertools
import tomllib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any, Literal

from budgie._core import LONGEST_WORD
from budgie.clusters.bloom import BuiltMap, build_bloom_map
from budgie.clusters.table import ClusterTable
from budgie.errors import ConfigError, DataError
from budgie.model.accounting import account
from budgie.model.config import MAX_ERROR_BITS, MAX_EXTENT, Config, Group, Lexicon, Task, TextConfig
from budgie.train.data.chinese import Conversion
from budgie.train.network.layout_settings import LayoutSettings
from budgie.train.network.plain_data import build, check_range
from budgie.train.network.snippet_settings import SnippetSettings

_SUFFIX = ".toml"
MAX_GROWTH = 100  # times that a budget may make groups grow


@dataclass(frozen=True)
class Setting:
    """One point of the grid."""

    learning_rate: float
    momentum: float
    gamma: int
    l2: float
    dropout: float


@dataclass(frozen=True)
class Optimise:
    """How to optimise; the defaults are the paper's (section 2, Training)."""

    optimiser: Literal["sgd", "adam"] = "sgd"
    schedule: Literal["exponential", "linear"] = "exponential"  # exponential: x 0.96 every gamma steps
    batch: int = 32
    steps: int = 100_000
    learning_rate: tuple[float, ...] = (0.4,)
    momentum: tuple[float, ...] = (0.9,)
    gamma: tuple[int, ...] = (32_000,)
    l2: tuple[float, ...] = (0.0001,)
    dropout: tuple[float, ...] = (0.0,)  # of h0 and h1
    feature_dropout: float = 0.0  # share of a text's features that a minibatch leaves out
    crops: float = 0.0  # share of documents that a minibatch replaces by a random part of them
    smoothing: float = 0.0  # of the gold distribution
    silver: float = 0.0  # share of a minibatch that comes from text labelled by a teacher, where there is any
    unknown: float = 0.0  # taggers: how often each word is taken for an unknown one, at most half of the time
    average: float = 0.9999  # decay of the running average of the weights
    recased: float = 0.0  # taggers: share of the sentences that are added in lower case or in upper case
    unended: float = 0.0  # preorderers: share of the sentences that are added without their final punctuation
    embedding_start: float = 0.17  # embeddings begin as random numbers between plus and minus this
    evaluate_every: int = 1_000
    patience: int = 10  # evaluations without a better score before training stops
    seed: int = 1

    def __post_init__(self) -> None:
        for name in ("batch", "steps", "evaluate_every", "patience"):
            check_range(f"optimise.{name}", getattr(self, name), 1, 2**40)
        for name, low, high in (
            ("feature_dropout", 0, 0.99),
            ("crops", 0, 1),
            ("smoothing", 0, 0.99),
            ("silver", 0, 0.99),
            ("unknown", 0, 2**40),
            ("recased", 0, 1),
            ("unended", 0, 1),
            ("embedding_start", 0, 10),
            ("average", 0, 1),
        ):
            check_range(f"optimise.{name}", getattr(self, name), low, high)
        for name, low, high in (
            ("learning_rate", 0, 2**40),
            ("momentum", 0, 1),
            ("gamma", 1, 2**40),
            ("l2", 0, 2**40),
            ("dropout", 0, 0.99),
        ):
            if not getattr(self, name):
                raise ConfigError(f"optimise.{name} must have at least one number")
            for value in getattr(self, name):
                check_range(f"optimise.{name}", value, low, high)

    def settings(self) -> list[Setting]:
        """The points of the grid."""
        product = itertools.product(self.learning_rate, self.momentum, self.gamma, self.l2, self.dropout)
        return [Setting(*point) for point in product]


@dataclass(frozen=True)
class MapSettings:
    """How words get to their clusters, where the network has a group of kind clusters."""

    words: int = 250_000  # the most frequent ones
    error_bits: int = 0

    def __post_init__(self) -> None:
        check_range("network.bloom.words", self.words, 1, MAX_EXTENT)
        check_range("network.bloom.error_bits", self.error_bits, 0, MAX_ERROR_BITS)


@dataclass(frozen=True)
class LexiconSettings:
    """How words of a list are kept, where the network has a group of kind lexicon."""

    longest: int = 5  # units of a word
    bits_a_word: int = 10

    def __post_init__(self) -> None:
        check_range("network.lexicon.longest", self.longest, 2, LONGEST_WORD)
        check_range("network.lexicon.bits_a_word", self.bits_a_word, 1, 64)


@dataclass(frozen=True)
class NetworkSettings:
    """The shape of the network, without the labels, which come from the data."""

    hidden: int
    groups: tuple[Group, ...]
    text: TextConfig = TextConfig()
    layer_bits: Literal[16, 32] = 32
    shared_space: bool = False
    bloom: MapSettings = MapSettings()
    lexicon: LexiconSettings = LexiconSettings()
    variants: Conversion | None = None  # segmenters: Chinese characters count as what this conversion makes of them
    least: int = 2  # how often an n-gram of a vocabulary must occur; the others share the row of unknown ones
    budget: int | None = None  # bytes, as the paper counts: n-grams and words get as many buckets as fit

    def __post_init__(self) -> None:
        check_range("network.least", self.least, 1, 2**40)
        if self.budget is not None:
            check_range("network.budget", self.budget, 1, 2**40)


@dataclass(frozen=True)
class TeacherSettings:
    """A larger network of the same kind, which learns at the same time and tells the small one what it thinks."""

    rows: int  # times as many as the small one has, of each group
    width: int  # times as wide
    hidden: int
    learning_rate: float
    feature_dropout: float = 0.0
    share: float = 0.7  # of the gold distribution: what is not the teacher's is the label's
    warm: float = 0.1  # share of the steps in which that grows from nothing

    def __post_init__(self) -> None:
        for name in ("rows", "width", "hidden"):
            check_range(f"teacher.{name}", getattr(self, name), 1, MAX_EXTENT)
        check_range("teacher.learning_rate", self.learning_rate, 0, 2**40)
        check_range("teacher.feature_dropout", self.feature_dropout, 0, 0.99)
        check_range("teacher.share", self.share, 0, 1)
        check_range("teacher.warm", self.warm, 0, 1)


@dataclass(frozen=True)
class Recipe:
    """A whole recipe."""

    task: Task
    about: str
    network: NetworkSettings
    optimise: Optimise = Optimise()
    snippets: SnippetSettings | None = None  # cut running text into snippets; else texts are used as they are
    layouts: LayoutSettings = LayoutSettings()  # of raw text, for tokens and sentences
    teacher: TeacherSettings | None = None  # of snippets

    def __post_init__(self) -> None:
        if self.teacher and self.snippets is None:
            raise ConfigError("[teacher] is for recipes that have [snippets]")

    def optimised(self, **changes: Any) -> Recipe:
        """The same network, optimised in another way."""
        return dataclasses.replace(self, optimise=dataclasses.replace(self.optimise, **changes))

    def with_groups(self, groups: Iterable[Group]) -> Recipe:
        """The same with other feature groups."""
        return dataclasses.replace(self, network=dataclasses.replace(self.network, groups=tuple(groups)))


def make_config(
    recipe: Recipe,
    labels: tuple[str, ...],
    known: tuple[int, ...] = (),
    built: BuiltMap | None = None,
    standards: tuple[str, ...] = (),
    lexicon: Lexicon | None = None,
    variants: int = 0,
    networks: Mapping[str, Config] | None = None,
) -> Config:
    """The network of a recipe for these labels; `known` names the blocks of letters it learns, where not all.

    A group of kind clusters has as many rows as the Bloom map has clusters, whatever the recipe says.
    """
    if len(labels) < 2:
        raise DataError(f"the training data has only one label, {labels[0]}: there is nothing to learn")
    network, groups = recipe.network, recipe.network.groups
    if built is not None:
        groups = tuple(
            dataclasses.replace(group, buckets=built.classes) if group.kind == "clusters" else group for group in groups
        )
    text = dataclasses.replace(network.text, blocks=network.text.blocks or known)
    bloom = None if built is None else built.bloom
    config = Config(
        recipe.task,
        groups,
        network.hidden,
        labels,
        text=text,
        layer_bits=network.layer_bits,
        shared_space=network.shared_space,
        bloom=bloom,
        standards=standards,
        lexicon=lexicon,
        variants=variants,
        networks=networks or {},
    )
    return config if network.budget is None else fit(config, network.budget)


def map_clusters(recipe: Recipe, table: ClusterTable | None) -> BuiltMap | None:
    """The Bloom map of a recipe, if it has any use for one."""
    groups = [group for group in recipe.network.groups if group.kind == "clusters"]
    if bool(groups) is (table is None):
        raise ConfigError(
            f"group {groups[0].name} needs a table of clusters: give --clusters, or --without {groups[0].name}"
            if groups
            else "the recipe has no group of kind clusters: leave out --clusters"
        )
    if table is None:
        return None
    settings = recipe.network.bloom
    return build_bloom_map(table, settings.words, settings.error_bits)


def fit(config: Config, budget: int) -> Config:
    """The same network with as many buckets as the budget allows; n-grams and words have more or fewer alike."""

    def scaled(thousandths: int) -> Config:
        groups = (
            dataclasses.replace(group, buckets=min(MAX_EXTENT, max(1, group.buckets * thousandths // 1000)))
            if group.kind in ("ngrams", "words")
            else group
            for group in config.groups
        )
        return dataclasses.replace(config, groups=tuple(groups))

    least = account(scaled(1)).size
    if least > budget:
        raise ConfigError(
            f"with next to no buckets the network takes {least:,} bytes, over the budget of {budget:,}: "
            "use fewer hidden units, or fewer words of clusters (network.bloom.words)"
        )
    return scaled(bisect.bisect_right(range(1, 1000 * MAX_GROWTH), budget, key=lambda t: account(scaled(t)).size))


def load_recipe(name: str | Path, changes: Sequence[str] = (), without: Collection[str] = ()) -> Recipe:
    """A recipe of the package by its name, or a TOML file by its path.

    `changes` are lines of TOML such as "optimise.steps = 100"; `without` names feature groups to leave out. A recipe
    that is `like` another says only what is different.
    """
    data = _read(name)
    if isinstance(like := data.pop("like", None), str):
        own, data = data, _read(Path(name).parent / like if like.endswith(_SUFFIX) else like)
        if "like" in data:
            raise ConfigError(f"recipe {name} is like {like}, which is itself like another one")
        _merge(data, own)
    elif like is not None:
        raise ConfigError(f"recipe {name}: like must be the name of a recipe")
    for change in changes:
        _merge(data, _parsed(change, f"the change {change!r}"))
    recipe: Recipe = build(Recipe, data, f"recipe {name}")
    return _without(recipe, without)


def _read(name: str | Path) -> dict[str, Any]:
    path = Path(name)
    if path.suffix == _SUFFIX:
        try:
            return _parsed(path.read_text(encoding="utf-8"), f"recipe {name}")
        except UnicodeError:
            raise ConfigError(f"recipe {name} is not UTF-8") from None
    rooms = resources.files("budgie.train").joinpath("recipes").iterdir()
    shipped = {file.name.removesuffix(_SUFFIX): file for room in rooms for file in room.iterdir()}
    if str(name) not in shipped:
        raise ConfigError(
            f"there is no recipe {name}: give the path of a TOML file, or one of {', '.join(sorted(shipped))}"
        )
    return _parsed(shipped[str(name)].read_text(encoding="utf-8"), f"recipe {name}")


def _parsed(text: str, what: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{what}: {error}") from None


def _merge(data: dict[str, Any], changes: dict[str, Any]) -> None:
    for key, value in changes.items():
        if isinstance(value, dict) and isinstance(data.get(key), dict):
            _merge(data[key], value)
        else:
            data[key] = value


def _without(recipe: Recipe, names: Collection[str]) -> Recipe:
    groups = recipe.network.groups
    if unknown := set(names) - {group.name for group in groups}:
        raise ConfigError(f"the recipe has no group {min(unknown)}, only {', '.join(group.name for group in groups)}")
    return recipe.with_groups(group for group in groups if group.name not in names)
