# SPDX-License-Identifier: Apache-2.0
"""The aligned text behind the preorderers: which corpora, for which languages, under which licence."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from budgie.errors import DataError
from budgie.formats.alignments import Aligned, read_aligned
from budgie.train.data.datasets import DATASETS, Split, find
from budgie.train.data.plain_text import RAW_TEXT


@dataclass(frozen=True)
class AlignedCorpus:
    """A folder of aligned text."""

    dataset: str  # its name in budgie.train.data.datasets
    source: str  # the language whose words are put into order
    target: str  # the language whose order it is
    name: str  # for people
    manual: tuple[Split, ...] = ("train", "dev", "test")  # splits that people aligned; a program aligned the others

    @property
    def licence(self) -> str:
        """The licence of the text and of the alignments."""
        return DATASETS[self.dataset].licence

    def prefix(self, split: Split) -> Path:
        """Where a split is on this machine, as `read_aligned` takes it."""
        return find(self.dataset) / split

    def read(self, split: Split) -> list[Aligned]:
        """The sentences of a split."""
        return list(read_aligned(self.prefix(split)))


def _xl_wa(target: str, language: str) -> AlignedCorpus:
    return AlignedCorpus(f"preorder/en{target}-xlwa", "en", target, f"XL-WA, English-{language}", ("dev", "test"))


_ALL = (
    AlignedCorpus("preorder/enja-kftt-manual", "en", "ja", "Kyoto Free Translation Task, aligned by hand"),
    AlignedCorpus("preorder/enja-kyoto-auto", "en", "ja", "Wikipedia's Kyoto Articles (NICT)", ()),
    AlignedCorpus("preorder/enja-tanaka50k-auto", "en", "ja", "Tanaka Corpus, 50,000 short sentences", ()),
    AlignedCorpus("preorder/encs-czenali-manual", "en", "cs", "CzEnAli 1.0"),
    AlignedCorpus("preorder/enfr-hansards-manual", "en", "fr", "Hansards, WPT 2003"),
    AlignedCorpus("preorder/enhi-wpt05-manual", "en", "hi", "EMILLE, WPT 2005"),
    AlignedCorpus("preorder/enro-wpt05-manual", "en", "ro", "WPT 2005, English-Romanian"),
    AlignedCorpus("preorder/ensv-ges-manual", "en", "sv", "Gold standard for English-Swedish Europarl (GES)"),
    AlignedCorpus("preorder/enzh-tsinghua-manual", "en", "zh", "TsinghuaAligner, evaluation set 1"),
    _xl_wa("bg", "Bulgarian"),
    _xl_wa("da", "Danish"),
    _xl_wa("es", "Spanish"),
    _xl_wa("et", "Estonian"),
    _xl_wa("hu", "Hungarian"),
    _xl_wa("it", "Italian"),
    _xl_wa("nl", "Dutch"),
    _xl_wa("pt", "Portuguese"),
    _xl_wa("ru", "Russian"),
    _xl_wa("sl", "Slovene"),
)

ALIGNED_CORPORA = {one.dataset.removeprefix("preorder/"): one for one in _ALL}


# What the embedded preorderers are trained on, and the text that a teacher has ordered for them.
PAIRS = {"en-ja": ALIGNED_CORPORA["enja-kftt-manual"], "en-es": ALIGNED_CORPORA["enes-xlwa"]}
TAUGHT = {"en-ja": (ALIGNED_CORPORA["enja-kyoto-auto"], ALIGNED_CORPORA["enja-tanaka50k-auto"])}
# What their clusters were made from: that text, and what the teacher of the English tagger has read.
CLUSTERED_TEXT = {"en-ja": (*(f"{one.name} ({one.licence})" for one in TAUGHT["en-ja"]), *RAW_TEXT["en"])}


def aligned_corpus(name: str) -> AlignedCorpus:
    """The corpus of a name such as enja-kftt-manual."""
    if name not in ALIGNED_CORPORA:
        raise DataError(f"there is no aligned corpus {name}; there are {', '.join(ALIGNED_CORPORA)}")
    return ALIGNED_CORPORA[name]
