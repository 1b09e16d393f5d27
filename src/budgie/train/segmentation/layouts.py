# SPDX-License-Identifier: Apache-2.0
"""Sentences of a treebank as people write them: in lines and paragraphs, in one case, without full stops or spaces.

Treebanks are clean: every sentence ends with its punctuation, one space follows, and no line ends inside. What learns
from nothing else fails on e-mail, subtitles, headings and lists.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from budgie.formats.treebank import RawText, TreebankSentence, TreebankToken, TreebankWord, raw_text
from budgie.train.network.layout_settings import LayoutSettings
from budgie.train.segmentation.abbreviations import ABBREVIATIONS, MONTHS, ORDINALS, SEPARATE

UNNAMED = 0  # the number of the standard that stands for a language nobody names

FINAL = frozenset(".!?…。！？।؟۔։።")  # what a sentence ends with
_QUOTES = (
    {"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'"},
    {"«": "“", "»": "”"},
    {"“": "«", "”": "»"},
    {"’": "'"},
    {"'": "’"},
)
# Of scripts in which hardly any treebank is to be had: those of India, Urdu, Persian, Khmer, Burmese, Tibetan,
# Ethiopia, Armenia, China.
_FOREIGN = (
    {".": "।"},
    {".": "।"},
    {".": "۔", "?": "؟", ",": "،"},
    {"?": "؟", ",": "،"},
    {".": "។"},
    {".": "။"},
    {".": "།"},
    {".": "።", "?": "፧", ",": "፣"},
    {".": "։", "?": "՞"},
    {".": "。", "?": "？", ",": "，", "!": "！"},
)
_ADDED = (
    "https://example.org/a/b?c=1", "www.example.com", "http://t.co/Xy12", "name@example.org", "@someone", "@user_1",
    "#topic", "#Monday", "😀", "❤️", "👍🏽", ":)", ":-)", ";)", ":D", "...", "…", "!!!", "??", "•", "-", "*", "–",
)  # fmt: skip
_EMOJI = (
    "😀",
    "😂",
    "😂😂😂",
    "❤️",
    "👍",
    "👍🏽",
    "🎉",
    "😭",
    "🙏",
    "🔥",
    "😍",
    ":)",
    ":-)",
    ";)",
    ":D",
    "xD",
    "<3",
    "^^",
)
_UNITS = ("€", "$", "£", "¥", "₽", "₴", "₺", "₹", "₩", "%", "‰", "°C", "m²", "km²")
_BULLETS = ("-", "*", "•", "–", "—", "·", "►")
_ORDINAL = 0.4  # of the abbreviations of a language that has them
_NUMBERED_MONTH, _NAMED_MONTH = 0.2, 0.7  # of ordinal numbers, up to: 15.11., 15. November
_CUT = 5  # letters of an abbreviation, at most
_LONGEST = 30  # sentences of a paragraph
RUN_ON = (50, 200)  # sentences of a line that does not end
_JOINED = 0.3  # share of the paragraphs that go on with the next one
_USUAL = 12  # sentences of a paragraph, at most, where the treebank has none


class LaidOut(NamedTuple):
    """A text to learn from."""

    text: RawText
    standard: int
    tokens_known: bool = True  # or only where sentences end


def lay_out(
    sentences: Sequence[TreebankSentence], settings: LayoutSettings, standard: int, language: str, seed: int
) -> list[LaidOut]:
    """Paragraph by paragraph one text, each in a way of its own; some as if nobody knew the language."""
    draw = random.Random(f"{seed} {standard}")
    texts: list[LaidOut] = []
    count = sum(len(sentence.tokens) for sentence in sentences)
    wanted = max(settings.least_tokens, min(2 * count, settings.most_tokens))
    taken = 0
    for _ in range(settings.most_times):
        some = list(_paragraphs(sentences, settings, draw))
        draw.shuffle(some)
        for paragraph in some:
            named = standard if draw.random() >= settings.unnamed else UNNAMED
            texts.append(LaidOut(_lay_out(paragraph, settings, language, named != UNNAMED, draw), named))
            taken += len(texts[-1].text.tokens)
            if taken >= wanted:
                return texts
    return texts


def unspaced(sentences: Sequence[TreebankSentence]) -> list[TreebankSentence]:
    """The same where no space stands between sentences: Chinese and Japanese."""
    return [_followed(sentence, "") for sentence in sentences]


def _paragraphs(
    sentences: Sequence[TreebankSentence], settings: LayoutSettings, draw: random.Random
) -> Iterator[list[TreebankSentence]]:
    """Those of the treebank, or any where it has none; some run on over many of them."""
    known = sum(sentence.begins_paragraph for sentence in sentences) > len(sentences) / _LONGEST
    some: list[TreebankSentence] = []
    wanted = 1
    for sentence in sentences:
        told = known and wanted <= _LONGEST
        ends = sentence.begins_paragraph and draw.random() >= _JOINED if told else len(some) >= wanted
        if some and (ends or len(some) >= max(wanted, _LONGEST)):
            yield some
            some, wanted = [], draw.randint(*(RUN_ON if draw.random() < settings.run_on else (1, _USUAL)))
        some.append(sentence)
    if some:
        yield some


def _lay_out(
    paragraph: list[TreebankSentence], settings: LayoutSettings, language: str, named: bool, draw: random.Random
) -> RawText:
    some = [replace(sentence, begins_paragraph=False) for sentence in paragraph]
    if draw.random() < settings.quoted:
        some = _exchanged(some, draw.choice(_QUOTES))
    some = [_added(sentence, draw) if draw.random() < settings.added else sentence for sentence in some]
    if named:  # in a script without case, small letters would look as if they followed an abbreviation
        some = [_abbreviated(one, draw) if draw.random() < settings.abbreviated else one for one in some]
    some = [_titled(one, language, draw) if draw.random() < settings.titled else one for one in some]
    some = [_priced(one, draw) if draw.random() < settings.priced else one for one in some]
    if draw.random() < settings.unended:
        some[-1] = _unended(some[-1])
    if draw.random() < settings.unstopped:
        some = [_unended(sentence) for sentence in some]
    if not named and draw.random() < settings.foreign:
        some = _exchanged(some, draw.choice(_FOREIGN))
    runs_on = len(some) > _LONGEST
    broken = settings.broken_unnamed if not named else 0 if runs_on else settings.broken
    some = [
        _followed(one, draw.choice(("\n", "\n\n"))) if not _ends(one) and draw.random() < broken else one
        for one in some
    ]
    if not runs_on:
        some = _placed(some, settings, draw)
    case = draw.random()
    if case < settings.lower:
        some = [_map(sentence, str.lower) for sentence in some]
    elif case < settings.lower + settings.upper:
        some = [_map(sentence, str.upper) for sentence in some]
    return raw_text(some)


def _placed(some: list[TreebankSentence], settings: LayoutSettings, draw: random.Random) -> list[TreebankSentence]:
    place = draw.random()
    if (place := place - settings.wrapped) < 0:
        return _wrapped(some, draw.randint(40, 90))
    if (place := place - settings.chatted) < 0:
        return [_chatted(one, draw) for one in some]
    if (place := place - settings.lines) < 0:
        return [_followed(_unended(one) if draw.random() < 0.3 else one, "\n") for one in some]
    if (place := place - settings.listed) < 0:
        bullet = _token(draw.choice(_BULLETS), " ")
        items = [_followed(_unended(one) if draw.random() < 0.5 else one, "\n") for one in some]
        return [replace(item, tokens=(bullet, *item.tokens)) for item in items]
    if (place := place - settings.headed) < 0:
        return [_followed(_unended(some[0]), draw.choice(("\n", "\n", "\n\n"))), *some[1:]]
    if (place := place - settings.glued) < 0:
        return [_followed(one, "") if _stops(one) and draw.random() < 0.5 else one for one in some]
    if place - settings.wide < 0:
        return [_followed(one, "  ") if one.tokens[-1].space == " " else one for one in some]
    return some


def _stops(sentence: TreebankSentence) -> bool:
    return sentence.tokens[-1].text in FINAL


def _ends(sentence: TreebankSentence) -> bool:
    """Whether one can see where it ends: punctuation, perhaps inside of brackets or marks of quotation."""
    return not sentence.tokens[-1].text[-1].isalnum()


def _unended(sentence: TreebankSentence) -> TreebankSentence:
    """Without its full stop."""
    tokens = sentence.tokens
    if len(tokens) < 2 or not _stops(sentence):
        return sentence
    return replace(sentence, tokens=(*tokens[:-2], replace(tokens[-2], space=tokens[-1].space)))


def _followed(sentence: TreebankSentence, space: str) -> TreebankSentence:
    """With other white space behind it."""
    return replace(sentence, tokens=(*sentence.tokens[:-1], replace(sentence.tokens[-1], space=space)))


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


def _abbreviated(sentence: TreebankSentence, draw: random.Random) -> TreebankSentence:
    """With a word cut short where a small letter or a digit follows: nobody has seen all abbreviations."""
    tokens = list(sentence.tokens)
    places = [
        i
        for i, (one, following) in enumerate(pairwise(tokens))
        if one.space == " " and len(one.text) >= _CUT and one.text.isalpha() and _goes_on(following.text)
    ]
    if places:
        place = draw.choice(places)
        tokens[place] = _token(f"{tokens[place].text[: draw.randint(1, _CUT)]}.", " ")
    return replace(sentence, tokens=tuple(tokens))


def _priced(sentence: TreebankSentence, draw: random.Random) -> TreebankSentence:
    """With a price or a measure before its full stop, which goes with neither: treebanks hardly have any."""
    *tokens, last = sentence.tokens
    if not tokens or tokens[-1].space or not _stops(sentence):
        return sentence
    amount = draw.choice((f"{draw.randint(1, 99)}", f"{draw.randint(1, 999)}{draw.choice('.,')}{draw.randint(10, 99)}"))
    price = (_token(amount, draw.choice((" ", " ", "\u00a0", ""))), _token(draw.choice(_UNITS), ""))
    return replace(sentence, tokens=(*tokens[:-1], replace(tokens[-1], space=" "), *price, last))


def _titled(sentence: TreebankSentence, language: str, draw: random.Random) -> TreebankSentence:
    """With an abbreviation of the language, or an ordinal number, before a word inside."""
    tokens = list(sentence.tokens)
    written, fits = drawn_abbreviation(language, draw)
    places = [
        place
        for place, (one, following) in enumerate(pairwise(tokens), 1)
        if one.space == " " and one.text.isalpha() and fits(following.text)
    ]
    if not written or not places:
        return sentence
    place = draw.choice(places)
    pieces = [piece for part in written.split() for piece in _pieces(part, language)]
    return replace(sentence, tokens=(*tokens[:place], *pieces, *tokens[place:]))


def drawn_abbreviation(language: str, draw: random.Random) -> tuple[str, Callable[[str], bool]]:
    """An abbreviation or an ordinal number of a language, if it has any, and before which words it may stand."""
    if language in ORDINALS and draw.random() < _ORDINAL:
        # but in German, what has a capital behind a number begins a sentence
        return _ordinal(language, draw), str.isalpha if language == "de" else str.islower
    some = ABBREVIATIONS.get(language)
    return draw.choice(some) if some else "", _is_capitalised


def _ordinal(language: str, draw: random.Random) -> str:
    """12., 12.5. or 12. Mai."""
    day, how = f"{draw.randint(1, 31)}.", draw.random()
    if how < _NUMBERED_MONTH:
        return f"{day}{draw.randint(1, 12)}."
    return f"{day} {draw.choice(MONTHS[language])}" if language in MONTHS and how < _NAMED_MONTH else day


def _pieces(part: str, language: str) -> list[TreebankToken]:
    """An abbreviation as its treebank has it: one token, or one and its full stop."""
    if language not in SEPARATE or not part.endswith("."):
        return [_token(part, " ")]
    return [_token(part.removesuffix("."), ""), _token(".", " ")]


def _is_capitalised(text: str) -> bool:
    return text[0].isupper()


def _chatted(sentence: TreebankSentence, draw: random.Random) -> TreebankSentence:
    """A line of a chat: often without a full stop or capitals, sometimes with an emoji."""
    one = _unended(sentence) if draw.random() < 0.8 else sentence
    if draw.random() < 0.5:
        one = _map(one, str.lower)
    if draw.random() < 0.3:
        one = _followed(one, " ")
        one = replace(one, tokens=(*one.tokens, _token(draw.choice(_EMOJI), "")))
    return _followed(one, "\n")


def _goes_on(text: str) -> bool:
    return text[0].islower() or text[0].isdigit()


def _exchanged(some: list[TreebankSentence], others: dict[str, str]) -> list[TreebankSentence]:
    """With other characters, each for one."""
    table = str.maketrans(others)
    return [_map(sentence, lambda text: text.translate(table)) for sentence in some]


def _map(sentence: TreebankSentence, change: Callable[[str], str]) -> TreebankSentence:
    """The same in other letters, where they are as many."""
    tokens = (
        replace(token, text=new) if len(new := change(token.text)) == len(token.text) else token
        for token in sentence.tokens
    )
    return replace(sentence, tokens=tuple(tokens))
