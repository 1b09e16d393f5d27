# SPDX-License-Identifier: Apache-2.0
"""The command `budgie`. A verb is a module with its parser (`add`) and what it does (`run`).

All parsers are made whatever the verb, and `identify` has to start fast: what only `run` needs is imported there.
"""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Sequence
from typing import Any

import budgie
from budgie.cli import (
    annotate,
    calibrate,
    chunk,
    cluster,
    evaluate,
    identify,
    info,
    languages,
    models,
    preorder,
    reproduce,
    segment,
    tag,
    teach,
    train,
)
from budgie.errors import Error, MissingExtra, message_of

# In the order of the help.
_GROUPS = {
    "What is in a text": (annotate, identify, chunk, segment, tag, preorder),
    "What there is": (languages, models, info),
    "Models of your own": (train, evaluate, calibrate, cluster, teach, reproduce),
}

_OVERVIEW = """\
Budgie finds language, sentences, words and parts of speech in text, with models of at most 3 MB, offline.

{commands}
Examples
  echo 'Nobody asked why. Je ne sais pas pourquoi.' | budgie annotate --format tsv
  echo 'Wer ist das?' | budgie identify
  echo 'Dr. Lee left. Why?' | budgie segment --language en --sentences

budgie COMMAND --help says more of each.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    # Streams that were closed (`<&-`, `>&-`) are None to Python.
    if sys.stdin is None:
        sys.stdin = os.fdopen(os.open(os.devnull, os.O_RDONLY))
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    if sys.stdout is None:
        sys.stderr.write("budgie: standard output is closed\n")
        return 1
    args = make_parser().parse_args(argv)
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _warn  # type: ignore[assignment]  # as plain as an error
            status: int = args.run(args)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return 130  # 128 + SIGINT, as a shell reports it
    except BrokenPipeError:
        # `| head` has read enough. Python flushes once more when it ends; that must not fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141  # 128 + SIGPIPE
    except (Error, MissingExtra, OSError) as error:
        sys.stderr.write(f"budgie: {message_of(error)}\n")
        return 1
    return status


def make_parser() -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    parser = _Parser(prog="budgie", description="Natural language processing with small feed-forward networks.")
    parser.add_argument("--version", action="version", version=f"budgie {budgie.__version__}")
    commands = _Commands(parser.add_subparsers(title="commands", metavar="COMMAND"))
    for title, verbs in _GROUPS.items():
        commands.begin(title)
        for verb in verbs:
            verb.add(commands)
    parser.set_defaults(run=lambda _args: _show(_OVERVIEW.format(commands=commands.overview)))
    return parser


class _Parser(argparse.ArgumentParser):
    """Takes options by their whole names, and so do the parsers of its commands.

    `--lang` is short for --languages only until a command has --language, too.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(allow_abbrev=False, **options)

    def parse_known_args(self, *arguments: Any) -> Any:  # type: ignore[override]
        """A command refuses what it does not know by itself: its usage shows its options."""
        found, unknown = super().parse_known_args(*arguments)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return found, unknown


class _Commands:
    """What commands are added to; it keeps a line of each, by group."""

    def __init__(self, parsers: Any) -> None:
        self._parsers = parsers
        self.overview = ""

    def begin(self, group: str) -> None:
        """The commands that come are of this group."""
        self.overview += f"{group}\n"

    def add_parser(self, name: str, **options: Any) -> argparse.ArgumentParser:
        """As argparse has it."""
        self.overview += f"  {name:<10} {options['help']}\n"
        parser: argparse.ArgumentParser = self._parsers.add_parser(name, **options)
        return parser


def _warn(message: Warning | str, *_where: object) -> None:
    sys.stderr.write(f"budgie: {message}\n")


def _show(text: str) -> int:
    sys.stdout.write(text)
    return 0
