# SPDX-License-Identifier: Apache-2.0
"""Training of a preorderer: from orders of words, a recipe and perhaps silver orders to a model file."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

import torch

from budgie.clusters.table import ClusterTable
from budgie.errors import ConfigError, DataError
from budgie.evaluation.preordering import evaluate_order
from budgie.formats.alignments import Aligned
from budgie.formats.orders import Ordered, from_alignments
from budgie.model.config import MOVES, Config
from budgie.model.features import make_word_features
from budgie.model.file import Model
from budgie.model.tensors import Tensor
from budgie.tasks.preordering import Preorderer
from budgie.tasks.tagging import Tagger
from budgie.train.network.drawn import Chunks, DrawnBatches
from budgie.train.network.export import make_model, weights_of
from budgie.train.network.loop import Run, find_device, train
from budgie.train.network.recipe import Optimise, Recipe, make_config, map_clusters
from budgie.train.network.words import WordTable
from budgie.train.preordering.moves import Looks, MoveText


@dataclass(frozen=True)
class PreorderingMaterial:
    """What a preorderer learns from: orders, aligned sentences to choose by, silver orders, a tagger, clusters.

    Or it starts as another preorderer, with its tagger and its clusters.
    """

    training: Sequence[Ordered]
    held_out: Sequence[Aligned]
    silver: Sequence[Ordered] = ()
    tagger: Tagger | None = None
    clusters: ClusterTable | None = None
    start: Model | None = None


def train_preorderer(recipe: Recipe, material: PreorderingMaterial, run: Run, about: Mapping[str, str]) -> Model:
    """Train a preorderer by a recipe, of whose network there is no use where another preorderer is the start."""
    start = material.start
    config, resources = make_preorderer_config(recipe, material) if start is None else (start.config, start.tensors)
    tagger = material.tagger if start is None else Preorderer(start).tagger
    held_out = from_alignments(material.held_out)
    training, silver = (with_unended(orders, recipe.optimise) for orders in (material.training, material.silver))
    everything = [*training, *silver, *held_out]
    text = _Texts(config, resources, everything, tagger, find_device(run.device))
    gold = text.of(training)
    both = gold.followed_by(text.of(silver)) if silver else gold
    batches = DrawnBatches(both, len(gold), recipe.optimise)
    begin = None if start is None else weights_of(start)
    trained = train(config, recipe.optimise, batches, Chunks(text.of(held_out)), run, begin)
    model = make_model(config, trained.weights, resources=resources)
    found = evaluate_order(Preorderer(model), material.held_out)
    scores = {"held-out FRS": found.frs, "held-out tau": found.tau}
    return Model(model.config, model.tensors, trained.info(recipe, about, scores))


def make_preorderer_config(recipe: Recipe, material: PreorderingMaterial) -> tuple[Config, dict[str, Tensor]]:
    """The network of a recipe, and the tensors that nobody trains here: those of the clusters and of the tagger."""
    tagger, built = material.tagger, map_clusters(recipe, material.clusters)
    groups = recipe.network.groups
    if any(group.kind == "tags" for group in groups) is not (tagger is not None):
        raise ConfigError(
            "the recipe has no group of kind tags: leave out --tagger"
            if tagger
            else "the recipe has groups of tags, and needs the tagger that the model will carry: give --tagger"
        )
    resources = dict(built.tensors) if built else {}
    if tagger:
        recipe = recipe.with_groups(
            dataclasses.replace(group, buckets=len(tagger.tags)) if group.kind == "tags" else group for group in groups
        )
        resources |= {f"tagger.{name}": tensor for name, tensor in tagger.model.tensors.items()}
    networks = {"tagger": tagger.model.config} if tagger else None
    return make_config(recipe, MOVES, built=built, networks=networks), resources


def with_unended(sentences: Sequence[Ordered], optimise: Optimise) -> list[Ordered]:
    """The sentences, and some of them again without their final punctuation, as headings and users write them."""
    random = Random(optimise.seed)
    unended = []
    for sentence in random.sample(sentences, round(optimise.unended * len(sentences))):
        last = len(sentence.words) - 1
        if last > 0 and not any(map(str.isalnum, sentence.words[last])):
            unended.append(Ordered(sentence.words[:last], [word for word in sentence.order if word != last]))
    return [*sentences, *unended]


class _Texts:
    """Makes texts of moves; all words that come are known before."""

    def __init__(
        self,
        config: Config,
        resources: Mapping[str, Tensor],
        sentences: Sequence[Ordered],
        tagger: Tagger | None,
        device: torch.device,
    ) -> None:
        self.tagger, self.looks = tagger, Looks(config)
        words = (word for sentence in sentences for word in sentence.words)
        features = make_word_features(config, resources)
        # A matrix of words and buckets would be large: each word has few features, and there are many words.
        self.table = WordTable(config.groups, self.looks.of_words, features, words, device, "sparse")

    def of(self, sentences: Sequence[Ordered]) -> MoveText:
        """The moves that gold makes in some sentences."""
        states = self.looks.gold([sentence.order for sentence in sentences])
        if len(states.moves) == 0:
            raise DataError("the sentences have no words: there is nothing to learn")
        return MoveText(self.table, self.looks, sentences, self._tags(sentences), states)

    def _tags(self, sentences: Sequence[Ordered]) -> list[list[int]]:
        if self.tagger is None:
            return [[-1] * len(sentence.words) for sentence in sentences]
        numbers = {tag: number for number, tag in enumerate(self.tagger.tags)}
        tagged = self.tagger.tag_batch([sentence.words for sentence in sentences])
        return [[numbers[tag] for tag in tags] for tags in tagged]
