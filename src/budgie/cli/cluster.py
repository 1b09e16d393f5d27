# SPDX-License-Identifier: Apache-2.0
"""`budgie cluster`."""

from __future__ import annotations

import argparse
import os
import sys

from budgie.clusters import cluster as find_clusters
from budgie.clusters.progress import progress
from budgie.errors import ConfigError


def cluster(args: argparse.Namespace) -> int:
    """Cluster the words of a text and write the table."""
    if any(path.exists() and args.out.exists() and path.samefile(args.out) for path in args.text):
        raise ConfigError(f"--out {args.out} is one of the inputs; it would be lost")
    if args.out.exists() and not args.out.is_file():  # a rename would replace the device itself
        raise ConfigError(f"--out {args.out} is there already and is not a regular file")
    if args.out.suffix in (".gz", ".xz", ".zst"):
        raise ConfigError(f"--out {args.out}: tables are written as plain text; compress it afterwards")
    if not args.out.parent.is_dir():  # known now, not after the work is done
        raise ConfigError(f"--out {args.out}: there is no folder {args.out.parent}")
    with progress(args.quiet) as report:
        found = find_clusters(
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
            threads=args.threads or os.cpu_count() or 1,
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
