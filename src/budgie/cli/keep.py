# SPDX-License-Identifier: Apache-2.0
"""`--keep de,ja --least 0.8`: go on with texts of some languages only."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Collection, Sequence
from typing import Any

from budgie.cli.arguments import codes, share
from budgie.errors import ConfigError


def add_keep(parser: argparse.ArgumentParser, group: Any, help_text: str) -> None:
    """The options; --keep goes into a group of the parser, or into the parser."""
    group.add_argument("--keep", metavar="CODE,CODE", type=codes, help=help_text)
    parser.add_argument("--least", metavar="P", type=share, help="with --keep: the least probability")


class Keep:
    """Says which texts are kept, and counts them."""

    @staticmethod
    def of(args: argparse.Namespace, known: Collection[str]) -> Keep | None:
        """What was asked for; `known` are the labels that there are. None keeps everything."""
        if args.keep is not None:
            return Keep(args.keep, args.least, known)
        if args.least is not None:
            raise ConfigError("--least goes with --keep, which says the languages")
        return None

    def __init__(self, languages: list[str], least: float | None, known: Collection[str]) -> None:
        from budgie.languages import choose

        self._labels = {choose(name, known, "this model") for name in languages}
        if not self._labels:
            raise ConfigError("--keep names no language")
        self._least = least
        self._kept = self._all = 0

    def places(self, answers: Sequence[tuple[str, float, bool]]) -> list[int]:
        """Where the answers are whose texts are kept: languages, how probable and whether reliable."""
        labels, least = self._labels, self._least
        found = [
            place
            for place, (language, probability, reliable) in enumerate(answers)
            if language in labels and (reliable if least is None else probability >= least)
        ]
        self._all += len(answers)
        self._kept += len(found)
        return found

    def tell(self) -> None:
        """Say how many there were, when all is done."""
        percent = f" ({100 * self._kept / self._all:.1f} %)" if self._all else ""
        sys.stderr.write(f"budgie: kept {self._kept:,} of {self._all:,} texts{percent}\n")
