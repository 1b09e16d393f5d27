# SPDX-License-Identifier: Apache-2.0
"""`budgie train` for segmenters."""

from __future__ import annotations

import argparse
from pathlib import Path

from budgie.formats.dictionary import read_dictionary
from budgie.formats.segmented import Convention, read_segmented
from budgie.formats.treebank import read_treebank
from budgie.licences import classify
from budgie.model.file import Model
from budgie.train.data.datasets import DATASETS
from budgie.train.data.raw_treebanks import (
    RAW_TREEBANKS,
    SINGLE_LINES,
    read_single_lines,
    single_line_languages,
)
from budgie.train.data.segmentation import (
    GENERAL,
    LEXICONS,
    POOLED_STANDARDS,
    SEGMENTED_CORPORA,
    TAUGHT_STANDARDS,
    TEACHERS,
    text_sources,
)
from budgie.train.job import Job, names_of
from budgie.train.segmentation.general import with_general
from budgie.train.segmentation.single_lines import single_sentences
from budgie.train.segmentation.tokens import LanguageText, train_tokens
from budgie.train.segmentation.train import SegmentationMaterial, SegmentedText, train_segmenter

LANGUAGES = SEGMENTED_CORPORA

_RECIPES = {
    "yue": "seg-small",
    "ja": "seg-small",
    "vi": "seg-vi",
    "km": "seg-wide",
    "my": "seg-wide",
    "zh": "seg-zh",
    "zh-research": "seg-zh-research",
    "th": "seg-wide",
}


def recipe_of(language: str, _args: argparse.Namespace) -> str:
    """The recipe of seg-LANGUAGE."""
    return _RECIPES.get(language, "seg")


def train_model(job: Job) -> Model:
    """Train from segmented text, or from the corpora of a language; tokens from treebanks."""
    if job.recipe.network.text.spaces == "between":
        return _train_tokens(job)
    training, held_out, silver = job.paths()
    lexicon = read_dictionary(job.args.lexicon) if job.args.lexicon else []
    if training:
        job.refuse("learn_dev", what="segmenters of text of your own")
        used = [*training, *silver, *([Path(job.args.lexicon)] if job.args.lexicon else [])]
        convention: Convention = "underscore" if job.recipe.network.text.spaces == "join" else "visible"
        text = SegmentedText(
            list(read_segmented(*training, convention=convention, spaced=True)),
            list(read_segmented(*held_out, convention=convention)),
        )
        about = {"trained_on": names_of(used), **job.changes()}
        return train_segmenter(job.recipe, SegmentationMaterial([text], silver, lexicon), job.run, about)
    return _train_again(job, silver, lexicon)


def _train_tokens(job: Job) -> Model:
    job.refuse("silver", "lexicon", "learn_dev", what="tokens and sentences")
    if job.args.train:
        training, held_out, _ = job.paths()
        sentences = read_treebank(*training)
        text = LanguageText("", sentences, read_treebank(*held_out), multiword=sentences)
        return train_tokens(job.recipe, [text], job.run, {"trained_on": names_of(training), **job.changes()})
    treebanks = {language: one for language, one in RAW_TREEBANKS.items() if classify(one.licence) == "free"}
    lines = {language: read_single_lines(language) for language in single_line_languages()}
    texts = [
        LanguageText(
            language,
            treebanks[language].training() if language in treebanks else (),
            treebanks[language].held_out() if language in treebanks else (),
            single_sentences(lines.get(language, []), job.recipe.layouts.single_lines, language),
            treebanks[language].multiword() if language in treebanks else (),
        )
        for language in (*treebanks, *(one for one in lines if one not in treebanks))
    ]
    about = {
        "trained_on": f"Universal Dependencies: {', '.join(name for one in treebanks.values() for name in one.train)}",
        "licence": "; ".join(dict.fromkeys(one.licence for one in treebanks.values())),
        "silver": ", ".join(f"{source} ({DATASETS[source].licence})" for source in SINGLE_LINES),
        **job.changes(),
    }
    return train_tokens(job.recipe, texts, job.run, about)


def _train_again(job: Job, silver: list[Path], lexicon: list[str]) -> Model:
    corpora, learn_dev = SEGMENTED_CORPORA[job.language], job.args.learn_dev
    about = {
        "trained_on": "; ".join(one.name for one in corpora),
        "licence": "; ".join(dict.fromkeys(one.licence for one in corpora)),
        **job.changes(),
    }
    if silver:
        teachers = [TEACHERS[job.language]] if job.language in TEACHERS else []
        about["silver"] = ", ".join([*text_sources(job.language), *teachers])
    if lexicon:
        about["lexicon"] = LEXICONS.get(job.language, Path(job.args.lexicon).name)
    texts = [
        SegmentedText(
            one.read("train", spaced=True) + (one.read("dev", spaced=True) if learn_dev else []),
            one.read("dev"),
            one.standard,
        )
        for one in corpora
    ]
    taught = TAUGHT_STANDARDS.get(job.language, ()) if silver else ()
    model = train_segmenter(job.recipe, SegmentationMaterial(texts, silver, lexicon, taught), job.run, about)
    if together := POOLED_STANDARDS.get(job.language):
        model = with_general(model, GENERAL, together)
    if not learn_dev:
        return model
    scores = model.info["scores"].replace("held-out F1", "F1 on dev, which was learnt")
    return Model(model.config, model.tensors, {**model.info, "scores": scores})
