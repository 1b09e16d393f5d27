# SPDX-License-Identifier: Apache-2.0
"""`budgie annotate` of corpora: files into a folder, or a table into a file."""

from __future__ import annotations

import argparse
import contextlib
import signal
import sys
import time
from collections.abc import Iterator
from typing import Any

import budgie
from budgie import coverage
from budgie.cli.annotate import tell_missing
from budgie.cli.arguments import refuse
from budgie.cli.keep import kept_share
from budgie.cli.progress import CorpusProgress
from budgie.cli.streams import STANDARD_OUTPUT, same_file
from budgie.corpus.options import Options
from budgie.corpus.run import Run, annotate_corpus
from budgie.corpus.shards import REPORT, SUMMARY, plan_one
from budgie.corpus.work import Failure, Work
from budgie.distributions import advice
from budgie.errors import ConfigError, DataError
from budgie.formats.places import is_folder, is_pattern, join, normal, stamp
from budgie.formats.sniffing import TABLE_FORMS, table_form
from budgie.formats.sources import STANDARD_INPUT

Json = dict[str, Any]

_OF_CORPORA = ("engine", "address", "workers", "overwrite")
_SHOWN = 5  # languages


def is_meant(args: argparse.Namespace) -> bool:
    """Whether files go into a folder, or a table is read or written."""
    output = None if args.output == STANDARD_OUTPUT else args.output
    if output and (output.endswith("/") or is_folder(output)):
        return True
    if output and (several := next((name for name in args.files if is_folder(name) or is_pattern(name)), None)):
        raise ConfigError(f"--output {output} is a file, and {several} may be many; for a folder: --output {output}/")
    tables = [name for name in args.files if args.input in TABLE_FORMS or table_form(name)]
    what = f"{tables[0]} is a table" if tables else f"--format {args.format}" if args.format in TABLE_FORMS else ""
    if what and not output:
        raise ConfigError(f"{what}: --output FOLDER/ or FILE (.parquet, .arrow, .jsonl) says where its rows go")
    refuse(args, _OF_CORPORA, lambda option: f"{option} goes with --output FOLDER/")
    return bool(what) or table_form(output or "") is not None


def options_of(args: argparse.Namespace) -> Options:
    """What was asked for."""
    languages = args.languages if isinstance(args.languages, str | None) else tuple(args.languages)
    return Options(
        tasks=tuple(args.tasks),
        language=args.language,
        languages=languages,
        priors=tuple((args.priors or {}).items()),
        probabilities=args.probabilities,
        keep=None if args.keep is None else tuple(args.keep),
        least=args.least,
        input=None if args.input == "auto" else args.input,
        field=args.field,
        unit=args.unit,
        format=args.format,
        into=args.into,
        where=args.where,
        skip=args.errors == "skip",
        threads=args.threads,
    )


def run(args: argparse.Namespace) -> int:
    """Annotate a corpus."""
    if not args.files:
        raise ConfigError("files are needed; standard input goes to standard output, or to --output FILE")
    options = options_of(args)
    if not (args.output.endswith("/") or is_folder(args.output)):
        return _one_file(args, options)
    if args.engine != "ray":
        refuse(args, ["address"], lambda option: f"{option} goes with --engine ray")
    with CorpusProgress() as progress, _ending(), _telling_of_a_stop(progress, args.output):
        found = annotate_corpus(
            args.files,
            args.output,
            options,
            engine=args.engine or "local",
            address=args.address,
            workers=args.workers,
            overwrite=args.overwrite,
            tell=progress.show,
        )
    _tell(found.summary(), options, join(args.output, SUMMARY), join(args.output, REPORT))
    for failure in found.failures:
        sys.stderr.write(f"budgie: {failure}; this file is left out\n")
    return 1 if found.failures or found.found.skipped else 0


@contextlib.contextmanager
def _telling_of_a_stop(progress: CorpusProgress, output: str) -> Iterator[None]:
    try:
        yield
    except (KeyboardInterrupt, SystemExit):
        if run := progress.run:
            done = f"{run.before + run.done:,} of {len(run.shards):,} files are done"
            progress.say(f"stopped: {done}, and the same command goes on in {output}")
        raise


@contextlib.contextmanager
def _ending() -> Iterator[None]:
    """Who is told to end, as by a cluster that needs the machine, takes away what is begun."""

    def end(number: int, _frame: object) -> None:
        sys.exit(128 + number)

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _one_file(args: argparse.Namespace, options: Options) -> int:
    """A table from or to one file; nothing is noted, and nothing gone on with."""
    if len(args.files) > 1 or args.files[0] == STANDARD_INPUT:
        raise ConfigError(f"--output {args.output} is one file, and takes one: --output FOLDER/ takes any number")
    if same_file(normal(args.files[0]), normal(args.output)):
        raise ConfigError(f"--output {args.output} is one of the inputs; it would be lost")
    shard = plan_one(args.files[0], args.output, options)
    plan = Run(args.files, args.output, options, [shard], [stamp(shard.input).size], engine="local", workers=1)
    begin = time.monotonic()
    with CorpusProgress() as progress, _ending():
        answer = Work(options, None).do(shard, lambda share: progress.show(share * plan.sizes[0], plan))
    if isinstance(answer, Failure):
        raise DataError(answer.message)
    plan.found, plan.done, plan.seconds = answer, 1, time.monotonic() - begin
    _tell(plan.summary(), options)
    return 1 if answer.skipped else 0


def _tell(summary: Json, options: Options, *pages: str) -> None:
    """What was done, in some lines of standard error."""
    seconds, shards = summary["seconds"], summary["shards"]
    size = summary["bytes"] / 1e6
    before = f" ({shards['before']:,} by an earlier run)" if shards["before"] else ""
    lines = [
        f"{shards['now'] + shards['before']:,} of {shards['all']:,} files{before}, {summary['documents']:,} texts, "
        f"{size:,.1f} MB of text, {seconds:,.1f} s"
    ]
    if options.keep is not None:
        lines.append(kept_share(summary["kept"], summary["documents"]))
    left_out = (summary["skipped"]["records"], "broken record"), (summary["without_text"], "record without a text")
    lines += [f"{count:,} x {what}" for count, what in left_out if count]
    languages = list(summary["languages"].items())
    if languages:
        shares = [(name, 100 * one["documents"] / summary["documents"]) for name, one in languages[:_SHOWN]]
        others = f" and {len(languages) - _SHOWN} other languages" if len(languages) > _SHOWN else ""
        lines.append(", ".join(f"{name} {share:.1f} %" for name, share in shares) + others)
    if pages:
        lines.append(f"all of this: {', '.join(pages)}")
    sys.stderr.write("".join(f"budgie: {line}\n" for line in lines))
    _tell_missing(options, [name for name, one in languages if one["kept"]])


def _tell_missing(options: Options, languages: list[str]) -> None:
    """Which models the languages of the texts would need besides."""
    if not {"tokens", "sentences", "tags"} & set(options.tasks):
        return
    known = [coverage.of(name) for name in languages if name != coverage.NO_LANGUAGE]
    there = set(budgie.models())
    absent = sorted({one.segmenter for one in known if one.segmenter and one.segmenter not in there})
    tell_missing(map(advice, absent), [one.label for one in known if not one.tagger and "tags" in options.tasks])
