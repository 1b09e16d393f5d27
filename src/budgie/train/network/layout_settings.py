# SPDX-License-Identifier: Apache-2.0
"""How sentences are laid out as raw text: the part [layouts] of a recipe for tokens and sentences.

Here and not in budgie.train.segmentation, which does it: a recipe has it, and this room knows no task.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class LayoutSettings:
    """Shares and probabilities; what is left is as the treebank has it."""

    # paragraphs
    run_on: float = 0.03  # some hundred in one line, as where line ends were lost: 37 % of the sentences
    wrapped: float = 0.12  # lines are broken for their width
    chatted: float = 0.05  # a sentence a line, as in a chat
    lines: float = 0.15  # a sentence a line
    listed: float = 0.04  # a sentence a line, with a bullet
    headed: float = 0.06  # the first sentence is a heading
    glued: float = 0.03  # no space behind a full stop
    wide: float = 0.04  # two spaces behind a full stop
    lower: float = 0.06
    upper: float = 0.03
    unended: float = 0.15  # the last sentence has no full stop
    unstopped: float = 0.005  # no sentence has
    quoted: float = 0.1  # other marks of quotation
    foreign: float = 0.25  # full stops of other scripts, where the language is not told

    # sentences
    broken: float = 0.75  # where one ends without punctuation, as a heading: a line ends behind it
    broken_unnamed: float = 0.9  # the same where the language is not told
    added: float = 0.03  # an address, a name, an emoji is added
    priced: float = 0.02  # a price or a measure stands before the full stop
    titled: float = 0.04  # an abbreviation stands before a name, or an ordinal number before a word
    abbreviated: float = 0.05  # words are cut short, with a full stop, before small letters or digits

    # balance
    unnamed: float = 0.25  # of the text: the language is not told, as later of a language without a treebank
    least_tokens: int = 150_000  # of a language: smaller treebanks are laid out several times
    most_tokens: int = 300_000
    most_times: int = 6
    single_lines: int = 9000  # sentences, one a line, from other texts: they teach where sentences end, not tokens
    single_lines_unnamed: float = 0.25
    single_lines_run_on: float = 0.01
    single_lines_titled: float = 0.04
    single_lines_clipped: float = 0.05  # only their first word is left: short answers, greetings
    single_lines_numbered: float = 0.05  # texts whose sentences have numbers: 3. or 3)
