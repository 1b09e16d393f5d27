# SPDX-License-Identifier: Apache-2.0
"""Sentences from texts that have one a line: they teach where sentences end in more languages and kinds of text.

A line may hold several sentences. It is used if all full stops inside of it stand behind abbreviations, which are the
words that nearly always have more text behind their full stop.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from budgie.formats.treebank import RawText
from budgie.train.network.layout_settings import LayoutSettings
from budgie.train.segmentation.layouts import FINAL, RUN_ON, UNNAMED, LaidOut

# The full stops of Urdu and of Ethiopia besides. Layouts do not know them: with them they would draw other texts, so
# they can learn them only when the model is trained again.
_FINAL = "".join(sorted(FINAL)) + "۔።"
_CLOSING = "\"'»”’)"
_INSIDE = re.compile(rf"(\S*?)([{re.escape(_FINAL)}])[{re.escape(_CLOSING)}\]]*\s+\S")
_TOKEN = re.compile(r"\w+|[^\w\s]")
_SHORTEST, _LONGEST = 8, 400  # characters of a line
_SEEN = 3  # times that an abbreviation occurs
_ABBREVIATION = 5  # characters of one
_NEARLY_ALWAYS = 0.9
_TOGETHER = 8  # lines of a text, at most
_FEW = 200  # lines of a language that are not worth it


def single_sentences(lines: Iterable[str], most: int, seed: str) -> list[str]:
    """Lines of one sentence each, in any order; none where there are few."""
    some = sorted({line for line in lines if _SHORTEST <= len(line) <= _LONGEST and line[-1] in _FINAL + _CLOSING})
    random.Random(seed).shuffle(some)
    abbreviations = _abbreviations(some)
    found = [line for line in some if all(one[2] == "." and one[1].lower() in abbreviations for one in _inside(line))]
    return found[:most] if len(found) >= _FEW else []


def _inside(line: str) -> Iterator[re.Match[str]]:
    return _INSIDE.finditer(line)


def _abbreviations(lines: Sequence[str]) -> set[str]:
    inside: Counter[str] = Counter()
    final: Counter[str] = Counter()
    for line in lines:
        inside.update(one[1].lower() for one in _inside(line) if one[2] == ".")
        if line.endswith(".") and (words := line.rstrip(".").split()):
            final[words[-1].lower()] += 1
    return {
        word
        for word, count in inside.items()
        if count >= _SEEN
        and len(word) <= _ABBREVIATION
        and not word.isdigit()
        and count / (count + final[word]) > _NEARLY_ALWAYS
    }


def lay_out_lines(lines: Sequence[str], settings: LayoutSettings, standard: int, between: str) -> list[LaidOut]:
    """Some lines together as one text, `between` them a space or nothing; tokens are guessed, not learnt."""
    draw = random.Random(f"{standard} {len(lines)}")
    texts = []
    at = 0
    while at < len(lines):
        together = RUN_ON if draw.random() < settings.single_lines_run_on else (1, _TOGETHER)
        some = lines[at : at + draw.randint(*together)]
        at += len(some)
        if draw.random() < settings.single_lines_numbered:
            first, mark = draw.randint(1, 20), draw.choice((".", ".", ")"))
            some = [f"{first + i}{mark} {line}" for i, line in enumerate(some)]
        space = between if together == RUN_ON or draw.random() < 0.85 else draw.choice(("\n", "  "))
        case = draw.random()
        if case < settings.lower + settings.upper:
            some = [line.lower() if case < settings.lower else line.upper() for line in some]
        named = standard if draw.random() >= settings.single_lines_unnamed else UNNAMED
        texts.append(LaidOut(_joined(some, space), named, tokens_known=False))
    return texts


def _joined(lines: Sequence[str], space: str) -> RawText:
    text = space.join(lines)
    tokens, sentences, at = list[tuple[int, int]](), list[tuple[int, int]](), 0
    for line in lines:
        first = len(tokens)
        tokens += ((at + one.start(), at + one.end()) for one in _TOKEN.finditer(line))
        sentences.append((first, len(tokens)))
        at += len(line) + len(space)
    return RawText(text, tokens, sentences)
