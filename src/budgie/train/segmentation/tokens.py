# SPDX-License-Identifier: Apache-2.0
"""Training of a segmenter that finds tokens and sentences in raw text, in one language or in many."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from budgie.coverage import NO_LANGUAGE
from budgie.evaluation.raw_text import evaluate_raw_text
from budgie.formats.treebank import TreebankSentence, raw_text
from budgie.model.config import SENTENCE_ACTIONS, Multiword
from budgie.model.features import make_unit_features
from budgie.model.file import Model
from budgie.model.tensors import Tensor
from budgie.tasks.segmentation import Segmenter
from budgie.train.network.drawn import Chunks, DrawnBatches
from budgie.train.network.export import make_model
from budgie.train.network.loop import Run, find_device, train
from budgie.train.network.recipe import Recipe
from budgie.train.segmentation.decisions import decisions_of_raw_text
from budgie.train.segmentation.layouts import UNNAMED, LaidOut, lay_out, unspaced
from budgie.train.segmentation.multiword import learn_multiword
from budgie.train.segmentation.single_lines import lay_out_lines
from budgie.train.segmentation.train import make_segmenter_config

_UNSPACED = ("zh", "zh-Hant", "ja", "yue")  # no space stands between sentences
_HELD_OUT = 300  # sentences of a language to choose by while training


@dataclass(frozen=True)
class LanguageText:
    """What there is in a language: sentences of treebanks, to learn from and to choose by, and lines of a sentence."""

    language: str
    training: Sequence[TreebankSentence] = ()
    held_out: Sequence[TreebankSentence] = ()
    lines: Sequence[str] = ()
    multiword: Sequence[TreebankSentence] = ()  # to learn multiword tokens from

    @property
    def spaced(self) -> bool:
        """Whether a space stands between sentences."""
        return self.language not in _UNSPACED

    def written(self, sentences: Sequence[TreebankSentence]) -> Sequence[TreebankSentence]:
        """Sentences as this language writes them."""
        return sentences if self.spaced else unspaced(sentences)


def train_tokens(recipe: Recipe, texts: Sequence[LanguageText], run: Run, about: Mapping[str, str]) -> Model:
    """Train by a recipe; the model has a standard for each language with a treebank, and one for all others."""
    treebanks = [one for one in texts if one.training]
    several = len(texts) > 1
    standards = (NO_LANGUAGE, *(one.language for one in treebanks)) if several else ()
    numbers = {language: number for number, language in enumerate(standards)}
    learnt = [raw_text(one.written(one.training)).text for one in treebanks]
    config, resources = make_segmenter_config(recipe, learnt, standards, actions=SENTENCE_ACTIONS)
    if found := multiword_rules(treebanks, several):
        resources["multiword.rules"] = Tensor("U8", (len(found.text),), found.text)
        config = dataclasses.replace(config, multiword=Multiword(found.rules, len(found.text)))
    features, device = make_unit_features(config, resources), find_device(run.device)
    laid_out: list[LaidOut] = []
    for one in texts:
        number, between = numbers.get(one.language, UNNAMED), " " if one.spaced else ""
        if one.training:
            laid_out += lay_out(one.written(one.training), recipe.layouts, number, one.language, recipe.optimise.seed)
        laid_out += lay_out_lines(one.lines, recipe.layouts, number, one.language, between)
    held_out = [
        LaidOut(raw_text(one.written(one.held_out)[:_HELD_OUT]), numbers.get(one.language, UNNAMED))
        for one in treebanks
    ]
    everything = decisions_of_raw_text(features, laid_out, device)
    batches = DrawnBatches(everything, len(everything), recipe.optimise)
    chosen_by = Chunks(decisions_of_raw_text(features, held_out, device))
    trained = train(config, recipe.optimise, batches, chosen_by, run)
    model = make_model(config, trained.weights, resources=resources)
    return Model(model.config, model.tensors, trained.info(recipe, about, _scores(model, treebanks)))


class MultiwordRules(NamedTuple):
    """Rules as a model file has them, in a section for each language."""

    text: bytes
    rules: int


def multiword_rules(treebanks: Iterable[LanguageText], several: bool) -> MultiwordRules | None:
    """Learn multiword tokens, if there are any."""
    lines, count = list[str](), 0
    for one in treebanks:
        if section := learn_multiword(one.multiword):
            direction, *rules = section
            lines += [f"{one.language if several else ''}\t{direction}", *rules]
            count += len(rules)
    return MultiwordRules("".join(f"{line}\n" for line in lines).encode(), count) if lines else None


def _scores(model: Model, treebanks: Sequence[LanguageText]) -> dict[str, float]:
    """The mean F1 over languages, on sentences that nobody has learnt."""
    tokens, sentences = 0.0, 0.0
    for one in treebanks:
        segmenter = Segmenter(model, standard=one.language if model.config.standards else None)
        scores = evaluate_raw_text(segmenter, one.written(one.held_out))
        tokens += scores.tokens.f1 / len(treebanks)
        sentences += scores.sentences.f1 / len(treebanks)
    return {"held-out F1 of tokens": tokens, "held-out F1 of sentences": sentences}
