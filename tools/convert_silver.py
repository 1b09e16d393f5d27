# SPDX-License-Identifier: Apache-2.0
"""Put the silver text of the simplified Chinese segmenter into traditional characters, for seg-zh-Hant.

Sentences of a corpus that was converted for the teacher get their own characters back. Usage:
python tools/convert_silver.py zh-train.silver.tsv.xz zh-Hant-train.silver.tsv.xz (needs opencc-python-reimplemented).
"""

from __future__ import annotations

import lzma
import sys
from collections.abc import Iterator

from budgie.train.data.chinese import converter
from budgie.train.data.segmentation import SEGMENTED_CORPORA
from budgie.train.segmentation.units import SPACE, mark, text_of


def sentences(path: str) -> Iterator[list[list[str]]]:
    """Units with their probabilities, the mark of the standard first."""
    rows: list[list[str]] = []
    with lzma.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            if line != "\n":
                rows.append(line.rstrip("\n").split("\t"))
            elif rows:
                yield rows
                rows = []


def main() -> None:
    source, target = sys.argv[1:]
    to_simplified, to_traditional = converter("t2s"), converter("s2t")
    known = {mark(corpus.standard) for corpus in SEGMENTED_CORPORA["zh-Hant"]}
    own = {}
    for corpus in SEGMENTED_CORPORA["zh-Hant"]:
        if not corpus.conversion:
            for sentence in corpus.read("train", spaced=True):
                own[to_simplified(sentence.text)] = sentence.text
    with lzma.open(target, "wt", preset=2, encoding="utf-8", newline="\n") as file:
        for standard, *units in sentences(source):
            if standard[0] not in known:
                continue
            text = text_of([unit for unit, _ in units])
            text = (own.get(text) or to_traditional(text)).replace(" ", SPACE)
            file.write("\t".join(standard) + "\n")
            for unit, probabilities in units:
                file.write(f"{text[: len(unit)]}\t{probabilities}\n")
                text = text[len(unit) :]
            file.write("\n")


if __name__ == "__main__":
    main()
