# SPDX-License-Identifier: Apache-2.0
"""The command `budgie`. A verb is a module with its parser (`add`) and what it does (`run`).

All parsers are made whatever the verb, and `identify` has to start fast: what only `run` needs is imported there.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

import budgie
from budgie.cli import (
    calibrate,
    cluster,
    evaluate,
    identify,
    info,
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
_VERBS = (identify, tag, segment, preorder, evaluate, cluster, info, models, train, teach, calibrate, reproduce)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    args = make_parser().parse_args(argv)
    try:
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
    parser = argparse.ArgumentParser(
        prog="budgie", description="Natural language processing with small feed-forward networks."
    )
    parser.add_argument("--version", action="version", version=f"budgie {budgie.__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for verb in _VERBS:
        verb.add(commands)
    return parser
