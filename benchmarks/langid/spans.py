# SPDX-License-Identifier: Apache-2.0
"""How well `spans` finds where a text changes its language: sentences of lingua's dev set, joined and alone.

python -m benchmarks.langid.spans [MODEL] [--docs]
"""

from __future__ import annotations

import argparse
from random import Random

from benchmarks import report
from benchmarks.markdown import percent, table

import budgie
from budgie.formats.labelled import label_of, text_files
from budgie.formats.lines import read_lines
from budgie.train.data.datasets import find

LEAVE_OUT = ("ms", "bs")  # lingua's ms is mostly Indonesian, and its bs cannot be told from hr
COMMON = "ar bg cs da de el en es fa fi fr he hi hu id it ja ko nl pl pt ro ru sv th tr uk vi zh".split()
MIXES, ALONE = 500, 12  # texts of two or three languages; sentences of one, for each language


def sentences(languages: tuple[str, ...]) -> dict[str, list[str]]:
    files = [path for path in text_files(find("langid/dev") / "lingua_sentences") if label_of(path) not in LEAVE_OUT]
    return {label_of(path): list(read_lines(path))[300:360] for path in files if label_of(path) in languages}


def mix(material: dict[str, list[str]], random: Random) -> list[tuple[str, str]]:
    """Two or three parts in different languages, half of them cut short, as (language, text)."""
    pool = COMMON if random.random() < 0.7 else sorted(material)
    parts = []
    for language in random.sample(pool, random.choice([2, 2, 3])):
        words = random.choice(material[language]).split(" ")
        if len(words) > 6 and random.random() < 0.5:
            words = words[: random.randint(4, len(words))]
        parts.append((language, " ".join(words)))
    return parts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("model", nargs="?", default="langid", help="an embedded model or a file (%(default)s)")
    options = report.parse(parser)
    model = budgie.load(options.model)
    material, random = sentences(model.languages), Random(3)
    right = characters = exact = 0
    for _ in range(MIXES):
        parts = mix(material, random)
        text = " ".join(part for _, part in parts)
        gold = [language for language, part in parts for _ in range(len(part) + 1)]
        spans = model.spans(text)
        right += sum(gold[i] == span.language for span in spans for i in range(span.start, span.end))
        characters += len(text)
        exact += [span.language for span in spans] == [language for language, _ in parts]
    alone = [(language, text) for language in sorted(material) for text in material[language][:ALONE]]
    whole = sum(len(model.spans(text)) == 1 for _, text in alone)
    rows = [
        (f"{MIXES} of 2 or 3 languages", "characters in the right language", percent(right / characters)),
        ("", "texts whose spans are exactly the languages, in order", percent(exact / MIXES)),
        (f"{len(alone)} sentences of one language", "kept as one span", percent(whole / len(alone))),
    ]
    report.publish(table(("texts", "measure", "percent"), rows), None, options)


if __name__ == "__main__":
    main()
