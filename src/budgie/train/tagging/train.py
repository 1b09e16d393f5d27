# SPDX-License-Identifier: Apache-2.0
"""Training of a tagger: from tagged sentences, a recipe and perhaps silver text to a model file."""

from __future__ import annotations

import dataclasses
import itertools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import numpy as np

from budgie._core import WordFeatures
from budgie.clusters.bloom import BuiltMap, build_bloom_map
from budgie.clusters.table import ClusterTable
from budgie.errors import ConfigError
from budgie.evaluation.tagging import evaluate_tags
from budgie.formats.sentences import Sentence, pairs
from budgie.model.config import Config
from budgie.model.features import make_word_features
from budgie.model.file import Model
from budgie.tasks.tagging import Tagger
from budgie.train.network.batches import Floats
from budgie.train.network.drawn import Chunks, DrawnBatches
from budgie.train.network.export import make_model
from budgie.train.network.loop import Run, find_device, train
from budgie.train.network.recipe import Optimise, Recipe, make_config
from budgie.train.network.silver import read_silver
from budgie.train.tagging.windows import Lexicon, Reach, Sample, TaggedText

_DENSE_BUCKETS = 2**14  # a matrix of words and buckets is quick on a GPU, but has to fit into its memory


@dataclass(frozen=True)
class Material:
    """What a tagger learns from: tagged sentences, others to choose by, files of silver text, a table of clusters."""

    training: Sequence[Sentence]
    held_out: Sequence[Sentence]
    silver: Sequence[Path] = ()
    clusters: ClusterTable | None = None


def train_tagger(recipe: Recipe, material: Material, run: Run, about: Mapping[str, str]) -> Model:
    """Train a tagger by a recipe."""
    built = map_clusters(recipe, material.clusters)
    config = make_config(recipe, labels_of(material.training), built=built)
    resources = built.tensors if built else {}
    features = make_word_features(config, resources)
    if sum(group.buckets for group in config.groups) > _DENSE_BUCKETS:
        run = dataclasses.replace(run, form="sparse")
    trained = train(config, recipe.optimise, *make_batches(recipe, config, features, material, run), run)
    tagger = Tagger(make_model(config, trained.weights, resources=resources))
    scores = {"held-out accuracy": round(100 * evaluate_tags(tagger, material.held_out).accuracy, 2)}
    info = {
        "recipe": recipe.about,
        **about,
        "scores": json.dumps(scores),
        "setting": json.dumps(dataclasses.asdict(trained.setting)),
        "steps": str(trained.step),
    }
    return Model(tagger.model.config, tagger.model.tensors, info)


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


def make_batches(
    recipe: Recipe, config: Config, features: WordFeatures, material: Material, run: Run
) -> tuple[DrawnBatches, Chunks]:
    """What to learn from, and what to choose by."""
    held = [gold_sample(sentence, config.labels) for sentence in material.held_out]
    gold = [gold_sample(sentence, config.labels) for sentence in material.training]
    taught = list(itertools.chain.from_iterable(read_silver(path, config.labels) for path in material.silver))
    gold, more = mix(gold, taught)
    gold += recased(gold, recipe.optimise)
    words = (word for sample in itertools.chain(gold, more, held) for word in sample.words)
    reach = Reach(config)
    lexicon = Lexicon(config.groups, reach.columns, features, words, find_device(run.device), run.form)
    annotated = sum(len(sample.words) for sample in gold)
    batches = DrawnBatches(TaggedText(lexicon, reach, gold + more), annotated, recipe.optimise)
    return batches, Chunks(TaggedText(lexicon, reach, held))


def mix(gold: Sequence[Sample], taught: Sequence[Sample]) -> tuple[list[Sample], list[Sample]]:
    """Annotated sentences, softened by what teachers say of them, and what they say of other sentences."""
    opinions: dict[tuple[str, ...], list[Floats]] = {}
    for sample in taught:
        opinions.setdefault(tuple(sample.words), []).append(sample.targets)
    together = {words: np.mean(targets, axis=0) for words, targets in opinions.items()}
    mixed = []
    for sample in gold:
        opinion = together.get(tuple(sample.words), sample.targets)
        mixed.append(Sample(sample.words, np.mean([sample.targets, opinion], axis=0)))
    annotated = {tuple(sample.words) for sample in gold}
    return mixed, [Sample(words, targets) for words, targets in together.items() if words not in annotated]


def recased(samples: Sequence[Sample], optimise: Optimise) -> list[Sample]:
    """Some of the sentences again, half of them in lower case and half in upper case."""
    random = Random(optimise.seed)
    chosen = random.sample(samples, round(optimise.recased * len(samples)))
    folds = (str.lower, str.upper)
    return [Sample(tuple(map(folds[i % 2], sample.words)), sample.targets) for i, sample in enumerate(chosen)]


def gold_sample(sentence: Sentence, labels: tuple[str, ...]) -> Sample:
    """What the annotators say; a tag that is no label has no probability at all."""
    numbers = {label: number for number, label in enumerate(labels)}
    targets = np.zeros((len(sentence.words), len(labels)), dtype=np.float32)
    for row, (_, tag) in zip(targets, pairs(sentence), strict=True):
        if tag in numbers:
            row[numbers[tag]] = 1
    return Sample(sentence.words, targets)


def labels_of(sentences: Sequence[Sentence]) -> tuple[str, ...]:
    """The tags that occur."""
    return tuple(sorted({tag for sentence in sentences for _, tag in pairs(sentence)}))
