# SPDX-License-Identifier: Apache-2.0
"""Annotated documents as HTML: a page of its own, or a fragment for notebooks; neither needs a network or scripts.

What stands outside of <rt>, <b>, <style> and the legend is the text of the document, character by character. Tags are
ruby annotations: where styles are taken away, they are still above their words.
"""

from __future__ import annotations

import itertools
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING, NamedTuple

from budgie.formats.html_page import escaped, head
from budgie.languages import name_of
from budgie.tasks.records import Span, Token, decode

if TYPE_CHECKING:
    from budgie.document import Document


class Colour(NamedTuple):
    """How a tag is shown."""

    name: str  # what the tag means
    background: str
    ink: str


# Chosen by a program: as far apart as 17 can be for eyes with and without each kind of colour blindness, words and
# names (NOUN, PROPN), verbs (VERB, AUX) and so on in hues that are near, ink with a contrast of at least 4.5.
TAGS = {
    "ADJ": Colour("adjective", "#204701", "#fff"),
    "ADP": Colour("adposition", "#9965ed", "#000"),
    "ADV": Colour("adverb", "#42926a", "#000"),
    "AUX": Colour("auxiliary", "#f8a96c", "#000"),
    "CCONJ": Colour("coordinating conjunction", "#9b5b9c", "#fff"),
    "DET": Colour("determiner", "#b79912", "#000"),
    "INTJ": Colour("interjection", "#804b4b", "#fff"),
    "NOUN": Colour("noun", "#1351c3", "#fff"),
    "NUM": Colour("numeral", "#80d1d0", "#000"),
    "PART": Colour("particle", "#5a1091", "#fff"),
    "PRON": Colour("pronoun", "#eed606", "#000"),
    "PROPN": Colour("proper noun", "#51a7f3", "#000"),
    "PUNCT": Colour("punctuation", "#e0eae7", "#000"),
    "SCONJ": Colour("subordinating conjunction", "#761053", "#fff"),
    "SYM": Colour("symbol", "#94a1a4", "#000"),
    "VERB": Colour("verb", "#bb5906", "#fff"),
    "X": Colour("other", "#191815", "#fff"),
}

_MOST_TOKENS = 5000  # of a fragment: a notebook keeps what it shows
_LAST_SENTENCE = 500  # tokens of the sentence that goes beyond these, if it is as long
_LINE_ENDS = ("", "\n", b"", b"\n")

# Greys are half transparent, so that they are seen on light and on dark.
_STYLE = """
.budgie article {line-height: 1.6; white-space: pre-wrap; overflow-wrap: anywhere; margin: .5em 0}
.budgie .lines {display: block}
.budgie .name {display: inline-block; font: 600 .7em/1.6 system-ui, sans-serif; border: 1px solid; border-radius: .4em;
  padding: 0 .4em; margin-inline: .2em .5em; vertical-align: .2em; user-select: none; opacity: .8}
.budgie .unsure {border-style: dashed}
.budgie .sentence {border-radius: .3em}
.budgie .sentence:hover {background: rgba(128, 128, 128, .12)}
.budgie .sentence::before {content: attr(data-number); display: inline-block; font-size: .6em; vertical-align: .6em;
  opacity: .6; margin-inline-end: .3em}
.budgie ruby {display: inline-flex; flex-direction: column; align-items: center; max-width: 100%; margin: .1em 1px;
  padding: 0 1px; border-radius: .3em; background: rgba(128, 128, 128, .14)}
.budgie rt {display: flex; gap: .2em; font: .65em/1.5 system-ui, sans-serif; user-select: none}
.budgie rt ruby {font-size: 1.25em; background: none; margin: 0}
.budgie rt rt {font-size: .75em}
.budgie .tag {display: block; font-style: normal; text-align: center; padding: 0 .4em; border-radius: .4em;
  border: 1px solid rgba(128, 128, 128, .4)}
.budgie .legend {font: .8em/1.8 system-ui, sans-serif}
.budgie .legend span {display: inline-block; margin-inline-end: 1em}
.budgie .legend .tag {display: inline-block; margin: 0 .3em 0 0; font-size: .8em}
""" + "".join(f".budgie .{tag} {{background: {one.background}; color: {one.ink}}}\n" for tag, one in TAGS.items())

_KEY = "".join(f'<span><i class="tag {tag}">{tag}</i>{one.name}</span> ' for tag, one in TAGS.items())
_LEGEND = f'<details class="legend"{{}}><summary>Tags</summary>{_KEY}</details>'

_PAGE_STYLE = """\
body {font: 1.1em system-ui, sans-serif; background: Canvas; color: CanvasText; max-width: 60em; margin: 1em auto;
  padding: 0 1em}
body.budgie article {border-top: 1px solid rgba(128, 128, 128, .4); padding: .5em 0;
  content-visibility: auto; contain-intrinsic-size: auto 4em}
"""


def page(documents: Iterable[Document], title: str = "Budgie") -> str:
    """A whole page that shows documents."""
    return "".join(pieces(documents, title))


def pieces(documents: Iterable[Document], title: str = "Budgie") -> Iterator[str]:
    """The same page piece by piece, for more documents than there is memory for."""
    body = f'<body class="budgie">\n<h1>{escaped(title)}</h1>\n{_LEGEND.format(" open")}\n'
    yield head(title, _PAGE_STYLE + _STYLE) + body
    for document in documents:
        yield from _article(document, len(document.text))
        yield "\n"
    yield "</body>\n</html>\n"


def fragment(document: Document) -> str:
    """A part of a page that shows a document with styles of its own; of a very long one, the beginning."""
    stop, left, count = len(document.text), [], 0
    for number, sentence in enumerate(document.sentences, 1):
        room = max(_MOST_TOKENS - count, _LAST_SENTENCE)
        count += len(sentence.tokens)
        if count < _MOST_TOKENS:
            continue
        if more := sentence.tokens[room:]:
            left.append(f"{len(more):,} more tokens of this sentence")
        if others := document.sentences[number:]:
            left.append(f"{len(others):,} more sentences")
        stop = more[0].start if more else others[0].start if others else stop
        break
    note = f"<p>… and {', '.join(left)}</p>" if left else ""
    shown = "".join(_article(document, stop))
    return f'<div class="budgie"><style>{_STYLE}</style>{shown}{note}{_LEGEND.format("")}</div>'


def _article(document: Document, stop: int) -> Iterator[str]:
    """A document up to an offset, where no token is cut: spans of languages, in each the sentences that begin there."""
    text, sentences = document.text, document.sentences
    yield f'<article dir="{_direction(text)}">'
    position = number = 0
    for span in document.spans or [Span(0, len(text), document.language, 1.0, True)]:
        if span.start >= stop:
            break
        yield _opening(span, text)
        while number < len(sentences) and sentences[number].start < min(span.end, stop):
            sentence = sentences[number]
            number += 1
            yield f'{escaped(text[position : sentence.start])}<span class="sentence" data-number="{number}">'
            position = sentence.start
            for token in itertools.takewhile(lambda one: one.start < stop, sentence.tokens):
                yield f"{escaped(text[position : token.start])}{_token(token)}"
                position = token.end
            end = min(sentence.end, stop)
            yield f"{escaped(text[position:end])}</span>"
            position = end
        end = max(position, min(span.end, stop))
        yield f"{escaped(text[position:end])}</span>"
        position = end
    yield "</article>"


def _opening(span: Span, text: str | bytes) -> str:
    """Where a span begins, with the name of its language."""
    whole_lines = text[max(0, span.start - 1) : span.start] in _LINE_ENDS and (
        span.end == len(text) or text[span.end - 1 : span.end] in _LINE_ENDS
    )
    name = name_of(span.language)
    about = "language unknown" if span.language == "und" else f"{name} ({span.language}), {_probably(span.probability)}"
    lines, sure = " lines" if whole_lines else "", "" if span.reliable else " unsure"
    direction = _direction(text[span.start : span.end])
    return (
        f'<span class="language{lines}" lang="{escape(span.language)}" dir="{direction}">'
        f'<b class="name{sure}" title="{escape(about)}">{escape(name)}</b>'
    )


def _token(token: Token) -> str:
    """A token over its tag, or over its words, each over its own."""
    if not token.words:
        return f"<ruby>{escaped(token.text)}{_tag(token.tag, token.probability)}</ruby>"
    words = " ".join(f"<ruby>{escaped(word.text)}{_tag(word.tag, word.probability)}</ruby>" for word in token.words)
    return f"<ruby>{escaped(token.text)}<rt>{words}</rt></ruby>"


def _tag(tag: str | None, probability: float | None) -> str:
    return "" if tag is None else _shown_tag(tag, None if probability is None else _probably(probability))


@lru_cache(maxsize=4096)
def _shown_tag(tag: str, probably: str | None) -> str:
    known = TAGS.get(tag)
    about = [known.name if known else tag] + ([] if probably is None else [probably])
    colour = f" {tag}" if known else ""
    return f'<rt><span class="tag{colour}" title="{escape(", ".join(about))}">{escape(tag)}</span></rt>'


def _probably(probability: float) -> str:
    return f"probability {probability:.2f}"


def _direction(text: str | bytes) -> str:
    """That of the first letter. The browser would not look into parts that have directions of their own."""
    for character in decode(text):
        if (kind := unicodedata.bidirectional(character)) in ("L", "R", "AL"):
            return "ltr" if kind == "L" else "rtl"
    return "ltr"
