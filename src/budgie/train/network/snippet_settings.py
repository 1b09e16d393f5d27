# SPDX-License-Identifier: Apache-2.0
"""How running text is cut into snippets: the part [snippets] of a recipe for language identification.

Here and not in budgie.train.langid, which does it: a recipe has it, and this room knows no task.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SnippetSettings:
    """Shares and probabilities."""

    free_only: bool = False  # of the official text, leave out sources that are not free for any use (licences.py)

    # lengths: shares need not sum to one
    word: float = 0.10  # one word
    pair: float = 0.12  # two words, in order
    short: float = 0.36  # short_least to short_most characters
    part: float = 0.17  # a part of a sentence
    line: float = 0.20  # a sentence, as the corpus has it
    lines: float = 0.05  # neighbouring sentences: costly
    short_least: int = 14
    short_most: int = 34
    line_most: int = 400
    lines_most: int = 1000
    cut_inside_words: float = 0.1  # of short and part: the end falls anywhere, as where a program cuts

    # balance
    label_power: float = 0.25  # labels are drawn by bytes to this power
    label_cap: int = 2_000_000  # bytes beyond this do not count
    rare_weight: float = 0.15  # what the label of a rare language counts for beside any other
    rare_takes: float = 0.001  # rare labels are usual ones if, together, they take no larger share of any usual label
    background_weight: float = 3.0  # the same for text of no language, which has many kinds
    source_power: float = 0.5  # sources of a label likewise; both times their weights (train/langid/snippets.py)
    listed_words: float = 0.2  # of words, pairs and short snippets: from word lists
    listed_words_thin: float = 0.5  # the same for a label of no running text; between the two for a thin one
    thin: int = 300_000  # bytes of running text below which a label is thin

    # noise
    lower: float = 0.06
    upper: float = 0.05
    title: float = 0.02
    inserted: float = 0.04  # addresses, numbers, emoji, tags (in snippets longer than short, three times as often)
    foreign: float = 0.04  # a word or two of another language, mostly English, in snippets longer than short
    diacritics: float = 1.0  # times the share of each language in noise.WITHOUT_DIACRITICS
    variant: float = 0.05  # another spelling of the same, but where noise.VARIANT has a share
    stretched: float = 0.003  # the last letter several times
