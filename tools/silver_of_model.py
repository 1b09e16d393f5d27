# SPDX-License-Identifier: Apache-2.0
"""Free text of a language, cut by a ready segmenter: silver text for another one.

    python tools/silver_of_model.py LANGUAGE MODEL FILE.tsv.xz

Where the segmenter has several standards, each line is cut by one of them, drawn at random. Chinese text in traditional
characters is cut as if it were simplified (needs opencc-python-reimplemented).
"""

from __future__ import annotations

import lzma
import random
import sys

import budgie
from budgie._core import Units
from budgie.train.data.chinese import converter
from budgie.train.data.segmentation import text_labels
from budgie.train.segmentation.units import as_read, cut_silver, read_text


def main() -> None:
    language, name, target = sys.argv[1:]
    model, draw = budgie.read_model(name), random.Random(1)
    simplified = converter("t2s") if len(text_labels(language)) > 1 else str
    features = Units(runs=True, spaces=model.config.text.spaces)
    segmenters = [budgie.Segmenter(model, standard=one) for one in model.config.standards or [None]]
    with lzma.open(target, "wt", preset=2, encoding="utf-8", newline="\n") as file:
        for text in map(as_read, read_text(language)):
            chosen = draw.choice(segmenters)
            starts = {start for start, _ in chosen.spans(simplified(text), spaces=True)}
            file.write(cut_silver(text, starts, features, chosen.standard))


if __name__ == "__main__":
    main()
