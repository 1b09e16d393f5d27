# SPDX-License-Identifier: Apache-2.0
"""The English teacher that has read before: how it reads words, and that it learns to tag."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs the extra `train`")
pytest.importorskip("safetensors")

from safetensors.torch import save_file
from tools.minilm import MiniLM, WordPieces, form, grouped, make_batch
from tools.silver_of_minilm import says, swapped, taught, words_alike

from budgie.clusters.table import ClusterTable
from budgie.formats.sentences import TokenisedSentence
from budgie.train.network.samples import Sample

VOCABULARY = "[PAD] [UNK] [CLS] [SEP] un ##aff ##able naive do n ##t ' - the a bird ##s sing".split()
PIECES = WordPieces(VOCABULARY)


@pytest.mark.parametrize(
    ("word", "pieces"),
    [
        ("unaffable", "un ##aff ##able"),
        ("Naïve", "naive"),
        ("n't", "n ' [UNK]"),  # what is behind a mark begins anew, and no piece begins with t
        ("un-un", "un - un"),
        ("unx", "[UNK]"),
        ("un" * 60, "[UNK]"),
        ("\u0301", "[UNK]"),
    ],
)
def test_pieces(word: str, pieces: str) -> None:
    assert [VOCABULARY[number] for number in PIECES.of(word)] == pieces.split()


def test_form_tells_case() -> None:
    assert form("Bird") != form("bird")
    assert form("Bird")[0] == form("Birds")[0] != form("BIRD")[0]


def test_words_know_their_pieces() -> None:
    batch = make_batch([["the", "unaffable", "bird"], ["birds"]], PIECES)
    assert batch.pieces.shape == (2, 7)
    assert batch.words.tolist() == [[4, 0, 1, 1, 1, 2, 4], [4, 3, 3, 4, 4, 4, 4]]
    assert batch.ends.tolist() == [[1, 1], [2, 4], [5, 5], [8, 9]]


def test_groups_hold_each_sentence_once() -> None:
    sentences = [["the"] * length for length in (5, 1, 30, 2, 5)]
    groups = list(grouped(sentences, PIECES, 20))
    assert sorted(i for group in groups for i in group) == [0, 1, 2, 3, 4]
    assert groups[-1] == [2]  # longer than a group may be, and alone


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Weights at random, under the names of the package."""
    torch.manual_seed(0)
    width = {"word": len(VOCABULARY), "position": 512, "token_type": 2}
    weights = {f"embeddings.{of}_embeddings.weight": torch.randn(rows, 384) * 0.05 for of, rows in width.items()}
    shapes = {"embeddings.LayerNorm": (384,)}
    for i in range(6):
        square = ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense")
        shapes |= {f"encoder.layer.{i}.{part}": (384, 384) for part in square}
        shapes |= {f"encoder.layer.{i}.{part}.LayerNorm": (384,) for part in ("attention.output", "output")}
        shapes |= {f"encoder.layer.{i}.intermediate.dense": (1536, 384), f"encoder.layer.{i}.output.dense": (384, 1536)}
    for name, shape in shapes.items():
        weights[f"{name}.weight"] = torch.ones(shape) if len(shape) == 1 else torch.randn(shape) * 0.05
        weights[f"{name}.bias"] = torch.zeros(shape[0])
    save_file(weights, tmp_path / "model.safetensors")
    (tmp_path / "vocab.txt").write_text("\n".join(VOCABULARY) + "\n", encoding="utf-8")
    return tmp_path


def test_learns_and_answers_in_order(folder: Path) -> None:
    noun, verb = np.array([[1, 0]], np.float32), np.array([[0, 1]], np.float32)
    samples = [Sample(("bird", "sing"), np.concatenate([noun, verb])), Sample(("sing",), verb), Sample(("bird",), noun)]
    network = taught(MiniLM(folder, 2, dropout=0.0), samples * 20, 4, seed=1)
    said = says(network, [("sing", "bird", "sing"), ("bird",)])
    assert said.shape == (4, 2)
    assert said.argmax(1).tolist() == [1, 0, 1, 0]


def test_content_words_are_swapped_within_their_clusters() -> None:
    table = ClusterTable(("bird", "crow", "the", "a", "2nd"), (1, 1, 2, 2, 1), 3)
    alike = words_alike(table)
    assert alike == {"bird": ["bird", "crow"], "crow": ["bird", "crow"], "the": ["the", "a"], "a": ["the", "a"]}
    sentence = TokenisedSentence(("the", "bird", "sings"), ("DET", "NOUN", "VERB"))
    assert {swapped(sentence, alike, Random(seed)) for seed in range(30)} == {sentence.words, ("the", "crow", "sings")}
