# SPDX-License-Identifier: Apache-2.0
"""`budgie train` for taggers."""

from __future__ import annotations

import argparse
from pathlib import Path

from budgie.clusters.table import read_clusters
from budgie.formats.sentences import read_tagged
from budgie.model.file import Model
from budgie.train.data.plain_text import TEACHERS, plain_text_sources
from budgie.train.data.treebanks import CLUSTERED_TEXT, SHORT_WORDS, TREEBANKS
from budgie.train.job import Job, names_of
from budgie.train.tagging.train import TaggingMaterial, train_tagger

LANGUAGES = TREEBANKS


def recipe_of(language: str, args: argparse.Namespace) -> str:
    """The recipe of pos-LANGUAGE."""
    if args.clusters:
        return "pos-taught" if language in TEACHERS else "pos-clusters"
    if language in SHORT_WORDS:
        return "pos-characters"
    return "pos-small" if TREEBANKS[language].dev_too else "pos"


def train_model(job: Job) -> Model:
    """Train from tagged sentences, or from the treebank of a language."""
    training, held_out, silver = job.paths()
    clusters = Path(job.args.clusters) if job.args.clusters else None
    table = read_clusters(clusters) if clusters else None
    if training:
        used = [*training, *silver, *([clusters] if clusters else [])]
        material = TaggingMaterial(read_tagged(*training), read_tagged(*held_out), silver, table)
        return train_tagger(job.recipe, material, job.run, {"trained_on": names_of(used), **job.changes()})
    treebank = TREEBANKS[job.language]
    about = {"trained_on": treebank.name, "licence": treebank.licence, **job.changes()}
    if silver:
        teachers = [TEACHERS[job.language]] if job.language in TEACHERS else []
        about["silver"] = ", ".join([*plain_text_sources(job.language), *teachers] or ["the treebank itself"])
    if clusters:
        about["clusters"] = ", ".join(CLUSTERED_TEXT.get(job.language, [clusters.name]))
    material = TaggingMaterial(treebank.read("train"), treebank.read("dev"), silver, table)
    return train_tagger(job.recipe, material, job.run, about)
