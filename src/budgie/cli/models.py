# SPDX-License-Identifier: Apache-2.0
"""`budgie models`."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any, NamedTuple

import budgie
from budgie import _core
from budgie.cli.arguments import add_command
from budgie.distributions import OFFERS, RESTRICTED, distribution_of, known, language_of
from budgie.errors import ModelError

_ABOUT = """\
List the models. Columns: name, what it is, its languages (and, of segmenters, definitions of a word), what it may be
used for (free: anything; non-commercial; research: nothing else; unclear: nobody has said), size of its file (1 KB is
1,000 bytes), and the distribution that has it. `budgie info MODEL` names sources and licences.
"""

_EXAMPLES = """\
examples:
  budgie models
  budgie models --json
"""
_HEADER = ("model", "task", "languages", "licence", "size", "distribution")


class _Row(NamedTuple):
    model: str
    task: str
    languages: str
    licence: str
    size: int
    distribution: str
    installed: bool


def add(commands: Any) -> None:
    """`budgie models`."""
    parser = add_command(commands, "models", "list the models", _ABOUT, _EXAMPLES)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="one JSON array")
    form.add_argument("--markdown", action="store_true", help="a table for a page")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """List all of them."""
    from budgie.cli.tables import aligned, markdown

    there, rows, unusable = budgie.models(), [], []
    for name in known():
        try:
            rows.append(_row(name) if name in there else _offered(name))
        except ModelError as error:  # of another distribution: the embedded ones are sound
            unusable.append(f"budgie: {name} cannot be used: {error}\n")
    if args.json:
        sys.stdout.write(json.dumps([row._asdict() for row in rows], ensure_ascii=False, indent=1) + "\n")
    else:
        sys.stdout.write((markdown if args.markdown else aligned)(_HEADER, list(map(_shown, rows))))
    sys.stderr.write("".join(unusable))
    return 1 if unusable else 0


def _shown(row: _Row) -> tuple[str, ...]:
    from budgie.model.describe import size_of

    *names, size, distribution, installed = row
    return (*names, size_of(size), distribution if installed else f"not installed: pip install {distribution}")


def _row(name: str) -> _Row:
    from budgie.licences import classify_model
    from budgie.tasks import TASKS

    model = budgie.read_model(name)
    licence, size = classify_model(model.task, model.info), len(model.to_bytes())
    languages = _languages(name, model.task, model.core)
    return _Row(name, TASKS[model.task].noun, languages, licence, size, distribution_of(name), True)


def _offered(name: str) -> _Row:
    from budgie.tasks import TASKS

    task, licence, size = OFFERS[name]
    return _Row(name, TASKS[task].noun, _languages(name, task, None), licence, size, RESTRICTED, False)


def _languages(name: str, task: str, model: _core.Model | None) -> str:
    """By the name of a model, and by what it knows, if it is there."""
    from budgie.languages import name_of

    if model and task == "langid":
        identifier = budgie.load(name)
        assert isinstance(identifier, budgie.LanguageIdentifier)
        known, rare = len(identifier.all_languages), len(identifier.all_languages) - len(identifier.languages)
        return f"{known} languages" + (f", {rare} of them rare" if rare else "")
    label = language_of(name)
    if task == "preorder":
        return " to ".join(map(name_of, label.split("-")))
    standards = model.standards if model else ()
    if not label:
        return f"{len(standards) - 1} languages, and any other" if len(standards) > 1 else ""
    aliases = (alias for alias, other in budgie.ALIASES.items() if other == f"{task}-{label}")
    labels = [label, *map(language_of, aliases)]
    return " and ".join(map(name_of, labels)) + (f" ({' '.join(standards)})" if standards else "")
