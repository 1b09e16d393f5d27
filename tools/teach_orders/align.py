# SPDX-License-Identifier: Apache-2.0
"""Align English and Japanese sentences by several runs of eflomal, and gather all that tools.teach_orders.teach reads.

    python -m tools.teach_orders.align pairs.jsonl.gz [--clusters clusters/en.tsv] [--sentences N]

Needs eflomal, mecab-python3 and ipadic of PyPI. Japanese is cut into words anew, since the corpora cut it differently.
"""

from __future__ import annotations

import argparse
import tempfile
import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from tools.teach_orders.material import AUTOMATIC, CHANNELS, DEV, LONGEST, SOUND, TRAIN, Pair, fold, write_pairs
from tools.teach_orders.sounds import alike, latin, romanised

import budgie
from budgie.clusters.table import read_clusters
from budgie.formats.alignments import Aligned
from budgie.formats.lines import read_lines
from budgie.train.data.datasets import Split
from budgie.train.data.preordering import aligned_corpus

try:
    import eflomal
    import ipadic
    import MeCab
except ImportError as error:
    raise SystemExit(f"{error.name} is not installed: pip install eflomal mecab-python3 ipadic") from None

RUNS = 2  # of stems and of whole words each: single runs differ by chance
STEM = 6  # letters of an English word


@dataclass(frozen=True)
class Token:
    """A Japanese word."""

    surface: str
    tag: str
    lemma: str
    sound: str  # in Latin letters
    origins: frozenset[int]  # the words of the corpus it is of


@dataclass(frozen=True)
class Sentence:
    """A sentence of a corpus and its translation."""

    origin: str
    aligned: Aligned
    target: list[Token]


def read(origin: str, count: int | None, tagger: MeCab.Tagger) -> list[Sentence]:
    """The first sentences of a split of a corpus."""
    found = aligned_corpus(origin.partition("/")[0])
    split: Split = "dev" if origin == DEV else "train"
    prefix = found.prefix(split)
    lines = zip(read_lines(Path(f"{prefix}.src.xz")), read_lines(Path(f"{prefix}.tgt.xz")), strict=True)
    targets = [target.split() for source, target in lines if source.split()]  # as sentences without words are skipped
    both = zip(found.read(split), targets, strict=True)
    sentences = [Sentence(origin, aligned, tokens(words, tagger)) for aligned, words in islice(both, count)]
    return [one for one in sentences if 0 < len(one.target) <= LONGEST and len(one.aligned.words) <= LONGEST]


def tokens(words: Sequence[str], tagger: MeCab.Tagger) -> list[Token]:
    """The words that MeCab makes of the text of a corpus's words."""
    text = ""
    owners: list[int] = []
    for number, word in enumerate(words):
        letters = unicodedata.normalize("NFKC", word).lower().replace("␣", "").replace(" ", "")
        if _latin(text[-1:]) and _latin(letters[:1]):  # only these would grow together
            text += " "
            owners.append(-1)
        text += letters
        owners += [number] * len(letters)
    found, position = [], 0
    for line in tagger.parse(text).splitlines()[:-1]:  # the last says that the sentence ends
        surface, _, features = line.partition("\t")
        tag, detail, *others = features.split(",")
        lemma = others[4] if others[4:] and others[4] != "*" else surface
        position = text.index(surface, position)
        origins = frozenset(owners[position : position + len(surface)]) - {-1}
        position += len(surface)
        sound = romanised(others[5]) if others[5:] else latin(surface)
        found.append(Token(surface, f"{tag}-{detail}", "".join(lemma.split()), sound, origins))
    return found


def _latin(letter: str) -> bool:
    return letter.isascii() and letter.isalnum()


def align(sources: list[list[str]], targets: list[list[str]]) -> list[list[list[tuple[int, int]]]]:
    """The links of a run of eflomal: forward and reverse, by sentence."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder, direction) for direction in ("forward", "reverse")]
        source, target = ([" ".join(words) + "\n" for words in side] for side in (sources, targets))
        eflomal.Aligner(model=3, n_samplers=3).align(
            source, target, links_filename_fwd=str(paths[0]), links_filename_rev=str(paths[1])
        )
        return [[_links(line) for line in path.read_text().split("\n")[: len(sources)]] for path in paths]


def _links(line: str) -> list[tuple[int, int]]:
    return [(int(source), int(target)) for source, _, target in (link.partition("-") for link in line.split())]


def all_links(sentences: Sequence[Sentence]) -> list[list[list[float]]]:
    """By sentence: source position, target position, and the channels of the material."""
    values: list[defaultdict[tuple[int, int], list[float]]] = [defaultdict(lambda: [0.0] * CHANNELS) for _ in sentences]
    words = [one.aligned.words for one in sentences]
    stems = [[fold(word)[:STEM] for word in one] for one in words], [[t.lemma for t in one.target] for one in sentences]
    whole = [[word.lower() for word in one] for one in words], [[t.surface for t in one.target] for one in sentences]
    for run in range(RUNS):
        for first_channel, (source, target) in ((0, stems), (2, whole)):
            for channel, links in enumerate(align(source, target), first_channel):
                for found, sentence_links in zip(values, links, strict=True):
                    for link in sentence_links:
                        found[link][channel] += 1 / RUNS
        print(f"{run + 1} of {RUNS} runs done", flush=True)
    for found, sentence in zip(values, sentences, strict=True):
        sounds = [latin(word) for word in sentence.aligned.words], [token.sound for token in sentence.target]
        for source_place, target_place, likeness in alike(*sounds):
            found[source_place, target_place][SOUND] = likeness
    return [[[*link, *channels] for link, channels in sorted(found.items())] for found in values]


def pair(sentence: Sentence, tags: list[str], clusters: dict[str, int], links: list[list[float]]) -> Pair:
    """All that is known of a sentence."""
    source, by_hand = sentence.aligned.words, sentence.origin in (TRAIN, DEV)
    manual = [list(positions) for positions in sentence.aligned.links] if by_hand else None
    return Pair(
        sentence.origin,
        list(source),
        tags,
        [clusters.get(fold(word), 0) for word in source],
        [[token.surface, token.tag, token.lemma] for token in sentence.target],
        links,
        manual,
        [
            [place, other]
            for place, positions in enumerate(manual or ())
            for other, token in enumerate(sentence.target)
            if not token.origins.isdisjoint(positions)
        ],
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, help="the file to write")
    parser.add_argument("--clusters", help="English clusters: what budgie cluster --fold-case --fold-digits writes")
    parser.add_argument("--sentences", type=int, help="only so many of each corpus, for a trial")
    args = parser.parse_args()
    args.out.parent.mkdir(parents=True, exist_ok=True)  # now, not when all the work is done
    clusters: dict[str, int] = {}
    if args.clusters:
        table = read_clusters(args.clusters)
        clusters = {word: 1 + number for word, number in zip(table.words, table.classes, strict=True)}
    tagger = MeCab.Tagger(ipadic.MECAB_ARGS)
    sentences = [one for origin in (*AUTOMATIC, TRAIN, DEV) for one in read(origin, args.sentences, tagger)]
    print(f"{len(sentences)} sentences", flush=True)
    tags = budgie.load("pos-en").tag_batch([list(one.aligned.words) for one in sentences])
    links = all_links(sentences)
    write_pairs(args.out, map(pair, sentences, tags, [clusters] * len(sentences), links))


if __name__ == "__main__":
    main()
