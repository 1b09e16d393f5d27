# SPDX-License-Identifier: Apache-2.0
"""Gather what one teacher of all taggers learns from: treebanks, and plain text cut into words by the embedded models.

Writes LANGUAGE/train.tsv.xz, dev.tsv.xz and text.txt.xz for `budgie teach --together`. The plain text is that of the
language identifier and of `raw`, from sources that are free for any use; no sentence of a dev or test set is in it.
Usage: python tools/gather_languages.py OUT [--words N] [--languages LANGUAGE ...]
"""

from __future__ import annotations

import argparse
import lzma
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import budgie
from budgie import coverage
from budgie.formats.labelled import label_of, text_files
from budgie.formats.lines import read_lines
from budgie.formats.sentences import TokenisedSentence, pairs
from budgie.licences import classify
from budgie.train.data.datasets import DATASETS, find
from budgie.train.data.treebanks import TREEBANKS
from budgie.train.langid.cleaning import INTERFACE
from budgie.train.langid.word_lists import WORD_LISTS

# Lists of words and of messages have no sentences; `ud` are the treebanks, test sets among them.
NO_SENTENCES = frozenset((*INTERFACE, *WORD_LISTS, "mediawiki", "tesseract_text", "ud"))
RAW = {"no": "nb"}  # labels that the folder of plain text has another name for
NOT_FREE = ("fa",)  # languages of which it has news that nobody has given away
LONGEST = 60  # words of a sentence


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("out", type=Path)
    parser.add_argument("--words", type=int, default=400_000, help="of plain text a language")
    parser.add_argument("--languages", nargs="+", help="instead of all whose treebanks are free")
    options = parser.parse_args()
    free = [language for language, treebank in TREEBANKS.items() if classify(treebank.licence) == "free"]
    for language in options.languages or free:
        folder = options.out / language
        folder.mkdir(parents=True, exist_ok=True)
        treebank = TREEBANKS[language]
        train, dev, test = (treebank.read(split) for split in ("train", "dev", "test"))
        write_columns(folder / "train.tsv.xz", train)
        write_columns(folder / "dev.tsv.xz", dev)
        count = write_text(folder / "text.txt.xz", language, known([*dev, *test]), options.words)
        sys.stderr.write(f"{language}: {len(train)} sentences of treebanks, {count} words of text\n")


def write_columns(path: Path, sentences: Iterable[TokenisedSentence]) -> None:
    """Words and tags."""
    with lzma.open(path, "wt", encoding="utf-8", newline="\n") as file:
        for sentence in sentences:
            file.write("".join(f"{word}\t{tag}\n" for word, tag in pairs(sentence)) + "\n")


def write_text(path: Path, language: str, left_out: set[str], most: int) -> int:
    """Sentences, a line each, as many words from each source as it has of its share; gives the number of words."""
    if coverage.of(language).segmenter not in (None, *budgie.embedded()) or language == "vi":
        return 0  # its words are not known from free models, or have spaces inside
    sources = [read_lines(file) for file in files(language)]
    written = 0
    with lzma.open(path, "wt", encoding="utf-8", newline="\n") as file:
        for i, lines in enumerate(sources):
            share = written + (most - written) // (len(sources) - i)
            for words in sentences_of(lines, language):
                if written >= share:
                    break
                if len(words) <= LONGEST and key(words) not in left_out:
                    file.write(" ".join(words) + "\n")
                    written += len(words)
    return written


def files(language: str) -> Iterator[Path]:
    """Files of plain text that are free for any use, the smallest first, so that others can fill up their shares."""
    found = []
    for folder in ("langid/train", "langid/train_extra"):
        for path in text_files(find(folder)):
            source = path.parent.name
            known_source = source in DATASETS and source not in NO_SENTENCES
            if label_of(path) == language and known_source and classify(DATASETS[source].licence) == "free":
                found.append(path)
    raw = find("raw") / f"{RAW.get(language, language)}.txt.xz"
    if raw.exists() and language not in NOT_FREE:
        found.append(raw)
    return iter(sorted(found, key=lambda path: path.stat().st_size))


def sentences_of(lines: Iterator[str], language: str) -> Iterator[list[str]]:
    """The words of each sentence of some lines."""
    pipeline = budgie.Pipeline(tasks=["tokens"])
    for document in pipeline.annotate_stream(lines, language):
        for sentence in document.sentences:
            yield [word.text for token in sentence.tokens for word in token.words or [token]]


def known(sentences: Iterable[TokenisedSentence]) -> set[str]:
    return {key(sentence.words) for sentence in sentences}


def key(words: Iterable[str]) -> str:
    return "".join(words).casefold()


if __name__ == "__main__":
    main()
