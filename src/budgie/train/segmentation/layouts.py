# SPDX-License-Identifier: Apache-2.0
"""Sentences of a treebank as people write them: in lines and paragraphs, in one case, without full stops or spaces.

Treebanks are clean: every sentence ends with its punctuation, one space follows, and no line ends inside. What learns
from nothing else fails on e-mail, subtitles, headings and lists.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from budgie.formats.treebank import RawText, TreebankSentence, TreebankToken, TreebankWord, raw_text

_FINAL = frozenset(".!?…。！？।؟։")
_QUOTES = (
    {"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'"},
    {"«": "“", "»": "”"},
    {"“": "«", "”": "»"},
    {"’": "'"},
    {"'": "’"},
)
_ADDED = (
    "https://example.org/a/b?c=1", "www.example.com", "http://t.co/Xy12", "name@example.org", "@someone", "@user_1",
    "#topic", "#Monday", "😀", "❤️", "👍🏽", ":)", ":-)", ";)", ":D", "...", "…", "!!!", "??", "•", "-", "*", "–",
)  # fmt: skip
_BULLETS = ("-", "*", "•", "–", "—", "·", "►")


@dataclass(frozen=True)
class Shares:
    """How much of the text is laid out in which way; what is left is as the treebank has it."""

    wrapped: float = 0.12  # lines are broken for their width
    lines: float = 0.15  # a sentence a line
    listed: float = 0.04  # a sentence a line, with a bullet
    headed: float = 0.06  # the first sentence is a heading
    glued: float = 0.03  # no space behind a full stop
    wide: float = 0.04  # two spaces behind a full stop
    lower: float = 0.06
    upper: float = 0.03
    unended: float = 0.15  # the last sentence of a paragraph has no full stop
    unstopped: float = 0.03  # no sentence has
    quoted: float = 0.1  # other marks of quotation
    added: float = 0.03  # of sentences: an address, a name, an emoji is added


def lay_out(sentences: Sequence[TreebankSentence], shares: Shares, seed: int) -> list[RawText]:
    """Paragraph by paragraph one text, each in a way of its own."""
    draw = random.Random(seed)
    return [_lay_out(paragraph, shares, draw) for paragraph in paragraphs(sentences, draw)]


def unspaced(sentences: Sequence[TreebankSentence]) -> list[TreebankSentence]:
    """The same where no space stands between sentences: Chinese and Japanese."""
    return [_followed(sentence, "") for sentence in sentences]


def paragraphs(sentences: Sequence[TreebankSentence], draw: random.Random) -> Iterator[list[TreebankSentence]]:
    """Those of the treebank, or any where it has none; some are joined, and very long ones are cut."""
    known = sum(sentence.begins_paragraph for sentence in sentences) > len(sentences) / 30
    some: list[TreebankSentence] = []
    wanted = 1
    for sentence in sentences:
        ends = sentence.begins_paragraph and draw.random() < 0.7 if known else len(some) >= wanted
        if some and (ends or len(some) >= 30):
            yield some
            some, wanted = [], draw.randint(1, 12)
        some.append(sentence)
    if some:
        yield some


def _lay_out(paragraph: list[TreebankSentence], shares: Shares, draw: random.Random) -> RawText:
    some = [replace(sentence, begins_paragraph=False) for sentence in paragraph]
    if draw.random() < shares.quoted:
        quotes = draw.choice(_QUOTES)
        some = [_map(sentence, lambda text: "".join(quotes.get(c, c) for c in text)) for sentence in some]
    some = [_added(sentence, draw) if draw.random() < shares.added else sentence for sentence in some]
    if draw.random() < shares.unended:
        some[-1] = _unended(some[-1])
    if draw.random() < shares.unstopped:
        some = [_unended(sentence) for sentence in some]
    some = _placed(some, shares, draw)
    case = draw.random()
    if case < shares.lower:
        some = [_map(sentence, str.lower) for sentence in some]
    elif case < shares.lower + shares.upper:
        some = [_map(sentence, str.upper) for sentence in some]
    return raw_text(some)


def _placed(some: list[TreebankSentence], shares: Shares, draw: random.Random) -> list[TreebankSentence]:
    place = draw.random()
    if (place := place - shares.wrapped) < 0:
        return _wrapped(some, draw.randint(40, 90))
    if (place := place - shares.lines) < 0:
        return [_followed(_unended(one) if draw.random() < 0.3 else one, "\n") for one in some]
    if (place := place - shares.listed) < 0:
        bullet = _token(draw.choice(_BULLETS), " ")
        return [
            replace(_followed(_unended(one) if draw.random() < 0.5 else one, "\n"), tokens=(bullet, *_ended(one, "\n")))
            for one in some
        ]
    if (place := place - shares.headed) < 0:
        return [_followed(_unended(some[0]), draw.choice(("\n", "\n", "\n\n"))), *some[1:]]
    if (place := place - shares.glued) < 0:
        return [_followed(one, "") if _stops(one) and draw.random() < 0.5 else one for one in some]
    if place - shares.wide < 0:
        return [_followed(one, "  ") if one.tokens[-1].space == " " else one for one in some]
    return some


def _stops(sentence: TreebankSentence) -> bool:
    return sentence.tokens[-1].text in _FINAL


def _unended(sentence: TreebankSentence) -> TreebankSentence:
    """Without its full stop."""
    tokens = sentence.tokens
    if len(tokens) < 2 or not _stops(sentence):
        return sentence
    return replace(sentence, tokens=(*tokens[:-2], replace(tokens[-2], space=tokens[-1].space)))


def _ended(sentence: TreebankSentence, space: str) -> tuple[TreebankToken, ...]:
    return (*sentence.tokens[:-1], replace(sentence.tokens[-1], space=space))


def _followed(sentence: TreebankSentence, space: str) -> TreebankSentence:
    """With other white space behind it."""
    return replace(sentence, tokens=_ended(sentence, space))


def _wrapped(some: list[TreebankSentence], width: int) -> list[TreebankSentence]:
    at, wrapped = 0, list[TreebankSentence]()
    for sentence in some:
        tokens = []
        for token in sentence.tokens:
            at += len(token.text) + len(token.space)
            if at > width and token.space:
                tokens.append(replace(token, space="\n"))
                at = 0
            else:
                tokens.append(token)
        wrapped.append(replace(sentence, tokens=tuple(tokens)))
    return wrapped


def _token(text: str, space: str) -> TreebankToken:
    return TreebankToken(text, space, (TreebankWord(text, "SYM"),))


def _added(sentence: TreebankSentence, draw: random.Random) -> TreebankSentence:
    """With something of the web at its end, or somewhere inside."""
    tokens = list(sentence.tokens)
    spaced = [i for i, token in enumerate(tokens[:-1]) if token.space == " "]
    if spaced and draw.random() < 0.4:
        tokens.insert(draw.choice(spaced) + 1, _token(draw.choice(_ADDED), " "))
    elif tokens[-1].space == " ":
        tokens.append(_token(draw.choice(_ADDED), " "))
    return replace(sentence, tokens=tuple(tokens))


def _map(sentence: TreebankSentence, change: Callable[[str], str]) -> TreebankSentence:
    """The same in other letters, where they are as many."""
    tokens = (
        replace(token, text=new) if len(new := change(token.text)) == len(token.text) else token
        for token in sentence.tokens
    )
    return replace(sentence, tokens=tuple(tokens))
