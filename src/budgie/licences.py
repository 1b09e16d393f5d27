# SPDX-License-Identifier: Apache-2.0
"""What licences allow, by one rule for all data. A model may be used for what all of its sources allow."""

from __future__ import annotations

import re
import typing
from collections.abc import Iterable, Mapping
from typing import Literal

# From the widest to the narrowest: for any use; not for commercial use; for research alone; nobody has said for what.
LicenceClass = Literal["free", "non-commercial", "research", "unclear"]
CLASSES: tuple[LicenceClass, ...] = typing.get_args(LicenceClass)

_FREE = re.compile(
    r"CC0-1\.0|CC-BY\b|Apache-2\.0|MIT\b|BSD-3-Clause|GPL-[23]\.0|GFDL-1\.2|LGPLLR|MPL-2\.0|PSF-2\.0|Unicode-DFS-2016"
    r"|public domain"
    r"|free licences|no copyright restriction|not copyrightable|reuse authorised"
)
# What a model was made of beside the data that its licence is about: names, each with a licence in parentheses.
_MORE_SOURCES = ("silver", "tagger", "clusters", "lexicon")
_ITS_OWN = "the treebank itself"  # no further source
_LICENCE = re.compile(r"\(([^()]*(?:\([^()]*\)[^()]*)*)\)(?=, |$)")  # of a list of names; may have parentheses inside


def classify(licence: str) -> LicenceClass:
    """The class of a licence, or of several with a semicolon between them; what is not known is unclear."""
    return narrowest(_classify_one(one) for one in re.split(r"; (?![^(]*\))", licence))


def _classify_one(licence: str) -> LicenceClass:
    if "not stated" in licence:
        return "unclear"
    if "research only" in licence:
        return "research"
    if "-NC-" in licence:
        return "non-commercial"
    return "free" if _FREE.search(licence) else "unclear"


def classify_model(info: Mapping[str, str]) -> LicenceClass:
    """The class of a model, by the information that it carries."""
    found = [classify(info.get("licence", ""))]
    for name in _MORE_SOURCES:
        if (sources := info.get(name, _ITS_OWN)) != _ITS_OWN:
            found.append(narrowest(map(classify, _LICENCE.findall(sources) or [""])))
    return narrowest(found)


def narrowest(classes: Iterable[LicenceClass]) -> LicenceClass:
    """What several sources allow together."""
    return max(classes, key=CLASSES.index)
