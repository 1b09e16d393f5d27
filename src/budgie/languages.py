# SPDX-License-Identifier: Apache-2.0
"""Languages by the names that people give them: `EN`, `eng`, `eng_Latn`, `en-US`, `English (US)` are all `en`.

A label is the code of ISO 639-1, or of 639-3 where there is none, and a script where it is not the usual one.
"""

from __future__ import annotations

import difflib
import itertools
import re
from collections.abc import Collection, Iterator
from functools import cache
from typing import NamedTuple

from budgie.errors import ConfigError

# Codes that stand for a label in other ways: older and wider ones, and those of ISO 639-2/B.
_OTHERS = {
    "nb": "no", "nor": "no", "iw": "he", "in": "id", "ji": "yi", "jw": "jv", "tl": "fil", "tgl": "fil", "mo": "ro",
    "kur": "ku", "cmn": "zh", "chi": "zh", "ger": "de", "fre": "fr", "dut": "nl", "gre": "el", "per": "fa", "pes": "fa",
    "arb": "ar", "rum": "ro", "slo": "sk", "cze": "cs", "wel": "cy", "baq": "eu", "arm": "hy", "geo": "ka", "ice": "is",
    "mac": "mk", "alb": "sq", "bur": "my", "may": "ms", "zsm": "ms", "mao": "mi", "ekk": "et", "lvs": "lv", "als": "sq",
    "npi": "ne", "azj": "az", "uzn": "uz", "khk": "mn", "plt": "mg", "swh": "sw", "pbt": "ps", "ydd": "yi",
    "tw": "ak", "twi": "ak", "fat": "ak", "ayr": "ay", "bua": "bxr", "bh": "bho", "bik": "bcl", "chm": "mhr",
    "dik": "din", "zza": "diq", "egl": "eml", "rgn": "eml", "fuv": "ff", "gug": "gn", "kok": "gom", "kng": "kg",
    "knc": "kr", "kpv": "kv", "gaz": "om", "ory": "or", "quy": "qu", "quz": "qu", "tib": "bo", "nds latn nl": "nds-NL",
}  # fmt: skip
# Words for places, which are moved behind the language as codes: Brazilian Portuguese, English (United States). Not
# `Swiss` nor `Egyptian`: with these, German and Arabic are languages of their own. Codes in capitals are no names.
_PLACES = {
    "american": "US", "united states": "US", "usa": "US", "british": "GB", "united kingdom": "GB", "canadian": "CA",
    "canada": "CA", "australian": "AU", "australia": "AU", "ireland": "IE", "india": "IN", "brazilian": "BR",
    "brazil": "BR", "portugal": "PT", "european": "150", "europe": "150", "latin american": "419",
    "latin america": "419", "mexican": "MX", "mexico": "MX", "spain": "ES", "argentina": "AR", "france": "FR",
    "belgium": "BE", "germany": "DE", "austrian": "AT", "austria": "AT", "switzerland": "CH", "china": "CN",
    "singapore": "SG", "taiwan": "TW", "hong kong": "HK", "macau": "MO", "macao": "MO",
}  # fmt: skip
# Codes of countries that people write for a language, and that are no code of another one.
_COUNTRIES = {
    "jp": "ja", "cz": "cs", "dk": "da", "gr": "el", "ua": "uk", "cn": "zh", "vn": "vi", "us": "en", "gb": "en",
    "ir": "fa", "il": "he", "rs": "sr", "al": "sq", "by": "be", "kz": "kk", "mx": "es",
}  # fmt: skip
# Names of several labels together: a macrolanguage, where labels count as such.
_MACROLANGUAGE = "hbs"
_SEVERAL = dict.fromkeys((_MACROLANGUAGE, "sh", "serbo-croatian"), "bs, hr and sr-Latn")
_MEMBERS = dict.fromkeys(("bs", "hr", "sr-Latn"), _MACROLANGUAGE) | {"id": "ms", "nn": "no", "zh-Hant": "zh"}
_TO_BE_FOUND = ("auto", "autodetect", "detect")  # what other tools call a language that is to be found
_LONGEST_CODE = 3
_MOST_WORDS = 3  # of a name
_TRADITIONAL = ("TW", "HK", "MO")  # where Chinese is written so
_SCRIPTS = {"Latn": "Latin", "Cyrl": "Cyrillic", "Arab": "Arabic", "Deva": "Devanagari"}
_SCRIPT_WORDS = {"traditional": "hant", "simplified": "hans", **{name.lower(): code for code, name in _SCRIPTS.items()}}
_PART_OF = {("Hang", "Kore"), ("Hani", "Hans"), ("Hani", "Hant")}  # scripts that others call usual ones by
_LOCALE = re.compile(r"([\w-]+)(?:\.[\w-]+)?(?:@(\w+))?")  # as de_DE.UTF-8, sr_RS@latin


class Language(NamedTuple):
    """A language, as it is written."""

    label: str
    iso: str  # code of ISO 639-3
    script: str  # of ISO 15924
    name: str  # in English


@cache
def known() -> dict[str, Language]:
    """All languages that Budgie has a name for, by label."""
    return {label: Language(label, iso, script, names[0]) for label, iso, script, names in _rows()}


def _rows() -> Iterator[tuple[str, str, str, list[str]]]:
    from budgie.language_table import ROWS  # noqa: PLC0415  # most calls need no names

    for line in ROWS.strip().splitlines():
        label, iso, script, names = line.split(maxsplit=3)
        yield label, iso, script, names.split("/")


@cache
def _names() -> dict[str, str]:
    """Labels by plain codes and names; codes come first: `mon` is Mongolian."""
    codes = ((code, label) for label, iso, _, _ in _rows() for code in (label, iso))
    names = ((name, label) for label, _, _, names in _rows() for name in names)
    found = dict(_OTHERS)
    for name, label in itertools.chain(codes, names):
        found.setdefault(_plain(name), label)
    return found


def _plain(name: str) -> str:
    return " ".join(re.sub(r"[_(),-]", " ", name.lower()).split())


def name_of(label: str) -> str:
    """The English name of a label, and its script where that is not the usual one."""
    if label in known():
        return known()[label].name
    code, _, script = label.partition("-")
    if code not in known():
        return label
    return f"{known()[code].name.removeprefix('Simplified ')} in {_SCRIPTS.get(script, script)} script"


def iso_of(label: str) -> str | None:
    """A label as FLORES, OpenLID and others write it, `eng_Latn`: codes of ISO 639-3 and ISO 15924, and of the country
    where the label has one. None where it is no label of a language that Budgie has a name for.
    """
    if label == _MACROLANGUAGE:
        return f"{label}_Latn"
    if find(label) != label:
        return None
    code, _, mark = label.partition("-")
    if label not in known():
        return f"{known()[code].iso}_{mark}"
    country = f"_{mark}" if mark.isupper() else ""
    return f"{known()[label].iso}_{known()[label].script}{country}"


def find(name: str) -> str | None:
    """The label of a language by any of its names; None where nobody knows it.

    A script that is not the usual one stays: `sr-Latn`, `zh-Hant`; a country does not, but for Chinese.
    """
    if not isinstance(name, str):
        raise TypeError(f"a language must be given by its name, not as {name!r}")
    words = _words(name)
    for count in range(_MOST_WORDS, 0, -1):
        if label := _names().get(" ".join(words[:count])):
            return _written(label, words[count:])
    return None


def _words(name: str) -> list[str]:
    """The words of a name in lower case, with codes for places behind all else."""
    if locale := _LOCALE.fullmatch(name.strip()):
        name = f"{locale[1]} {locale[2] or ''}".removesuffix(" euro")  # a modifier of old, which says nothing here
    whole = _plain(name)
    if whole in _names():
        return whole.split()
    for place in sorted(_PLACES, key=len, reverse=True):
        if place in whole:
            whole, found = re.subn(rf"\b{place}\b", " ", whole)
            whole += f" {_PLACES[place]}" * found
    return whole.split()


@cache
def _scripts() -> frozenset[str]:
    """The scripts of all languages that there are names for."""
    return frozenset({script for _, _, script, _ in _rows()} | {script for pair in _PART_OF for script in pair})


def _written(label: str, rest: list[str]) -> str | None:
    """The label of a language whose script and country are in these words; None where they are anything else."""
    scripts = [code for part in rest if (code := _SCRIPT_WORDS.get(part, part).title()) in _scripts()]
    countries = [part.upper() for part in rest if len(part) == 2 or part.isdigit()]
    if len(scripts) + len(countries) < len(rest):
        return None
    if label == "zh" and (scripts == ["Hant"] or (not scripts and set(countries) & set(_TRADITIONAL))):
        return "zh-Hant"
    usual = known()[label].script
    if not scripts or scripts[0] == usual or (scripts[0], usual) in _PART_OF:
        return label
    return f"{label}-{scripts[0]}"


def choose(name: str, among: Collection[str], what: str) -> str:
    """The one of several labels that a name means; `what` has them, perhaps as macrolanguages."""
    if name in among:
        return name
    label = find(name)
    if label in among:
        return str(label)
    several = _SEVERAL.get(name.lower())
    if several and _MACROLANGUAGE in among:
        return _MACROLANGUAGE
    if label is not None:
        said = "" if label == name else f", which is {label}"
        if label in _MEMBERS and _MACROLANGUAGE in among:
            raise ConfigError(f"{name!r} counts as {_MEMBERS[label]} here: macrolanguages were asked for")
        raise ConfigError(f"{what} does not know the language {name!r}{said}; it knows {_listed(among)}")
    near = _nearest(name, among)
    hint = f"did you mean {near}?" if near else f"it knows {_listed(among)}"
    if name.lower() in _TO_BE_FOUND:
        hint = "leave it out, and the language is found"
    if several:
        hint = f'it is {several}, which languages="macro" takes for one'
    raise ConfigError(f"{what} does not know the language {name!r}; {hint}")


def meant(name: str) -> str:
    """A question for people who wrote a name that nobody knows; empty where it cannot be told what they meant."""
    if name.lower() in _TO_BE_FOUND:
        return "`budgie annotate` finds the language by itself"
    near = None if find(name) else _nearest(name, known())
    return f"did you mean {near}?" if near else ""


def _nearest(name: str, among: Collection[str]) -> str | None:
    if (label := _COUNTRIES.get(name.lower())) in among:
        return label
    names = (one for one, label in _names().items() if label in among and len(one) > _LONGEST_CODE)
    return next(iter(difflib.get_close_matches(name.lower(), [*among, *names], 1, 0.6)), None)


def _listed(labels: Collection[str]) -> str:
    return " ".join(sorted(labels))
