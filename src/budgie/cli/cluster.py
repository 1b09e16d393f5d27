# SPDX-License-Identifier: Apache-2.0
"""`budgie cluster`."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any

from budgie.cli.arguments import add_command, add_engine, natural, positive
from budgie.errors import ConfigError
from budgie.formats import COMPRESSED

_ABOUT = """\
Cluster words by the words they stand beside: the exchange algorithm, which moves each word to the class where the text
is most likely, until few words move. A sentence is a line, words are separated by white space. The text is read twice.

  one-sided  P(class | word before) P(word | class), as Uszkoreit and Brants (2008); this is the default
  two-sided  P(class | class before) P(word | class), as Brown et al. (1992): highest mutual information of classes

Output is a table: first a line that says how words were folded, then a word, a tab, its class, a tab and its count on
each line, the most frequent word first. Classes are numbered in the order they come. The result depends on the text,
the options and the seed, never on threads, engine or workers. Input is UTF-8; what is not is read as U+FFFD.
"""

_EXAMPLES = """\
examples:
  budgie cluster corpus.txt.zst --classes 256 --words 250000 --out clusters.tsv
  budgie cluster part-*.txt.gz --two-sided --fold-digits --out clusters.tsv
  budgie cluster part-*.txt.gz --engine ray --address head:6379 --out clusters.tsv
"""


def add(commands: Any) -> None:
    """`budgie cluster`."""
    parser = add_command(commands, "cluster", "put words of like use into classes", _ABOUT, _EXAMPLES)
    parser.add_argument("text", metavar="TEXT", nargs="+", type=Path, help="tokenised text, .gz, .xz or .zst")
    parser.add_argument("--out", metavar="FILE", required=True, type=Path, help="the table to write")
    parser.add_argument("--classes", metavar="N", type=positive, default=256, help="how many (%(default)s)")
    parser.add_argument(
        "--words", metavar="N", type=positive, default=250_000, help="the most frequent to cluster (%(default)s)"
    )
    parser.add_argument(
        "--least", metavar="N", type=positive, default=3, help="rarer words are not clustered (%(default)s)"
    )
    parser.add_argument("--two-sided", action="store_true", help="classes on both sides, not the word before")
    parser.add_argument("--fold-case", action="store_true", help="words in lower case")
    parser.add_argument("--fold-digits", action="store_true", help="every digit is 0")
    parser.add_argument(
        "--cycles",
        metavar="N",
        type=natural,
        default=4,
        help="times that classes are split and merged on the way, for better ones (%(default)s)",
    )
    parser.add_argument(
        "--rounds", metavar="N", type=positive, default=20, help="most over all words after that (%(default)s)"
    )
    parser.add_argument(
        "--seed",
        metavar="N",
        type=natural,
        default=1,
        help="of the order of equally frequent words, and of splits (%(default)s)",
    )
    parser.add_argument(
        "--threads", metavar="N", type=positive, help="threads to use (all cores; with --engine ray: of a worker, 1)"
    )
    add_engine(parser, "this process", "with --engine ray: processes to use")
    parser.add_argument("--quiet", action="store_true", help="no progress and no summary")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Cluster the words of a text and write the table."""
    from budgie.clusters import cluster
    from budgie.clusters.progress import progress
    from budgie.formats.files import check_replaceable

    if any(path.exists() and args.out.exists() and path.samefile(args.out) for path in args.text):
        raise ConfigError(f"--out {args.out} is one of the inputs; it would be lost")
    if args.out.suffix in COMPRESSED:
        raise ConfigError(f"--out {args.out}: tables are written as plain text; compress it afterwards")
    check_replaceable(args.out)  # known now, not after the work is done
    if not args.out.parent.is_dir():
        raise ConfigError(f"--out {args.out}: there is no folder {args.out.parent}")
    with progress(args.quiet) as report:
        found = cluster(
            args.text,
            args.classes,
            args.words,
            least=args.least,
            two_sided=args.two_sided,
            fold_case=args.fold_case,
            fold_digits=args.fold_digits,
            cycles=args.cycles,
            rounds=args.rounds,
            seed=args.seed,
            threads=args.threads or (1 if args.engine == "ray" else os.cpu_count() or 1),
            engine=args.engine or "local",
            address=args.address,
            workers=args.workers,
            report=report,
        )
    found.write(args.out)
    if not args.quiet:
        sys.stderr.write(
            f"{len(found.counts):,} words in {found.table.number_of_classes:,} classes from {found.tokens:,} words of "
            f"text; mutual information {found.mutual_information:.4f} bits, {found.rounds} rounds, "
            f"{found.seconds:.1f} s\n"
        )
    return 0
