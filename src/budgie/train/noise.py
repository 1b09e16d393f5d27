# SPDX-License-Identifier: Apache-2.0
"""What people do to text: shout, drop accents, paste addresses, add emoji, borrow English words."""

from __future__ import annotations

import re
import unicodedata
from random import Random

# How often (of snippets) text of a language is met without its diacritics.
WITHOUT_DIACRITICS = {
    **dict.fromkeys("ro pl cs sk hr sr-Latn bs sl tr hu pt es fr it ca lt lv is de sv fi da no az sq et".split(), 0.02),
    **dict.fromkeys("vi ku eo ga mt zh-Latn".split(), 0.03),
    **dict.fromkeys("ha ig mi".split(), 0.1),
    **dict.fromkeys("yo haw sm".split(), 0.2),
}
_PLAIN = str.maketrans("đĐłŁıøØəƏɓɗƙƁƊƘħĦŋæœ", "dDlLioOeEbdkBDKhHn" + "ao")
_OKINA = str.maketrans("", "", "ʻ‘’'")

# Spellings that keyboards and old fonts produce, beside the standard ones.
_VARIANTS = {
    "ro": str.maketrans("șțȘȚ", "şţŞŢ"),
    "fa": str.maketrans("یک", "يك"),
    "ur": str.maketrans("یک", "يك"),
    "haw": str.maketrans("ʻ‘", "''"),
    "sm": str.maketrans("ʻ‘", "''"),
    "uz": str.maketrans("ʻ‘ʼ’", "''''"),
}
_APOSTROPHES = (str.maketrans("’", "'"), str.maketrans("'", "’"))
_ESPERANTO_X = {"ĉ": "cx", "ĝ": "gx", "ĥ": "hx", "ĵ": "jx", "ŝ": "sx", "ŭ": "ux"}
_GERMAN = {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"}
_DIGRAPHS = {"eo": str.maketrans(_ESPERANTO_X), "de": str.maketrans(_GERMAN)}

_EMOJI = "😀 😂 🤣 😊 😍 🙏 👍 ❤️ 🔥 🎉 😢 😭 🤔 👏 ✨ 💪 🙄 😎 ☀️ ✅ ➡️ ⚽ 🇺🇸 :) :-) ;) :D :( <3 xD ^^".split()
_NAMES = (
    "John Maria Anna Tom David Michael Berlin London Paris New York Google Facebook YouTube iPhone Windows Android Netflix "
    "Trump Obama Messi Ronaldo Covid NASA FIFA UEFA BBC CNN Tokyo Madrid Moskva Einstein Shakespeare Toyota Samsung"
).split()
_ENGLISH = (
    "the and of to in for you is on that it with this be are or your have from new my we can all email online website "
    "live video news best free home team show music love happy play time link download update party business"
).split()
_DOMAINS = "example.com youtube.com bit.ly wikipedia.org twitter.com t.co google.com mail.ru gmail.com bbc.co.uk".split()
_MARKS = "... !!! !? ?? – — | • · * ( ) [ ] « » “ ” \" / & + #".split()
_TAGS = ("<b>", "</b>", "<br>", "<br/>", "<p>", "</p>", "&nbsp;", "&amp;", "<a href=\"#\">", "</a>", "<i>", "</i>")
_REPEATABLE = re.compile(r"([^\W\d_])(?=\W*$)")


def without_diacritics(text: str, label: str) -> str:
    """The text in plain letters, the way its writers do it."""
    if label in ("haw", "sm"):
        text = text.translate(_OKINA)
    if label in ("sr-Latn", "hr", "bs"):
        text = text.replace("đ", "dj").replace("Đ", "Dj")
    if label in _DIGRAPHS:
        return text.translate(_DIGRAPHS[label])
    decomposed = unicodedata.normalize("NFD", text)
    return "".join([c for c in decomposed if not unicodedata.combining(c)]).translate(_PLAIN)


def spelling_variant(text: str, label: str, random: Random) -> str:
    """Another encoding of the same spelling: cedillas for commas, Arabic keyboards, straight or curly apostrophes."""
    if label in _VARIANTS:
        return text.translate(_VARIANTS[label])
    return text.translate(random.choice(_APOSTROPHES))


def change_case(text: str, label: str, style: str) -> str:
    """The text in `style`: lower, upper or title."""
    if style == "lower":
        return text.replace("I", "ı").replace("İ", "i").lower() if label in ("tr", "az") else text.lower()
    if style == "title":
        return text.title()
    if label in ("tr", "az"):
        text = text.replace("i", "İ")
    elif label == "el":  # capitals go without accents
        text = "".join([c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c)])
    return text.upper()


def insertion(random: Random) -> str:
    """Something that belongs to no language."""
    kind = random.random()
    if kind < 0.2:
        return str(random.randrange(10 ** random.randint(1, 5)))
    if kind < 0.35:
        return random.choice(_EMOJI)
    if kind < 0.5:
        return random.choice(_MARKS)
    if kind < 0.6:
        return f"https://{random.choice(_DOMAINS)}/{_slug(random)}"
    if kind < 0.65:
        return f"{_slug(random)}@{random.choice(_DOMAINS)}"
    if kind < 0.75:
        return f"@{_slug(random)}"
    if kind < 0.82:
        return f"#{_slug(random)}"
    if kind < 0.9:
        return random.choice(_TAGS)
    return f"{random.randint(1, 28)}.{random.randint(1, 12)}.{random.randint(1990, 2026)}"


def foreign_word(random: Random) -> str:
    """A name or an English word, as stands in text of every language."""
    return random.choice(_NAMES) if random.random() < 0.5 else random.choice(_ENGLISH)


def insert(text: str, piece: str, place: float) -> str:
    """Put `piece` between two words, before the first or after the last; `place` in [0, 1) says where."""
    if place < 0.2:
        return f"{piece} {text}"
    if place >= 0.6:
        return f"{text} {piece}"
    middle = text.find(" ", int((place - 0.2) / 0.4 * len(text)))
    return f"{text} {piece}" if middle < 0 else f"{text[:middle]} {piece}{text[middle:]}"


def stretch(text: str, random: Random) -> str:
    """The last letter, several times."""
    return _REPEATABLE.sub(lambda match: match[1] * random.randint(3, 6), text, count=1)


def _slug(random: Random) -> str:
    return "".join(random.choices("abcdefghijklmnopqrstuvwxyz0123456789_", k=random.randint(3, 10)))
