# SPDX-License-Identifier: Apache-2.0
"""What is compared for each language: corpora, peers, and the peer that the others' speed is told by."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.segmentation.corpora import Corpus


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
        (
            Corpus("zh-pku"),
            Corpus("zh-msr"),
            Corpus("zh-sxu"),
            Corpus("zh-weibo-wtb"),
            Corpus("zh-gsdsimp", "gsd"),
        ),
        ("jieba", "rjieba", "pyicu", "pkuseg", "thulac", "snownlp", "budoux"),
        "Corpora differ in what a word is. snownlp is trained on the training text of zh-pku. budoux cuts phrases.",
    ),
    "zh-research": Language(
        "Chinese, for research",
        (
            Corpus("zh-pku", "pku"),
            Corpus("zh-msr"),
            Corpus("zh-sxu", "sxu"),
            Corpus("zh-weibo-wtb", "wtb"),
            Corpus("zh-gsd", "gsd"),
            Corpus("zh-sinica", "sinica"),
        ),
        ("jieba",),
        "By the default, general, and by the standard of each corpus.",
    ),
    "zh-Hant": Language(
        "Chinese, traditional",
        (Corpus("zh-gsd", "gsd"), Corpus("zh-sinica")),
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
        (Corpus("th-tud", convention="visible"),),
        ("pythainlp", "attacut", "deepcut", "pyicu", "budoux"),
        "th-tud splits compounds that pythainlp's dictionary has as words. attacut and deepcut are trained on NECTEC's "
        "BEST, which differs less, but does: it splits other compounds.",
    ),
    "vi": Language(
        "Vietnamese",
        (Corpus("vi-vtb", convention="underscore"),),
        ("underthesea", "pyvi"),
        "underthesea and pyvi are trained on text of the project that vi-vtb comes from, pyvi on a file that has "
        "sentences of vi-vtb itself: they may have seen some of the test set. Budgie has also learnt from 900 "
        "sentences of the dev set, whose words count as OOV.",
    ),
    "km": Language(
        "Khmer",
        (Corpus("km-khpos"),),
        ("pyicu", "khmernltk", "khmercut"),
        "khmercut is khmernltk's model without scikit-learn. km-khpos keeps compounds together.",
    ),
    "my": Language("Burmese", (Corpus("my-mypos1"),), ("pyicu", "pyidaungsu")),
}
