# SPDX-License-Identifier: Apache-2.0
"""Pieces of the command line that several commands have."""

from __future__ import annotations

import argparse
import math
import os
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import budgie
from budgie import coverage
from budgie.distributions import known
from budgie.errors import ConfigError
from budgie.formats.sniffing import FIELD, FORMS
from budgie.languages import find, meant
from budgie.tasks import TASKS
from budgie.tasks.langid import ALL, MACRO


def add_command(commands: Any, name: str, help_text: str, description: str, examples: str) -> argparse.ArgumentParser:
    """A command with its help and its examples."""
    parser: argparse.ArgumentParser = commands.add_parser(
        name,
        help=help_text,
        description=description,
        epilog=examples,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    return parser


_INPUTS = """\
Input is plain text ({unit}),
HTML (.html, .htm; the text of the page is read as plain text), JSON lines (.jsonl, .ndjson), CSV or TSV with a header
(.csv, .tsv); other names are looked into, and --input says what it is. Files may be compressed (.gz, .xz, .zst). Text
is UTF-8, or UTF-16 with a byte order mark; what is not is read as U+FFFD. Input that is no text is refused.
"""


def inputs(unit: str) -> str:
    """What a command reads; `unit` says what a text is in plain text."""
    return _INPUTS.format(unit=unit)


INPUTS = inputs("a line is a text")


def add_streams(
    parser: argparse.ArgumentParser,
    what: str = "text",
    more_forms: Sequence[str] = (),
    output: str = "write here, when all is done, not to standard output",
) -> None:
    """What is read and where answers go."""
    parser.add_argument(
        "files", metavar="FILE", nargs="*", help=f"{what}, .gz, .xz or .zst; - or nothing is standard input"
    )
    parser.add_argument(
        "--input",
        choices=["auto", *more_forms, *FORMS],
        default="auto",
        help="format of the input (%(default)s: by the name, or by how it begins)",
    )
    parser.add_argument(
        "--field", metavar="NAME", help=f"field (a.b inside of another) or column of the text ({FIELD})"
    )
    parser.add_argument(
        "--errors",
        choices=["stop", "skip"],
        default="stop",
        help="at a broken record or file: stop, or report it, go on and exit with status 1 in the end (%(default)s)",
    )
    parser.add_argument("--output", metavar="FILE", help=output)


def add_fields(parser: argparse.ArgumentParser) -> None:
    """What stands in the output beside answers."""
    parser.add_argument(
        "--where", action="store_true", help="also the file and the line of each text, before its number"
    )
    parser.add_argument(
        "--into", metavar="NAME", help="put the answer into a field of this name (columns: NAME.language ...)"
    )


def add_model(parser: argparse.ArgumentParser, option: str, metavar: str, help_text: str) -> None:
    """The language of an embedded model, or a model."""
    model = parser.add_mutually_exclusive_group(required=True)
    model.add_argument(option, metavar=metavar, help=help_text)
    model.add_argument("--model", help="name of an embedded model, or path of a model file")


def model_name(task: str, language: str, model: str | None) -> str:
    """The model that was named, or the embedded one of a task for a language."""
    if model is not None:
        return model
    prefix, what = f"{task}-", TASKS[task].noun
    name = coverage.of(find(language) or language).tagger if task == "pos" else prefix + language
    if name in budgie.embedded():
        return name
    names = known()
    if name not in names:
        languages = " ".join(name.removeprefix(prefix) for name in names if name.startswith(prefix))
        there = f"there are {what}s for: {languages or 'no language'}; --model takes a model file"
        raise ConfigError(f"no {what} for {language!r} comes with Budgie; {meant(language) or there}")
    return name


def _choice(text: str) -> list[str] | str:
    return text if text in (ALL, MACRO) else codes(text)


def add_choice(parser: argparse.ArgumentParser) -> None:
    """Which languages to choose from, and how fast."""
    parser.add_argument(
        "--languages",
        metavar="CODE,CODE",
        type=_choice,
        help="choose among these languages only; all: rare ones, too; macro: bs, hr and the like are one, as hbs",
    )
    add_threads(parser, "texts")


def add_priors(parser: argparse.ArgumentParser) -> None:
    """How frequent languages are."""
    parser.add_argument(
        "--priors",
        metavar="CODE=N,CODE=N",
        type=weights,
        help="how much more frequent these languages are than any other, as en=5,de=2",
    )


def add_threads(parser: argparse.ArgumentParser, units: str) -> None:
    """Threads for many of the units."""
    parser.add_argument(
        "--threads",
        metavar="N",
        type=positive,
        default=cores(),
        help=f"threads for many {units}, at most a core each (all: %(default)s)",
    )


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "process_cpu_count"):
        return os.process_cpu_count() or 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def add_engine(parser: Any, local: str, workers: str) -> None:
    """Who works: this machine, as `local` says, or those of a Ray cluster; `workers` says what a worker is."""
    parser.add_argument(
        "--engine", choices=["local", "ray"], help=f"{local}, or workers on the machines of a Ray cluster (local)"
    )
    parser.add_argument(
        "--address", metavar="ADDRESS", help="with --engine ray: of a cluster (else Ray is started on this machine)"
    )
    parser.add_argument("--workers", metavar="N", type=positive, help=f"{workers} (as many as all cores take)")


def add_words(parser: argparse.ArgumentParser) -> None:
    """What a word is, to a segmenter."""
    parser.add_argument("--dictionary", metavar="FILE", default=(), help="words that stay whole, one a line")
    parser.add_argument("--standard", metavar="NAME", help="what counts as a word, where the model knows several")


def add_beam(parser: argparse.ArgumentParser) -> None:
    """How thorough a preorderer is."""
    parser.add_argument(
        "--beam", metavar="N", type=positive, help="ways that a preorderer follows side by side, at most 64 (1)"
    )


def add_training(parser: argparse.ArgumentParser) -> None:
    """What is trained, and where."""
    parser.add_argument(
        "--set", metavar="TOML", nargs="+", default=[], help="changes of the recipe, as 'network.hidden = 64'"
    )
    parser.add_argument("--without", metavar="GROUP", nargs="+", default=[], help="leave out these feature groups")
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu", help="where to train (%(default)s)")
    parser.add_argument("--threads", metavar="N", type=positive, default=1, help="CPU threads of torch (%(default)s)")


def refuse(args: argparse.Namespace, options: Iterable[str], message: Callable[[str], str]) -> None:
    """An option that would do nothing is a mistake."""
    for option in sorted(options):
        if getattr(args, option):
            raise ConfigError(message(f"--{option.replace('_', '-')}"))


def refuse_both(args: argparse.Namespace) -> None:
    """Where the language is said, there is nothing to choose."""
    if args.language and args.languages:
        raise ConfigError(
            "--language says which language all texts are in, --languages which there may be: leave out one of them"
        )


def codes(text: str) -> list[str]:
    """Codes separated by commas."""
    return [code for part in text.split(",") if (code := part.strip())]


def weights(text: str) -> dict[str, float]:
    """Numbers by code, separated by commas."""
    found: dict[str, float] = {}
    for part in codes(text):
        code, _, number = part.partition("=")
        try:
            found[code.strip()] = float(number)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{part[:40]!r} is not CODE=N, as in en=5,de=2") from None
    return found


def size(text: str) -> int:
    """A number of bytes; a KB has 1,000 of them."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(KB|MB|)", text, re.IGNORECASE)
    found_size = float(found[1]) * {"": 1, "KB": 1e3, "MB": 1e6}[found[2].upper()] if found else 0
    if not 1 <= found_size < 2**40:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a size such as 700KB, 1MB or 500000")
    return int(found_size)


def share(text: str) -> float:
    """A number from 0 to 1."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 <= number <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 to 1")
    return number


def positive(text: str) -> int:
    """A whole number of 1 or more."""
    return _whole(text, 1)


def natural(text: str) -> int:
    """A whole number of 0 or more."""
    return _whole(text, 0)


def _whole(text: str, least: int) -> int:
    if not text.isdecimal() or int(text) < least:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of {least} or more")
    return int(text)
