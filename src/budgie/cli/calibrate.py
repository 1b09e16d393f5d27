# SPDX-License-Identifier: Apache-2.0
"""`budgie calibrate`."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from budgie.cli.arguments import add_command


def add(commands: Any) -> None:
    """`budgie calibrate`."""
    parser = add_command(
        commands,
        "calibrate",
        "make probabilities fit your texts",
        "Fit a model's probabilities to labelled text of your domain. Its answers stay the same.",
        "  budgie calibrate langid my-texts/ --out mine.safetensors",
    )
    parser.add_argument("model", metavar="MODEL", help="name of an embedded model, or a model file")
    parser.add_argument("data", metavar="DATA", nargs="+", type=Path, help="table or folder of labelled text")
    parser.add_argument("--out", required=True, metavar="FILE", help="the model file to write")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Fit the probabilities of a model."""
    from budgie.train.langid.calibrate import calibrate_command

    return calibrate_command(args)
