# SPDX-License-Identifier: Apache-2.0
"""Write NOTICE and restricted/NOTICE: every text and list that the models of a distribution were learnt from.

    python -m tools.write_notice

Names and licences are those that the model files carry, homepages those of budgie.train.data. Run it when a model
changes: a test compares.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from budgie.distributions import EMBEDDED, RESTRICTED
from budgie.licences import CLASSES, USES, classify_model, listed
from budgie.model.file import Model
from budgie.train.data.datasets import DATASETS
from budgie.train.data.preordering import ALIGNED_CORPORA
from budgie.train.data.raw_treebanks import RAW_TREEBANKS
from budgie.train.data.segmentation import SEGMENTED_CORPORA

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = {EMBEDDED: ROOT / "src" / "budgie" / "models", RESTRICTED: ROOT / "restricted/src/budgie_restricted/models"}
TREEBANKS = "https://universaldependencies.org"
_MADE_OF_OTHERS = "of the silver text and of the plain text of the tagger"  # which are named, too

_CODE = """\
Code
----

- nanobind (BSD-3-Clause), (c) Wenzel Jakob, inside of the compiled module; https://github.com/wjakob/nanobind
- robin-map (MIT), (c) Thibaut Goetghebuer-Planchon, inside of nanobind; https://github.com/Tessil/robin-map
- Unicode Character Database (Unicode-3.0), (c) Unicode, Inc., the tables of characters; https://www.unicode.org/ucd/
"""


class Source(NamedTuple):
    """What a model was learnt from."""

    name: str
    licence: str
    homepage: str = ""


def sources(model: Model) -> Iterator[Source]:
    """All that a model names, in any order and perhaps twice."""
    info = model.info
    yield from _texts(info["trained_on"], info["licence"])
    yield from _datasets(info.get("calibrated_on", ""))
    for more in ("silver", "clusters", "lexicon", "tagger"):
        for name, licence in listed(info.get(more, "")):
            if name != _MADE_OF_OTHERS:
                yield _named(name.removeprefix("silver: ").removeprefix("clusters: "), licence)
    if start := info.get("start"):  # another model, which it goes on from
        (file,) = (file for folder in FOLDERS.values() for file in folder.iterdir() if file.stem == start)
        yield from sources(Model.read(file))


def _texts(trained_on: str, licence: str) -> Iterator[Source]:
    if (treebanks := trained_on.removeprefix("Universal Dependencies: ")) != trained_on:
        yield from _raw_treebanks(treebanks.split(", "))
    elif found := list(_datasets(trained_on)):
        yield from found
    else:
        names = trained_on.split("; ")
        own = [licence] if len(names) == 1 else re.split(r"; (?![^(]*\))", licence)
        yield from (_named(name, one) for name, one in zip(names, own, strict=True))


def _datasets(names: str) -> Iterator[Source]:
    """Official data sets by their names; what a program made up has none."""
    for name in re.findall(r"(\w+)(?: \([^)]*\))?(?:, |$)", names):
        if name in DATASETS:
            yield Source(name, DATASETS[name].licence, DATASETS[name].homepage)


def _raw_treebanks(files: list[str]) -> Iterator[Source]:
    """By licence: one of each would be a long list."""
    licences = {file: one.licence for one in RAW_TREEBANKS.values() for file in one.train}
    for licence in dict.fromkeys(licences[file] for file in files):
        names = sorted({file.partition("-")[0] for file in files if licences[file] == licence})
        yield Source(f"UD {', '.join(names)}", licence, TREEBANKS)


_CORPORA = {
    corpus.name: DATASETS[corpus.dataset]
    for corpus in (*(one for some in SEGMENTED_CORPORA.values() for one in some), *ALIGNED_CORPORA.values())
}


def _named(name: str, licence: str) -> Source:
    if name.startswith("UD "):
        return Source(name, licence, TREEBANKS)
    if corpus := _CORPORA.get(name):
        return Source(name, corpus.licence, corpus.homepage)
    return Source(name, licence, DATASETS[name].homepage if name in DATASETS else "")


def section(distribution: str) -> str:
    """The sources of one distribution, each with the models that were learnt from it."""
    users: dict[Source, list[str]] = {}
    classes: dict[str, list[str]] = {one: [] for one in CLASSES}
    for file in sorted(FOLDERS[distribution].iterdir(), key=lambda one: one.stem):
        model = Model.read(file)
        classes[classify_model(model.task, model.info)].append(file.stem)
        for source in dict.fromkeys(sources(model)):
            users.setdefault(source, []).append(file.stem)
    title = f"Models of {distribution}"
    lines = [title, "-" * len(title), ""]
    lines += [_wrapped(f"{one} ({USES[one]}): {', '.join(classes[one])}") for one in CLASSES if classes[one]]
    lines += ["", "They were learnt from:", ""]
    for source in sorted(users, key=lambda one: (one.name.casefold(), one.licence)):
        home = f"; {source.homepage}" if source.homepage else ""
        lines.append(_wrapped(f"- {source.name} ({source.licence}){home}. In: {', '.join(users[source])}"))
    return "\n".join(lines) + "\n"


def _wrapped(text: str) -> str:
    return textwrap.fill(text, 120, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def notices() -> dict[Path, str]:
    """The contents of both files."""
    about = (
        "Licences are named by their identifiers at https://spdx.org/licenses where they have one. What a class of\n"
        "models may be used for is said in docs/licences.md of the repository; the models hold none of the texts.\n"
    )
    here, there = section(EMBEDDED), section(RESTRICTED)
    return {
        ROOT / "NOTICE": f"Budgie\n\n{about}\n{_CODE}\n{here}\n{there}",
        ROOT / "restricted" / "NOTICE": f"Budgie: models with restrictions\n\n{about}\n{there}",
    }


if __name__ == "__main__":
    for place, text in notices().items():
        place.write_text(text, "utf-8")
