# SPDX-License-Identifier: Apache-2.0
"""What people do to text: shout, drop accents, stretch words, paste addresses, add emoji."""

from __future__ import annotations

import re
import unicodedata
from random import Random


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


# How often text of a language is met without its diacritics.
WITHOUT_DIACRITICS = {
    **dict.fromkeys(_words("az bs ca cs da de es et fi fr hr hu is it lt lv no pl pt ro sk sl sq sr-Latn sv tr"), 0.02),
    **dict.fromkeys(_words("el eo ga ku mt vi"), 0.03),
    **dict.fromkeys(_words("ha ig mi"), 0.1),
    **dict.fromkeys(_words("haw sm"), 0.2),
    "yo": 0.3,
}
_PLAIN = str.maketrans("đĐłŁıøØəƏɓɗƙƁƊƘħĦðÐ", "dDlLioOeEbdkBDKhHdD")
_LIGATURES = str.maketrans({"æ": "ae", "Æ": "Ae", "œ": "oe", "ß": "ss", "þ": "th", "Þ": "Th"})
_DIGRAPHS = {  # letters that are written as two
    "de": str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"}),
    "eo": str.maketrans({"ĉ": "cx", "ĝ": "gx", "ĥ": "hx", "ĵ": "jx", "ŝ": "sx", "ŭ": "ux"}),
    "bs": str.maketrans({"đ": "dj", "Đ": "Dj"}),
}
_DIGRAPHS["hr"] = _DIGRAPHS["sr-Latn"] = _DIGRAPHS["bs"]
_TONES = dict.fromkeys((0x300, 0x301, 0x304))
_OKINA = str.maketrans("", "", "ʻ‘’'")

# How often text of a language is met in another spelling of the same; everywhere else SnippetSettings.variant.
VARIANT = {"ig": 0.3, "ro": 0.2, "yo": 0.4}
# What keyboards and old fonts produce beside the standard spelling.
_VARIANTS = {
    "fa": str.maketrans("یک", "يك"),
    "haw": str.maketrans("ʻ‘", "''"),
    "ro": str.maketrans("șțȘȚ", "şţŞŢ"),
    "sm": str.maketrans("ʻ‘", "''"),
    "ur": str.maketrans("یک", "يك"),
    "uz": str.maketrans("ʻ‘ʼ’", "''''"),
}
_APOSTROPHES = (str.maketrans("’", "'"), str.maketrans("'", "’"))

_EMOJI = _words("😀 😂 🤣 😊 😍 🙏 👍 ❤️ 🔥 🎉 😢 😭 🤔 👏 ✨ 💪 🙄 😎 ☀️ ✅ ➡️ ⚽ 🇺🇸 🇧🇷 :) :-) ;) :D :( <3 xD ^^")
_MARKS = _words("... !!! !? ?? – — | • · * ( ) [ ] « » “ ” / & + # = ™ © €")
_DOMAINS = _words(
    "example.com youtube.com bit.ly wikipedia.org twitter.com t.co google.com mail.ru gmail.com bbc.co.uk"
)
_TAGS = ("<b>", "</b>", "<br>", "<br/>", "<p>", "</p>", "&nbsp;", "&amp;", '<a href="#">', "</a>", '<div class="x">')
_LAST_LETTER = re.compile(r"([^\W\d_])(?=\W*$)")


def upper(text: str, label: str) -> str:
    """ALL CAPITALS, as the language writes them."""
    if label in ("tr", "az"):
        text = text.replace("i", "İ")
    elif label == "el":  # capitals go without accents
        text = _strip_marks(text)
    return text.upper()


def lower(text: str, label: str) -> str:
    """No capitals at all."""
    if label in ("tr", "az"):
        text = text.replace("I", "ı").replace("İ", "i")
    return text.lower()


def without_diacritics(text: str, label: str) -> str:
    """The text in plain letters, the way its writers do it."""
    if label in ("haw", "sm"):
        text = text.translate(_OKINA)
    if label in _DIGRAPHS:
        text = text.translate(_DIGRAPHS[label])
    return _strip_marks(text).translate(_PLAIN).translate(_LIGATURES)


def without_tones(text: str) -> str:
    """Yoruba or Igbo without tone marks, but with the dots below."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", text).translate(_TONES))


def spelling_variant(text: str, label: str, random: Random) -> str:
    """Another spelling of the same: cedillas for commas, Arabic keyboards, no tones, straight or curly apostrophes."""
    if label in ("ig", "yo"):
        return without_tones(text)
    return text.translate(_VARIANTS.get(label) or random.choice(_APOSTROPHES))


def stretch(text: str, random: Random) -> str:
    """The last letter, several times."""
    return _LAST_LETTER.sub(lambda match: match[1] * random.randint(3, 6), text, count=1)


def insertion(random: Random) -> str:
    """Something that belongs to no language."""
    makers = (_number, _number, _emoji, _emoji, _mark, _mark, _address, _mail, _mention, _hashtag, _tag, _date)
    return random.choice(makers)(random)


def insert(text: str, piece: str, place: float) -> str:
    """Put `piece` before the first word, between two or after the last; `place` (0 to 1) says where."""
    if place < 0.2:
        return f"{piece} {text}"
    middle = text.find(" ", int((place - 0.2) / 0.4 * len(text))) if place < 0.6 else -1
    return f"{text} {piece}" if middle < 0 else f"{text[:middle]} {piece}{text[middle:]}"


def _number(random: Random) -> str:
    return str(random.randrange(10 ** random.randint(1, 5)))


def _emoji(random: Random) -> str:
    return random.choice(_EMOJI)


def _mark(random: Random) -> str:
    return random.choice(_MARKS)


def _address(random: Random) -> str:
    return f"https://{random.choice(_DOMAINS)}/{_slug(random)}"


def _mail(random: Random) -> str:
    return f"{_slug(random)}@{random.choice(_DOMAINS)}"


def _mention(random: Random) -> str:
    return f"@{_slug(random)}"


def _hashtag(random: Random) -> str:
    return f"#{_slug(random)}"


def _tag(random: Random) -> str:
    return random.choice(_TAGS)


def _date(random: Random) -> str:
    return f"{random.randint(1, 28)}.{random.randint(1, 12)}.{random.randint(1990, 2026)}"


def _slug(random: Random) -> str:
    return "".join(random.choices("abcdefghijklmnopqrstuvwxyz0123456789_", k=random.randint(3, 10)))


def _strip_marks(text: str) -> str:
    return "".join([c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c)])
