# SPDX-License-Identifier: Apache-2.0
"""Budgie inside of LangChain and LlamaIndex, by examples/: `make test-integrations` runs these tests."""

from __future__ import annotations

from typing import Any

import pytest
from examples import load

import budgie

TEXTS = [
    "我们昨天看了两部电影。第一部很好看。小猫在窗台上睡觉，一点儿也不在乎外面下着的大雨。\n",
    "東京に行きました。とても楽しかったけれど、少し疲れました。",
    "ภาษาไทยง่ายมาก วันนี้อากาศดีและเราไปโรงเรียน",
    "Yes.  Yes.  Yes. No. Yes.  Nobody knows.  " * 3,
]
LANGUAGES = ["zh", "ja", "th", "en"]


def in_bytes(text: str) -> int:
    return len(text.encode())


@pytest.mark.parametrize("settings", [{"chunk_overlap": 0}, {"chunk_overlap": 12}, {"length_function": in_bytes}])
def test_langchain(settings: dict[str, Any]) -> None:
    make = load("langchain_splitter.py", "langchain_text_splitters")["BudgieTextSplitter"]
    splitter = make(chunk_size=30, **{"chunk_overlap": 0, **settings})
    measure = settings.get("length_function", len)
    documents = splitter.create_documents(TEXTS, [{"number": number} for number in range(len(TEXTS))])
    for number, text in enumerate(TEXTS):
        found = [document for document in documents if document.metadata["number"] == number]
        assert [document.page_content for document in found] == splitter.split_text(text)
        for document in found:
            start = document.metadata["start_index"]
            assert text[start : start + len(document.page_content)] == document.page_content
            assert measure(document.page_content) <= 30
            assert document.page_content == document.page_content.strip() != ""
        assert {document.metadata["language"] for document in found} == {LANGUAGES[number]}
    split = splitter.split_documents(documents[:1])
    assert [document.metadata["number"] for document in split] == [0]
    whole = make(chunk_size=30, chunk_overlap=0, strip_whitespace=False, language="zh")
    assert "".join(whole.split_text(TEXTS[0])) == TEXTS[0]


@pytest.mark.parametrize("settings", [{}, {"overlap": 12}, {"length": in_bytes}])
def test_llama_index(settings: dict[str, Any]) -> None:
    make = load("llama_index_parser.py", "llama_index.core")["BudgieNodeParser"]
    from llama_index.core import Document

    documents = [Document(text=text, metadata={"file": number}) for number, text in enumerate(TEXTS)]
    nodes = make(limit=30, **settings).get_nodes_from_documents(documents)
    for number, text in enumerate(TEXTS):
        found = [node for node in nodes if node.metadata["file"] == number]
        expected = budgie.chunks(text, 30, **settings)
        assert [node.text for node in found] == [chunk.text for chunk in expected]
        assert [(node.start_char_idx, node.end_char_idx) for node in found] == [one[1:3] for one in expected]
        assert [node.prev_node.node_id for node in found[1:]] == [node.node_id for node in found[:-1]]
    assert make(limit=30, language="zh")([Document(text=" \n")]) == []
