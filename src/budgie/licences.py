# SPDX-License-Identifier: Apache-2.0
"""What licences allow, by one rule for all data. A model may be used for what all of its sources allow.

Free is what allows any use, a commercial one included. Licences that ask for the same licence or for the source
(CC-BY-SA, GPL, LGPL-LR, MPL, GFDL) ask it of copies and changed versions of the text. They count as free, since a model
is neither; each file names them, and so does NOTICE, for whoever sees it otherwise.

One exception: the weights of a language identifier hold no text, and those of every peer are learnt from published
text. So research and unclear sources may teach one, if they are listed in its file. The recipe langid-free does without
them. A source that is expressly not for commercial use is no such source: it makes an identifier non-commercial, too.
"""

from __future__ import annotations

import re
import typing
from collections.abc import Iterable, Mapping
from typing import Literal

# From the widest to the narrowest: for any use; not for commercial use; for research alone; nobody has said for what.
LicenceClass = Literal["free", "non-commercial", "research", "unclear"]
CLASSES: tuple[LicenceClass, ...] = typing.get_args(LicenceClass)
USES: Mapping[LicenceClass, str] = {
    "free": "for any use, with attribution where asked",
    "non-commercial": "not for commercial use",
    "research": "for research alone",
    "unclear": "nobody has said for what",
}
MAY_TEACH_IDENTIFIERS = frozenset[LicenceClass](("research", "unclear"))

_FREE = re.compile(
    r"CC0-1\.0|CC-BY\b|Apache-2\.0|MIT\b|BSD-3-Clause|GPL-[23]\.0|GFDL-1\.2|LGPLLR|MPL-2\.0|PSF-2\.0|Unicode-DFS-2016"
    r"|public domain"
    r"|free licences|no copyright restriction|not copyrightable|reuse authorised"
)
# What a model was made of beside the data that its licence is about: names, each with a licence in parentheses.
_MORE_SOURCES = ("silver", "teacher", "tagger", "clusters", "lexicon")
_ITS_OWN = "the treebank itself"  # no further source
_LICENCE = re.compile(r"\(([^()]*(?:\([^()]*\)[^()]*)*)\)(?=, |$)")  # of a list of names; may have parentheses inside


def classify(licence: str) -> LicenceClass:
    """The class of a licence, or of several with a semicolon between them; what is not known is unclear."""
    return narrowest(_classes(licence))


def _classes(licences: str) -> list[LicenceClass]:
    return [_classify_one(one) for one in re.split(r"; (?![^(]*\))", licences)]


def _classify_one(licence: str) -> LicenceClass:
    if "not stated" in licence:
        return "unclear"
    if "research only" in licence:
        return "research"
    if "-ND" in licence:  # no changed versions: is a model one?
        return "unclear"
    if re.search(r"-NC\b", licence):
        return "non-commercial"
    return "free" if _FREE.search(licence) else "unclear"


def classify_model(task: str, info: Mapping[str, str]) -> LicenceClass:
    """The class of a model for a task, by the information that it carries."""
    found = classify_sources(info)
    if task == "langid" and info.get("trained_on") and info.get("licence"):
        return narrowest("free" if one in MAY_TEACH_IDENTIFIERS else one for one in found)
    return narrowest(found)


def classify_sources(info: Mapping[str, str]) -> list[LicenceClass]:
    """The classes of all that a model was made of, whatever its task."""
    found = _classes(info.get("licence", ""))
    for name in _MORE_SOURCES:
        if (sources := info.get(name, _ITS_OWN)) != _ITS_OWN:
            found += [classify(licence) for _, licence in listed(sources)] or ["unclear"]
    return found


def listed(sources: str) -> list[tuple[str, str]]:
    """Names and licences of a list such as "news (CC0-1.0), books (MIT)"."""
    places = list(_LICENCE.finditer(sources))
    starts = [0, *(place.end() + len(", ") for place in places)]
    return [(sources[start : place.start()].strip(), place[1]) for start, place in zip(starts, places, strict=False)]


def narrowest(classes: Iterable[LicenceClass]) -> LicenceClass:
    """What several sources allow together."""
    return max(classes, key=CLASSES.index)
