# SPDX-License-Identifier: Apache-2.0
"""The teacher's network: letters to words, words to sentences, sentences to tags; and one way to train it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from budgie.train.teacher.text import CODE_BASE, LONGEST_COMPOUND, UNKNOWN, TeacherLexicon


@dataclass(frozen=True)
class Shape:
    """Sizes of the network."""

    width: int = 384
    layers: int = 6
    heads: int = 6
    letter: int = 48  # dimensions of a letter
    filters: int = 512  # over letters
    window: int = 5  # letters a filter sees
    pairs: int = 0  # rows for hashed pairs of neighbouring words: characters alone say little of the words they make
    pair: int = 128  # dimensions of a pair


class WordEncoder(nn.Module):
    """A word is what its letters say, plus a vector of its own where it is frequent."""

    def __init__(self, shape: Shape, lexicon: TeacherLexicon, dropout: float, forget: float) -> None:
        super().__init__()
        self.shape, self.forget = shape, forget
        self.register_buffer("spellings", lexicon.spellings(), persistent=False)
        self.register_buffer("frequencies", lexicon.frequencies(), persistent=False)
        self.letters = nn.Embedding(len(lexicon.letters) + 5, shape.letter, padding_idx=0)
        self.filters = nn.Linear(shape.window * shape.letter, shape.filters)
        self.spelled = nn.Linear(shape.filters, shape.width)
        self.own = nn.Embedding(len(lexicon.frequent) + 1, shape.width)
        nn.init.normal_(self.own.weight, std=shape.width**-0.5)
        if shape.pairs:
            self.register_buffer("hashes", lexicon.hashes(), persistent=False)
            self.pairs = nn.Embedding(shape.pairs, shape.pair)
            self.paired = nn.Linear(2 * shape.pair, shape.width, bias=False)
        self.compounds = Compounds(lexicon, shape.width) if lexicon.compounds else None
        self.norm = nn.LayerNorm(shape.width)
        self.dropout = nn.Dropout(dropout)

    def forward(self, words: Tensor, sentences: Tensor) -> Tensor:
        """Numbers of words, and which sentences they are of [rows, words], to vectors [rows, words, width]."""
        letters = self.letters(self.get_buffer("spellings")[words].int())
        if letters.is_cuda:
            letters = letters.bfloat16()  # before it is copied once for each letter of the window
        # a convolution as a matrix product: each letter beside its neighbours
        reach = self.shape.window // 2
        padded = functional.pad(letters, (0, 0, reach, reach))
        windows = torch.cat([padded[:, :, i : i + letters.shape[2]] for i in range(self.shape.window)], -1)
        spelled = self.spelled(functional.gelu(self.filters(windows).max(2).values))
        frequent = self.get_buffer("frequencies")[words]
        if self.training:  # else the letters of frequent words would never be read
            frequent = frequent.where(torch.rand_like(frequent, dtype=torch.float) >= self.forget, UNKNOWN)
        vectors = spelled + self.own(frequent)
        if self.shape.pairs:
            vectors = vectors + self.paired(self._pairs(words, sentences))
        if self.compounds is not None:
            vectors = vectors + self.compounds(words)
        normed: Tensor = self.dropout(self.norm(vectors))
        return normed

    def _pairs(self, words: Tensor, sentences: Tensor) -> Tensor:
        """The vectors of the pairs that a word makes with the one before it and the one behind it in its sentence."""
        hashes = self.get_buffer("hashes")[words]  # not their numbers, which are others in each lexicon
        mixed = hashes[:, :-1] * 1_000_003 + hashes[:, 1:]
        together = (sentences[:, :-1] == sentences[:, 1:]).unsqueeze(2)
        pairs = functional.pad(self.pairs(mixed % self.shape.pairs) * together, (0, 0, 1, 1))
        if self.training:
            kept = torch.rand(pairs.shape[:2], device=pairs.device) >= self.forget
            pairs = pairs * kept.unsqueeze(2)
        return torch.cat([pairs[:, :-1], pairs[:, 1:]], 2)


class Compounds(nn.Module):
    """Which compounds of a list begin at a word, end before it, or go over that boundary: the longest of each."""

    def __init__(self, lexicon: TeacherLexicon, width: int) -> None:
        super().__init__()
        self.register_buffer("codes", lexicon.codes(), persistent=False)
        self.register_buffer("listed", lexicon.compound_codes(), persistent=False)
        self.vectors = nn.Embedding(LONGEST_COMPOUND**3, width)
        nn.init.zeros_(self.vectors.weight)

    def forward(self, words: Tensor) -> Tensor:
        """Numbers of words [rows, words] to vectors [rows, words, width]."""
        codes, listed = self.get_buffer("codes")[words], self.get_buffer("listed")
        count = words.shape[1]
        begin, end, over = (torch.zeros_like(codes) for _ in range(3))
        run, factor = codes, 1
        for length in range(2, min(LONGEST_COMPOUND, count) + 1):
            factor = factor * CODE_BASE % 2**64
            signed = factor - 2**64 if factor >= 2**63 else factor
            run = run[:, :-1] + codes[:, length - 1 :] * signed
            place = torch.searchsorted(listed, run).clamp(max=len(listed) - 1)
            found = (listed[place] == run) * (length - 1)  # longer ones come later, and stay
            starts = count - length + 1
            begin[:, :starts] = torch.maximum(begin[:, :starts], found)
            end[:, length:] = torch.maximum(end[:, length:], found[:, : count - length])
            for inside in range(1, length):
                over[:, inside : inside + starts] = torch.maximum(over[:, inside : inside + starts], found)
        vectors: Tensor = self.vectors((end * LONGEST_COMPOUND + begin) * LONGEST_COMPOUND + over)
        return vectors


class TransformerLayer(nn.Module):
    """A transformer layer, normalised before each of its halves, with rotary positions."""

    def __init__(self, shape: Shape, dropout: float) -> None:
        super().__init__()
        self.heads = shape.heads
        self.norm_attention, self.norm_hidden = nn.LayerNorm(shape.width), nn.LayerNorm(shape.width)
        self.queries_keys_values = nn.Linear(shape.width, 3 * shape.width)
        self.attended = nn.Linear(shape.width, shape.width)
        self.hidden = nn.Linear(shape.width, 4 * shape.width)
        self.output = nn.Linear(4 * shape.width, shape.width)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, same_sentence: Tensor, turn: tuple[Tensor, Tensor]) -> Tensor:
        """Vectors [rows, words, width] to vectors."""
        rows, words, width = x.shape
        heads = self.queries_keys_values(self.norm_attention(x)).view(rows, words, 3, self.heads, -1).transpose(1, 3)
        queries, keys, values = heads.unbind(2)
        attended = functional.scaled_dot_product_attention(
            _rotate(queries, turn), _rotate(keys, turn), values, attn_mask=same_sentence
        )
        x = x + self.dropout(self.attended(attended.transpose(1, 2).reshape(rows, words, width)))
        hidden = self.dropout(functional.gelu(self.hidden(self.norm_hidden(x))))
        y: Tensor = x + self.dropout(self.output(hidden))
        return y


def _rotate(x: Tensor, turn: tuple[Tensor, Tensor]) -> Tensor:
    cosine, sine = (part.to(x.dtype) for part in turn)
    first, second = x.chunk(2, -1)
    return torch.cat((first * cosine - second * sine, first * sine + second * cosine), -1)


def _turn(words: int, size: int, device: torch.device) -> tuple[Tensor, Tensor]:
    """Cosine and sine of each position's angles [words, size / 2]."""
    speeds = 1000 ** -torch.linspace(0, 1, size // 2, device=device)  # sentences are short
    angles = torch.arange(words, device=device)[:, None] * speeds
    return angles.cos(), angles.sin()


class TeacherNetwork(nn.Module):
    """The whole network; `words` guesses masked words, `tags` guesses parts of speech."""

    def __init__(self, shape: Shape, lexicon: TeacherLexicon, tags: int, dropout: float, forget: float) -> None:
        super().__init__()
        self.shape = shape
        self.word_encoder = WordEncoder(shape, lexicon, dropout, forget)
        self.layers = nn.ModuleList(TransformerLayer(shape, dropout) for _ in range(shape.layers))
        self.norm_words = nn.LayerNorm(shape.width)
        self.word_bias = nn.Parameter(torch.zeros(len(lexicon.frequent) + 1))
        self.tagger = nn.ModuleDict({"norm": nn.LayerNorm(shape.width), "tags": nn.Linear(shape.width, tags)})
        self.tagger_mix = nn.Parameter(torch.zeros(shape.layers + 1))
        self.dropout = nn.Dropout(dropout)

    def encode(self, words: Tensor, sentences: Tensor) -> list[Tensor]:
        """The vectors of words after each layer, the input first."""
        same_sentence = (sentences[:, None, :, None] == sentences[:, None, None, :]).expand(
            -1, self.shape.heads, -1, -1
        )
        turn = _turn(words.shape[1], self.shape.width // self.shape.heads, words.device)
        states = [self.word_encoder(words, sentences)]
        for layer in self.layers:
            states.append(layer(states[-1], same_sentence, turn))
        return states

    def words(self, words: Tensor, sentences: Tensor, places: Tensor) -> Tensor:
        """Scores of the frequent words at some places of the flattened rows [places, frequent words]."""
        last = self.encode(words, sentences)[-1].flatten(0, 1)[places]
        return functional.linear(self.norm_words(last), self.word_encoder.own.weight, self.word_bias)

    def tags(self, words: Tensor, sentences: Tensor) -> Tensor:
        """Scores of the tags [rows, words, tags]: all layers have their say, as lower ones know more of form."""
        shares = self.tagger_mix.softmax(0)
        mixed = torch.stack([share * state for share, state in zip(shares, self.encode(words, sentences), strict=True)])
        scores: Tensor = self.tagger["tags"](self.dropout(self.tagger["norm"](mixed.sum(0))))
        return scores


class Trainer:
    """Takes one step after another. On a GPU the step is recorded once and replayed: its many small kernels would
    otherwise wait for Python."""

    def __init__(self, network: TeacherNetwork, loss: Callable[[Tensor], Tensor], batch: int, rate: float) -> None:
        """`loss` is given the numbers of `batch` rows; `rate` is the highest learning rate."""
        self.network, self.loss, self.rate = network.train(), loss, rate
        device = network.word_bias.device
        self.graphed = device.type == "cuda"
        self.rows = torch.zeros(batch, dtype=torch.long, device=device)
        self.optimiser = torch.optim.AdamW(
            network.parameters(),
            lr=torch.zeros((), device=device),
            betas=(0.9, 0.98),
            weight_decay=0.02,
            fused=self.graphed,
            capturable=self.graphed,
        )
        if self.graphed:
            self._record()

    def step(self, rows: Tensor, progress: float) -> Tensor:
        """One step over some rows; `progress` is the share of the training already done. Gives the loss."""
        warm, cool = progress / 0.06, (1 - progress) / 0.94
        for group in self.optimiser.param_groups:
            group["lr"].fill_(self.rate * max(0.0, min(warm, cool)))
        self.rows.copy_(rows)
        if self.graphed:
            self.graph.replay()
        else:
            self.last_loss = self._step()
        return self.last_loss

    def _step(self) -> Tensor:
        self.optimiser.zero_grad(set_to_none=True)
        with half_precision(self.rows.device):
            loss = self.loss(self.rows)
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self.optimiser.step()
        return loss.detach()

    def _record(self) -> None:
        aside = torch.cuda.Stream()  # type: ignore[no-untyped-call]
        aside.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(aside):
            for _ in range(3):  # the learning rate is still zero: this only makes what a recording cannot make
                self._step()
        torch.cuda.current_stream().wait_stream(aside)
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph):
            self.last_loss = self._step()


def half_precision(device: torch.device) -> torch.autocast:
    """Matrix products in bfloat16 on a GPU."""
    return torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda", cache_enabled=False)
