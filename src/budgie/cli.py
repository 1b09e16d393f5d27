# SPDX-License-Identifier: Apache-2.0
"""The command `budgie`. What only one sub-command needs is imported there: `identify` has to start fast."""

from __future__ import annotations

import argparse
import dataclasses
import importlib
import itertools
import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, BinaryIO, Protocol, cast

import budgie
from budgie.errors import ConfigError, DataError, Error, MissingExtra

_CHUNK = 2**20  # bytes read at a time; a pipe gives what it has, so that answers do not wait for more

Json = dict[str, Any]


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
    except (Error, MissingExtra) as error:
        return _fail(str(error))
    except OSError as error:
        return _fail(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    return status


def _fail(message: str) -> int:
    sys.stderr.write(f"budgie: {message}\n")
    return 1


# ---- identify --------------------------------------------------------------------------------------------------


class _Identify:
    """Turns texts into rows of output. `shown` is what stands beside the answer: the text, or the name of its file."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.identifier = budgie.load(args.model)
        self.args = args
        self.number = 0  # of the text
        self.rows = self.spans if args.spans else self.rank if args.rank else self.best

    def best(self, texts: list[bytes], shown: list[bytes]) -> Iterator[bytes]:
        answers = self.identifier.identify_batch(texts, self.args.languages, self.args.threads)
        for answer, beside in zip(answers, shown, strict=True):
            if self.args.json:
                yield self._json(_fields(answer), beside)
            else:
                yield _columns(answer) + self._last_column(beside)

    def rank(self, texts: list[bytes], shown: list[bytes]) -> Iterator[bytes]:
        for text, beside in zip(texts, shown, strict=True):
            ranking = self.identifier.rank(text, self.args.rank, self.args.languages)
            if self.args.json:
                yield self._json({"ranking": [_fields(answer) for answer in ranking]}, beside)
            else:
                pairs = " ".join(f"{answer.language}:{answer.probability:.4f}" for answer in ranking)
                yield pairs.encode() + self._last_column(beside)

    def spans(self, texts: list[bytes], shown: list[bytes]) -> Iterator[bytes]:
        for raw, beside in zip(texts, shown, strict=True):
            text = raw.decode("utf-8", "replace")  # offsets count characters
            spans = self.identifier.spans(text, self.args.languages)
            self.number += 1
            if self.args.json:
                yield self._json({"spans": [{"begin": s.begin, "end": s.end, **_fields(s)} for s in spans]}, beside)
                continue
            place = beside if self.args.whole else str(self.number).encode()
            for span in spans:
                # One span is one row, whatever is in it.
                part = text[span.begin : span.end].translate({ord(c): " " for c in "\t\r\n"}).encode()
                ending = b"\n" if self.args.no_text else b"\t" + part + b"\n"
                yield b"%b\t%d\t%d\t%b" % (place, span.begin, span.end, _columns(span)) + ending

    def _last_column(self, beside: bytes) -> bytes:
        return b"\n" if self.args.no_text and not self.args.whole else b"\t" + beside + b"\n"

    def _json(self, fields: Json, beside: bytes) -> bytes:
        if self.args.whole:
            fields["file"] = beside.decode("utf-8", "replace")
        elif not self.args.no_text:
            fields["text"] = beside.decode("utf-8", "replace")
        return json.dumps(fields, ensure_ascii=False).encode() + b"\n"


def _fields(answer: budgie.Identification | budgie.Span) -> Json:
    return {"language": answer.language, "probability": round(answer.probability, 6), "reliable": answer.reliable}


def _columns(answer: budgie.Identification | budgie.Span) -> bytes:
    return f"{answer.language}\t{answer.probability:.4f}\t{'yes' if answer.reliable else 'no'}".encode()


def _identify(args: argparse.Namespace) -> int:
    identify = _Identify(args)
    names = args.files or ["-"]
    with _output(args.output, names) as output:
        for name in names:
            for texts in [[b"".join(_read(name))]] if args.whole else _lines(_read(name)):
                shown = [os.fsencode(name)] if args.whole else texts
                output.write(b"".join(identify.rows(texts, shown)))
                output.flush()
    return 0


def _output(path: str | None, inputs: Iterable[str]) -> AbstractContextManager[BinaryIO]:
    if path is None:
        return nullcontext(sys.stdout.buffer)
    if any(name != "-" and _same_file(name, path) for name in inputs):
        raise ConfigError(f"--output {path} is one of the inputs; it would be lost")
    return cast(BinaryIO, Path(path).open("wb"))


def _same_file(one: str, other: str) -> bool:
    try:
        return Path(one).samefile(other)
    except OSError:  # one of them is not there
        return False


class _Readable(Protocol):
    def read1(self, size: int, /) -> bytes: ...


def _read(name: str) -> Iterator[bytes]:
    """The bytes of a file or of standard input, as they come."""
    if name == "-":
        yield from _chunks(cast(_Readable, sys.stdin.buffer))
    elif name.endswith((".gz", ".xz")):
        yield from _read_compressed(Path(name))
    else:
        with Path(name).open("rb") as file:
            yield from _chunks(file)


def _chunks(file: _Readable) -> Iterator[bytes]:
    while chunk := file.read1(_CHUNK):
        yield chunk


def _read_compressed(path: Path) -> Iterator[bytes]:
    from budgie.data import UNREADABLE, open_bytes  # noqa: PLC0415

    with open_bytes(path) as file:
        try:
            yield from _chunks(cast(_Readable, file))
        except UNREADABLE as error:
            raise DataError(f"{path}: cannot be read ({error})") from None


def _lines(chunks: Iterable[bytes]) -> Iterator[list[bytes]]:
    """The lines that each chunk completes, without their ends (LF or CRLF)."""
    begun: list[bytes] = []  # parts of the last line; joined once, however long it grows
    for chunk in chunks:
        if b"\n" not in chunk:
            begun.append(chunk)
            continue
        *lines, last = b"".join([*begun, chunk]).split(b"\n")
        begun = [last]
        yield [line.removesuffix(b"\r") for line in lines]
    if last := b"".join(begun):
        yield [last]


# ---- the other commands ----------------------------------------------------------------------------------------


def _info(args: argparse.Namespace) -> int:
    from budgie.describe import describe, show  # noqa: PLC0415

    description = describe(budgie.read_model(args.model))
    sys.stdout.write(_pretty(description) if args.json else show(description))
    return 0


def _models(_args: argparse.Namespace) -> int:
    from budgie.accounting import account  # noqa: PLC0415
    from budgie.describe import size_of  # noqa: PLC0415

    for name in budgie.models():
        config = budgie.read_model(name).config
        sys.stdout.write(f"{name}\t{config.task}\t{len(config.labels)} labels\t{size_of(account(config).size)}\n")
    return 0


def _evaluate(args: argparse.Namespace) -> int:
    from budgie.data import Example, read_labelled  # noqa: PLC0415
    from budgie.evaluate import evaluate, report  # noqa: PLC0415

    identifier = budgie.load(args.model)
    examples: Iterable[Example] = itertools.chain.from_iterable(map(read_labelled, args.data))
    if args.known:
        examples = (example for example in examples if example.label in identifier.languages)
    evaluation = evaluate(identifier, examples, args.languages, args.threads)
    if args.json:
        result = dataclasses.asdict(evaluation)
        sys.stdout.write(_pretty(result if args.per_label else {k: v for k, v in result.items() if k != "labels"}))
    else:
        sys.stdout.write(report(evaluation, args.per_label))
    return 0


def _pretty(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def _train(args: argparse.Namespace) -> int:
    return int(importlib.import_module("budgie.train.langid").train_command(args))


def _calibrate(args: argparse.Namespace) -> int:
    return int(importlib.import_module("budgie.train.calibrate").calibrate_command(args))


def _reproduce(args: argparse.Namespace) -> int:
    return int(importlib.import_module(f"budgie.reproduce.{args.table}").main(args))


# ---- the parser ------------------------------------------------------------------------------------------------

_IDENTIFY = """\
Identify the language of each line, as it comes. Columns of the output, separated by tabs:

  language  probability  reliable (yes or no)  text

  --whole   the last column is the name of the file
  --rank K  language:probability of the K best, separated by spaces, then the text
  --spans   one row a span: number of the line (or name of the file), first character, character behind the last,
            language, probability, reliable, text of the span
  --json    one object a text, with the same names

Text without letters gets the language und. Input is UTF-8; what is not is read as U+FFFD and written unchanged.
"""

_IDENTIFY_EXAMPLES = """\
examples:
  echo 'Wer ist das?' | budgie identify
  budgie identify crawl.txt.gz --threads 4 --no-text | cut -f 1 | sort | uniq -c
  budgie identify crawl.txt | awk -F '\\t' '$1 == "de" && $3 == "yes"' | cut -f 4-
  budgie identify --whole --json *.txt
  budgie identify --spans --languages en,fr mixed.txt
"""

_EVALUATE = """\
Score a model on labelled text: a table of label TAB text lines, or a folder of files LABEL.txt with a text a line
(.gz and .xz are fine). Accuracy over all texts is the micro-averaged F1 of the paper.
"""

_EVALUATE_EXAMPLES = """\
examples:
  budgie evaluate langid test.tsv
  budgie evaluate langid folder/ --known --per-label
  budgie evaluate mine.safetensors test.tsv --json
"""

_TRAIN = """\
Train a model from labelled text (as for evaluate) by a recipe: one that comes with Budgie, or a TOML file.
Needs the extra: pip install 'budgie-nlp[train]'
"""

_TRAIN_EXAMPLES = """\
examples:
  budgie train langid-302k --train train.tsv --dev dev.tsv --out mine.safetensors
  budgie train mine.toml --train texts/ --out mine.safetensors --device cuda --workers 8
  budgie train mine.toml --train texts/ --out mine.safetensors --resume
"""


def make_parser() -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    parser = argparse.ArgumentParser(
        prog="budgie", description="Natural language processing with small feed-forward networks."
    )
    parser.add_argument("--version", action="version", version=f"budgie {budgie.__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add_identify(commands)
    _add_evaluate(commands)

    info = commands.add_parser("info", help="say what is in a model", description="Say what is in a model.")
    info.add_argument("model", metavar="MODEL", help="name of an embedded model, or path of a model file")
    info.add_argument("--json", action="store_true", help="one JSON object")
    info.set_defaults(run=_info)

    models = commands.add_parser("models", help="list the embedded models", description="List the embedded models.")
    models.set_defaults(run=_models)

    _add_train(commands)
    _add_calibrate(commands)
    _add_reproduce(commands)
    return parser


def _add_identify(commands: Any) -> None:
    parser = _add(commands, "identify", "identify the language of texts", _IDENTIFY, _IDENTIFY_EXAMPLES)
    parser.add_argument("files", metavar="FILE", nargs="*", help="text, .gz or .xz; - or nothing is standard input")
    parser.add_argument("--whole", action="store_true", help="each file is one text, not each line")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--rank", metavar="K", type=_positive, help="the K most probable languages")
    form.add_argument("--spans", action="store_true", help="where in a text which language is used")
    parser.add_argument("--json", action="store_true", help="JSON lines instead of columns")
    parser.add_argument("--no-text", action="store_true", help="do not repeat the text in the output")
    parser.add_argument(
        "--model", default="langid", help="name of an embedded model, or path of a model file (%(default)s)"
    )
    parser.add_argument("--output", metavar="FILE", help="write here instead of to standard output")
    _add_choice(parser)
    parser.set_defaults(run=_identify)


def _add_evaluate(commands: Any) -> None:
    parser = _add(commands, "evaluate", "score a model on labelled text", _EVALUATE, _EVALUATE_EXAMPLES)
    parser.add_argument("model", metavar="MODEL", help="name of an embedded model, or path of a model file")
    parser.add_argument("data", metavar="DATA", nargs="+", type=Path, help="table or folder of labelled text")
    parser.add_argument("--per-label", action="store_true", help="also a table of all labels")
    parser.add_argument("--known", action="store_true", help="leave out texts whose label the model does not know")
    parser.add_argument("--json", action="store_true", help="one JSON object; shares are between 0 and 1")
    _add_choice(parser)
    parser.set_defaults(run=_evaluate)


def _add_train(commands: Any) -> None:
    parser = _add(commands, "train", "train a model", _TRAIN, _TRAIN_EXAMPLES)
    parser.add_argument("recipe", metavar="RECIPE", help="name of a recipe, or path of a TOML file")
    parser.add_argument("--train", metavar="PATH", required=True, help="labelled text to learn from")
    parser.add_argument("--dev", metavar="PATH", help="labelled text for early stopping and calibration")
    parser.add_argument("--out", metavar="FILE", required=True, help="the model file to write")
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu", help="where to train (%(default)s)")
    parser.add_argument("--threads", metavar="N", type=_positive, default=1, help="CPU threads of torch (%(default)s)")
    parser.add_argument(
        "--workers", metavar="N", type=_natural, default=0, help="processes that prepare data (%(default)s)"
    )
    parser.add_argument("--seed", metavar="N", type=_natural, help="instead of the recipe's")
    parser.add_argument("--steps", metavar="N", type=_positive, help="instead of the recipe's")
    parser.add_argument("--resume", action="store_true", help="go on where an interrupted training stopped")
    parser.add_argument("--log", metavar="FILE", help="scores over time, JSON lines (beside --out)")
    parser.add_argument("--quiet", action="store_true", help="no progress")
    parser.set_defaults(run=_train)


def _add_calibrate(commands: Any) -> None:
    parser = _add(
        commands,
        "calibrate",
        "make probabilities fit your texts",
        "Fit a model's probabilities to labelled text of your domain. Its answers stay the same.",
        "  budgie calibrate langid my-texts/ --out mine.safetensors",
    )
    parser.add_argument("model", metavar="MODEL", help="name of an embedded model, or a model file")
    parser.add_argument("data", metavar="DATA", nargs="+", type=Path, help="table or folder of labelled text")
    parser.add_argument("--out", required=True, metavar="FILE", help="the model file to write")
    parser.set_defaults(run=_calibrate)


def _add_reproduce(commands: Any) -> None:
    help_text = "make a table of the paper again"
    parser = _add(commands, "reproduce", help_text, "Make a table of the paper again, with our code.", "")
    parser.add_argument("table", choices=["table1"], help="table1: language identification, 10-fold cross-validation")
    parser.add_argument("--out", metavar="FILE", help="also write the table to a file")
    parser.add_argument(
        "--folds", metavar="F", type=int, nargs="+", choices=range(10), help="only these folds (0 to 9)"
    )
    parser.add_argument("--rows", metavar="RECIPE", nargs="+", help="only the rows of these recipes")
    parser.add_argument("--steps", metavar="N", type=_positive, help="instead of the recipes'")
    parser.add_argument("--workers", metavar="N", type=_positive, help="folds at a time (one a core)")
    parser.add_argument("--quiet", action="store_true", help="no progress")
    parser.set_defaults(run=_reproduce)


def _add(commands: Any, name: str, help_text: str, description: str, examples: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        name,
        help=help_text,
        description=description,
        epilog=examples,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    return parser


def _add_choice(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--languages", metavar="CODE,CODE", type=_codes, help="choose among these languages only")
    parser.add_argument(
        "--threads", metavar="N", type=_positive, default=1, help="threads for many texts (%(default)s)"
    )


def _codes(text: str) -> list[str]:
    return [code for part in text.split(",") if (code := part.strip())]


def _positive(text: str) -> int:
    return _whole(text, 1)


def _natural(text: str) -> int:
    return _whole(text, 0)


def _whole(text: str, least: int) -> int:
    if not text.isdecimal() or int(text) < least:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of {least} or more")
    return int(text)
