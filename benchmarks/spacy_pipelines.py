# SPDX-License-Identifier: Apache-2.0
"""Speed of spaCy with Budgie inside and of spaCy alone, taking turns in one process.

    make bench-spacy        # python -m benchmarks.spacy_pipelines in the environment of `make spacy`

CPU time of `nlp.pipe`, the best of several rounds: spaCy, which remembers how it has cut a string, has seen them all.
"""

from __future__ import annotations

import time
from importlib.metadata import version
from typing import Any

import spacy
from spacy.language import Language

from benchmarks.markdown import table
from benchmarks.segmentation.corpora import Corpus
from budgie.formats.treebank import raw_text
from budgie.train.data.raw_treebanks import RAW_TREEBANKS

ROUNDS = 9
SENTENCES = 10  # of a text
BUDGIE = {"@tokenizers": "budgie.Tokenizer.v1"}
JIEBA = {"@tokenizers": "spacy.zh.ChineseTokenizer", "segmenter": "jieba"}


def pipeline(language: str, tokenizer: dict[str, str] | None = None, *pipes: str) -> Language:
    config: dict[str, Any] = {"nlp": {"tokenizer": tokenizer}} if tokenizer else {}
    nlp = spacy.blank(language, config=config)
    for pipe in pipes:
        nlp.add_pipe(pipe)
    return nlp


def pipelines(language: str) -> dict[str, Language]:
    """The pipelines of a language by what they do; what the others are compared with comes first."""
    alone = {"spaCy's rules": pipeline("en")} if language == "en" else {"spaCy with jieba": pipeline("zh", JIEBA)}
    words = next(iter(alone.values())).config["nlp"]["tokenizer"]
    return {
        **alone,
        "the same, and sentencizer": pipeline(language, words, "sentencizer"),
        "Budgie: tokens and sentences": pipeline(language, BUDGIE),
        "Budgie: tokens, sentences and tags": pipeline(language, BUDGIE, "budgie_tagger"),
    }


def texts(language: str) -> list[str]:
    """Running text, some sentences at a time: the English web treebank, the test set of PKU."""
    if language == "en":
        sentences = RAW_TREEBANKS["en"].training()
        return [raw_text(sentences[i : i + SENTENCES]).text for i in range(0, len(sentences), SENTENCES)]
    lines = [sentence.text for sentence in Corpus("zh-pku").test]
    return ["".join(lines[i : i + SENTENCES]) for i in range(0, len(lines), SENTENCES)]


def seconds(nlp: Language, material: list[str]) -> float:
    """CPU time of all texts."""
    begin = time.process_time()
    for _ in nlp.pipe(material):
        pass
    return time.process_time() - begin


def main() -> None:
    rows = []
    for language in ("en", "zh"):
        material, contenders = texts(language), pipelines(language)
        size = sum(map(len, material))
        rounds = [{name: seconds(nlp, material) for name, nlp in contenders.items()} for _ in range(ROUNDS)]
        best = {name: min(one[name] for one in rounds) for name in contenders}
        alone = next(iter(best.values()))
        for name, cpu in best.items():
            rows.append([language, name, f"{size / cpu:,.0f}", f"{alone / cpu:.2f}"])
    print(f"spaCy {version('spacy')}, jieba {version('jieba')}.\n")
    print(table(["", "pipeline", "characters/s", "× spaCy's words alone"], rows))


if __name__ == "__main__":
    main()
