# SPDX-License-Identifier: Apache-2.0
"""`budgie train`: what is the same for every task."""

from __future__ import annotations

import argparse
import dataclasses
import sys
from pathlib import Path

from budgie import read_model
from budgie.clusters.table import read_clusters
from budgie.errors import ConfigError
from budgie.formats.alignments import read_aligned
from budgie.formats.dictionary import read_dictionary
from budgie.formats.orders import from_alignments, read_orders
from budgie.formats.segmented import Convention, read_segmented
from budgie.formats.sentences import read_tagged
from budgie.model.file import Model
from budgie.tasks.preordering import Preorderer
from budgie.tasks.tagging import Tagger
from budgie.train.data.datasets import DATASETS
from budgie.train.data.preordering import PAIRS, TAUGHT
from budgie.train.data.segmentation import CORPORA, LEXICONS, plain_text
from budgie.train.data.treebanks import PLAIN_TEXT, TREEBANKS
from budgie.train.langid.train import train_identifier
from budgie.train.network.loop import Run, find_device
from budgie.train.network.networks import Form
from budgie.train.network.recipe import Recipe, load_recipe
from budgie.train.preordering import train as preordering
from budgie.train.segmentation import train as segmentation
from budgie.train.tagging import train as tagging

_SEG_RECIPES = {
    "yue": "seg-small",
    "ja": "seg-small",
    "vi": "seg-vi",
    "km": "seg-wide",
    "my": "seg-wide",
    "th": "seg-wide",
}


def train_command(args: argparse.Namespace) -> int:
    """`budgie train`."""
    recipe = load_recipe(_recipe_name(args), _changes(args), args.without)
    find_device(args.device)  # before hours of other work
    other = {name: getattr(args, name) for name in ("steps", "seed") if getattr(args, name) is not None}
    recipe = dataclasses.replace(recipe, optimise=dataclasses.replace(recipe.optimise, **other))
    out = Path(args.out or f"{Path(args.recipe).stem}.safetensors")
    if not out.parent.is_dir():
        raise ConfigError(f"--out {out}: there is no folder {out.parent}")
    checkpoint = out.with_name(out.name + ".checkpoint")
    log = Path(args.log) if args.log else out.with_name(out.name + ".log.jsonl")
    form: Form = "sparse" if args.device == "cpu" else "dense"
    run = Run(args.device, args.threads, args.workers, form, log, checkpoint, args.resume, args.quiet)
    try:
        model = _TRAIN[recipe.task](recipe, args, run)
    except KeyboardInterrupt:
        if checkpoint.exists():
            sys.stderr.write(f"interrupted; --resume goes on from {checkpoint}\n")
        raise
    model.write(out)
    checkpoint.unlink(missing_ok=True)
    if not args.quiet:
        sys.stderr.write(f"{out}: {out.stat().st_size:,} bytes, {model.info['scores']}\n")
    return 0


def _recipe_name(args: argparse.Namespace) -> str:
    """The recipe of an embedded model is that of its language: pos-LANGUAGE, seg-LANGUAGE, preorder-FROM-TO."""
    task, language = _embedded(args)
    if task == "pos":
        return "pos-clusters" if args.clusters else "pos"
    if task == "preorder":
        if args.start:
            return "preorder-tune"
        return ("preorder" if args.clusters else "preorder-manual") if args.tagger else "preorder-clusters"
    return _SEG_RECIPES.get(language, "seg") if task == "seg" else str(args.recipe)


def _embedded(args: argparse.Namespace) -> tuple[str, str]:
    """Task and language, or pair of languages, of the embedded model that is to be trained again, if it is one."""
    task, _, language = args.recipe.partition("-")
    languages = {"pos": set(TREEBANKS), "seg": set(CORPORA), "preorder": set(PAIRS)}
    return (task, language) if language in languages.get(task, ()) else ("", "")


def _changes(args: argparse.Namespace) -> list[str]:
    """What the command line changes in the recipe."""
    return [*args.set, *([] if args.budget is None else [f"network.budget={args.budget}"])]


def _about(args: argparse.Namespace) -> dict[str, str]:
    changes = [*_changes(args), *(f"without {group}" for group in args.without)]
    return {"changes": "; ".join(changes)} if changes else {}


def _refuse(args: argparse.Namespace, what: str, *options: str) -> None:
    if given := [f"--{option.replace('_', '-')}" for option in options if getattr(args, option)]:
        raise ConfigError(f"{what} have no use for {given[0]}")


def _paths(args: argparse.Namespace, what: str) -> tuple[list[Path], list[Path], list[Path]]:
    """Training, held-out and silver files, of taggers, segmenters and preorderers; the embedded ones have theirs."""
    training, held_out, silver = ([Path(path) for path in paths or []] for paths in (args.train, args.dev, args.silver))
    if bool(training) is not bool(held_out) or not (training or _embedded(args)[1]):
        raise ConfigError(f"{what} need held-out sentences for early stopping: give --train and --dev")
    if args.workers and args.device != "cpu":
        raise ConfigError(f"{what} prepare their data on the GPU itself: leave out --workers")
    return training, held_out, silver


def _train_identifier(recipe: Recipe, args: argparse.Namespace, run: Run) -> Model:
    _refuse(args, "language identifiers", "silver", "start", "tagger", "clusters", "lexicon", "learn_dev")
    training, held_out = args.train or [], args.dev or []
    if len(training) != 1 or len(held_out) > 1:
        raise ConfigError("language identification takes one --train and at most one --dev")
    return train_identifier(recipe, Path(training[0]), Path(held_out[0]) if held_out else None, run)


def _train_tagger(recipe: Recipe, args: argparse.Namespace, run: Run) -> Model:
    _refuse(args, "taggers", "lexicon", "start", "tagger", "learn_dev")
    training, held_out, silver = _paths(args, "taggers")
    clusters = read_clusters(Path(args.clusters)) if args.clusters else None
    if training:
        used = [*training, *silver, *([Path(args.clusters)] if args.clusters else [])]
        material = tagging.Material(read_tagged(*training), read_tagged(*held_out), silver, clusters)
        return tagging.train_tagger(recipe, material, run, {"trained_on": _names(used), **_about(args)})
    language = _embedded(args)[1]
    treebank = TREEBANKS[language]
    about = {"trained_on": treebank.name, "licence": treebank.licence, **_about(args)}
    if silver:
        about["silver"] = ", ".join(PLAIN_TEXT.get(language, ["the treebank itself"]))
    if args.clusters:
        about["clusters"] = Path(args.clusters).name
    material = tagging.Material(treebank.read("train"), treebank.read("dev"), silver, clusters)
    return tagging.train_tagger(recipe, material, run, about)


def _train_segmenter(recipe: Recipe, args: argparse.Namespace, run: Run) -> Model:
    _refuse(args, "segmenters", "clusters", "start", "tagger")
    training, held_out, silver = _paths(args, "segmenters")
    lexicon = read_dictionary(args.lexicon) if args.lexicon else []
    if training:
        _refuse(args, "segmenters of text of your own", "learn_dev")
        used = [*training, *silver, *([Path(args.lexicon)] if args.lexicon else [])]
        convention: Convention = "underscore" if recipe.network.text.spaces == "join" else "visible"
        text = segmentation.SegmentedText(
            list(read_segmented(*training, convention=convention, spaced=True)),
            list(read_segmented(*held_out, convention=convention)),
        )
        about = {"trained_on": _names(used), **_about(args)}
        return segmentation.train_segmenter(recipe, segmentation.Material([text], silver, lexicon), run, about)
    language = _embedded(args)[1]
    corpora = CORPORA[language]
    about = {
        "trained_on": "; ".join(one.name for one in corpora),
        "licence": "; ".join(dict.fromkeys(one.licence for one in corpora)),
        **_about(args),
    }
    if silver:
        about["silver"] = ", ".join(
            f"{path.parent.name} ({DATASETS[path.parent.name].licence})" for path in plain_text(language)
        )
    if lexicon:
        about["lexicon"] = LEXICONS.get(language, Path(args.lexicon).name)
    texts = [
        segmentation.SegmentedText(
            one.read("train", spaced=True) + (one.read("dev", spaced=True) if args.learn_dev else []),
            one.read("dev"),
            one.standard,
        )
        for one in corpora
    ]
    model = segmentation.train_segmenter(recipe, segmentation.Material(texts, silver, lexicon), run, about)
    if not args.learn_dev:
        return model
    scores = model.info["scores"].replace("held-out F1", "F1 on dev, which was learnt")
    return Model(model.config, model.tensors, {**model.info, "scores": scores})


def _train_preorderer(recipe: Recipe, args: argparse.Namespace, run: Run) -> Model:
    _refuse(args, "preorderers", "lexicon", "learn_dev")
    training, held_out, silver = _paths(args, "preorderers")
    start = read_model(args.start) if args.start else None
    if start:
        _refuse(args, "preorderers that start as another", "tagger", "clusters")
        Preorderer(start)  # is it one, before data is read
    tagger = Tagger(read_model(args.tagger)) if args.tagger else None
    clusters = read_clusters(Path(args.clusters)) if args.clusters else None
    pair = _embedded(args)[1]
    if training:
        gold, chosen_by = list(read_aligned(*training)), list(read_aligned(*held_out))
        about = {"trained_on": _names([*training, *silver])}
    else:
        corpus = PAIRS[pair]
        gold, chosen_by = corpus.read("train"), corpus.read("dev")
        about = {"trained_on": corpus.name, "licence": corpus.licence}
        if silver:
            about["silver"] = ", ".join(f"{one.name} ({one.licence})" for one in TAUGHT.get(pair, ())) or _names(silver)
    if start:
        about |= {name: start.info[name] for name in ("tagger", "clusters", "silver") if name in start.info}
        about["licence"] = "; ".join(filter(None, [about.get("licence"), start.info.get("licence")]))
        about["start"] = Path(args.start).name
    if args.clusters:
        about["clusters"] = Path(args.clusters).name
    if tagger:
        info = tagger.model.info
        about["tagger"] = f"{info.get('trained_on', args.tagger)} ({info.get('licence', 'licence not stated')})"
    material = preordering.Material(
        from_alignments(gold),
        chosen_by,
        [order for path in silver for order in read_orders(path)],
        tagger,
        clusters,
        start,
    )
    return preordering.train_preorderer(recipe, material, run, {**about, **_about(args)})


def _names(paths: list[Path]) -> str:
    return ", ".join(path.name for path in paths)


_TRAIN = {"langid": _train_identifier, "pos": _train_tagger, "seg": _train_segmenter, "preorder": _train_preorderer}
