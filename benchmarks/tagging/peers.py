# SPDX-License-Identifier: Apache-2.0
"""The peers: their pinned versions, and their models, learnt on first use and kept."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks import places
from benchmarks.tagging.material import Treebank
from benchmarks.workers import Worker, progress

from budgie.formats.sentences import TokenisedSentence

WORK = places.WORK / "tagging"
SYSTEMS = Path(__file__).with_name("systems")

ENVIRONMENTS: dict[str, tuple[str, ...]] = {
    "udpipe": ("ufal.udpipe==1.4.0.1",),
    "crfsuite": ("python-crfsuite==0.9.12",),
    "nltk": (
        "nltk==3.10.4",
        "click==8.5.1",
        "defusedxml==0.7.1",
        "joblib==1.6.0",
        "regex==2026.11.9",
        "tqdm==4.70.1",
    ),
}
# Each system and the environment that it runs in.
PEERS = {"udpipe": "udpipe", "crfsuite": "crfsuite", "nltk_perceptron": "nltk", "nltk_tnt": "nltk"}


def trained(worker: Worker, treebank: Treebank) -> Path:
    """A peer's model of a treebank; learnt anew for other data, another version, or other settings."""
    examples = [*marked("train", treebank.train), *marked("dev", treebank.dev)]
    settings, _, _ = (SYSTEMS / f"{worker.spec}.py").read_text(encoding="utf-8").partition("\ndef load(")
    key = hashlib.sha256(json.dumps([ENVIRONMENTS[PEERS[worker.spec]], settings, examples]).encode()).hexdigest()
    kept = WORK / "models" / f"{treebank.name}-{worker.spec}-{key[:16]}"
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        begun = kept.with_suffix(".begun")
        progress(f"training: {worker.name} on {treebank.name}")
        cost = worker.ask("train", examples, str(begun))
        begun.rename(kept)  # last: a training that was stopped is begun again
        progress(f"training: took {cost['cpu_s']:.0f} s of CPU time")
    return kept


def marked(part: str, sentences: Sequence[TokenisedSentence]) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Sentences as the worker wants them for training."""
    for sentence in sentences:
        yield part, list(zip(sentence.words, sentence.tags or (), strict=True))
