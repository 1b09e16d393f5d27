# SPDX-License-Identifier: Apache-2.0
"""The network: a transformer over the words of both languages, whose attention follows the automatic links.

Heads say of each two source words which comes first and whether the other may be right behind it, and of each source
and target word whether they are linked.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from tools.teach_orders.material import BUCKETS, CHANNELS, LONGEST, SOUND, Batch, Words
from tools.teach_orders.settings import Settings
from torch import Tensor, nn
from torch.nn import functional

REACH = 32  # words further apart than this are alike
_SOURCE, _TARGET = 0, 1


@dataclass
class Output:
    """Scores, before they become probabilities; and the states of the words of each side."""

    tables: Tensor  # [sentences, 2, source words + 1, source words + 1], as in targets.py
    states: list[Tensor]
    links: Tensor | None = None  # [sentences, source words, target words]


class WordEncoder(nn.Module):
    """Features and spellings to vectors; and vectors to guesses of hidden words."""

    def __init__(self, sizes: list[int], widths: tuple[int, ...], settings: Settings) -> None:
        super().__init__()
        self.words, *others = (nn.Embedding(*one) for one in zip(sizes, widths, strict=True))
        self.columns = nn.ModuleList([self.words, *others])
        self.pieces = nn.EmbeddingBag(BUCKETS, settings.word, mode="mean", padding_idx=0)
        self.output = nn.Linear(sum(widths) + settings.word, settings.width)
        self.guess = nn.Linear(settings.width, widths[0])
        self.dropout = nn.Dropout(settings.dropout)
        self.hidden = sizes[0] - 1  # the number that stands for a hidden word

    def forward(self, words: Words) -> Tensor:
        """Vectors [sentences, words, width]."""
        columns = [column(words.features[..., number]) for number, column in enumerate(self.columns)]
        pieces = self.pieces(words.pieces.flatten(0, 1)).view(*words.mask.shape, -1)
        vectors: Tensor = self.output(self.dropout(torch.cat([*columns, pieces], -1)))
        return vectors

    def guesses(self, states: Tensor) -> Tensor:
        """Scores of all words."""
        return functional.linear(self.guess(states), self.words.weight)


class Layer(nn.Module):
    """A transformer layer, normalised before each of its halves."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        width = settings.width
        self.heads = settings.heads
        self.norm_attention, self.norm_hidden = nn.LayerNorm(width), nn.LayerNorm(width)
        self.queries_keys_values, self.attended = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.hidden, self.output = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.dropout = nn.Dropout(settings.dropout)

    def forward(self, x: Tensor, bias: Tensor) -> Tensor:
        """Vectors [sentences, words, width] to vectors; `bias` [sentences, heads, words, words]."""
        heads = self.queries_keys_values(self.norm_attention(x)).unflatten(2, (3, self.heads, -1))
        queries, keys, values = heads.permute(2, 0, 3, 1, 4)
        attended = functional.scaled_dot_product_attention(queries, keys, values, attn_mask=bias.to(queries.dtype))
        x = x + self.dropout(self.attended(attended.transpose(1, 2).flatten(2)))
        hidden = self.dropout(functional.gelu(self.hidden(self.norm_hidden(x))))
        y: Tensor = x + self.dropout(self.output(hidden))
        return y


class Network(nn.Module):
    """The whole network."""

    def __init__(self, settings: Settings, source_sizes: list[int], target_sizes: list[int]) -> None:
        super().__init__()
        width, pair, word = settings.width, settings.pair, settings.word
        self.settings = settings
        self.source = WordEncoder(source_sizes, (word, 32, 64, 16), settings)  # word, tag, cluster, letter case
        self.target = WordEncoder(target_sizes, (word, 32, word), settings)  # word, tag, lemma
        self.position, self.side = nn.Embedding(LONGEST, width), nn.Embedding(2, width)
        self.linked_position, self.linked = nn.Linear(width, width), nn.Linear(SOUND, width)
        self.near = nn.Embedding(2 * (2 * REACH + 1), settings.layers * settings.heads)
        self.link_bias = nn.Linear(CHANNELS, 2 * settings.layers * settings.heads)
        self.layers = nn.ModuleList(Layer(settings) for _ in range(settings.layers))
        self.norm = nn.LayerNorm(width)
        self.link_source, self.link_target = nn.Linear(width, pair), nn.Linear(width, pair)
        self.unlinked, self.link_direct = nn.Linear(width, 1), nn.Linear(CHANNELS, 1)
        self.pair_first, self.pair_second = nn.Linear(width, pair), nn.Linear(width, pair)
        self.pair_places, self.pair_distance = nn.Linear(12, pair, bias=False), nn.Embedding(2 * REACH + 1, pair)
        self.pair_middle, self.pair_output = nn.Linear(pair, pair), nn.Linear(pair, 2)
        self.edges = nn.Linear(width, 2)
        self.dropout = nn.Dropout(settings.dropout)
        for module in self.modules():
            if isinstance(module, nn.Embedding | nn.EmbeddingBag):
                nn.init.normal_(module.weight, std=0.02 if module is self.position else 0.1)
        nn.init.ones_(self.link_bias.weight)  # from the beginning linked words look at each other
        nn.init.ones_(self.link_direct.weight)
        nn.init.constant_(self.link_direct.bias, -3.0)

    def forward(self, batch: Batch) -> Output:
        """Scores of pairs of words and of links."""
        x = self._embed(self.source(batch.source), _SOURCE)
        words, places = x.shape[1], []
        if batch.links is not None and batch.target is not None:
            places = _places(batch.links)
            x = x + self._hints(batch.links, places[0][1])
            x = torch.cat([x, self._embed(self.target(batch.target), _TARGET)], 1)
        x = self.dropout(x)
        for layer, bias in zip(self.layers, self._biases(batch), strict=True):
            x = layer(x, bias)
        x = self.norm(x)
        source, target = x[:, :words], x[:, words:]
        if batch.links is None or batch.target is None:
            return Output(self._tables(source, None), [source])
        links = (self.link_source(source) @ self.link_target(target).mT).float() / math.sqrt(self.settings.pair)
        links = links + self.link_direct(batch.links)[..., 0].float()
        links = links.masked_fill(~batch.target.mask[:, None], -1e4)
        shares = torch.cat([links, self.unlinked(source).float()], -1).softmax(-1)[..., :-1]
        places.append((_mean_place(shares, shares.sum(-1).clamp_min(1e-3)), shares.sum(-1)))
        return Output(self._tables(source, places), [source, target], links)

    def _embed(self, vectors: Tensor, side: int) -> Tensor:
        return vectors + self.position.weight[: vectors.shape[1]] + self.side.weight[side]

    def _hints(self, links: Tensor, known: Tensor) -> Tensor:
        """What the links say of the place of each source word."""
        mean = links[..., :SOUND].mean(-1)
        shares = mean / mean.sum(-1, keepdim=True).clamp_min(1e-6)
        expected = self.linked_position(shares @ self.position.weight[: links.shape[2]])
        hints: Tensor = expected * known[..., None] + self.linked(links[..., :SOUND].amax(2))
        return hints

    def _biases(self, batch: Batch) -> Tensor:
        """Of the attention of all layers: distance within a language, links across, no look at padding."""
        sides = [side for side in (batch.source, batch.target) if side is not None]
        mask = torch.cat([side.mask for side in sides], 1)
        sentences, total = mask.shape
        words, number = batch.source.mask.shape[1], self.near.embedding_dim
        kind = torch.bfloat16 if mask.is_cuda else torch.float32
        bias = torch.zeros(sentences, total, total, number, device=mask.device, dtype=kind)
        for side, part in ((_SOURCE, slice(0, words)), (_TARGET, slice(words, total))):
            near = self.near(_distances(mask[0, part]) + side * (2 * REACH + 1))
            bias[:, part, part] = near.to(kind)
        if batch.links is not None:
            there, back = self.link_bias(batch.links).to(kind).split(number, -1)
            bias[:, :words, words:], bias[:, words:, :words] = there, back.transpose(1, 2)
        bias = bias.masked_fill(~mask[:, None, :, None], -1e4)
        return bias.view(sentences, total, total, self.settings.layers, -1).permute(3, 0, 4, 1, 2).contiguous()

    def _tables(self, source: Tensor, places: list[tuple[Tensor, Tensor]] | None) -> Tensor:
        """Scores of pairs; `places` are what is known of where the words go, and how sure that is."""
        pairs = self.pair_first(source)[:, :, None] + self.pair_second(source)[:, None]
        pairs = pairs + self.pair_distance(_distances(source[0, :, 0]))
        if places is not None:
            features = []
            for place, sure in places:
                step, both = place[:, None] - place[:, :, None], sure[:, None] * sure[:, :, None]
                features += [torch.tanh(step) * both, torch.tanh(step / 5) * both, both]
            pairs = pairs + self.pair_places(torch.stack(features, -1))
        pairs = self.pair_output(self.dropout(functional.gelu(self.pair_middle(functional.gelu(pairs))))).float()
        before, behind = pairs.unbind(-1)
        first, last = self.edges(source).float().unbind(-1)
        behind = torch.cat([functional.pad(first, (1, 0))[:, None], torch.cat([last[:, :, None], behind], 2)], 1)
        return torch.stack(
            [functional.pad(before - before.mT, (1, 0, 1, 0)), behind - 2], 1
        )  # few words are neighbours


def _distances(along: Tensor) -> Tensor:
    """Numbers of the distances of the words of a tensor [words] from each other."""
    at = torch.arange(len(along), device=along.device)
    return (at - at[:, None]).clamp(-REACH, REACH) + REACH


def _places(links: Tensor) -> list[tuple[Tensor, Tensor]]:
    """Mean target positions of source words, and whether there are any: by all links, by forward, by reverse ones."""
    forward, reverse = links[..., 0] + links[..., 2], links[..., 1] + links[..., 3]
    weights = (forward + reverse, forward, reverse)
    return [(_mean_place(one, one.sum(-1).clamp_min(1e-6)), (one.sum(-1) > 0).float()) for one in weights]


def _mean_place(weights: Tensor, total: Tensor) -> Tensor:
    return (weights * torch.arange(weights.shape[-1], device=weights.device)).sum(-1) / total
