# SPDX-License-Identifier: Apache-2.0
"""Orders of English words by their dependency trees: learnt from manual alignments and from automatic ones.

    python -m tools.order_trees.teach --manual manual.trees.jsonl --automatic kyoto.trees.jsonl \\
        --text kyoto.trees.jsonl --out silver/trees.jsonl [--folds 10]

Writes JSON lines as `budgie train preorder --silver` takes them; with --folds, FOLD in the name of the file stands for
the fold that they were made without, as in `budgie reproduce folds`, and the teacher's own score is printed.
"""

from __future__ import annotations

import argparse
import itertools
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random

import numpy as np
from tools.order_trees.linear import examples, learn, order
from tools.order_trees.trees import Choices, Tree, read_trees

from budgie.evaluation.preordering import score_order
from budgie.formats.alignments import Aligned
from budgie.train.data.preordering import ALIGNED_CORPORA
from budgie.train.reproduce.folds import manual_folds

MANUAL, AUTOMATIC = ALIGNED_CORPORA["enja-kftt-manual"], ALIGNED_CORPORA["enja-kyoto-auto"]
PHRASES = 0.2  # share of the sentences of which a part is added, as a title or a fragment
SHORTEST = 4  # words of a sentence with such a part


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    for name, what in (
        ("manual", f"trees of {MANUAL.dataset}, train and dev"),
        ("automatic", f"trees of {AUTOMATIC.dataset}/train, of as many as wanted"),
        ("text", "trees of the text to be ordered"),
        ("out", "the orders, JSON lines"),
    ):
        parser.add_argument(f"--{name}", metavar="FILE", type=Path, required=True, help=what)
    parser.add_argument("--sentences", metavar="N", type=int, help="only so many of the text")
    parser.add_argument("--folds", metavar="K", type=int, help="orders for the folds of a cross-validation")
    parser.add_argument("--only", metavar="F", type=int, nargs="+", help="only for these folds, from 1")
    options = parser.parse_args()
    begin = learn(examples(_automatic(options.automatic)), epochs=2, batch=2048, rate=0.1)
    text = [Choices(tree) for tree in itertools.islice(read_trees(options.text), options.sentences)]
    folds = [list(_with_choices(fold, read_trees(options.manual))) for fold in manual_folds(MANUAL, options.folds or 1)]
    if not options.folds:
        write_orders(options.out, text, _finish(begin, folds[0]))
        return
    answers = []
    for number, fold in enumerate(folds, 1):
        weights = _finish(begin, [one for other in folds if other is not fold for one in other])
        answers += [(aligned, order(choices, weights)) for choices, aligned in fold]
        print(f"fold {number}: FRS {100 * score_order(answers[-len(fold) :]).frs:.1f}", flush=True)
        if not options.only or number in options.only:
            write_orders(Path(str(options.out).replace("FOLD", str(number))), text, weights)
    found = score_order(answers)
    print(f"FRS {100 * found.frs:.1f}, tau {100 * found.tau:.1f}, complete {100 * found.complete:.1f}")


def _automatic(path: Path) -> Iterator[tuple[Choices, Sequence[Sequence[int]]]]:
    for choices, aligned in _with_choices(AUTOMATIC.read("train"), read_trees(path)):
        yield choices, aligned.links


def _with_choices(sentences: Iterable[Aligned], trees: Iterable[Tree]) -> Iterator[tuple[Choices, Aligned]]:
    """Sentences whose tree is there."""
    known = {tuple(tree.words): tree for tree in trees}
    for sentence in sentences:
        if tree := known.get(sentence.words):
            yield Choices(tree), sentence


def _finish(begin: np.ndarray, manual: Iterable[tuple[Choices, Aligned]]) -> np.ndarray:
    gold = examples((choices, aligned.links) for choices, aligned in manual)
    return learn(gold, begin, epochs=7, batch=512, rate=0.07)


def write_orders(path: Path, text: Sequence[Choices], weights: np.ndarray) -> None:
    """Whole sentences, and parts of some of them, which are read as titles and fragments are."""
    random = Random(1)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for choices in text:
            words, found = choices.tree.words, order(choices, weights)
            kept = [range(len(words))]
            if len(words) >= SHORTEST and random.random() < PHRASES:
                kept.append(sorted(random.choice(choices.below)))
            for places in kept:
                number = {place: new for new, place in enumerate(places)}
                permutation = [number[place] for place in found if place in number]
                line = {"source": [words[place] for place in places], "permutation": permutation}
                file.write(json.dumps(line, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
