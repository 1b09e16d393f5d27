# SPDX-License-Identifier: Apache-2.0
"""Free Chinese text, cut as two of three free teachers cut it: the silver text of the standard `general` of seg-zh.

The teachers differ in what a word is (LAC's are long, those of GSD short), so that their majority is nearer to other
corpora than each of them; where GSD's tagger sees a number, it is a word of its own. Usage:

    python -m tools.silver_words --lac LAC/bin/python --jieba JIEBA/bin/python --gsd GSD.safetensors --out FILE

The first two are the Pythons of the environments that lac_worker.py and jieba_worker.py say how to make, the last a
segmenter trained on GSD alone. Text in traditional characters is cut as if it were simplified.
"""

from __future__ import annotations

import argparse
import itertools
import lzma
from collections import Counter
from collections.abc import Iterator, Sequence

import budgie
from budgie._core import Units
from budgie.train.data.chinese import converter
from budgie.train.data.segmentation import GENERAL, segmented_corpus
from budgie.train.segmentation.units import as_read, cut_silver, read_text
from tools.teachers import asked

NEEDED = 2  # teachers


def by_gsd(model: str, texts: Sequence[str]) -> Iterator[tuple[list[int], list[int]]]:
    """Where the words of each text end, and which of these are the ends of numbers or stand before one."""
    segmenter, tagger = budgie.load(model), budgie.load("pos-zh")
    for text, spans in zip(texts, segmenter.spans_batch(texts, spaces=True), strict=True):
        tags = tagger.tag([text[start:end] for start, end in spans])
        beside = [end for (_, end), pair in zip(spans, itertools.pairwise(tags), strict=False) if "NUM" in pair]
        yield [end for _, end in spans], beside


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    for name in ("lac", "jieba", "gsd", "out"):
        parser.add_argument(f"--{name}", required=True)
    args = parser.parse_args()
    features, simplified = Units(runs=True, spaces="break"), converter("t2s")
    annotated = segmented_corpus("zh", "gsd").read("train", spaced=True)
    originals = [*read_text("zh"), *(as_read(sentence.text) for sentence in annotated)]
    texts = list(map(simplified, originals))
    teachers = zip(
        asked(args.lac, "lac_worker.py", texts),
        asked(args.jieba, "jieba_worker.py", texts),
        by_gsd(args.gsd, texts),
        strict=True,
    )
    with lzma.open(args.out, "wt", preset=2, encoding="utf-8", newline="\n") as file:
        for original, (lac, jieba, (gsd, numbers)) in zip(originals, teachers, strict=True):
            votes = Counter([*lac, *jieba, *gsd])
            ends = {0, *numbers, *(end for end, count in votes.items() if count >= NEEDED)}
            file.write(cut_silver(original, ends, features, GENERAL))


if __name__ == "__main__":
    main()
