# SPDX-License-Identifier: Apache-2.0
"""A node parser for LlamaIndex: nodes in any language that end at sentences, with their places in the text.

BudgieNodeParser(limit=1000, overlap=100).get_nodes_from_documents(documents)
"""

from collections.abc import Callable, Sequence
from typing import Any

from llama_index.core.node_parser import NodeParser
from llama_index.core.node_parser.node_utils import build_nodes_from_splits
from llama_index.core.schema import BaseNode
from pydantic import Field

import budgie


class BudgieNodeParser(NodeParser):
    """Makes a node of each chunk; lengths are characters, or what `length` says."""

    limit: int = 1000
    overlap: int = 0
    language: str | None = None  # None: that of each part of a text
    length: Callable[[str], int] | None = Field(default=None, exclude=True)

    def _parse_nodes(self, nodes: Sequence[BaseNode], show_progress: bool = False, **_: Any) -> list[BaseNode]:
        return [part for node in nodes for part in self._parts(node)]

    def _parts(self, node: BaseNode) -> list[BaseNode]:
        found = budgie.chunks(node.get_content(), self.limit, self.language, length=self.length, overlap=self.overlap)
        parts = build_nodes_from_splits([chunk.text for chunk in found], node, id_func=self.id_func)
        for part, chunk in zip(parts, found, strict=True):
            part.start_char_idx, part.end_char_idx = chunk.start, chunk.end
        return [part for part in parts if part.get_content().strip()]

    def _postprocess_parsed_nodes(self, nodes: list[BaseNode], parents: dict[str, Any]) -> list[BaseNode]:
        places = {node.node_id: (node.start_char_idx, node.end_char_idx) for node in nodes}
        for node in super()._postprocess_parsed_nodes(nodes, parents):  # it looks for their texts, which may be twice
            node.start_char_idx, node.end_char_idx = places[node.node_id]
        return nodes
