# SPDX-License-Identifier: Apache-2.0
"""Word alignments, and the order of the target language that they give the words of the source.

An aligned set is three files: NAME.src and NAME.tgt hold a sentence a line, words separated by white space, and
NAME.align holds links `i-j` (Pharaoh): source word i is translated by target word j, both counted from 0.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from budgie.errors import DataError
from budgie.formats import COMPRESSED
from budgie.formats.lines import read_lines

Links = Sequence[Sequence[int]]  # for each source word the target positions it is linked to
Ranks = list[int | None]  # for each source word its place in the target, words of one place alike; None: unaligned

_PACKED = ("", *COMPRESSED)
_LINK = re.compile(r"([0-9]{1,9})-([0-9]{1,9})")


@dataclass(frozen=True, slots=True)
class Aligned:
    """The words of a source sentence, and for each the target positions it is linked to, ascending."""

    words: tuple[str, ...]
    links: tuple[tuple[int, ...], ...]


# ---- files -----------------------------------------------------------------------------------------------------


def read_aligned(*prefixes: Path) -> Iterator[Aligned]:
    """Stream the sentences of aligned sets; `corpus/train` stands for corpus/train.src, .tgt and .align.

    Each file may be plain, .gz, .xz or .zst. The .tgt file may be missing: then nothing checks how far the links go in
    the target. Lines without a source word are skipped, since there is nothing to order.
    """
    for prefix in prefixes:
        found = False
        for sentence in _read(prefix):
            if sentence.words:
                found = True
                yield sentence
        if not found:
            raise DataError(f"{_file(prefix, 'src')} holds no words")


def _read(prefix: Path) -> Iterator[Aligned]:
    paths = [_file(prefix, "src"), _file(prefix, "align")]
    if _candidates(prefix, "tgt"):
        paths.append(_file(prefix, "tgt"))
    for number, lines in enumerate(itertools.zip_longest(*map(read_lines, paths)), 1):
        if None in lines:
            short = paths[lines.index(None)]
            long = next(path for path, line in zip(paths, lines, strict=True) if line is not None)
            raise DataError(f"{short} ends before line {number}, which {long} has; both must have a line a sentence")
        source, links, *target = lines
        words = tuple(source.split())
        try:
            yield Aligned(words, _parse(links.split(), len(words), len(target[0].split()) if target else None))
        except DataError as error:
            raise DataError(f"{paths[1]}, line {number}: {error}") from None


def _file(prefix: Path, kind: str) -> Path:
    found = _candidates(prefix, kind)
    if not found:
        raise DataError(
            f"there is no {prefix}.{kind}, plain or compressed (.gz, .xz, .zst); "
            "name what stands before .src and .align in the names of the files"
        )
    if len(found) > 1:
        raise DataError(f"there are {' and '.join(map(str, found))}; keep one of them")
    return found[0]


def _candidates(prefix: Path, kind: str) -> list[Path]:
    return [path for packed in _PACKED if (path := Path(f"{prefix}.{kind}{packed}")).exists()]


def _parse(links: list[str], sources: int, targets: int | None) -> tuple[tuple[int, ...], ...]:
    """The links of a sentence by source word; `targets` None where the number of target words is unknown."""
    found: list[set[int]] = [set() for _ in range(sources)]
    for link in links:
        match = _LINK.fullmatch(link)
        if match is None:
            raise DataError(f"{link[:20]!r} is not a link; write sure links only, as i-j, and a space between two")
        source, target = int(match[1]), int(match[2])
        for side, place, count in (("source", source, sources), ("target", target, targets)):
            if count is not None and place >= count:
                there = "a single word" if count == 1 else f"{count} words"
                raise DataError(
                    f"the link {link} is to word {place} of the {side}, which has {there} in this line; "
                    "links are source-target and count from 0"
                )
        found[source].add(target)
    return tuple(tuple(sorted(positions)) for positions in found)


# ---- orders ----------------------------------------------------------------------------------------------------


def ranks(links: Links) -> Ranks | None:
    """The rank of each source word in the order of the target, from 0; None where two words cannot be compared.

    A word comes before another if its first target position is not later and its last one neither (Neubig et al. 2012);
    words with the same first and last position share a rank. Two words cannot be compared if the target positions
    of one begin before those of the other and also end behind them.
    """
    blocks, spans = _blocks(links)
    return blocks if len(set(blocks) - {None}) == spans else None


def merged_order(links: Links) -> list[int]:
    """The source positions in the order of the target.

    Words go by their ranks, but those that cannot be compared share one, and so do all that are tied to each other by
    such. It is always an order: a word that can be compared with both of two that cannot be is before both or behind
    both. An unaligned word goes with the next aligned one, those at the end with the last; words of a rank keep their
    order.
    """
    known = _blocks(links)[0]
    rank = next((one for one in reversed(known) if one is not None), 0)
    filled: list[int] = []
    for one in reversed(known):
        rank = rank if one is None else one
        filled.append(rank)
    filled.reverse()
    return sorted(range(len(filled)), key=filled.__getitem__)  # stable


def _blocks(links: Links) -> tuple[Ranks, int]:
    """The merged ranks, and how many there would be if all words could be compared."""
    spans = [(min(positions), max(positions)) if positions else None for positions in links]
    ordered = sorted({span for span in spans if span is not None})
    ends = [end for _, end in ordered]
    latest = itertools.accumulate(ends, max)
    earliest = [*itertools.accumulate(reversed(ends), min)][::-1]
    # Beginnings ascend. A new block begins where no span so far ends behind one that is still to come.
    cuts = (end <= coming for end, coming in zip(latest, earliest[1:], strict=False))
    block = dict(zip(ordered, itertools.accumulate(cuts, initial=0), strict=False))
    return [None if span is None else block[span] for span in spans], len(ordered)
