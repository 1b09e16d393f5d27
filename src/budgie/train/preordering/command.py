# SPDX-License-Identifier: Apache-2.0
"""`budgie train` for preorderers."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path

from budgie import read_model
from budgie.clusters.table import read_clusters
from budgie.formats.alignments import read_aligned
from budgie.formats.orders import from_alignments, read_orders
from budgie.model.file import Model
from budgie.tasks.preordering import Preorderer
from budgie.tasks.tagging import Tagger
from budgie.train.data.preordering import CLUSTERED_TEXT, PAIRS, TAUGHT
from budgie.train.job import Job, names_of
from budgie.train.preordering.train import PreorderingMaterial, train_preorderer

LANGUAGES = PAIRS


def recipe_of(_pair: str, args: argparse.Namespace) -> str:
    """The recipe of preorder-FROM-TO."""
    if args.start:
        return "preorder-tune"
    return ("preorder" if args.clusters else "preorder-manual") if args.tagger else "preorder-clusters"


def train_model(job: Job) -> Model:
    """Train from aligned text, or from that of a pair of languages."""
    args = job.args
    training, held_out, silver = job.paths()
    start = read_model(args.start) if args.start else None
    if start:
        job.refuse("tagger", "clusters", what="preorderers that start as another")
        Preorderer(start)  # is it one, before data is read
    tagger = Tagger(read_model(args.tagger)) if args.tagger else None
    clusters = read_clusters(Path(args.clusters)) if args.clusters else None
    if training:
        gold, chosen_by = list(read_aligned(*training)), list(read_aligned(*held_out))
        about = {"trained_on": names_of([*training, *silver])}
    else:
        corpus = PAIRS[job.language]
        gold, chosen_by = corpus.read("train"), corpus.read("dev")
        about = {"trained_on": corpus.name, "licence": corpus.licence}
        if silver:
            taught = TAUGHT.get(job.language, ())
            about["silver"] = ", ".join(f"{one.name} ({one.licence})" for one in taught) or names_of(silver)
    if start:
        about |= {name: start.info[name] for name in ("tagger", "clusters", "silver") if name in start.info}
        about["licence"] = "; ".join(filter(None, [about.get("licence"), start.info.get("licence")]))
        about["start"] = Path(args.start).name
    if args.clusters:
        about["clusters"] = ", ".join(CLUSTERED_TEXT.get(job.language, [Path(args.clusters).name]))
    if tagger:
        about["tagger"] = _sources(args.tagger, tagger.model.info)
    orders = [order for path in silver for order in read_orders(path)]
    material = PreorderingMaterial(from_alignments(gold), chosen_by, orders, tagger, clusters, start)
    return train_preorderer(job.recipe, material, job.run, {**about, **job.changes()})


def _sources(name: str, info: Mapping[str, str]) -> str:
    """What a tagger was made from, each with its licence."""
    own = f"{info.get('trained_on', name)} ({info.get('licence', 'licence not stated')})"
    return ", ".join([own, *(f"{more}: {info[more]}" for more in ("silver", "clusters") if more in info)])
