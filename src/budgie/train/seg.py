# SPDX-License-Identifier: Apache-2.0
"""Training of a segmenter: from segmented text, a recipe and perhaps silver text to a model file."""

from __future__ import annotations

import dataclasses
import itertools
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from budgie import _core
from budgie.config import ACTIONS, Group
from budgie.evaluate_words import evaluate_words
from budgie.model import Model, Tensor
from budgie.parts import make_unit_features
from budgie.segmented import Segmented
from budgie.segmenter import Segmenter
from budgie.train.decisions import DecisionBatches, DecisionChunks, DecisionText
from budgie.train.export import make_model
from budgie.train.loop import Run, find_device, train
from budgie.train.pos import gold_sample, mix
from budgie.train.recipe import Network, Recipe, make_config
from budgie.train.silver import read_silver
from budgie.train.units import as_sentence, mark
from budgie.train.windows import Sample

OUTSIDE = 0x7FFFFFFF  # kOutside of core/unit_features.hpp


@dataclass(frozen=True)
class SegmentedText:
    """Sentences that follow one standard, to learn from and to choose by."""

    training: Sequence[Segmented]
    held_out: Sequence[Segmented]
    standard: str = ""


def train_segmenter(
    recipe: Recipe, texts: Sequence[SegmentedText], silver: Sequence[Path], run: Run, about: Mapping[str, str]
) -> Model:
    """Train a segmenter by a recipe; the first text's standard is the model's default."""
    has_standards = any(group.kind == "standard" for group in recipe.network.groups)
    standards = tuple(text.standard for text in texts) if has_standards else ()
    plain = _core.UnitFeatures([], [], recipe.network.text.units == "runs", recipe.network.text.spaces == "join")
    keys = {
        group.name: vocabulary((s.text for text in texts for s in text.training), group.n, recipe.network.least, plain)
        for group in recipe.network.groups
        if group.kind == "vocabulary"
    }
    recipe = dataclasses.replace(recipe, network=_sized(recipe.network, keys, standards))
    config = make_config(recipe, ACTIONS, standards=standards)
    resources = {f"{name}.keys": Tensor("U8", (len(data),), data) for name, data in keys.items()}
    features = make_unit_features(config, resources)

    def samples(sentences: Iterable[Segmented], standard: str) -> list[Sample]:
        named = standard if standards else None
        return [gold_sample(as_sentence(sentence, plain, named), ACTIONS) for sentence in sentences]

    gold = [sample for text in texts for sample in samples(text.training, text.standard)]
    held = [sample for text in texts for sample in samples(text.held_out, text.standard)]
    taught = list(itertools.chain.from_iterable(read_silver(path, ACTIONS) for path in silver))
    gold, more = mix(gold, taught)
    marks, device = [mark(standard) for standard in standards], find_device(run.device)
    annotated = DecisionText(features, gold, marks, device)
    everything = annotated.followed_by(DecisionText(features, more, marks, device)) if more else annotated
    trained = train(
        config,
        recipe.optimise,
        DecisionBatches(everything, len(annotated), recipe.optimise),
        DecisionChunks(DecisionText(features, held, marks, device)),
        run,
    )
    model = make_model(config, trained.weights, resources=resources)
    scores = {
        f"held-out F1{f' ({text.standard})' if standards else ''}": round(
            100 * evaluate_words(Segmenter(model, standard=text.standard if standards else None), text.held_out).f1, 2
        )
        for text in texts
    }
    info = {
        "recipe": recipe.about,
        **about,
        "scores": json.dumps(scores),
        "setting": json.dumps(dataclasses.asdict(trained.setting)),
        "steps": str(trained.step),
    }
    return dataclasses.replace(model, info=info)


def _sized(network: Network, keys: Mapping[str, bytes], standards: tuple[str, ...]) -> Network:
    """Groups whose rows the data number."""

    def sized(group: Group) -> Group:
        if group.kind == "vocabulary":
            rows = sum(byte < 128 for byte in keys[group.name]) + 1
            return dataclasses.replace(group, buckets=rows, keys=len(keys[group.name]))
        return dataclasses.replace(group, buckets=len(standards)) if group.kind == "standard" else group

    return dataclasses.replace(network, groups=tuple(map(sized, network.groups)))


def vocabulary(texts: Iterable[str], n: int, least: int, features: _core.UnitFeatures) -> bytes:
    """The n-grams of units that occur at least so often, as the model file has them (core/vocabulary.hpp)."""
    counts: Counter[int] = Counter()
    for text in texts:
        ids = [OUTSIDE] * (n - 1) + [unit[2] for unit in features.units(text)] + [OUTSIDE] * (n - 1)
        counts.update(ids if n == 1 else (one << 32 | other for one, other in itertools.pairwise(ids)))
    kept = {key for key, count in counts.items() if count >= least} | ({OUTSIDE} if n == 1 else set())
    return b"".join(_varint(key - before) for before, key in itertools.pairwise([0, *sorted(kept)]))


def _varint(number: int) -> bytes:
    """Seven bits a byte, the lowest first; all bytes but the last have the highest bit set."""
    parts = [number & 127]
    while number := number >> 7:
        parts[-1] |= 128
        parts.append(number & 127)
    return bytes(parts)
