# SPDX-License-Identifier: Apache-2.0
"""Models of other distributions than budgie-nlp: where they are, and what to install for those that are not here.

A distribution has an entry point of the group `budgie.models`, which is the path of a folder of model files. They are
looked for only when a name is not embedded, or for a list: asking for entry points takes longer than loading a model.
"""

from __future__ import annotations

import os.path
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import budgie
from budgie.errors import warn

if TYPE_CHECKING:
    from budgie.licences import LicenceClass

GROUP = "budgie.models"
EMBEDDED, RESTRICTED = "budgie-nlp", "budgie-nlp-restricted"


class Offer(NamedTuple):
    """What is known of a model without having it."""

    task: str
    licence: LicenceClass
    size: int  # bytes of its file


# All models of budgie-nlp-restricted, so that people are told what to install. One that has a free model of the same
# task and language beside it has its class in its name, as seg-zh-research.
OFFERS = {
    "preorder-en-es": Offer("preorder", "unclear", 796_210),
    "preorder-en-ja": Offer("preorder", "unclear", 796_162),
    "seg-km": Offer("seg", "non-commercial", 457_497),
    "seg-my": Offer("seg", "non-commercial", 468_955),
    "seg-zh-research": Offer("seg", "research", 1_517_685),
}


@cache
def folders() -> dict[str, str]:
    """The folders of models that are installed beside the embedded ones, and the distribution that each is part of.

    That of budgie-nlp-restricted comes first, so that no model of others takes the place of one of these. What cannot
    be used is left out with a warning: a broken distribution is no reason to do without the others.
    """
    from importlib.metadata import entry_points  # noqa: PLC0415

    found: dict[str, str] = {}
    named = [((one.dist and one.dist.name) or one.name, one) for one in entry_points(group=GROUP)]
    for name, one in sorted(named, key=lambda pair: (pair[0] != RESTRICTED, pair[0], pair[1].name)):
        try:
            folder = one.load()
        except (Exception, SystemExit) as error:  # it runs other people's code
            reason = f"{type(error).__name__}: {error}"
        else:
            path = os.fspath(folder) if isinstance(folder, (str, os.PathLike)) else folder
            if isinstance(path, str) and os.path.isabs(path) and os.path.isdir(path):
                found.setdefault(os.path.normpath(path), name)
                continue
            reason = f"{folder!r} is not the path of a folder from the root"
        warn(f"the models of {name} are left out: its entry point {one.value}: {reason}")
    return found


def distribution_of(name: str) -> str:
    """The distribution that an installed model is part of."""
    return folders().get(os.path.dirname(budgie.file_of(name)), EMBEDDED)


def known() -> list[str]:
    """The names of all models, whether they are installed or not."""
    return sorted({*budgie.models(), *OFFERS})


def language_of(name: str) -> str:
    """The language or the pair that stands in the name of a model, which may also name its class."""
    from budgie.licences import CLASSES  # noqa: PLC0415

    language = name.partition("-")[2]
    for licence in CLASSES:
        language = language.removesuffix(f"-{licence}")
    return language


def advice(name: str) -> str:
    """What to do about a model that is not installed; nothing, if no distribution is known to have it."""
    if name not in OFFERS:
        return ""
    from budgie.licences import USES  # noqa: PLC0415
    from budgie.tasks import TASKS  # noqa: PLC0415

    task, licence, _ = OFFERS[name]
    return (
        f"the {TASKS[task].noun} {name} is not part of {EMBEDDED}, which is free for any use; its class is {licence} "
        f"({USES[licence]}): pip install {RESTRICTED}"
    )
