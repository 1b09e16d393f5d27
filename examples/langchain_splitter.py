# SPDX-License-Identifier: Apache-2.0
"""A splitter for LangChain: chunks in any language that end at sentences, with their places and languages.

BudgieTextSplitter(chunk_size=1000, chunk_overlap=100).create_documents(texts)
"""

from collections.abc import Iterator
from typing import Any

from langchain_core.documents import Document
from langchain_text_splitters import TextSplitter

import budgie


class BudgieTextSplitter(TextSplitter):
    """Takes the settings of LangChain's splitters, and a language where that of all texts is known."""

    def __init__(self, language: str | None = None, **settings: Any) -> None:
        super().__init__(**settings)
        self._language = language

    def _chunks(self, text: str) -> Iterator[budgie.Chunk]:
        settings = {"length": self._length_function, "overlap": self._chunk_overlap}
        for chunk in budgie.chunks(text, self._chunk_size, self._language, **settings):
            if words := chunk.text.strip():
                start = chunk.start + chunk.text.index(words)
                yield chunk._replace(text=words, start=start) if self._strip_whitespace else chunk

    def split_text(self, text: str) -> list[str]:
        """The texts of the chunks."""
        return [chunk.text for chunk in self._chunks(text)]

    def create_documents(self, texts: list[str], metadatas: list[dict[Any, Any]] | None = None) -> list[Document]:
        """A document for each chunk, with `start_index` and `language`."""
        pairs = zip(texts, metadatas or [{}] * len(texts), strict=True)
        found = ((chunk, metadata) for text, metadata in pairs for chunk in self._chunks(text))
        return [Document(one.text, metadata={**more, "start_index": one.start, "language": one.language})
                for one, more in found]  # fmt: skip
