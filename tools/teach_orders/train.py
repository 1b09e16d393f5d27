# SPDX-License-Identifier: Apache-2.0
"""Training of the network with automatic and with manual orders, and what several networks say together."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import numpy as np
import torch
from tools.teach_orders.material import CHANNELS, UNKNOWN, Batch, Corpus, Words, put, runs
from tools.teach_orders.network import Network, Output, WordEncoder
from tools.teach_orders.settings import Lesson, Mode, Round, Shares
from tools.teach_orders.targets import Targets, padded
from torch import Tensor, nn
from torch.nn import functional

from budgie.train.teacher.network import half_precision

_BEFORE_WEIGHT = 0.3  # of the loss of all pairs, against that of neighbours
_GUESS_WEIGHT = 0.3  # of the loss of hidden words
_CHANNELS_LOST = {"practice": 0.3, "lesson": 0.15}  # so that the network trusts no alignment alone
_ASKED = 40_000  # words at once when nothing is learnt


def practise(network: Network, corpus: Corpus, chosen: np.ndarray, targets: Targets, round_: Round, seed: int) -> int:
    """Learn from automatic sentences, their links and hidden words, for the seconds of the round. Gives the steps."""
    generator = np.random.default_rng(seed)
    settings = network.settings

    def loss(part: np.ndarray) -> Tensor:
        batch = _draw(corpus, part, round_.shares, generator, _CHANNELS_LOST["practice"])
        sides = ((network.source, batch.source), (network.target, batch.target))
        hidden = [(encoder, *_hide(words, encoder, settings.hidden, generator)) for encoder, words in sides if words]
        output = network(batch)
        total = _order_loss(output, batch, *padded(targets, part, batch.source.mask.shape[1], corpus.device))
        for (encoder, places, words), states in zip(hidden, output.states, strict=True):
            guesses = encoder.guesses(states[places]).float()
            wrong = functional.cross_entropy(guesses, words, ignore_index=UNKNOWN, reduction="sum")
            total = total + _GUESS_WEIGHT * wrong / (words != UNKNOWN).sum().clamp_min(1)
        return total + _link_loss(output, batch, batch.automatic_links)

    start = time.monotonic()
    batches = _endless(corpus, chosen, settings.batch, generator)
    return _train(
        network, loss, batches, lambda _: (time.monotonic() - start) / round_.seconds, round_.rate, settings.warm_up
    )


def study(network: Network, corpus: Corpus, chosen: np.ndarray, targets: Targets, lesson: Lesson, seed: int) -> Network:
    """Learn from manual orders and links."""
    torch.manual_seed(seed)
    generator = np.random.default_rng(seed)
    settings = network.settings

    def loss(part: np.ndarray) -> Tensor:
        batch = _draw(corpus, part, lesson.shares, generator, _CHANNELS_LOST["lesson"])
        for side in (batch.source, batch.target):
            if side is not None:
                forgotten = side.mask & (torch.rand(side.mask.shape, device=corpus.device) < settings.forgotten)
                side.features[..., 0].masked_fill_(forgotten, UNKNOWN)
        output = network(batch)
        wanted = padded(targets, part, batch.source.mask.shape[1], corpus.device)
        return _order_loss(output, batch, *wanted) + _link_loss(output, batch, batch.manual_links)

    steps = lesson.epochs * sum(1 for _ in corpus.batches(chosen, settings.lesson_batch, generator))
    batches = _endless(corpus, chosen, settings.lesson_batch, generator)
    _train(network, loss, batches, lambda step: step / steps, lesson.rate, settings.lesson_warm_up)
    return network


@torch.no_grad()
def ask(
    networks: list[Network], corpus: Corpus, chosen: np.ndarray, shown: Mode
) -> Iterator[tuple[np.ndarray, Tensor]]:
    """Numbers of sentences, and what the networks say on average: tables [sentences, 2, words + 1, words + 1]."""
    for network in networks:
        network.eval()
    chosen = chosen[np.argsort(corpus.source.lengths[chosen], kind="stable")]
    for part in runs(corpus.source.lengths[chosen] + corpus.target.lengths[chosen], _ASKED):
        batch = corpus.batch(chosen[part], shown)
        with half_precision(corpus.device):
            tables = torch.stack([network(batch).tables.sigmoid() for network in networks])
        yield chosen[part], tables.mean(0)


def _train(
    network: Network,
    loss: Callable[[np.ndarray], Tensor],
    batches: Iterator[np.ndarray],
    progress: Callable[[int], float],
    rate: float,
    warm_up: int,
) -> int:
    """Take steps until the progress is 1, the learning rate falling to 0. Gives their number."""
    device = network.position.weight.device
    optimiser = torch.optim.AdamW(
        network.parameters(), lr=rate, betas=(0.9, 0.98), weight_decay=0.01, fused=device.type == "cuda"
    )
    network.train()
    step = 0
    while (done := progress(step)) < 1:
        for group in optimiser.param_groups:
            group["lr"] = rate * min(1, step / warm_up) * (1 - done)
        optimiser.zero_grad()
        with half_precision(device):
            value = loss(next(batches))
        value.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
        step += 1
    return step


def _endless(corpus: Corpus, chosen: np.ndarray, words: int, generator: np.random.Generator) -> Iterator[np.ndarray]:
    while True:
        yield from corpus.batches(chosen, words, generator)


def _draw(
    corpus: Corpus, part: np.ndarray, shares: Shares, generator: np.random.Generator, channels_lost: float
) -> Batch:
    """A batch in a mode by chance, without some channels of its links."""
    mode = list(shares)[generator.choice(len(shares), p=list(shares.values()))]
    batch = corpus.batch(part, mode)
    if mode is Mode.LINKS and batch.links is not None:
        kept = torch.rand(len(part), 1, 1, CHANNELS, device=corpus.device) >= channels_lost
        batch.links = batch.links * kept
    return batch


def _hide(
    words: Words, encoder: WordEncoder, share: float, generator: np.random.Generator
) -> tuple[tuple[Tensor, Tensor], Tensor]:
    """Hide some words; gives where they were, and which."""
    drawn = generator.random(words.mask.shape) < share
    hidden = np.nonzero(drawn & (np.arange(drawn.shape[1]) < words.lengths[:, None]))
    sentences, positions = (put(one, words.mask.device) for one in hidden)
    answers = words.features[sentences, positions, 0]
    words.features[sentences, positions] = words.pieces[sentences, positions] = 0
    words.features[sentences, positions, 0] = encoder.hidden
    return (sentences, positions), answers


def _order_loss(output: Output, batch: Batch, values: Tensor, weights: Tensor) -> Tensor:
    losses = functional.binary_cross_entropy_with_logits(output.tables, values, reduction="none") * weights
    before, behind = (losses.sum((2, 3)) / batch.source.mask.sum(1, keepdim=True)).mean(0)
    total: Tensor = _BEFORE_WEIGHT * before + behind
    return total


def _link_loss(output: Output, batch: Batch, wanted: Tensor | None) -> Tensor | float:
    if output.links is None or batch.target is None or wanted is None:
        return 0.0
    there = batch.source.mask[:, :, None] & batch.target.mask[:, None]
    losses = functional.binary_cross_entropy_with_logits(output.links, wanted, reduction="none") * there
    return losses.sum() / batch.source.mask.sum()
