# SPDX-License-Identifier: Apache-2.0
"""The tokenizer `budgie.Tokenizer.v1`: tokens and sentences of raw text in any language."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc, Token
from spacy.vocab import Vocab

import budgie
from budgie import coverage
from budgie.languages import choose, find, known
from budgie.spacy.own_model import OwnModel

ANY_LANGUAGE = "xx"  # spaCy's class for text of any language
Part = tuple[int, int, tuple[str, ...]]  # start and end of what is to be a token, and its words where it has several

if not Token.has_extension("words"):
    Token.set_extension("words", default=())


class Tokenizer(OwnModel):
    """Makes a document of a text: its tokens, and where its sentences begin.

    Where a token stands for several words, and these are its parts (`did` and `n't`), they are tokens. Other tokens
    that stand for several words (French `du`) have them in `token._.words`.
    """

    def __init__(
        self, vocab: Vocab, language: str | None, model: str | None, standard: str | None, dictionary: Sequence[str]
    ) -> None:
        covered = coverage.of(language or coverage.NO_LANGUAGE)
        super().__init__(model or covered.segmenter or "tokens", own=model is not None)
        self.vocab = vocab
        self.language = language  # None: that of each part of a text
        self.standard = standard or (covered.tokens if self.file_name == "tokens" else None)
        self.dictionary = tuple(dictionary)
        self.as_it_comes = not (model or standard or dictionary)

    @cached_property
    def pipeline(self) -> budgie.Pipeline:
        """What finds sentences, and their tokens as they come."""
        return budgie.Pipeline(tasks=("sentences", "tokens"))

    @cached_property
    def segmenter(self) -> budgie.Segmenter:
        """What finds tokens as the user wants them."""
        return budgie.Segmenter(self.file, self.dictionary, self.standard)

    def __call__(self, text: str) -> Doc:
        """The document of a text."""
        words: list[str] = []
        spaces: list[bool] = []  # whether a space follows
        starts: list[bool] = []  # whether a sentence begins
        several: dict[int, tuple[str, ...]] = {}  # the words of a token that stands for several
        here = 0  # the end of what is in these lists

        def put_blank(end: int) -> None:
            """White space that is not the one space behind a token is a token itself, as spaCy has it."""
            words.append(text[here:end])
            spaces.append(False)
            starts.append(not starts)

        parts, begins = self._find(text)
        for start, end, inside in parts:
            if here < start:
                put_blank(start)
            if inside:
                several[len(words)] = inside
            space = text.startswith(" ", end)
            words.append(text[start:end])
            spaces.append(space)
            starts.append(not starts or start in begins)
            here = end + space
        if here < len(text):
            put_blank(len(text))
        doc = Doc(self.vocab, words, spaces, sent_starts=starts)
        for number, inside in several.items():
            doc[number]._.words = inside
        return doc

    def pipe(self, texts: Iterable[str], **_: Any) -> Iterator[Doc]:
        """The document of each text."""
        return map(self, texts)

    def _find(self, text: str) -> tuple[list[Part], set[int]]:
        """The tokens, and where sentences begin, but for the first."""
        if not self.as_it_comes and self.segmenter.finds_sentences:
            found = self.segmenter.sentences(text)
            return [(*span, ()) for spans in found for span in spans], {spans[0].start for spans in found[1:]}
        sentences = self.pipeline.annotate(text, self.language).sentences
        begins = {sentence.start for sentence in sentences[1:]}
        if not self.as_it_comes:
            return [(start, end, ()) for start, end in self.segmenter.spans(text)], begins
        parts: list[Part] = []
        for sentence in sentences:
            for token in sentence.tokens:
                if token.words:
                    parts += _parts(token)
                else:
                    parts.append((token.start, token.end, ()))
        return parts, begins


def _parts(token: budgie.Token) -> Iterable[Part]:
    """The words of a token where they are its parts, else the token with its words."""
    words = tuple(word.text for word in token.words)
    if "".join(words) != token.text:
        return [(token.start, token.end, words)]
    return [(start, end, ()) for start, end in pairwise(accumulate(map(len, words), initial=token.start))]


def label_of(language: str) -> str:
    """The label of a language by any of its names."""
    return find(language) or choose(language, {*known(), coverage.NO_LANGUAGE}, "Budgie")


def create_tokenizer(
    language: str | None = None,
    model: str | None = None,
    standard: str | None = None,
    dictionary: list[str] | None = None,
) -> Callable[[Language], Tokenizer]:
    """What spaCy makes the tokenizer of a pipeline with; the language is that of the pipeline, if none is named."""

    def create(nlp: Language) -> Tokenizer:
        return Tokenizer(nlp.vocab, _chosen(language, nlp.lang), model, standard, dictionary or ())

    return create


def _chosen(language: str | None, code: str) -> str | None:
    """The label of a language that is named, or else of a code of spaCy's, which may be none that Budgie knows."""
    if language is not None:
        return label_of(language)
    return None if code == ANY_LANGUAGE else find(code) or coverage.NO_LANGUAGE
