# SPDX-License-Identifier: Apache-2.0
"""`--keep de,ja --least 0.8`: go on with texts of some languages only."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Collection
from typing import Any

from budgie.cli.arguments import codes, share
from budgie.errors import ConfigError
from budgie.keep import Keep


def add_keep(parser: argparse.ArgumentParser, group: Any, help_text: str) -> None:
    """The options; --keep goes into a group of the parser, or into the parser."""
    group.add_argument("--keep", metavar="CODE,CODE", type=codes, help=help_text)
    parser.add_argument("--least", metavar="P", type=share, help="with --keep: the least probability")


def keep_of(args: argparse.Namespace, known: Collection[str]) -> Keep | None:
    """What was asked for; `known` are the labels that there are. None keeps everything."""
    if args.keep is not None:
        return Keep(args.keep, args.least, known)
    if args.least is not None:
        raise ConfigError("--least goes with --keep, which says the languages")
    return None


def tell_kept(kept: int, texts: int) -> None:
    """Say how many there were, when all is done."""
    sys.stderr.write(f"budgie: {kept_share(kept, texts)}\n")


def kept_share(kept: int, texts: int) -> str:
    """How many of how many."""
    percent = f" ({100 * kept / texts:.1f} %)" if texts else ""
    return f"kept {kept:,} of {texts:,} texts{percent}"
