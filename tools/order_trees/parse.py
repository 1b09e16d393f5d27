# SPDX-License-Identifier: Apache-2.0
"""Dependency trees of tokenised English, in the Python of spaCy: lines of words in, JSON lines out.

xzcat text.src.xz | spacy/bin/python tools/order_trees/parse.py > text.trees.jsonl
"""

from __future__ import annotations

import itertools
import json
import sys
from collections.abc import Iterator
from typing import Any

import spacy
from spacy.tokens import Doc

MODEL = "en_core_web_sm"
LONGEST = 150  # words of a line; longer ones are left out
AT_ONCE = 256
AS_TYPED = {"``": '"', "''": '"', "-LRB-": "(", "-RRB-": ")"}


def main() -> None:
    """Parse standard input; `parse.py MODEL` takes another model than the small one."""
    language = spacy.load(sys.argv[1] if len(sys.argv) > 1 else MODEL, disable=["ner", "lemmatizer"])
    lines = (line.split() for line in sys.stdin)
    kept = (words for words in lines if 0 < len(words) <= LONGEST)
    while some := list(itertools.islice(kept, AT_ONCE)):
        for words, document in zip(some, _parsed(language, some), strict=True):
            print(json.dumps({"words": words, **_tree(document)}, ensure_ascii=False, separators=(",", ":")))


def _parsed(language: Any, some: list[list[str]]) -> Iterator[Doc]:
    documents = (Doc(language.vocab, words=[AS_TYPED.get(word, word) for word in words]) for words in some)
    return iter(language.pipe(documents))


def _tree(document: Doc) -> dict[str, list[Any]]:
    return {
        "heads": [-1 if word.head.i == word.i else word.head.i for word in document],
        "relations": [word.dep_ for word in document],
        "tags": [word.tag_ for word in document],
    }


if __name__ == "__main__":
    main()
