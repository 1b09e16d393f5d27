# SPDX-License-Identifier: Apache-2.0
"""Correct the orders of automatically aligned sentences with what a large network learns from manual alignments.

    python -m tools.teach_orders.teach pairs.jsonl.gz --out silver/enja [--seconds 420] [--state FILE]

Writes silver/enja.corrected.jsonl and silver/enja.source-only.jsonl, for `budgie train preorder --silver`.
"""

from __future__ import annotations

import argparse
import copy
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from tools.teach_orders.decode import decode, regular
from tools.teach_orders.material import AUTOMATIC, DEV, TRAIN, Corpus, Pair, put, read_pairs
from tools.teach_orders.network import Network
from tools.teach_orders.settings import CORRECTED, SMALL, Lesson, Mode, Settings
from tools.teach_orders.targets import Targets, automatic_targets, learnt_targets, manual_targets
from tools.teach_orders.train import ask, practise, study

from budgie.evaluation.metrics import percent
from budgie.evaluation.preordering import score_order
from budgie.formats.files import replace_file
from budgie.train.teacher.teacher import Clock, say

LINKED = 0.5  # a link counts for ties if more of the alignments have it: half of them may be one direction alone


class Teacher:
    """Goes through the rounds; each has better orders to begin with."""

    def __init__(self, pairs: Sequence[Pair], settings: Settings, device: torch.device, clock: Clock) -> None:
        self.settings, self.clock = settings, clock
        self.corpus = Corpus(pairs, device)
        self.text = self.corpus.chosen(*AUTOMATIC)
        self.train, self.dev = self.corpus.chosen(TRAIN), self.corpus.chosen(DEV)
        self.manual = manual_targets(self.corpus, self.train)

    def teach(self, state: Path | None = None) -> Iterator[tuple[str, dict[int, list[int]]]]:
        """Kinds of orders, and the orders by the number of the sentence, ever better ones.

        `state` is written after each round but the last; where it is there, teaching goes on from it.
        """
        network, first = self._network(0), 0
        if state is not None and state.exists():
            saved = torch.load(state, weights_only=False, map_location=self.corpus.device)
            network.load_state_dict(saved["network"])
            first, targets = saved["rounds"], saved["targets"]
        else:
            targets = automatic_targets(self.corpus, self.text)
        for number, round_ in enumerate(self.settings.rounds[first:], first):
            network = self._network(number) if round_.fresh else network
            steps = practise(network, self.corpus, self.text, targets, round_, number)
            say(f"round {number + 1}: {steps} steps", self.clock)
            for kind, lesson in round_.lessons.items():
                orders, tables = self._lesson(network, kind, lesson)
                yield kind, orders
                if kind == CORRECTED:
                    targets = learnt_targets(tables)
            if state is not None and number + 1 < len(self.settings.rounds):
                _save(state, number + 1, network, targets)

    def _network(self, seed: int) -> Network:
        torch.manual_seed(seed)
        return Network(self.settings, self.corpus.source.sizes, self.corpus.target.sizes).to(self.corpus.device)

    def _lesson(
        self, network: Network, kind: str, lesson: Lesson
    ) -> tuple[dict[int, list[int]], dict[int, np.ndarray]]:
        """The orders of the automatic sentences, and their tables, after a lesson to copies of the network."""
        members = [
            study(copy.deepcopy(network), self.corpus, self.train, self.manual, lesson, 100 + seed)
            for seed in range(self.settings.members)
        ]
        dev, _ = self._orders(members, self.dev, lesson.shown)
        scores = score_order((self.corpus.pairs[number].aligned(), order) for number, order in dev.items())
        figures = f"{percent(scores.frs)} FRS, {percent(scores.tau)} tau, {percent(scores.complete)} complete"
        say(f"{kind}, on {scores.scored} manual sentences held out: {figures}", self.clock)
        orders, tables = self._orders(members, self.text, lesson.shown)
        say(f"{kind}: {len(orders)} orders", self.clock)
        return orders, tables

    def _orders(
        self, members: list[Network], chosen: np.ndarray, shown: Mode
    ) -> tuple[dict[int, list[int]], dict[int, np.ndarray]]:
        orders, tables = {}, {}
        for numbers, probabilities in ask(members, self.corpus, chosen, shown):
            lengths = self.corpus.source.lengths[numbers]
            found = decode(probabilities, put(lengths, self.corpus.device), self.settings.pairs_weight)
            half = probabilities.half().cpu().numpy()
            for number, order, length, table in zip(numbers.tolist(), found, lengths, half, strict=True):
                orders[number] = regular(order, self.corpus.pairs[number].source, self._spans(number))
                tables[number] = table[:, : length + 1, : length + 1].copy()  # else the padding stays in memory
        return orders, tables

    def _spans(self, number: int) -> list[tuple[int, int] | None]:
        """The first and the last link of each source word, of those that most alignments have."""
        links, shares = self.corpus.automatic(number)
        found: list[list[int]] = [[] for _ in self.corpus.pairs[number].source]
        for source, target in links[shares > LINKED].tolist():
            found[source].append(target)
        return [(min(positions), max(positions)) if positions else None for positions in found]


def _save(path: Path, rounds: int, network: Network, targets: Targets) -> None:
    temporary = path.with_name(path.name + ".tmp")  # a run may be ended while it writes
    torch.save({"rounds": rounds, "network": network.state_dict(), "targets": targets}, temporary)
    temporary.replace(path)


def write_orders(path: Path, ordered: Iterable[tuple[list[str], list[int]]]) -> None:
    """Words and orders, as `budgie.formats.orders.read_orders` reads them."""
    lines = (json.dumps({"source": words, "permutation": order}, ensure_ascii=False) + "\n" for words, order in ordered)
    replace_file(path, "".join(lines).encode())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pairs", type=Path, help="what tools.teach_orders.align wrote")
    parser.add_argument("--out", required=True, help="what the names of the files of orders begin with")
    parser.add_argument("--seconds", type=float, default=420, help="practice in all rounds; lessons come on top of it")
    parser.add_argument("--members", type=int, default=Settings.members, help="networks that give orders together")
    parser.add_argument("--state", type=Path, help="written after each round; if it is there, go on from it")
    parser.add_argument("--small", action="store_true", help="a small network, to try out the command")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    args = parser.parse_args()
    settings = SMALL if args.small else Settings()
    share = args.seconds / sum(one.seconds for one in settings.rounds)
    rounds = tuple(replace(one, seconds=one.seconds * share) for one in settings.rounds)
    settings = replace(settings, members=args.members, rounds=rounds)
    Path(args.out).parent.mkdir(parents=True, exist_ok=True)
    clock = Clock(args.seconds)
    pairs = read_pairs(args.pairs)
    teacher = Teacher(pairs, settings, torch.device(args.device), clock)
    say(f"{len(teacher.text)} automatic and {len(teacher.train)} manual sentences", clock)
    for kind, orders in teacher.teach(args.state):
        write_orders(
            Path(f"{args.out}.{kind}.jsonl"), ((pairs[number].source, orders[number]) for number in sorted(orders))
        )


if __name__ == "__main__":
    main()
