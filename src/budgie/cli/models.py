# SPDX-License-Identifier: Apache-2.0
"""`budgie models`."""

from __future__ import annotations

import argparse
import sys
from typing import Any

import budgie


def add(commands: Any) -> None:
    """`budgie models`."""
    parser = commands.add_parser("models", help="list the embedded models", description="List the embedded models.")
    parser.set_defaults(run=run)


def run(_args: argparse.Namespace) -> int:
    """List name, task, what sets it apart, and size of each."""
    from budgie.model.accounting import account
    from budgie.model.describe import knows, size_of

    for name in budgie.models():
        config = budgie.read_model(name).config
        sys.stdout.write(f"{name}\t{config.task}\t{knows(config)}\t{size_of(account(config).size)}\n")
    return 0
