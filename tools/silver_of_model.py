# SPDX-License-Identifier: Apache-2.0
"""Free text, cut by a segmenter with several standards: silver text for another one that is to know them, too.

Each line is cut by one of the standards, drawn at random. Text in traditional characters is cut as if it were
simplified. Usage: python tools/silver_of_model.py MODEL FILE.tsv.xz (needs opencc-python-reimplemented).
"""

from __future__ import annotations

import lzma
import random
import sys

import budgie
from budgie._core import Units
from budgie.train.data.chinese import converter
from budgie.train.segmentation.units import as_read, cut_silver, read_text


def main() -> None:
    name, target = sys.argv[1:]
    model, simplified, draw = budgie.read_model(name), converter("t2s"), random.Random(1)
    features = Units(runs=True, spaces="break")
    segmenters = [budgie.Segmenter(model, standard=one) for one in model.config.standards]
    with lzma.open(target, "wt", preset=2, encoding="utf-8", newline="\n") as file:
        for text in map(as_read, read_text("zh-research")):
            chosen = draw.choice(segmenters)
            starts = {start for start, _ in chosen.spans(simplified(text), spaces=True)}
            file.write(cut_silver(text, starts, features, chosen.standard))


if __name__ == "__main__":
    main()
