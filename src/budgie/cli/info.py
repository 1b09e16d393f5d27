# SPDX-License-Identifier: Apache-2.0
"""`budgie info`."""

from __future__ import annotations

import argparse
import sys
from typing import Any

import budgie
from budgie.cli.streams import pretty


def add(commands: Any) -> None:
    """`budgie info`."""
    parser = commands.add_parser("info", help="say what is in a model", description="Say what is in a model.")
    parser.add_argument("model", metavar="MODEL", help="name of an embedded model, or path of a model file")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Describe a model."""
    from budgie.model.describe import describe, show

    description = describe(budgie.read_model(args.model))
    sys.stdout.write(pretty(description) if args.json else show(description))
    return 0
