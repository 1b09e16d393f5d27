# SPDX-License-Identifier: Apache-2.0
"""Free text of a language, cut by somebody else's segmenter: silver text for ours.

    python -m tools.silver_of_peer ja FUGASHI/bin/python fugashi_worker.py FILE.tsv.xz

The second is the Python of the environment that the worker says how to make. Sentences that the corpora of the language
hold out or test with are no part of the text.
"""

from __future__ import annotations

import lzma
import sys

from budgie._core import Units
from budgie.train.segmentation.units import as_read, cut_silver, read_text
from tools.teachers import asked


def main() -> None:
    language, python, worker, target = sys.argv[1:]
    texts, features = list(map(as_read, read_text(language))), Units(runs=True, spaces="break")
    with lzma.open(target, "wt", preset=2, encoding="utf-8", newline="\n") as file:
        for text, ends in zip(texts, asked(python, worker, texts), strict=True):
            if ends:
                file.write(cut_silver(text, {0, *ends}, features))


if __name__ == "__main__":
    main()
