# SPDX-License-Identifier: Apache-2.0
"""Budgie inside of spaCy: a tokenizer for any language, and a tagger; spaCy finds them by entry points."""

from __future__ import annotations

from budgie.errors import MissingExtra

try:
    from spacy import blank
    from spacy.language import Language
    from spacy.util import get_lang_class
except ImportError:
    raise MissingExtra("budgie.spacy needs a package: pip install 'budgie-nlp[spacy]', or spacy") from None

from budgie import coverage
from budgie.spacy.tokenizer import ANY_LANGUAGE, label_of

__all__ = ["load"]

_NAMES = {"no": "nb", "fil": "tl", "ku": "kmr"}  # where spaCy calls a language otherwise


def load(language: str = ANY_LANGUAGE) -> Language:
    """A pipeline for a language, by any of its names: Budgie's tokenizer, and its tagger where there is one.

    That of any language, `xx`, cuts each part of a text as its own language is, and tags nothing.
    """
    if language == ANY_LANGUAGE:
        return blank(ANY_LANGUAGE, config={"nlp": {"tokenizer": {"@tokenizers": "budgie.Tokenizer.v1"}}})
    label = label_of(language)
    nlp = blank(_class(label), config={"nlp": {"tokenizer": {"@tokenizers": "budgie.Tokenizer.v1", "language": label}}})
    if coverage.of(label).tagger:
        nlp.add_pipe("budgie_tagger")
    return nlp


def _class(label: str) -> str:
    language, *_ = label.split("-")  # spaCy knows no scripts
    code = _NAMES.get(language, language)
    try:
        get_lang_class(code)
    except ImportError:
        return ANY_LANGUAGE
    return code
