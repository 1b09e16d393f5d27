# SPDX-License-Identifier: Apache-2.0
"""`budgie languages`."""

from __future__ import annotations

import argparse
import json
import sys
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import budgie
from budgie.cli.arguments import add_command
from budgie.distributions import OFFERS, language_of

if TYPE_CHECKING:
    from budgie.licences import LicenceClass

_ABOUT = """\
What Budgie has for each language. Columns:

  code        of ISO 639-3 and ISO 15924, as FLORES, OpenLID and others write it
  identified  whether texts in it are identified: yes, or rare (if --languages names it or is `all`)
  tokens      yes: learnt from text in this language, or by its segmenter; as hr: as for Croatian; general: as for any
              language without a treebank
  sentences   likewise
  tags        the model that tags words
  segmenter   the model that cuts text without spaces into words; `budgie models` shows which are not installed
  licence     what all models of the language may be used for: free (anything), non-commercial, research (nothing
              else), unclear (nobody has said)
"""

_EXAMPLES = """\
examples:
  budgie languages
  budgie languages german ja zh-TW jpn_Jpan
  budgie languages --json
"""
_HEADER = ("label", "code", "language", "identified", "tokens", "sentences", "tags", "segmenter", "licence")


class _Row(NamedTuple):
    label: str
    code: str | None
    language: str
    identified: str | None
    tokens: str
    sentences: str
    tags: str | None
    segmenter: str | None
    licence: str


def add(commands: Any) -> None:
    """`budgie languages`."""
    parser = add_command(commands, "languages", "show what there is for each language", _ABOUT, _EXAMPLES)
    parser.add_argument("languages", metavar="LANGUAGE", nargs="*", help="only these, by code or name (all)")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="one JSON array")
    form.add_argument("--markdown", action="store_true", help="a table for a page")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Show a row for each language."""
    from budgie.cli.tables import aligned, markdown
    from budgie.languages import choose

    labels = _labels()
    rows = [_row(choose(name, labels, "Budgie")) for name in args.languages] or [_row(label) for label in labels]
    if args.json:
        sys.stdout.write(json.dumps([row._asdict() for row in rows], ensure_ascii=False, indent=1) + "\n")
    else:
        shown = [[_shown(value) for value in row] for row in rows]
        sys.stdout.write((markdown if args.markdown else aligned)(_HEADER, shown))
    return 0


def _shown(value: str | None) -> str:
    return value or "–"


def _labels() -> list[str]:
    """Every language that some model is for, by English name."""
    from budgie.languages import name_of

    named = (language_of(name) for name in (*budgie.embedded(), *OFFERS) if name.startswith(("pos-", "seg-")))
    return sorted({*_identified(), *_standards(), *named}, key=name_of)


def _row(label: str) -> _Row:
    from budgie import coverage
    from budgie.languages import iso_of, name_of
    from budgie.licences import narrowest

    _, standard, segmenter, tagger = coverage.of(label)
    known = {label: "yes", coverage.NO_LANGUAGE: "general"}.get(standard, f"as {standard}")
    names = ["tokens", *(["langid"] if label in _identified() else []), *filter(None, (segmenter, tagger))]
    return _Row(
        label,
        iso_of(label),
        name_of(label),
        _identified().get(label),
        "yes" if segmenter else known,
        known,
        tagger,
        segmenter,
        narrowest(map(_licence, names)),
    )


@cache
def _identified() -> dict[str, str]:
    """How the labels of the identifier are chosen from."""
    identifier = budgie.load("langid")
    return {label: "yes" if label in identifier.languages else "rare" for label in identifier.all_languages}


@cache
def _licence(name: str) -> LicenceClass:
    from budgie.licences import classify_model

    if name in OFFERS:
        return OFFERS[name].licence
    model = budgie.read_model(name)
    return classify_model(model.task, model.info)


def _standards() -> frozenset[str]:
    from budgie.coverage import NO_LANGUAGE

    return frozenset(budgie.read_model("tokens").core.standards) - {NO_LANGUAGE}
