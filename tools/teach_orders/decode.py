# SPDX-License-Identifier: Apache-2.0
"""From what the network says of pairs of words to an order of all: by exchanges of neighbouring blocks."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, groupby

import torch
from torch import Tensor

ARTICLES = {"a", "an", "the"}
_ROOM = 2**26  # numbers of a tensor


def decode(tables: Tensor, lengths: Tensor, pairs_weight: float) -> list[list[int]]:
    """Orders of sentences by tables [sentences, 2, words + 1, words + 1] as in targets.py.

    They are to have the highest sum over neighbours, plus the mean over words of the sum over all pairs, weighted.
    """
    weights = torch.stack([pairs_weight / lengths, torch.ones_like(lengths, dtype=torch.float)], 1)
    at_once = max(1, _ROOM // (2 * (tables.shape[2] + 1) ** 3))
    orders: list[list[int]] = []
    for start in range(0, len(tables), at_once):
        part = slice(start, start + at_once)
        found = _decode(tables[part].float() * weights[part, :, None, None], lengths[part])
        orders += [row[:length] for row, length in zip(found.tolist(), lengths[part].tolist(), strict=True)]
    return orders


def _decode(tables: Tensor, lengths: Tensor) -> Tensor:
    """Two starts, the better end."""
    words = tables.shape[2] - 1
    source = torch.arange(words, device=tables.device).expand(len(tables), -1)
    outside = source >= lengths[:, None]
    wins = (tables[:, 0, 1:, 1:] * ~outside[:, None]).sum(2) - outside * torch.finfo().max
    starts = torch.stack([wins.argsort(dim=1, descending=True, stable=True), source], 1)
    # an edge before the words, and in the place of all that is behind them
    paths = torch.nn.functional.pad((starts + 1) * ~outside[:, None], (1, 1)).flatten(0, 1)
    twice = tables.repeat_interleave(2, 0)
    _climb(paths, twice, lengths.repeat_interleave(2))
    before, follow = (_along(paths, twice[:, half]) for half in (0, 1))
    scores = follow.diagonal(1, 1, 2).sum(1) + before.triu(1).sum((1, 2))
    best = scores.view(-1, 2).argmax(1)
    return paths.view(-1, 2, words + 2)[torch.arange(len(best), device=best.device), best, 1:] - 1


def _along(paths: Tensor, table: Tensor) -> Tensor:
    """The table of words as one of places: rows and columns in the order of a path."""
    rows = table.gather(1, paths[:, :, None].expand(-1, -1, table.shape[2]))
    return rows.gather(2, paths[:, None].expand(-1, paths.shape[1], -1))


def _climb(paths: Tensor, tables: Tensor, lengths: Tensor) -> None:
    """Exchange blocks in the paths, which are changed, until no exchange helps."""
    places = torch.arange(paths.shape[1], device=paths.device)
    active = torch.arange(len(paths), device=paths.device)
    for _ in range(4 * paths.shape[1] + 20):  # rounding could make it go in circles
        path = paths[active]
        gain, exchange = _best(path, tables[active], lengths[active], places)
        helps = gain > 1e-5
        active, path = active[helps], path[helps]
        if not len(active):
            return
        a, b, c = (one[helps, None] for one in exchange)
        behind = (places >= a + c - b) & (places < c)
        origin = torch.where((places >= a) & (places < a + c - b), places + b - a, places)
        paths[active] = path.gather(1, torch.where(behind, places - c + b, origin))


def _best(path: Tensor, tables: Tensor, lengths: Tensor, places: Tensor) -> tuple[Tensor, tuple[Tensor, ...]]:
    """The best exchange of blocks of places [a, b) and [b, c), and what it gains."""
    never, size = -torch.finfo().max / 4, len(places)
    descending = places[:, None] >= places
    before, follow = (_along(path, tables[:, half]) for half in (0, 1))
    gained = before.mT - before
    sums = torch.nn.functional.pad(gained.cumsum(1).cumsum(2), (1, 0, 1, 0))[:, :-1, :-1]
    after = torch.nn.functional.pad(follow, (0, 0, 1, 0))[:, :-1]  # [b, c]: what it is to go from place b - 1 to c
    lost = after.diagonal(0, 1, 2)
    # All terms are of two of the three boundaries: the pairs that change, the neighbours that come, those that go.
    a_b = after + sums - lost[:, :, None] - lost[:, None] - sums.diagonal(0, 1, 2)[:, None]
    b_c = (after + sums).masked_fill(descending | (places > lengths[:, None, None] + 1), never)
    a_c = after.mT - sums - lost[:, None]
    a_b = a_b.masked_fill(descending | (places[:, None] == 0), never)  # the edge stays
    total = a_b[:, :, :, None] + b_c[:, None] + a_c[:, :, None]
    gain, number = total.flatten(1).max(1)
    return gain, (number // size**2, number // size % size, number % size)


def regular(order: Sequence[int], words: Sequence[str], spans: Sequence[tuple[int, int] | None]) -> list[int]:
    """The order with articles before the next word, and neighbours with the same first and last link in source order.

    Japanese has no articles and says nothing of their place; nor does any score of the order of tied words.
    """
    kept = [number for number in order if words[number].lower() not in ARTICLES]
    tied = groupby(kept, key=lambda number: spans[number] or number)
    before: dict[int, list[int]] = {}
    waiting: list[int] = []
    for number, word in enumerate(words):
        waiting.append(number)
        if word.lower() not in ARTICLES:
            before[number], waiting = waiting, []
    return [*chain.from_iterable(before[number] for _, run in tied for number in sorted(run)), *waiting]
