# SPDX-License-Identifier: Apache-2.0
"""What makes a line of a corpus fit for training a language identifier, and what does not."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Mapping

# Interface strings: full of placeholders, and of messages nobody translated.
INTERFACE = frozenset({"mediawiki", "mozilla_www", "mozilla_firefox", "osm_website", "libreoffice_ui"})

_SCRIPT_RANGES = {
    "Latin": r"A-Za-z\u00aa\u00ba\u00c0-\u024f\u0250-\u02af\u1e00-\u1eff",
    "Greek": r"\u0370-\u03ff\u1f00-\u1fff",
    "Cyrillic": r"\u0400-\u052f",
    "Armenian": r"\u0530-\u058f",
    "Hebrew": r"\u0590-\u05ff\ufb1d-\ufb4f",
    "Arabic": r"\u0600-\u06ff\u0750-\u077f\u08a0-\u08ff\ufb50-\ufdff\ufe70-\ufefc",
    "Devanagari": r"\u0900-\u097f",
    "Bengali": r"\u0980-\u09ff",
    "Gurmukhi": r"\u0a00-\u0a7f",
    "Gujarati": r"\u0a80-\u0aff",
    "Tamil": r"\u0b80-\u0bff",
    "Telugu": r"\u0c00-\u0c7f",
    "Kannada": r"\u0c80-\u0cff",
    "Malayalam": r"\u0d00-\u0d7f",
    "Odia": r"\u0b00-\u0b7f",
    "Sinhala": r"\u0d80-\u0dff",
    "Thai": r"\u0e00-\u0e7f",
    "Lao": r"\u0e80-\u0eff",
    "Myanmar": r"\u1000-\u109f\uaa60-\uaa7f",
    "Georgian": r"\u10a0-\u10ff\u1c90-\u1cbf",
    "Ethiopic": r"\u1200-\u139f\u2d80-\u2ddf",
    "Khmer": r"\u1780-\u17ff",
    "Tibetan": r"\u0f00-\u0fff",
    "Thaana": r"\u0780-\u07bf",
    "Syriac": r"\u0700-\u074f",
    "N'Ko": r"\u07c0-\u07ff",
    "Cherokee": r"\u13a0-\u13ff\uab70-\uabbf",
    "Canadian": r"\u1400-\u167f",
    "Limbu": r"\u1900-\u194f",
    "Ol Chiki": r"\u1c50-\u1c7f",
    "Tifinagh": r"\u2d30-\u2d7f",
    "Hangul": r"\u1100-\u11ff\u3130-\u318f\uac00-\ud7af",
    "Japanese": r"\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uff66-\uff9d",
    "Han": r"\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0002ffff",
}
_LABELS_OF_SCRIPT = {
    "Greek": "el",
    "Cyrillic": "ab ady alt av ba be bg bxr ce cv inh kbd kjh kk koi krc kv ky lez mdf mhr mk mn mrj myv os rsk ru rue"
    " sah sr tg tt tyv udm uk xal",
    "Armenian": "hy hyw",
    "Hebrew": "he yi",
    "Arabic": "ar ary arz azb ckb fa glk ks lrc mzn pnb prs ps sd skr ug ur",
    "Devanagari": "anp awa bho brx doi dty gom hi hne ks-Deva mag mai mr ne new sa",
    "Bengali": "as bn bpy mni",
    "Gurmukhi": "pa",
    "Gujarati": "gu",
    "Tamil": "ta",
    "Telugu": "te",
    "Kannada": "kn tcy",
    "Malayalam": "ml",
    "Odia": "or",
    "Sinhala": "si",
    "Thai": "th",
    "Lao": "lo",
    "Myanmar": "mnw my shn",
    "Georgian": "ka xmf",
    "Ethiopic": "am ti tig",
    "Khmer": "km",
    "Tibetan": "bo dz",
    "Thaana": "dv",
    "Syriac": "syr",
    "N'Ko": "nqo",
    "Cherokee": "chr",
    "Canadian": "iu",
    "Limbu": "lif",
    "Ol Chiki": "sat",
    "Tifinagh": "zgh",
    "Hangul": "ko",
    "Japanese": "ja",
    "Han": "wuu yue zh zh-Hant",
}
SCRIPT: Mapping[str, str] = {label: name for name, labels in _LABELS_OF_SCRIPT.items() for label in labels.split()}


def _encodes(encoding: str) -> frozenset[str]:
    """The Chinese characters of an old national character set."""
    every = "".join(map(chr, range(0x4E00, 0xA000)))
    return frozenset(every.encode(encoding, "ignore").decode(encoding))


# GB 2312 has simplified characters only, Big5 traditional ones only; what both have is common to the two.
SIMPLIFIED = _encodes("gb2312") - _encodes("big5")
TRADITIONAL = _encodes("big5") - _encodes("gb2312")
_SLOVAK = frozenset("áéíóúýäôľĺŕťďňÁÉÍÓÚÝÄÔĽĹŔŤĎŇ")

_LETTERS = {name: re.compile(f"[{ranges}]+") for name, ranges in _SCRIPT_RANGES.items()}
_LETTER = re.compile(f"[{''.join(_SCRIPT_RANGES.values())}]+")
_SYMBOL = re.compile(r"[\x21-\x40\x5b-\x60\x7b-\x7e]+")  # ASCII that is no letter and no space: digits, marks, code
_MARKUP_SIGN = re.compile(r"[<{\[$%@]|://|www\.")
_MARKUP = re.compile(
    r"<[^<>]{1,200}>"  # tags
    r"|\{\{[^{}]*\}\}|\{[^{}]*\}|\[\[(?:[^\[\]|]*\|)?|\]\]"  # templates, arguments, link brackets
    r"|\$[0-9]|%[0-9]*\$?[sd]|%\([a-z_]+\)[sd]"  # arguments
    r"|(?:https?://|www\.)\S+|\S+@\S+\.\S+"  # addresses
)
_EMPTY = re.compile(r"\"\s*\"|“\s*”|«\s*»|„\s*“|'\s+'|\(\s*[,;]?\s*\)|\[\s*\]")  # what a removed argument leaves behind
_SPACES = re.compile(r"[\s\u200b\u200e\u200f\ufeff\u00ad]+")
_STRAY_SPACE = re.compile(r" ([,.)\]])")
_DURATIONS = re.compile(r":(?:infinite|\d+ (?:hour|day|week|month|year)s?)\b")  # lists for a menu, half English
_VERSE = re.compile(r"^\[?\d+[:.]\d+\]?\s*")
_ACCENT = re.compile(r"[\u0300-\u036f]")
_LIGATURES = {0xFB00: "ff", 0xFB01: "fi", 0xFB02: "fl", 0xFB03: "ffi", 0xFB04: "ffl", 0xFB05: "st", 0xFB06: "st"}
_FUNCTION_WORDS = "the and this with your from that have which been were their there you they"
_ENGLISH = frozenset(_FUNCTION_WORDS.split())
_LIKE_ENGLISH = frozenset(("en", "jam", "kri", "pcm", "sco", "zh-Latn"))  # "you" is pinyin too
# Not \W: that would also drop the vowel signs of India and South-East Asia.
_KEY = re.compile(r"[\s\x21-\x40\x5b-\x60\x7b-\xbf\u2000-\u206f\u3000-\u3004\u3008-\u303f\uff00-\uff0f।]+")


def clean(line: str, label: str, source: str) -> str:
    """The line as training should see it, empty where nothing of use is left."""
    line = normalise(line)
    if "&" in line:
        line = html.unescape(line)
    if _MARKUP_SIGN.search(line):
        line = _MARKUP.sub(" ", line)
    if source in INTERFACE:
        if _DURATIONS.search(line):
            return ""
        line = _EMPTY.sub(" ", line).strip(" :;,|*#=-–—←→•·")
    line = _SPACES.sub(" ", line).strip()
    if source == "ud":  # some treebanks are joined from tokens
        line = _STRAY_SPACE.sub(r"\1", line)
        if label == "el":  # the contracted preposition is a token of its own
            line = line.replace(" σ τ", " στ").replace("Σ τ", "Στ")
    elif source in ("ebible", "bible_cc0"):
        line = _VERSE.sub("", line)
    elif source == "govza" and line.count(" ") < 7:  # short ones are lists of names
        return ""
    return line if fit(line, label) else ""


def normalise(line: str) -> str:
    """Accents composed with their letters, as nearly all text has them, and no typographic ligatures.

    Only where Latin, Greek or Cyrillic accents stand: NFC would also take apart letters of Bengali, Hindi and
    Yiddish that are as often typed as one character.
    """
    if _ACCENT.search(line):
        line = unicodedata.normalize("NFC", line)
    return line.translate(_LIGATURES)


def fit(line: str, label: str) -> bool:
    """Whether a line is mostly letters, mostly in the script of its label, and not English under another label."""
    letters, spaces = _count(_LETTER, line), line.count(" ")
    if letters < 2 or _count(_SYMBOL, line) > 0.3 * (len(line) - spaces):
        return False
    if 2.5 * spaces > len(line):  # s p a c e d letters
        return False
    own = script_letters(line, label)
    # a character of Chinese, Japanese or Korean is worth a few letters of the names around it
    if own * (3 if SCRIPT.get(label) in ("Han", "Japanese", "Hangul") else 1) <= letters - own:
        return False
    return label in _LIKE_ENGLISH or not looks_english(line)


def script_letters(text: str, label: str) -> int:
    """How many letters of `text` belong to the script that `label` is written in."""
    return _count(_LETTERS[SCRIPT.get(label, "Latin")], text)


def _count(characters: re.Pattern[str], text: str) -> int:
    return len("".join(characters.findall(text)))


def looks_english(line: str) -> bool:
    """Whether a line has as many English function words as only English text has."""
    words = line.lower().split()
    hits = sum(word in _ENGLISH for word in words)
    return hits >= 2 and hits >= 0.2 * len(words)


def chinese(line: str) -> str:
    """zh or zh-Hant, by the characters; a line that could be either counts as zh."""
    simplified = sum(character in SIMPLIFIED for character in line)
    return "zh-Hant" if sum(character in TRADITIONAL for character in line) > simplified else "zh"


def slovak(line: str) -> bool:
    """Whether a line has letters that Slovak has and Slovene has not."""
    return not _SLOVAK.isdisjoint(line)


def key(line: str) -> str:
    """What is left of a line when case, punctuation and digits are forgotten: equal keys are the same sentence."""
    return _KEY.sub("", line.lower())
