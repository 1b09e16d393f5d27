# SPDX-License-Identifier: Apache-2.0
"""wink-nlp with wink-eng-lite-web-model: English, in JavaScript; Node holds the clock."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from benchmarks.pipeline.systems import LEAST_PASSES, PART, Passes, Sentence, System, located
from benchmarks.places import PEERS

SCRIPT = Path(__file__).with_name("wink.js")
NO_TAG = {"SPACE": ""}


def load(_language: str, _model: str = "") -> System:
    """A program that Node runs."""

    def annotate(texts: list[str]) -> list[list[Sentence]]:
        return [read(text, found) for text, found in zip(texts, node(texts, "annotate"), strict=True)]

    def timed(call: str, texts: list[str], seconds: float) -> tuple[Passes, int]:
        passes, peak = node(texts, call, str(seconds), str(LEAST_PASSES), str(PART))
        return passes, peak

    return System(annotate, elsewhere=timed)


def node(texts: list[str], *arguments: str) -> list[Any]:
    """What the program answers."""
    with tempfile.TemporaryDirectory() as folder:
        given, out = Path(folder, "texts.json"), Path(folder, "out.json")
        given.write_text(json.dumps(texts), encoding="utf-8")
        environment = {**os.environ, "NODE_PATH": str(PEERS / "wink" / "node_modules")}
        subprocess.run(["node", str(SCRIPT), str(given), str(out), *arguments], env=environment, check=True)
        return list(json.loads(out.read_text(encoding="utf-8")))


def read(text: str, found: Iterable[Iterable[tuple[str, str]]]) -> list[Sentence]:
    """Sentences as the scores want them; line ends, which are tokens there, are left out."""
    kept = [[(form, tag) for form, tag in sentence if form.strip()] for sentence in found]
    places = located(text, (form for sentence in kept for form, _ in sentence))
    return [[(*next(places), [(form, NO_TAG.get(tag, tag))]) for form, tag in sentence] for sentence in kept]
