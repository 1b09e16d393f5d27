# SPDX-License-Identifier: Apache-2.0
"""Training of a segmenter: from segmented text, a recipe and perhaps silver text to a model file."""

from __future__ import annotations

import dataclasses
import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from budgie import _core
from budgie.errors import ConfigError
from budgie.evaluation.segmentation import evaluate_words
from budgie.formats.segmented import Segmented
from budgie.model.config import ACTIONS, Config, Group, Lexicon
from budgie.model.features import make_unit_features
from budgie.model.file import Model
from budgie.model.tensors import Tensor
from budgie.tasks.segmentation import Segmenter
from budgie.train.data.chinese import encode_variants
from budgie.train.network.drawn import Chunks, DrawnBatches
from budgie.train.network.export import make_model
from budgie.train.network.loop import Run, find_device, train
from budgie.train.network.recipe import Recipe, make_config
from budgie.train.network.samples import Sample, gold_sample, mix
from budgie.train.network.silver import read_silver
from budgie.train.segmentation.decisions import DecisionText, decisions_of_samples
from budgie.train.segmentation.units import as_read, as_sentence, mark, text_of

_PAIR = 6  # bytes of two variants
_HELD_BACK = 100  # of a standard that silver text alone has, one sentence of so many is chosen by instead of learnt


@dataclass(frozen=True)
class SegmentedText:
    """Sentences that follow one standard, to learn from and to choose by."""

    training: Sequence[Segmented]
    held_out: Sequence[Segmented]
    standard: str = ""


@dataclass(frozen=True)
class SegmentationMaterial:
    """What a segmenter learns from: text by its standards (the first is the default), silver text, a list of words."""

    texts: Sequence[SegmentedText]
    silver: Sequence[Path] = ()
    lexicon: Sequence[str] = ()
    taught: Sequence[str] = ()  # standards that silver text alone has; they come before the others


def train_segmenter(recipe: Recipe, material: SegmentationMaterial, run: Run, about: Mapping[str, str]) -> Model:
    """Train a segmenter by a recipe."""
    learnt = [as_read(sentence.text) for text in material.texts for sentence in text.training]
    taught = list(itertools.chain.from_iterable(read_silver(path, ACTIONS) for path in material.silver))
    alone = _of_standards(taught, material.taught)
    unseen = alone[::_HELD_BACK]
    # Of other silver text most n-grams stand in the texts of its standard, too, and the rest would cost bytes.
    learnt += [text_of(sample.words[1:]) for sample in alone]
    standards = [*material.taught, *(text.standard for text in material.texts)]
    config, resources = make_segmenter_config(recipe, learnt, standards, material.lexicon)
    features = make_unit_features(config, resources)
    marks, device = [mark(standard) for standard in config.standards], find_device(run.device)

    def text(samples: Sequence[Sample]) -> DecisionText:
        return decisions_of_samples(features, samples, marks, device)

    def samples(of: Callable[[SegmentedText], Sequence[Segmented]]) -> list[Sample]:
        return [
            gold_sample(as_sentence(sentence, features, text.standard if marks else None), ACTIONS)
            for text in material.texts
            for sentence in of(text)
        ]

    held_back = {tuple(sample.words) for sample in unseen}
    gold, more = mix(samples(lambda text: text.training), [one for one in taught if tuple(one.words) not in held_back])
    annotated = text(gold)
    everything = annotated.followed_by(text(more)) if more else annotated
    batches = DrawnBatches(everything, len(annotated), recipe.optimise)
    held_out = Chunks(text([*samples(lambda text: text.held_out), *unseen]))
    trained = train(config, recipe.optimise, batches, held_out, run)
    model = make_model(config, trained.weights, resources=resources)
    return Model(model.config, model.tensors, trained.info(recipe, about, _scores(model, material.texts)))


def _of_standards(samples: Sequence[Sample], standards: Sequence[str]) -> list[Sample]:
    marks = {mark(standard) for standard in standards}
    return [sample for sample in samples if sample.words[0] in marks]


def _scores(model: Model, texts: Sequence[SegmentedText]) -> dict[str, float]:
    scores = {}
    for text in texts:
        standard = text.standard if model.config.standards else None
        f1 = evaluate_words(Segmenter(model, standard=standard), text.held_out).f1
        scores[f"held-out F1, {standard}" if standard else "held-out F1"] = f1
    return scores


def make_segmenter_config(
    recipe: Recipe,
    texts: Sequence[str],
    standards: Sequence[str] = (),
    lexicon: Sequence[str] = (),
    actions: tuple[str, ...] = ACTIONS,
) -> tuple[Config, dict[str, Tensor]]:
    """The network for some texts, and the tensors that nobody trains: vocabularies, the lexicon, variants.

    The data say how many rows a vocabulary, the standards and the lexicon have; groups that would have none are left
    out, and so are standards where there is only one.
    """
    network = recipe.network
    runs, spaces = network.text.units == "runs", network.text.spaces
    variants = encode_variants(network.variants) if network.variants else b""
    units = _core.Units(runs, spaces, variants)
    known = tuple(standards) if len(standards) > 1 else ()
    if lexicon and not any(group.kind == "lexicon" for group in network.groups):
        raise ConfigError("the recipe has no group of kind lexicon: leave out --lexicon")
    kept, resources, groups = None, dict[str, Tensor](), list[Group]()
    if pairs := len(variants) // _PAIR:
        resources["variants"] = Tensor("U8", (len(variants),), variants)
    for group in network.groups:
        if group.kind == "vocabulary":
            keys = encode_vocabulary(texts, group.n, network.least, units)
            resources[f"{group.name}.keys"] = Tensor("U8", (len(keys),), keys)
            groups.append(dataclasses.replace(group, buckets=sum(byte < 128 for byte in keys) + 1, keys=len(keys)))
        elif group.kind == "standard":
            groups += [dataclasses.replace(group, buckets=len(known))] if known else []
        elif group.by_standard and not known:
            continue
        elif group.kind == "lexicon" and lexicon:
            longest, bits_a_word = network.lexicon.longest, network.lexicon.bits_a_word
            words, bits = _core.build_lexicon(list(lexicon), longest, units, bits_a_word)
            resources["lexicon.bits"] = Tensor("U8", (len(bits),), bits)
            kept = Lexicon(words, longest, len(bits))
            groups.append(dataclasses.replace(group, buckets=longest**3))
        elif group.kind != "lexicon":
            groups.append(group)
    if not any(group.kind == "standard" for group in groups):
        known = ()
    config = make_config(recipe.with_groups(groups), actions, standards=known, lexicon=kept, variants=pairs)
    return config, resources


def encode_vocabulary(texts: Iterable[str], n: int, least: int, features: _core.Units) -> bytes:
    """The n-grams of units that occur at least so often, as the model file has them (core/features/ngram_table.hpp)."""
    counts: Counter[int] = Counter()
    for text in texts:
        ids = [_core.OUTSIDE] * (n - 1) + [unit[2] for unit in features.units(text)] + [_core.OUTSIDE] * (n - 1)
        counts.update(ids if n == 1 else (one << 32 | other for one, other in itertools.pairwise(ids)))
    kept = {key for key, count in counts.items() if count >= least} | {
        _core.OUTSIDE if n == 1 else _core.OUTSIDE << 32 | _core.OUTSIDE
    }
    return b"".join(_varint(key - before) for before, key in itertools.pairwise([0, *sorted(kept)]))


def _varint(number: int) -> bytes:
    """Seven bits a byte, the lowest first; all bytes but the last have the highest bit set."""
    parts = [number & 127]
    while number := number >> 7:
        parts[-1] |= 128
        parts.append(number & 127)
    return bytes(parts)
