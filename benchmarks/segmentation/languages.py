# SPDX-License-Identifier: Apache-2.0
"""What is compared for each language: corpora, peers, and the peer that the others' speed is told by."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.segmentation.corpora import Corpus, thai, vietnamese


@dataclass(frozen=True)
class Language:
    """A language. Speed is measured on the first of its corpora, ratios are to the first of its peers."""

    name: str
    corpora: tuple[Corpus, ...]
    peers: tuple[str, ...]
    note: str = ""  # what a reader must know to judge the numbers


LANGUAGES: dict[str, Language] = {
    "zh": Language(
        "Chinese, simplified",
        tuple(map(Corpus, ("zh-pku", "zh-msr", "zh-sxu", "zh-weibo-wtb", "zh-gsdsimp"))),
        ("jieba", "rjieba", "pyicu", "pkuseg", "thulac", "snownlp", "budoux"),
        "Each corpus has its own idea of a word. snownlp is trained on the training text of zh-pku, and thulac on the "
        "People's Daily too. budoux cuts phrases.",
    ),
    "zh-Hant": Language(
        "Chinese, traditional",
        tuple(map(Corpus, ("zh-gsd", "zh-sinica"))),
        ("jieba", "rjieba", "pyicu", "budoux"),
        "jieba's dictionary is that of simplified Chinese: its larger one is not in the package. budoux cuts phrases.",
    ),
    "yue": Language(
        "Cantonese",
        (Corpus("yue-hkcancor"),),
        ("pycantonese", "jieba"),
        "pycantonese is trained on HKCanCor, test set and all, and more: its score is not one on unseen text.",
    ),
    "ja": Language(
        "Japanese",
        (Corpus("ja-gsd"),),
        ("fugashi", "sudachi", "nagisa", "janome", "tinysegmenter", "pyicu", "budoux"),
        "The words of ja-gsd are defined by UniDic, which is fugashi's dictionary. budoux cuts phrases.",
    ),
    "th": Language(
        "Thai",
        (Corpus("th-tud", thai),),
        ("pythainlp", "pyicu", "budoux"),
        "th-tud splits compounds that pythainlp's dictionary has as words.",
    ),
    "vi": Language(
        "Vietnamese",
        (Corpus("vi-vtb", vietnamese),),
        ("underthesea", "pyvi"),
        "underthesea's model is of VLSP 2013, whose project vi-vtb comes from: it may have seen some of the test set.",
    ),
    "km": Language(
        "Khmer",
        (Corpus("km-khpos"),),
        ("pyicu", "khmernltk", "khmercut"),
        "khmercut is khmernltk's model without scikit-learn. km-khpos keeps compounds together.",
    ),
    "my": Language("Burmese", (Corpus("my-mypos1"),), ("pyicu", "pyidaungsu")),
}
