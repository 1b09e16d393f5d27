# SPDX-License-Identifier: Apache-2.0
"""The teacher: a large tagger whose soft labels a tiny tagger learns from.

It learns to guess masked words of plain text, then parts of speech from a treebank, several times over with other
random numbers. The members of this ensemble then label the plain text and, each the part it has not seen, the treebank.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from budgie.errors import ConfigError
from budgie.train.teacher_network import Network, Shape, Trainer, half_precision
from budgie.train.teacher_text import MASKED, NO_WORD, UNKNOWN, Lexicon, Rows, Tagged, Words
from budgie.train.teacher_text import read_text, read_treebanks, sample, write_silver

_NO_TAG = -100  # what cross entropy leaves out
_LOOK = 16  # steps between two looks at the clock, which make a GPU wait


@dataclass(frozen=True)
class Settings:
    """How to train a teacher; the defaults were chosen on UD 1.1 dev sets."""

    shape: Shape = Shape()
    frequent: int = 30_000  # words with a vector of their own, which are also those to guess
    # plain text
    text_share: float = 0.45  # of the time
    text_epochs: int = 60  # at most
    text_batch: int = 128  # rows
    text_rate: float = 1e-3
    text_dropout: float = 0.1
    masked: float = 0.2  # share of words to guess
    # treebank
    epochs: int = 15
    batch: int = 16  # rows
    rate: float = 3e-4
    dropout: float = 0.25
    smoothing: float = 0.02
    forget: float = 0.15  # share of words that lose the vector of their own
    hidden: float = 0.05  # share of words hidden altogether
    lower: float = 0.05  # share of sentences in lower case
    upper: float = 0.03  # ... in upper case
    # ensemble
    members: int = 8
    folds: int = 8  # a member does not see one of so many parts of the treebank
    label_words: int = 1_200_000
    label_lengths: tuple[int, int] = (3, 60)  # words a sentence to label may have
    reserve: float = 30.0  # seconds kept for labelling and writing


@dataclass(frozen=True)
class Encoder:
    """What plain text has taught: weights without those of the tags, and the words and letters they are for."""

    letters: list[str]
    frequent: list[str]
    weights: dict[str, Tensor]

    def save(self, path: Path) -> None:
        """Write it for a second treebank of the same language."""
        torch.save(vars(self), path)

    @classmethod
    def load(cls, path: Path) -> Encoder:
        """Read what `save` has written."""
        return cls(**torch.load(path, map_location="cpu", weights_only=True))


class Clock:
    """How much of the time is gone."""

    def __init__(self, seconds: float) -> None:
        self.start, self.seconds = time.monotonic(), seconds

    def spent(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self.start

    def left(self) -> float:
        """Seconds to the end."""
        return self.seconds - self.spent()


def teach_command(args: argparse.Namespace) -> int:
    """`budgie teach`: a treebank and plain text in, two files of soft labels out."""
    clock = Clock(args.seconds)
    settings = replace(Settings(), members=args.members, folds=args.folds, label_words=args.words)
    train, dev, test = (read_treebanks(map(Path, paths)) for paths in (args.train, args.dev, args.test))
    excluded = read_treebanks(map(Path, args.exclude)) + dev + test
    teacher = Teacher(train, read_text(map(Path, args.text), excluded), settings, args.device, args.seed)
    _say(f"{len(train)} sentences of a treebank, {len(teacher.text)} of plain text", clock)
    if args.encoder and Path(args.encoder).exists():
        encoder = Encoder.load(Path(args.encoder))
    else:
        encoder = teacher.read(clock)
        if args.encoder:
            encoder.save(Path(args.encoder))
    silver = teacher.teach(encoder, dev, test, clock)
    for name, sentences, probabilities in silver:
        path = Path(f"{args.out}-{name}.silver.tsv.xz")
        path.parent.mkdir(parents=True, exist_ok=True)
        write_silver(path, sentences, teacher.tags, probabilities)
        _say(f"{path}: {len(sentences)} sentences, {len(probabilities)} words", clock)
    return 0


class Teacher:
    """Everything that is the same for all members."""

    def __init__(self, train: list[Tagged], text: list[Words], settings: Settings, device: str, seed: int) -> None:
        if not train:
            raise ConfigError("a teacher needs a treebank to learn from: give --train")
        self.train, self.text, self.settings, self.seed = train, text, settings, seed
        self.device = torch.device(device)
        self.tags = sorted({tag for sentence in train for tag in sentence.tags})
        torch.set_float32_matmul_precision("high")

    def read(self, clock: Clock) -> Encoder:
        """Learn to guess masked words of the plain text and of the training sentences."""
        settings = self.settings
        torch.manual_seed(self.seed)
        sentences = self.text + [sentence.words for sentence in self.train]
        lexicon = Lexicon.of(sentences, settings.frequent)
        rows = Rows.of(sentences, lexicon, self.device)
        network = Network(settings.shape, lexicon, len(self.tags), settings.text_dropout, settings.forget)
        network.to(self.device)
        batch = min(settings.text_batch, len(rows.words))
        guessed = int(settings.masked * len(rows.places) / len(rows.words) * batch)
        frequencies = lexicon.frequencies().to(self.device)

        def loss(chosen: Tensor) -> Tensor:
            words = rows.words[chosen]
            gold = frequencies[words].flatten().long()
            places = (torch.rand_like(gold, dtype=torch.float) * (gold != UNKNOWN)).topk(guessed).indices
            scores = network.words(_hide(words, places, rows.words), rows.sentences[chosen], places)
            return functional.cross_entropy(scores.float(), gold[places], ignore_index=UNKNOWN)

        trainer = Trainer(network, loss, batch, settings.text_rate)
        begin, end = clock.spent(), settings.text_share * clock.seconds
        steps = settings.text_epochs * (len(rows.words) // batch)
        progress, average = 0.0, 0.0
        for step, chosen in enumerate(_batches(len(rows.words), batch, steps, self.device)):
            now = trainer.step(chosen, progress)
            if step % _LOOK == 0:
                average = 0.95 * average + 0.05 * float(now) if step else float(now)
                progress = max(step / steps, (clock.spent() - begin) / (end - begin))
            if step % 1000 == 0:
                _say(f"plain text: epoch {step * batch / len(rows.words):.1f}, loss {average:.3f}", clock)
            if progress >= 1:
                break
        _say(f"plain text: epoch {step * batch / len(rows.words):.1f}, loss {average:.3f}, read", clock)
        weights = {name: value.cpu() for name, value in network.state_dict().items() if not name.startswith("tagger")}
        return Encoder(lexicon.letters, lexicon.frequent, weights)

    def teach(
        self, encoder: Encoder, dev: list[Tagged], test: list[Tagged], clock: Clock
    ) -> list[tuple[str, list[Words], Tensor]]:
        """Train the members and have them label: a name, the sentences and the tags' probabilities of each word."""
        settings = self.settings
        lexicon = Lexicon(encoder.letters, encoder.frequent)
        raw = sample(self.text, settings.label_words, *settings.label_lengths, self.seed)
        texts = {
            "train": [sentence.words for sentence in self.train],
            "dev": [sentence.words for sentence in dev],
            "test": [sentence.words for sentence in test],
            "raw": raw,
        }
        rows = {name: Rows.of(sentences, lexicon, self.device) for name, sentences in texts.items() if sentences}
        gold = {"dev": self._numbers(dev), "test": self._numbers(test)}
        treebank = Treebank(self.train, self._numbers(self.train), rows["train"], lexicon)
        totals = {name: torch.zeros(len(r.places), len(self.tags), device=self.device) for name, r in rows.items()}
        unseen = torch.zeros_like(totals["train"])
        singles: dict[str, list[float]] = {"dev": [], "test": []}
        longest = 0.0
        for member in range(settings.members):
            begin = clock.spent()
            if member and clock.left() < settings.reserve + 1.1 * longest:
                break
            torch.manual_seed(self.seed + 1000 * (member + 1))
            held_out = treebank.held_out(member, settings.folds, self.seed)
            network = self.member(encoder, lexicon, treebank, held_out)
            for name in rows:
                probabilities = label(network, rows[name])
                totals[name] += probabilities
                if name == "train":
                    unseen += probabilities * held_out[rows[name].places, None]
                if name in singles:
                    singles[name].append(accuracy(probabilities, gold[name]))
            longest = max(longest, clock.spent() - begin)
            if dev:
                _say(
                    f"member {member + 1}: dev {singles['dev'][-1]:.2f}, together {accuracy(totals['dev'], gold['dev']):.2f}",
                    clock,
                )
        for name, scores in singles.items():
            if scores:
                _say(
                    f"{name}: {len(scores)} members {np.mean(scores):.2f} ({min(scores):.2f} to {max(scores):.2f}), "
                    f"together {accuracy(totals[name], gold[name]):.2f}",
                    clock,
                )
        # what no member has held out, where the time was short, gets the labels of all
        totals["train"] = unseen.where(unseen.sum(1, keepdim=True) > 0, totals["train"])
        return [
            (name, texts[name], functional.normalize(totals[name], p=1, dim=1))
            for name in ("train", "raw")
            if name in rows
        ]

    def member(self, encoder: Encoder, lexicon: Lexicon, treebank: Treebank, held_out: Tensor) -> Network:
        """Train one member on the part of the treebank that it may see."""
        settings = self.settings
        network = Network(settings.shape, lexicon, len(self.tags), settings.dropout, settings.forget)
        network.load_state_dict(encoder.weights, strict=False)
        network.to(self.device)
        rows = treebank.rows
        gold = treebank.gold.masked_fill(held_out.view_as(treebank.gold), _NO_TAG)
        batch = min(settings.batch, len(rows.words))

        def loss(chosen: Tensor) -> Tensor:
            words = treebank.recase(rows.words[chosen], rows.sentences[chosen], settings.lower, settings.upper)
            words = words.where(torch.rand_like(words, dtype=torch.float) >= settings.hidden, MASKED)
            scores = network.tags(words, rows.sentences[chosen]).float()
            return functional.cross_entropy(
                scores.flatten(0, 1), gold[chosen].flatten(), ignore_index=_NO_TAG, label_smoothing=settings.smoothing
            )

        trainer = Trainer(network, loss, batch, settings.rate)
        steps = settings.epochs * max(1, len(rows.words) // batch)
        for step, chosen in enumerate(_batches(len(rows.words), batch, steps, self.device)):
            trainer.step(chosen, step / steps)
        return network

    def _numbers(self, sentences: list[Tagged]) -> Tensor:
        """The gold tags as numbers; a tag that the training sentences lack is never guessed."""
        number = {tag: i for i, tag in enumerate(self.tags)}
        return torch.tensor([number.get(tag, -1) for s in sentences for tag in s.tags], device=self.device)


class Treebank:
    """The training sentences, in rows."""

    def __init__(self, sentences: list[Tagged], gold: Tensor, rows: Rows, lexicon: Lexicon) -> None:
        self.count, self.rows = len(sentences), rows
        self.gold = rows.spread(gold.tolist(), _NO_TAG)
        lexicon.numbers(variant for s in sentences for word in s.words for variant in (word.lower(), word.upper()))
        self.lower, self.upper = (table.to(rows.words) for table in lexicon.recased())

    def held_out(self, member: int, folds: int, seed: int) -> Tensor:
        """Which places of the flattened rows a member must not learn from; every `folds` members, all are held out."""
        if folds < 2:
            return torch.zeros(self.rows.words.numel(), dtype=torch.bool, device=self.rows.words.device)
        order = np.random.default_rng([seed, member // folds]).permutation(self.count + 1)
        fold = torch.from_numpy(order % folds).to(self.rows.words.device)
        return (fold[self.rows.sentences] == member % folds).flatten()

    def recase(self, words: Tensor, sentences: Tensor, lower: float, upper: float) -> Tensor:
        """Some sentences in lower case, some in upper case."""
        draw = torch.rand(self.count + 1, device=words.device)[sentences]
        words = self.lower[words].where(draw < lower, words)
        return self.upper[words].where(draw > 1 - upper, words)


def _hide(words: Tensor, places: Tensor, all_words: Tensor) -> Tensor:
    """Mask the words to guess; leave some, and put other words of the text for some, as no text has masks."""
    draw = torch.rand(places.shape, device=words.device)
    others = all_words.flatten()[torch.randint(all_words.numel(), places.shape, device=words.device)]
    shown = words.flatten()
    hidden = torch.where(draw < 0.8, MASKED, torch.where((draw < 0.9) & (others != NO_WORD), others, shown[places]))
    return shown.scatter(0, places, hidden.to(shown.dtype)).view_as(words)


def _batches(rows: int, batch: int, steps: int, device: torch.device) -> Iterator[Tensor]:
    """Numbers of rows for each step, shuffled anew when too few are left."""
    order = torch.empty(0)
    for _ in range(steps):
        if len(order) < batch:
            order = torch.randperm(rows, device=device)
        yield order[:batch]
        order = order[batch:]


@torch.no_grad()
def label(network: Network, rows: Rows) -> Tensor:
    """The probability of each tag for each word, in the order of the text [words, tags]."""
    network.eval()
    answers = []
    for words, sentences in zip(rows.words.split(256), rows.sentences.split(256), strict=True):
        with half_precision(words.device):
            answers.append(network.tags(words, sentences).float().softmax(2))
    return torch.cat(answers).flatten(0, 1)[rows.places]


def accuracy(probabilities: Tensor, gold: Tensor) -> float:
    """Per cent of words whose likeliest tag is the gold one."""
    return 100 * float((probabilities.argmax(1) == gold).float().mean())


def _say(what: str, clock: Clock) -> None:
    sys.stderr.write(f"{clock.spent():6.1f} s  {what}\n")
    sys.stderr.flush()
