# SPDX-License-Identifier: Apache-2.0
"""Training of a tagger: from tagged sentences, a recipe and perhaps silver text to a model file."""

from __future__ import annotations

import dataclasses
import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from budgie._core import WordFeatures
from budgie.clusters.table import ClusterTable
from budgie.errors import ConfigError
from budgie.evaluation.tagging import evaluate_tags
from budgie.formats.sentences import TokenisedSentence, pairs
from budgie.model.config import Config
from budgie.model.features import make_word_features
from budgie.model.file import Model
from budgie.tasks.tagging import Tagger
from budgie.train.network.drawn import Chunks, DrawnBatches
from budgie.train.network.export import make_model
from budgie.train.network.loop import Run, find_device, train
from budgie.train.network.recipe import Optimise, Recipe, make_config, map_clusters
from budgie.train.network.samples import Sample, gold_sample, mix
from budgie.train.network.silver import read_silver
from budgie.train.network.unknown_words import HASHED, UnknownWords
from budgie.train.network.words import WordTable
from budgie.train.tagging.windows import Reach, TaggedText

_DENSE_BUCKETS = 2**14  # a matrix of words and buckets is quick on a GPU, but has to fit into its memory


@dataclass(frozen=True)
class TaggingMaterial:
    """What a tagger learns from: tagged sentences, others to choose by, files of silver text, a table of clusters."""

    training: Sequence[TokenisedSentence]
    held_out: Sequence[TokenisedSentence]
    silver: Sequence[Path] = ()
    clusters: ClusterTable | None = None


def train_tagger(recipe: Recipe, material: TaggingMaterial, run: Run, about: Mapping[str, str]) -> Model:
    """Train a tagger by a recipe."""
    built = map_clusters(recipe, material.clusters)
    config = make_config(recipe, labels_of(material.training), built=built)
    resources = built.tensors if built else {}
    features = make_word_features(config, resources)
    if recipe.optimise.unknown or sum(group.buckets for group in config.groups) > _DENSE_BUCKETS:
        run = dataclasses.replace(run, form="sparse")
    trained = train(config, recipe.optimise, *make_batches(recipe, config, features, material, run), run)
    tagger = Tagger(make_model(config, trained.weights, resources=resources))
    scores = {"held-out accuracy": evaluate_tags(tagger, material.held_out).accuracy}
    return Model(tagger.model.config, tagger.model.tensors, trained.info(recipe, about, scores))


def make_batches(
    recipe: Recipe, config: Config, features: WordFeatures, material: TaggingMaterial, run: Run
) -> tuple[DrawnBatches, Chunks]:
    """What to learn from, and what to choose by."""
    held = [gold_sample(sentence, config.labels) for sentence in material.held_out]
    gold = [gold_sample(sentence, config.labels) for sentence in material.training]
    taught = list(itertools.chain.from_iterable(read_silver(path, config.labels) for path in material.silver))
    gold, more = mix(gold, taught)
    gold += recased(gold, recipe.optimise)
    words = (word for sample in itertools.chain(gold, more, held) for word in sample.words)
    reach = Reach(config)
    device = find_device(run.device)
    table = WordTable(config.groups, reach.columns, features, words, device, run.form)
    annotated = sum(len(sample.words) for sample in gold)
    unknown = None
    if recipe.optimise.unknown:
        if not any(group.kind in HASHED for group in config.groups):
            raise ConfigError("optimise.unknown is for recipes with n-grams or words")
        counts = Counter(word for sample in gold + more for word in sample.words)
        unknown = UnknownWords.of(config, table.words, counts, recipe.optimise.unknown, device)
    batches = DrawnBatches(TaggedText(table, reach, gold + more, unknown), annotated, recipe.optimise)
    return batches, Chunks(TaggedText(table, reach, held))


def recased(samples: Sequence[Sample], optimise: Optimise) -> list[Sample]:
    """Some of the sentences again, half of them in lower case and half in upper case."""
    random = Random(optimise.seed)
    chosen = random.sample(samples, round(optimise.recased * len(samples)))
    folds = (str.lower, str.upper)
    return [Sample(tuple(map(folds[i % 2], sample.words)), sample.targets) for i, sample in enumerate(chosen)]


def labels_of(sentences: Sequence[TokenisedSentence]) -> tuple[str, ...]:
    """The tags that occur."""
    return tuple(sorted({tag for sentence in sentences for _, tag in pairs(sentence)}))
