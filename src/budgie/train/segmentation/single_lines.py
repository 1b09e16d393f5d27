# SPDX-License-Identifier: Apache-2.0
"""Sentences from texts that have one a line: they teach where sentences end in more languages and kinds of text.

A line may hold several sentences. It is used if all full stops inside of it stand behind ordinal numbers or behind
abbreviations, which are known or the words that nearly always have more text behind their full stop.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable, Sequence

from budgie.formats.treebank import RawText
from budgie.train.network.layout_settings import LayoutSettings
from budgie.train.segmentation.abbreviations import ABBREVIATIONS, ORDINALS
from budgie.train.segmentation.layouts import FINAL, RUN_ON, UNNAMED, LaidOut, drawn_abbreviation

_FINAL = "".join(sorted(FINAL))
_CLOSING = "\"'»”’)」』"
_INSIDE = re.compile(rf"(\S*?)([{re.escape(_FINAL)}])[{re.escape(_CLOSING)}\]]*\s+(?=(\S+))")
_INSIDE_UNSPACED = re.compile(rf"[。！？](?![。！？…\s{re.escape(_CLOSING)}]|$)")
_TOKEN = re.compile(r"\w+|[^\w\s]")
_SHORTEST, _LONGEST = 3, 400  # characters of a line
_SEEN = 3  # times that an abbreviation occurs
_ABBREVIATION = 5  # characters of one
_NEARLY_ALWAYS = 0.9
_TOGETHER = 8  # lines of a text, at most
_FEW = 200  # lines of a language that are not worth it


def single_sentences(lines: Iterable[str], most: int, language: str) -> list[str]:
    """Lines of one sentence each, in any order; none where there are few."""
    some = sorted({line for line in lines if _SHORTEST <= len(line) <= _LONGEST and line[-1] in _FINAL + _CLOSING})
    random.Random(language).shuffle(some)
    insides = _Insides(some, language)
    found = [line for line in some if insides.end_nothing(line)]
    return found[:most] if len(found) >= _FEW else []


class _Insides:
    """Full stops inside of lines: which of them surely end no sentence, by all lines of a language."""

    def __init__(self, lines: Sequence[str], language: str) -> None:
        inside: Counter[str] = Counter()
        final: Counter[str] = Counter()
        for line in lines:
            inside.update(word.lower() for word, mark, _ in _INSIDE.findall(line) if mark == ".")
            if line.endswith(".") and (words := line.rstrip(".").split()):
                final[words[-1].lower()] += 1
        known = {part.removesuffix(".").lower() for one in ABBREVIATIONS.get(language, ()) for part in one.split()}
        self._abbreviations = known | {
            word
            for word, count in inside.items()
            if count >= _SEEN
            and len(word) <= _ABBREVIATION
            and not word.isdigit()
            and count / (count + final[word]) > _NEARLY_ALWAYS
        }
        self._ordinals = language in ORDINALS
        self._first = {line.split()[0] for line in lines}

    def end_nothing(self, line: str) -> bool:
        """Whether the line is one sentence."""
        return not _INSIDE_UNSPACED.search(line) and all(
            mark == "." and self._goes_on(word, following) for word, mark, following in _INSIDE.findall(line)
        )

    def _goes_on(self, word: str, following: str) -> bool:
        if word.lower() in self._abbreviations:
            return True
        return self._ordinals and word.isdigit() and len(word) <= 2 and following not in self._first


def lay_out_lines(
    lines: Sequence[str], settings: LayoutSettings, standard: int, language: str, between: str
) -> list[LaidOut]:
    """Some lines together as one text, `between` them a space or nothing; tokens are guessed, not learnt."""
    draw = random.Random(f"{standard} {len(lines)}")
    texts = []
    at = 0
    while at < len(lines):
        together = RUN_ON if draw.random() < settings.single_lines_run_on else (1, _TOGETHER)
        some = lines[at : at + draw.randint(*together)]
        at += len(some)
        some = [_clipped(line) if draw.random() < settings.single_lines_clipped else line for line in some]
        some = [
            _titled(line, language, draw) if draw.random() < settings.single_lines_titled else line for line in some
        ]
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


def _clipped(line: str) -> str:
    """Its first word and its last mark: hardly any text to learn from has sentences of one word."""
    first = line.split(" ", 1)[0]
    return first + line[-1] if len(first) > 1 and first.isalpha() and line[-1] in _FINAL else line


def _titled(line: str, language: str, draw: random.Random) -> str:
    """With an abbreviation or an ordinal number before a word inside."""
    words = line.split(" ")
    written, fits = drawn_abbreviation(language, draw)
    places = [i for i in range(1, len(words)) if words[i] and words[i - 1].isalpha() and fits(words[i])]
    if not written or not places:
        return line
    place = draw.choice(places)
    return " ".join((*words[:place], written, *words[place:]))


def _joined(lines: Sequence[str], space: str) -> RawText:
    text = space.join(lines)
    tokens, sentences, at = list[tuple[int, int]](), list[tuple[int, int]](), 0
    for line in lines:
        first = len(tokens)
        tokens += ((at + one.start(), at + one.end()) for one in _TOKEN.finditer(line))
        sentences.append((first, len(tokens)))
        at += len(line) + len(space)
    return RawText(text, tokens, sentences)
