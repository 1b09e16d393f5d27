# SPDX-License-Identifier: Apache-2.0
"""The peer, top-down BTG (Nakagawa 2015): two programs, for training and for parsing, that somebody has built.

annotated sentence: words, TAB, a tag for each, TAB, a class for each
alignment: source words-target words ||| links
"""

from __future__ import annotations

import hashlib
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks import environments
from benchmarks.environments import PeerError
from benchmarks.places import PEERS
from benchmarks.preordering import material
from benchmarks.workers import progress

import budgie
from budgie._core import fold_word
from budgie.formats.alignments import Aligned

FOLDER = PEERS / "tdbtg"
MODELS = PEERS / "tdbtg-models"
TRAIN, PARSE = "tdbtg_preorderer_train", "tdbtg_preorderer_parse"
CLASSES, COARSE_CLASSES = 256, 32
TAGGER = "pos-en"
TRAININGS = 5  # its scores differ by points with the order of the training set: the first one is as it comes
LOOK = 0.01  # seconds between two looks at the memory of a running program

Column = list[list[str]]  # something for each word of each sentence


@dataclass(frozen=True)
class Run:
    """What a program cost, and what it wrote."""

    cpu_s: float  # user and system
    peak_bytes: int
    output: str


# ---- what it is told of words ----------------------------------------------------------------------------------


def nothing(sentences: Sequence[Aligned]) -> Column:
    """The same for every word."""
    return [["_"] * len(sentence.words) for sentence in sentences]


def coarse_classes(sentences: Sequence[Aligned]) -> Column:
    """A few classes, which its README advises where there is no tagger."""
    return classes(sentences, COARSE_CLASSES)


def tags(sentences: Sequence[Aligned]) -> Column:
    """The tags of our tagger."""
    found: Column = budgie.load(TAGGER).tag_batch([sentence.words for sentence in sentences])
    return found


def classes(sentences: Sequence[Aligned], number: int) -> Column:
    """The classes of words; all that were too rare to be clustered have one of their own."""
    table = material.classes(number)
    known = dict(zip(table.words, map(str, table.classes), strict=True))
    return [
        [known.get(fold_word(word, table.fold_case, table.fold_digits), "rare") for word in sentence.words]
        for sentence in sentences
    ]


# What stands in the place of tags, by the name of the row in the tables.
KINDS: dict[str, Callable[[Sequence[Aligned]], Column]] = {
    "BTG, classes": nothing,
    "BTG, two sets of classes": coarse_classes,
    "BTG, classes and tags": tags,
}


def annotated(sentences: Sequence[Aligned], kind: str) -> str:
    """The sentences as the programs read them."""
    columns = [sentence.words for sentence in sentences], KINDS[kind](sentences), classes(sentences, CLASSES)
    return "".join("\t".join(map(" ".join, sentence)) + "\n" for sentence in zip(*columns, strict=True))


def aligned(sentences: Sequence[Aligned]) -> str:
    """The alignments as the program reads them; each sentence needs a link."""
    lines = []
    for sentence in sentences:
        pairs = [(word, target) for word, targets in enumerate(sentence.links) for target in targets]
        sizes = f"{len(sentence.words)}-{1 + max(target for _, target in pairs)}"
        lines.append(f"{sizes} ||| {' '.join(f'{word}-{target}' for word, target in pairs)}\n")
    return "".join(lines)


# ---- its programs ----------------------------------------------------------------------------------------------


def find(folder: Path) -> Path:
    """The folder, if the programs are there."""
    for program in (TRAIN, PARSE):
        if not os.access(folder / program, os.X_OK):
            raise PeerError(
                f"{folder / program}: no such program; benchmarks/preordering/README.md says how to build it"
            )
    return folder.resolve()


def trained(folder: Path, kind: str, training: int) -> Path:
    """Its model of the training set, read in an order of its own; learnt anew for other data or another program."""
    sentences = [sentence for sentence in material.read("train") if any(sentence.links)]
    if training:
        random.Random(training).shuffle(sentences)
    given = {"annot": annotated(sentences, kind).encode(), "align": aligned(sentences).encode()}
    key = hashlib.sha256(b"\0".join([(folder / TRAIN).read_bytes(), *given.values()])).hexdigest()
    kept = MODELS / f"{key[:16]}.model"
    if not kept.exists():
        MODELS.mkdir(parents=True, exist_ok=True)
        begun = kept.with_suffix(".begun")
        progress(f"training: {kind}, {training + 1} of {TRAININGS}")
        with tempfile.TemporaryDirectory() as place:
            command = [str(folder / TRAIN), "-output_model", str(begun)]
            for name, data in given.items():
                file = Path(place, name)
                file.write_bytes(data)
                command += [f"-input_{name}", str(file)]
            environments.call(command, kind)
        begun.rename(kept)  # last: a training that was stopped is begun again
    return kept


def parse(folder: Path, model: Path, text: str) -> Run:
    """Reorder annotated sentences; its output has the order of each on a line."""
    with tempfile.TemporaryDirectory() as place:
        given, out, errors = Path(place, "annot"), Path(place, "order"), Path(place, "errors")
        given.write_text(text, encoding="utf-8")
        command = [*map(str, (folder / PARSE, "-input_model", model, "-input_annot", given, "-output_result", out))]
        with errors.open("wb") as told, subprocess.Popen(command, stderr=told) as process:
            usage, peak = wait(process)
        if process.returncode:
            raise PeerError(f"{folder / PARSE} failed: {errors.read_text(errors='replace').strip()}")
        return Run(usage.ru_utime + usage.ru_stime, peak, out.read_text(encoding="utf-8"))


def wait(process: subprocess.Popen[bytes]) -> tuple[resource.struct_rusage, int]:
    """What a program used until its end, and the most bytes that it had resident.

    Linux counts the memory of this process as the program's in ru_maxrss, so that it is looked at while it runs.
    """
    peak = 0
    while True:
        ended, status, usage = os.wait4(process.pid, os.WNOHANG)
        if ended:
            process.returncode = os.waitstatus_to_exitcode(status)
            return usage, peak or usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
        peak = max(peak, peak_of(process.pid))
        time.sleep(LOOK)


def peak_of(process: int) -> int:
    """Most bytes that a running process ever had resident; 0 where it cannot be seen."""
    try:
        lines = Path(f"/proc/{process}/status").read_text(encoding="utf-8").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM")), 0)
