# SPDX-License-Identifier: Apache-2.0
"""The teacher: a large tagger whose soft labels a tiny tagger learns from.

It learns to guess masked words of plain text, then parts of speech from a treebank, several times over with other
random numbers. The members of this ensemble then label the plain text and, each the part it has not seen, the treebank.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from budgie.errors import ConfigError
from budgie.formats.sentences import TokenisedSentence, pairs
from budgie.train.network.loop import find_device
from budgie.train.teacher.network import Shape, TeacherNetwork, Trainer, half_precision
from budgie.train.teacher.text import (
    IGNORED,
    MASKED,
    NO_WORD,
    UNKNOWN,
    SentenceRows,
    TeacherLexicon,
    TreebankRows,
    Words,
    sample,
)

_LOOK = 16  # steps between two looks at the clock, which make a GPU wait


@dataclass(frozen=True)
class Lesson:
    """How to learn from a treebank."""

    epochs: int
    batch: int  # rows
    rate: float
    dropout: float


@dataclass(frozen=True)
class Settings:
    """How to train a teacher; the defaults were chosen on UD 1.1 dev sets."""

    shape: Shape = Shape()
    frequent: int = 30_000  # words with a vector of their own, which are also those to guess
    forget: float = 0.15  # share of words that lose this vector for a step
    # plain text
    text_share: float = 0.45  # of the time
    text_epochs: int = 60  # at most
    text_batch: int = 64  # rows
    text_rate: float = 1.5e-3
    masked: float = 0.25  # share of words to guess
    # treebank: a noisy one wants little training, others much, so the first members try, and the best on dev goes on
    lessons: tuple[Lesson, ...] = (Lesson(12, 32, 3e-4, 0.35), Lesson(30, 16, 4e-4, 0.2))
    least_steps: int = 350  # whatever the epochs
    most_steps: int = 2500
    smoothing: float = 0.02
    hidden: float = 0.1  # share of words hidden altogether
    lower: float = 0.05  # share of sentences in lower case
    upper: float = 0.03  # ... in upper case
    # ensemble
    members: int = 8
    folds: int = 8  # a member does not see one of so many parts of the treebank
    label_words: int = 1_200_000
    label_lengths: tuple[int, int] = (3, 60)  # words a sentence to label may have
    reserve: float = 30.0  # seconds kept for writing


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
        try:
            return cls(**torch.load(path, map_location="cpu", weights_only=True))
        except Exception as error:
            raise ConfigError(
                f"--encoder {path} is damaged or no encoder: delete it or name another file ({type(error).__name__})"
            ) from None


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


class Labels:
    """What the members say of a text, all together and, where there is gold, one by one."""

    def __init__(
        self, sentences: list[Words], lexicon: TeacherLexicon, tags: int, gold: Tensor, device: torch.device
    ) -> None:
        self.sentences, self.gold = sentences, gold.to(device)
        self.rows = SentenceRows.of(sentences, lexicon, device)
        self.total = torch.zeros(len(self.rows.places), tags, device=device)
        self.scores: list[float] = []

    def add(self, probabilities: Tensor, unseen: Tensor | None = None) -> None:
        """The labels of one more member; of those words only that it has not seen, where that matters."""
        self.total += probabilities if unseen is None else probabilities * unseen[:, None]
        if len(self.gold) and unseen is None:
            self.scores.append(percent_right(probabilities, self.gold))

    def probabilities(self) -> Tensor:
        """The mean of all labels [words, tags]."""
        return functional.normalize(self.total, p=1, dim=1)

    def report(self) -> str:
        """How right one member and all together are."""
        scores = self.scores
        return (
            f"{len(scores)} members, one {np.mean(scores):.2f} ({min(scores):.2f} to {max(scores):.2f}), "
            f"together {percent_right(self.total, self.gold):.2f}"
        )


class Teacher:
    """A treebank and plain text, and what is the same for all members."""

    def __init__(
        self,
        train: list[TokenisedSentence],
        text: list[Words],
        settings: Settings,
        device: str,
        seed: int,
        compounds: Sequence[Words] = (),
    ) -> None:
        if not train:
            raise ConfigError("a teacher needs a treebank to learn from: give --train")
        self.train, self.text, self.settings, self.seed = train, text, settings, seed
        self.compounds = compounds
        self.device = find_device(device)
        self.tags = sorted({tag for sentence in train for _, tag in pairs(sentence)})
        torch.set_float32_matmul_precision("high")

    def read(self, clock: Clock) -> Encoder:
        """Learn to guess masked words of the plain text and of the training sentences."""
        settings = self.settings
        torch.manual_seed(self.seed)
        sentences = self.text + [sentence.words for sentence in self.train]
        lexicon = TeacherLexicon.of(sentences, settings.frequent, self.compounds)
        rows = SentenceRows.of(sentences, lexicon, self.device)
        # a treebank alone is read so often that it would be learnt by heart
        dropout = 0.0 if self.text else settings.lessons[0].dropout
        network = TeacherNetwork(settings.shape, lexicon, len(self.tags), dropout, settings.forget).to(self.device)
        batch = max(1, min(settings.text_batch, len(rows.words) // 16))
        guessed = int(settings.masked * len(rows.places) / len(rows.words) * batch)
        frequencies = lexicon.frequencies().to(self.device)

        def loss(chosen: Tensor) -> Tensor:
            words = rows.words[chosen]
            gold = frequencies[words].flatten().long()
            places = (torch.rand_like(gold, dtype=torch.float) * (gold != UNKNOWN)).topk(guessed).indices
            scores = network.words(_hide(words, places, rows.words), rows.sentences[chosen], places)
            return functional.cross_entropy(scores.float(), gold[places], ignore_index=UNKNOWN)

        trainer = Trainer(network, loss, batch, settings.text_rate)
        begin, end = clock.spent(), clock.seconds * (settings.text_share if settings.members else 1)
        steps = settings.text_epochs * (len(rows.words) // batch)
        progress, average = 0.0, 0.0
        for step, chosen in enumerate(_batches(len(rows.words), batch, steps, self.device)):
            now = trainer.step(chosen, progress)
            if step % _LOOK == 0:
                average = 0.95 * average + 0.05 * float(now) if step else float(now)
                progress = max(step / steps, (clock.spent() - begin) / max(end - begin, 1))
                if progress >= 1:
                    break
        say(f"plain text: {step} steps, {step * batch / len(rows.words):.1f} epochs, loss {average:.3f}", clock)
        weights = {name: value.cpu() for name, value in network.state_dict().items() if not name.startswith("tagger")}
        return Encoder(lexicon.letters, lexicon.frequent, weights)

    def teach(
        self, encoder: Encoder, dev: list[TokenisedSentence], test: list[TokenisedSentence], clock: Clock
    ) -> dict[str, Labels]:
        """Train the members and have them label all sentences and the plain text."""
        settings = self.settings
        lexicon = TeacherLexicon(encoder.letters, encoder.frequent, self.compounds)
        treebank = TreebankRows(self.train, self._numbers(self.train), lexicon, self.device)
        texts = {
            name: [s.words for s in tagged] for name, tagged in (("train", self.train), ("dev", dev), ("test", test))
        }
        texts["raw"] = sample(self.text, settings.label_words, *settings.label_lengths, self.seed)
        gold = {"dev": self._numbers(dev), "test": self._numbers(test)}
        labels = {
            name: Labels(words, lexicon, len(self.tags), gold.get(name, torch.empty(0)), self.device)
            for name, words in texts.items()
            if words
        }
        seen = Labels(texts["train"], lexicon, len(self.tags), torch.empty(0), self.device)
        longest = 0.0
        for member in range(settings.members):
            begin = clock.spent()
            if member and clock.left() < settings.reserve + 1.1 * longest:
                break
            lesson = self._lesson(member, labels.get("dev"))
            torch.manual_seed(self.seed + 1000 * (member + 1))
            held_out = treebank.held_out(member, settings.folds, self.seed)
            network = self.member(encoder, lexicon, treebank, held_out, lesson)
            for name, text in labels.items():
                probabilities = label(network, text.rows)
                text.add(probabilities, held_out[text.rows.places] if name == "train" else None)
                if name == "train":
                    seen.add(probabilities)
            longest = max(longest, clock.spent() - begin)
            if dev:
                say(f"{lesson}: dev {labels['dev'].scores[-1]:.2f}; {labels['dev'].report()}", clock)
        for name in gold:
            if name in labels:
                say(f"{name}: {labels[name].report()}", clock)
        # what no member has held out, for want of time or of folds, gets the labels of all
        never = labels["train"].total.sum(1, keepdim=True) == 0
        labels["train"].total = seen.total.where(never, labels["train"].total)
        return labels

    def _lesson(self, member: int, dev: Labels | None) -> Lesson:
        """Each lesson once, then the one that was best on dev."""
        lessons = self.settings.lessons
        if member < len(lessons):
            return lessons[member]
        return lessons[int(np.argmax(dev.scores[: len(lessons)]))] if dev else lessons[0]

    def member(
        self, encoder: Encoder, lexicon: TeacherLexicon, treebank: TreebankRows, held_out: Tensor, lesson: Lesson
    ) -> TeacherNetwork:
        """Train one member on the part of the treebank that it may see."""
        settings, rows = self.settings, treebank.rows
        network = TeacherNetwork(settings.shape, lexicon, len(self.tags), lesson.dropout, settings.forget)
        network.load_state_dict(encoder.weights, strict=False)
        network.to(self.device)
        gold = treebank.gold.masked_fill(held_out.view_as(treebank.gold), IGNORED)
        batch = min(lesson.batch, len(rows.words))

        def loss(chosen: Tensor) -> Tensor:
            words = treebank.recase(rows.words[chosen], rows.sentences[chosen], settings.lower, settings.upper)
            words = words.where(torch.rand_like(words, dtype=torch.float) >= settings.hidden, MASKED)
            scores = network.tags(words, rows.sentences[chosen]).float()
            return functional.cross_entropy(
                scores.flatten(0, 1), gold[chosen].flatten(), ignore_index=IGNORED, label_smoothing=settings.smoothing
            )

        trainer = Trainer(network, loss, batch, lesson.rate)
        steps = min(settings.most_steps, max(settings.least_steps, lesson.epochs * len(rows.words) // batch))
        for step, chosen in enumerate(_batches(len(rows.words), batch, steps, self.device)):
            trainer.step(chosen, step / steps)
        return network

    def _numbers(self, sentences: list[TokenisedSentence]) -> Tensor:
        """The gold tags as numbers; a tag that the training sentences lack is never guessed."""
        number = {tag: i for i, tag in enumerate(self.tags)}
        return torch.tensor([number.get(tag, -1) for sentence in sentences for _, tag in pairs(sentence)])


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
def label(network: TeacherNetwork, rows: SentenceRows) -> Tensor:
    """The probability of each tag for each word, in the order of the text [words, tags]."""
    network.eval()
    answers = []
    for words, sentences in zip(torch.split(rows.words, 256), torch.split(rows.sentences, 256), strict=True):
        with half_precision(words.device):
            answers.append(network.tags(words, sentences).float().softmax(2))
    return torch.cat(answers).flatten(0, 1)[rows.places]


def percent_right(probabilities: Tensor, gold: Tensor) -> float:
    """Per cent of words whose likeliest tag is the gold one."""
    return 100 * float((probabilities.argmax(1) == gold).float().mean())


def say(what: str, clock: Clock) -> None:
    """One line of progress."""
    sys.stderr.write(f"{clock.spent():6.1f} s  {what}\n")
    sys.stderr.flush()
