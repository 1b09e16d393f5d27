# SPDX-License-Identifier: Apache-2.0
"""Every label of the identifier on held-out lines of its training text: how right it is, and whose it is taken for.

python -m benchmarks.langid.labels [--model FILE] [--docs]
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict

from benchmarks import report
from benchmarks.langid.material import snippets
from benchmarks.markdown import percent, table

import budgie
from budgie import LanguageIdentifier
from budgie.languages import iso_of, name_of
from budgie.tasks.langid import ALL
from budgie.train.data.datasets import find
from budgie.train.langid.corpora import Corpora, load_corpora

EACH = 300  # lines of a label, from all of its sources alike
SHORTEST = 20  # characters of a line
THIN = 150_000  # bytes of running text: below this a label is marked
LOST = 0.05  # share of the lines that must go to another label for it to be named


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--model", default="langid", help="a name or a file")
    options = report.parse(parser)
    model = budgie.load(options.model)
    assert isinstance(model, LanguageIdentifier)
    training, held_out = load_corpora(
        [find("langid/train"), find("langid/train_extra")], find("langid/dev"), rare=find("langid/train_more")
    )
    sizes: Counter[str] = Counter()
    sources = defaultdict(set)
    for pool in training.texts:
        sizes[pool.label] += pool.size
        sources[pool.label].add(pool.source)
    rows = []
    for label, lines in lines_of(held_out).items():
        if label in model.all_languages:
            mark = " (thin)" if sizes[label] < THIN else ""
            usual = "usual" if label in model.languages else "rare"
            about = [f"`{label}`", iso_of(label) or "", f"{name_of(label)}{mark}", usual]
            rows.append([*about, f"{sizes[label] / 1000:,.0f}", str(len(sources[label])), *scores(model, label, lines)])
    header = ["label", "code", "language", "offered", "kB", "sources", "lines", "sentences", "snippets", "lost to"]
    report.publish(table(header, rows), None, options)


def lines_of(corpora: Corpora) -> dict[str, list[str]]:
    """Held-out lines of each label: as many from each of its sources, as far as they go."""
    by_label: dict[str, list[list[str]]] = {}
    for pool in corpora.texts:
        lines = [line for line in pool.text.split("\n") if len(line) >= SHORTEST]
        by_label.setdefault(pool.label, []).append(lines)
    found = {}
    for label, parts in sorted(by_label.items()):
        chosen: list[str] = []
        for i, lines in enumerate(sorted(parts, key=len)):
            chosen += lines[: (EACH - len(chosen)) // (len(parts) - i)]
        if chosen:
            found[label] = chosen
    return found


def scores(model: LanguageIdentifier, label: str, lines: list[str]) -> list[str]:
    """How many lines there are, which share of them and of snippets of them is right, and the labels that take others.

    A usual label is asked for as people ask, a rare one among all.
    """
    offered = None if label in model.languages else ALL
    answers = Counter(one.language for one in model.identify_batch(lines, offered))
    shorts = model.identify_batch(snippets(label, lines), offered)
    right = sum(one.language == label for one in shorts) / len(shorts) if shorts else 0.0
    lost = [f"{other} {100 * count / len(lines):.0f}" for other, count in answers.most_common(4) if other != label]
    named = [one for one in lost if float(one.split()[1]) >= 100 * LOST][:3]
    return [str(len(lines)), percent(answers[label] / len(lines)), percent(right), ", ".join(named)]


if __name__ == "__main__":
    main()
