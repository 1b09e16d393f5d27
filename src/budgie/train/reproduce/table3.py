# SPDX-License-Identifier: Apache-2.0
"""Table 3 of the paper: word segmentation with and without bigrams.

The paper's corpus, the Chinese Treebank 6.0, is not freely available. The same networks are trained on the PKU corpus
of the SIGHAN bake-off of 2005 and the SXU corpus of 2008; the published figures stand beside them for their shape.
"""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path

from budgie.evaluation.metrics import percent
from budgie.evaluation.segmentation import evaluate_words
from budgie.formats.segmented import words
from budgie.model.accounting import KB, account
from budgie.tasks.segmentation import Segmenter
from budgie.train.data.segmentation import segmented_corpus
from budgie.train.network.loop import Run
from budgie.train.network.recipe import load_recipe
from budgie.train.reproduce.tables import Row, choose, print_rows, seconds
from budgie.train.segmentation.train import SegmentationMaterial, SegmentedText, train_segmenter

# The published figures are on the Chinese Treebank 6.0.
ROWS = (
    Row("Small FF, 64 dim", "seg-paper-c64", "94.24, 846 KB"),
    Row("Small FF, 256 dim", "seg-paper-c256", "94.16, 3.2 MB"),
    Row("Small FF, 64 dim, bigrams", "seg-paper-c64-b4", "95.18, 2.0 MB"),
    Row("Budgie", "seg", "-"),
)

_HEAD = (
    "| model | corpus | F1, dev | F1, test | unknown words found | KB, as the paper counts | KB of the file "
    "| KB/s | tokens/s | published on CTB 6 |\n"
    "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
)


def main(args: argparse.Namespace) -> int:
    """`budgie reproduce table3`."""
    rows = choose(ROWS, args.rows)
    for standard in args.corpora:
        segmented_corpus("zh", standard).file("train")  # is it there, before any training begins
    jobs = {f"{row.name}, {name}": partial(_line, row, name, args) for row in rows for name in args.corpora}
    return print_rows([_HEAD], jobs, args)


def _line(row: Row, standard: str, args: argparse.Namespace) -> str:
    recipe = load_recipe(row.recipe, args.set, args.without)
    if args.steps:
        recipe = recipe.optimised(steps=args.steps)
    source = segmented_corpus("zh", standard)
    # Where runs of letters stay whole, two of them that stand apart in the gold text must not touch.
    spaced = recipe.network.text.units == "runs"
    text = SegmentedText(source.read("train", spaced), source.read("dev"), standard)
    run = Run(args.device, args.threads, quiet=args.quiet)
    about = {"trained_on": source.name, "licence": source.licence}
    model = train_segmenter(recipe, SegmentationMaterial([text]), run, about)
    if args.models:
        model.write(Path(args.models) / f"{row.recipe}-{standard}.safetensors")
    segmenter, test = Segmenter(model), source.read("test")
    known = {word for sentence in text.training for word in words(sentence)}
    on_dev, on_test = evaluate_words(segmenter, text.held_out), evaluate_words(segmenter, test, known)
    texts = [sentence.text for sentence in test]
    taken = seconds(lambda: segmenter.segment_batch(texts))
    size = sum(len(sentence.text.encode()) for sentence in test)
    keys = sum(group.keys for group in model.config.groups)
    return (
        f"| {row.name} | {standard} | {100 * on_dev.f1:.2f} | {100 * on_test.f1:.2f} "
        f"| {percent(on_test.unknown_word_recall)} | {(account(model.config).size - keys) / KB:,.0f} "
        f"| {len(model.to_bytes()) / KB:,.0f} | {size / KB / taken:,.0f} | {on_test.answers / taken:,.0f} "
        f"| {row.published} |"
    )
