# SPDX-License-Identifier: Apache-2.0
"""The segmented text behind the embedded segmenters: which corpora, by which standard, under which licence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from budgie.errors import DataError
from budgie.formats.labelled import TEXT_SUFFIXES
from budgie.formats.lines import read_lines
from budgie.formats.segmented import Convention, Segmented, read_segmented
from budgie.train.data.datasets import DATASETS, Split, find
from budgie.train.data.preordering import ALIGNED_CORPORA


@dataclass(frozen=True)
class SegmentedCorpus:
    """A folder of segmented text."""

    dataset: str  # its name in budgie.train.data.datasets
    standard: str  # the name of its definition of a word
    name: str  # for people
    convention: Convention = "joined"
    splits: tuple[Split, ...] = ("train", "dev", "test")
    aliases: Mapping[str, str] = field(default_factory=dict)  # words that stand for others
    overlaps: bool = False  # test sentences that also stand in the training set are left out
    moved: int = 0  # so many sentences of dev are learnt from, where dev is larger than the training set

    @property
    def licence(self) -> str:
        """The licence of the text."""
        return DATASETS[self.dataset].licence

    def file(self, split: Split) -> Path:
        """Where a split is on this machine."""
        if split not in self.splits:
            raise DataError(f"{self.dataset} has no {split} set; it has {' and '.join(self.splits)}")
        folder = find(self.dataset)
        for suffix in TEXT_SUFFIXES:
            if (path := folder / f"{split}{suffix}").exists():
                return path
        raise DataError(f"{folder} holds no {split}.txt, plain or compressed (.gz, .xz, .zst)")

    def read(self, split: Split, spaced: bool = False) -> list[Segmented]:
        """The sentences of a split; `spaced` as in `budgie.formats.segmented.join`."""
        sentences = self._read(split, spaced)
        if self.moved and split == "train":
            sentences += self._read("dev", spaced)[: self.moved]
        if self.moved and split == "dev":
            sentences = sentences[self.moved :]
        if split == "test" and self.overlaps:
            seen = {sentence.text for sentence in self._read("train", spaced)}
            sentences = [sentence for sentence in sentences if sentence.text not in seen]
        return sentences

    def _read(self, split: Split, spaced: bool) -> list[Segmented]:
        path = self.file(split)
        return list(read_segmented(path, convention=self.convention, spaced=spaced, aliases=self.aliases))


_PKU = SegmentedCorpus("seg/zh-pku", "pku", "PFR People's Daily, January 1998 (test: SIGHAN 2005 PKU)")
_SXU = SegmentedCorpus("seg/zh-sxu", "sxu", "SIGHAN 2008 SXU", overlaps=True)
_WTB = SegmentedCorpus("seg/zh-weibo-wtb", "wtb", "Weibo Treebank")
_GSD = SegmentedCorpus("seg/zh-gsd", "gsd", "UD Chinese-GSD 2.0")
_MSR = SegmentedCorpus("seg/zh-msr", "msr", "SIGHAN 2005 MSR", splits=("test",))
_GSDSIMP = SegmentedCorpus("seg/zh-gsdsimp", "gsdsimp", "UD Chinese-GSDSimp", splits=("dev", "test"))
_SINICA = SegmentedCorpus("seg/zh-sinica", "sinica", "Sinica Treebank, 10,000 sentences")
_BRACKETS = {"LBKT": "(", "KBKT": "(", "RBKT": ")"}  # one LBKT is misspelt


# The corpora of each language with a segmenter, that of the default standard first; one model learns all standards.
# A language with a class of licences behind it has a free model, too.
SEGMENTED_CORPORA: dict[str, tuple[SegmentedCorpus, ...]] = {
    "zh": (_GSD,),
    "zh-research": (_WTB, _PKU, _SXU, _SINICA, _GSD),
    "yue": (SegmentedCorpus("seg/yue-hkcancor", "hkcancor", "Hong Kong Cantonese Corpus"), _GSD),
    "ja": (SegmentedCorpus("seg/ja-gsd", "gsd", "UD Japanese-GSD 2.8, short unit words"),),
    "th": (SegmentedCorpus("seg/th-tud", "tud", "UD Thai-TUD", "visible"),),
    "vi": (SegmentedCorpus("seg/vi-vtb", "vtb", "UD Vietnamese-VTB", "underscore", aliases=_BRACKETS, moved=900),),
    "km": (SegmentedCorpus("seg/km-khpos", "khpos", "khPOS"),),
    "my": (SegmentedCorpus("seg/my-mypos1", "mypos", "myPOS 1.0"),),
}

# Corpora that the model of a language does not learn from, but is tested on: not free, or without a training set.
TESTED_ONLY: dict[str, tuple[SegmentedCorpus, ...]] = {
    "zh": (_PKU, _SXU, _WTB, _MSR, _GSDSIMP, _SINICA),
    "zh-research": (_MSR, _GSDSIMP),
}

# What a word is to most people, the default of a model that knows it: silver text alone follows it, or it is the mean
# of standards that the model has learnt.
GENERAL = "general"
TAUGHT_STANDARDS: dict[str, tuple[str, ...]] = {"zh": (GENERAL,)}
POOLED_STANDARDS: dict[str, tuple[str, ...]] = {"zh-research": ("wtb", "pku", "sxu")}

# Who cut the silver text.
TEACHERS = {
    "ja": "fugashi 1.5.2 (MIT), UniDic in unidic-lite 1.0.8 (BSD-3-Clause)",
    "zh": "LAC 2.1.2 (Apache-2.0), jieba 0.42.1 (MIT)",
}


def segmented_corpus(language: str, standard: str) -> SegmentedCorpus:
    """The corpus of a language by its standard."""
    found = [
        one
        for one in (*SEGMENTED_CORPORA.get(language, ()), *TESTED_ONLY.get(language, ()))
        if one.standard == standard
    ]
    if not found:
        known = [
            f"{code} {one.standard}"
            for table in (SEGMENTED_CORPORA, TESTED_ONLY)
            for code in table
            for one in table[code]
        ]
        raise DataError(f"there is no corpus of {language} by the standard {standard}; there are {', '.join(known)}")
    return found[0]


# The list of words behind the lexicon of an embedded model; tools/make_lexicons.py makes the files.
LEXICONS = {
    "zh": "jieba 0.42.1 (MIT)",
    "zh-research": "jieba 0.42.1 (MIT)",
    "yue": "rime-cantonese in pycantonese 3.4.0 (CC-BY-4.0), jieba 0.42.1 in traditional characters (MIT)",
    "ja": "UniDic in unidic-lite 1.0.8 (BSD-3-Clause)",
    "th": "PyThaiNLP 5.4 (CC0-1.0)",
    "vi": "pyvi 0.1.1 (MIT)",
    "km": "Unilex (Unicode-DFS-2016)",
    "my": "Unilex (Unicode-DFS-2016)",
}

# Running text that a teacher labels for the embedded models: folders of the data for language identification.
PLAIN_TEXT = (
    "commonvoice",
    "ebible",
    "mediawiki",
    "mozilla_www",
    "storybooks",
    "tatoeba",
    "tesseract_text",
    "tico19",
    "ud",
)

_TEXT_OF = {  # labels of the text, where they are not the language itself
    "yue": ("zh-Hant",),
    "zh": ("zh", "zh-Hant"),
    "zh-research": ("zh", "zh-Hant"),
}


# More of it, which others have cut: their words are put together again.
_CUT_TEXT = {"ja": (ALIGNED_CORPORA["enja-kyoto-auto"],)}


def text_labels(language: str) -> tuple[str, ...]:
    """The labels of the running text for the segmenter of a language; Cantonese takes traditional Chinese."""
    return _TEXT_OF.get(language, (language,))


def plain_text(language: str) -> list[Path]:
    """The files of running text that are there for the segmenter of a language."""
    codes = text_labels(language)
    files = [find("langid/train") / source / f"{code}.txt.xz" for source in PLAIN_TEXT for code in codes]
    return [path for path in files if path.exists()]


def running_text(language: str) -> Iterator[str]:
    """All lines of running text for the segmenter of a language."""
    for path in plain_text(language):
        yield from read_lines(path)
    for corpus in _CUT_TEXT.get(language, ()):
        cut = read_segmented(find(corpus.dataset) / "train.tgt.xz", convention="joined", spaced=True)
        yield from (sentence.text for sentence in cut)


def text_sources(language: str) -> list[str]:
    """The sources of the running text for the segmenter of a language, each with its licence."""
    folders = dict.fromkeys(path.parent.name for path in plain_text(language))
    corpora = _CUT_TEXT.get(language, ())
    return [
        *(f"{source} ({DATASETS[source].licence})" for source in folders),
        *(f"{corpus.name} ({corpus.licence})" for corpus in corpora),
    ]
