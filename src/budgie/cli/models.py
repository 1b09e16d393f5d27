# SPDX-License-Identifier: Apache-2.0
"""`budgie models`."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any, NamedTuple

import budgie
from budgie.cli.arguments import add_command

_ABOUT = """\
List the embedded models. Columns: name, what it is, its languages (and, of segmenters, definitions of a word), what it
may be used for (free: anything; non-commercial; research: nothing else; unclear: nobody has said), size of its file
(1 KB is 1,000 bytes). `budgie info MODEL` names sources and licences.
"""

_EXAMPLES = """\
examples:
  budgie models
  budgie models --json
"""


class _Row(NamedTuple):
    model: str
    task: str
    languages: str
    licence: str
    size: int


def add(commands: Any) -> None:
    """`budgie models`."""
    parser = add_command(commands, "models", "list the embedded models", _ABOUT, _EXAMPLES)
    parser.add_argument("--json", action="store_true", help="one JSON array")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """List all of them."""
    from budgie.cli.tables import aligned
    from budgie.model.describe import size_of

    rows = [_row(name) for name in budgie.models()]
    if args.json:
        sys.stdout.write(json.dumps([row._asdict() for row in rows], ensure_ascii=False, indent=1) + "\n")
    else:
        sys.stdout.write(aligned(_Row._fields, [(*row[:-1], size_of(row.size)) for row in rows]))
    return 0


def _row(name: str) -> _Row:
    from budgie.licences import classify_model
    from budgie.tasks import TASKS

    model = budgie.read_model(name)
    licence, size = classify_model(model.task, model.info), len(model.to_bytes())
    return _Row(name, TASKS[model.task].noun, _languages(name, model), licence, size)


def _languages(name: str, model: budgie.Model) -> str:
    from budgie.languages import name_of

    task, _, label = name.partition("-")
    if task == "langid":
        return f"{len(model.core.labels)} languages"
    if not label:
        return f"{len(model.core.standards) - 1} languages, and any other"
    if task == "preorder":
        return " to ".join(map(name_of, label.split("-")))
    aliases = (alias.partition("-")[2] for alias, other in budgie.ALIASES.items() if other == name)
    names = " and ".join(map(name_of, (label, *aliases)))
    return names + (f" ({' '.join(model.core.standards)})" if model.core.standards else "")
