# SPDX-License-Identifier: Apache-2.0
"""The component `budgie_tagger`: parts of speech of the words that any tokenizer has found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain

from spacy.language import Language
from spacy.parts_of_speech import IDS
from spacy.tokens import Doc
from spacy.util import minibatch

import budgie
from budgie import coverage
from budgie.errors import ConfigError
from budgie.formats.segmented import is_blank
from budgie.languages import find
from budgie.spacy.own_model import OwnModel


class Tagger(OwnModel):
    """Sets `token.pos_`, sentence by sentence where sentences are known.

    A token that stands for several words has the tag of the first of them, and white space is SPACE. Tags of a model of
    one's own that are not universal become `token.tag_`.
    """

    @cached_property
    def tagger(self) -> budgie.Tagger:
        """Made when it is first used, as its model is."""
        return budgie.Tagger(self.file)

    def __call__(self, doc: Doc) -> Doc:
        """Tag one document."""
        self._tag([doc])
        return doc

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:
        """Tag many documents, `batch_size` at a time."""
        for docs in minibatch(stream, batch_size):
            self._tag(docs)
            yield from docs

    def _tag(self, docs: Sequence[Doc]) -> None:
        # Lists of str and int, not of tokens: Python's garbage collector would look at each of these again and again.
        # Likewise token._.words is read where spaCy keeps it, since that costs a tenth.
        sentences: list[list[str]] = []
        counts: list[int] = []  # words of each token, none of white space
        for doc in docs:
            for part in doc.sents if doc.has_annotation("SENT_START") else [doc]:
                words: list[str] = []
                for token in part:
                    before = len(words)
                    if not is_blank(token.text):
                        words += doc.user_data.get(("._.", "words", token.idx, None)) or (token.text,)
                    counts.append(len(words) - before)
                sentences.append(words)
        tags = list(chain.from_iterable(self.tagger.tag_batch(sentences)))
        attribute = "pos_" if IDS.keys() >= set(self.tagger.tags) else "tag_"
        first = 0
        for token, count in zip(chain.from_iterable(docs), counts, strict=True):
            if count:
                setattr(token, attribute, tags[first])
            else:
                token.pos_ = "SPACE"
            first += count


def create_tagger(nlp: Language, name: str, language: str | None, model: str | None) -> Tagger:
    """What spaCy makes the component with; the language is that of the tokenizer or the pipeline, if none is named."""
    chosen = language or getattr(nlp.tokenizer, "language", None) or nlp.lang
    found = model or coverage.of(find(chosen) or chosen).tagger
    if found is None:
        known = " ".join(one.removeprefix("pos-") for one in budgie.models() if one.startswith("pos-"))
        raise ConfigError(f"no tagger for {chosen!r} comes with Budgie; there are {known}; model= takes a model file")
    return Tagger(found, own=model is not None)


Language.factory(
    "budgie_tagger",
    assigns=["token.pos"],
    default_config={"language": None, "model": None},
    func=create_tagger,
)
