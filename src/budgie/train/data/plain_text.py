# SPDX-License-Identifier: Apache-2.0
"""Plain text that teachers of taggers label, language by language: whose it is, and where. All of it is free.

Of the language identifier's text these are the sources with sentences, but for treebanks, which have test sets; and
there is a collection of more, `raw`, for some languages.
"""

from __future__ import annotations

from pathlib import Path

from budgie.train.data.datasets import DATASETS, find

_HELP, _VOICE, _NOVELS = "LibreOffice help (MPL-2.0)", "Common Voice (CC0-1.0)", "ELTeC novels (CC-BY-4.0)"
_PARLIAMENT, _MDN = "proceedings of the European Parliament (reuse authorised, © European Union)", "MDN (CC-BY-SA-2.5)"
_MICROSOFT, _STATUTES = "Microsoft documentation (CC-BY-4.0)", "statutes (not copyrightable)"

# What `raw` has of a language. That of fa has news which nobody has given away.
RAW_TEXT = {
    "da": (_HELP, _MICROSOFT, "ADL (public domain)", _STATUTES, _VOICE),
    "de": (_NOVELS, "GerDraCor (CC0-1.0)", _HELP, _STATUTES, _PARLIAMENT, _VOICE),
    "el": (_VOICE, _NOVELS, _HELP, "GIMP help (GFDL-1.2)", "manual pages (free licences)", _MICROSOFT, _STATUTES, _MDN),
    "en": (_VOICE, _NOVELS, _HELP, _PARLIAMENT),
    "fi": (
        _HELP,
        "Turku paraphrase corpus (CC-BY-SA-4.0)",
        _MICROSOFT,
        "Annif corpora (CC-BY-4.0)",
        "Finlex (CC-BY-4.0)",
        _VOICE,
    ),
    "fr": (_NOVELS, _HELP, _MDN, _STATUTES, _PARLIAMENT, _VOICE),
    "id": (_MICROSOFT, _HELP, "manual pages (free licences)", _STATUTES, _VOICE, _MDN),
    "it": (_VOICE, _NOVELS, _HELP, _PARLIAMENT),
    "ko": (_HELP, _MDN, _VOICE),
    "no": (_VOICE, _STATUTES),
    "pt": (_NOVELS, _HELP, _MDN, _VOICE),
    "sv": (_VOICE, _NOVELS, "SweDraCor (CC0-1.0)", _HELP, _MICROSOFT, _STATUTES, "Finlex (CC-BY-4.0)"),
    "tr": (_MDN, _HELP, _VOICE),
}
_RAW_NAMES = {"no": "nb"}  # labels that the folder has another name for

# Of the language identifier's text: names of its sources.
SOURCES = {
    "af": "commonvoice govza storybooks tatoeba",
    "be": "commonvoice tatoeba",
    "ca": "commonvoice debian_handbook tatoeba",
    "cs": "commonvoice ebible tatoeba",
    "cy": "commonvoice tatoeba",
    "da": "commonvoice ebible libreoffice_help storybooks tatoeba",
    "de": "commonvoice ebible storybooks tatoeba",
    "el": "commonvoice storybooks tatoeba",
    "en": "commonvoice govza oldi_seed storybooks tatoeba",
    "es": "commonvoice ebible oldi_seed storybooks tatoeba tico19",
    "fa": "commonvoice storybooks tatoeba tico19",
    "fi": "commonvoice tatoeba",
    "fr": "commonvoice storybooks tatoeba tico19",
    "ga": "commonvoice tatoeba",
    "gl": "commonvoice libreoffice_help nos_gl tatoeba",
    "he": "commonvoice ebible tatoeba",
    "hr": "commonvoice ebible tatoeba",
    "hy": "bible_cc0 tatoeba",
    "id": "commonvoice debian_handbook ebible libreoffice_help tatoeba tico19",
    "is": "commonvoice ebible tatoeba",
    "it": "commonvoice ebible oldi_seed storybooks tatoeba",
    "ja": "commonvoice ebible storybooks tatoeba",
    "ka": "commonvoice tatoeba",
    "ko": "commonvoice storybooks tatoeba",
    "lt": "commonvoice ebible storybooks tatoeba",
    "lv": "bible_cc0 commonvoice tatoeba",
    "mt": "commonvoice tatoeba",
    "nl": "commonvoice debian_handbook storybooks tatoeba",
    "nn": "commonvoice gimp_help storybooks tatoeba",
    "no": "commonvoice debian_handbook ebible storybooks tatoeba",
    "pl": "commonvoice ebible storybooks tatoeba",
    "pt": "commonvoice ebible storybooks tatoeba",
    "ro": "commonvoice ebible storybooks tatoeba",
    "ru": "commonvoice storybooks tatoeba tico19",
    "sk": "commonvoice",
    "sl": "commonvoice tatoeba",
    "sr": "commonvoice ebible tatoeba",
    "sv": "commonvoice debian_handbook storybooks tatoeba",
    "th": "commonvoice tatoeba",
    "tr": "commonvoice storybooks tatoeba",
    "uk": "bible_cc0 commonvoice ebible storybooks tatoeba",
    "vi": "commonvoice storybooks tatoeba",
    "zh": "commonvoice ebible storybooks tatoeba tico19",
    "zh-Hant": "commonvoice tatoeba",
}

# Pretrained networks that have labelled that text for the embedded tagger of a language.
TEACHERS = {"en": "all-MiniLM-L6-v2 (Apache-2.0)"}

# English articles, which the data for preorderers has.
_ARTICLES = "preorder/enja-kyoto-auto"


def plain_text_files(language: str) -> list[Path]:
    """The smallest first."""
    folders = [find(name) for name in ("langid/train", "langid/train_extra")]
    places = [folder / source for folder in folders for source in SOURCES.get(language, "").split()]
    found = [place / f"{language}.txt.xz" for place in places]
    if language in RAW_TEXT:
        found.append(find("raw") / f"{_RAW_NAMES.get(language, language)}.txt.xz")
    if language == "en":
        found.append(find(_ARTICLES) / "train.src.xz")
    return sorted((file for file in found if file.exists()), key=lambda file: file.stat().st_size)


def plain_text_sources(language: str) -> tuple[str, ...]:
    """Names with licences, as models carry them."""
    named = [f"{source} ({DATASETS[source].licence})" for source in SOURCES.get(language, "").split()]
    if language == "en":
        named.append(f"Wikipedia's Kyoto Articles (NICT) ({DATASETS[_ARTICLES].licence})")
    return tuple(dict.fromkeys((*RAW_TEXT.get(language, ()), *named)))
