# SPDX-License-Identifier: Apache-2.0
"""Gather what one teacher of all taggers learns from: treebanks, and plain text cut into words by the embedded models.

    python -m tools.gather_languages OUT [--words N] [--languages LANGUAGE ...]

Writes LANGUAGE/train.tsv.xz, dev.tsv.xz and text.txt.xz for `budgie teach --together`. The plain text is from sources
that are free for any use (budgie.train.data.plain_text); no sentence of a dev or test set is in it.
"""

from __future__ import annotations

import argparse
import lzma
import sys
from collections.abc import Iterable
from pathlib import Path

from budgie.formats.sentences import TokenisedSentence, pairs
from budgie.licences import classify
from budgie.train.data.treebanks import TREEBANKS
from tools.plain_words import plain_sentences


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
        count = 0
        with lzma.open(folder / "text.txt.xz", "wt", encoding="utf-8", newline="\n") as file:
            for words in plain_sentences(language, options.words, [*dev, *test], spaces=False):
                file.write(" ".join(words) + "\n")
                count += len(words)
        sys.stderr.write(f"{language}: {len(train)} sentences of treebanks, {count} words of text\n")


def write_columns(path: Path, sentences: Iterable[TokenisedSentence]) -> None:
    """Words and tags."""
    with lzma.open(path, "wt", encoding="utf-8", newline="\n") as file:
        for sentence in sentences:
            file.write("".join(f"{word}\t{tag}\n" for word, tag in pairs(sentence)) + "\n")


if __name__ == "__main__":
    main()
