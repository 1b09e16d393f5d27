# SPDX-License-Identifier: Apache-2.0
"""Writers of tagged sentences: CoNLL-U, TSV, JSON lines. Each gives one sentence with its end."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from budgie.formats.sentences import TokenisedSentence, conllu_row

Writer = Callable[[TokenisedSentence, Sequence[str], Sequence[float] | None], str]


def to_conllu(sentence: TokenisedSentence, tags: Sequence[str], probabilities: Sequence[float] | None = None) -> str:
    """The sentence as it was read but for the tags; probabilities go to the last column as `TagProb`."""
    notes = [None] * len(tags) if probabilities is None else [f"TagProb={number:.4f}" for number in probabilities]
    if not sentence.lines:
        words = zip(sentence.words, tags, notes, strict=True)
        rows = [conllu_row(number, word, tag, note or "_") for number, (word, tag, note) in enumerate(words, 1)]
    else:
        rows = list(sentence.lines)
        places = [place for place, row in enumerate(rows) if row.partition("\t")[0].isdecimal()]  # of the words
        for place, tag, note in zip(places, tags, notes, strict=True):
            columns = rows[place].split("\t")
            columns[3] = tag
            if note:
                columns[9] = _noted(columns[9], note)
            rows[place] = "\t".join(columns)
    return "".join([f"{row}\n" for row in rows]) + "\n"


def _noted(misc: str, note: str) -> str:
    """MISC is `_` or attributes between bars; the note takes the place of one of an earlier run."""
    kept = [part for part in misc.split("|") if part != "_" and not part.startswith("TagProb=")]
    return "|".join([*kept, note])


def to_tsv(sentence: TokenisedSentence, tags: Sequence[str], probabilities: Sequence[float] | None = None) -> str:
    """A line a word: word, tag and, where there are any, probability; then a blank line."""
    if probabilities is None:
        rows = [f"{word}\t{tag}\n" for word, tag in zip(sentence.words, tags, strict=True)]
    else:
        columns = zip(sentence.words, tags, probabilities, strict=True)
        rows = [f"{word}\t{tag}\t{probability:.4f}\n" for word, tag, probability in columns]
    return "".join(rows) + "\n"


def to_json(sentence: TokenisedSentence, tags: Sequence[str], probabilities: Sequence[float] | None = None) -> str:
    """The fields of one object on a line."""
    return json.dumps(to_fields(sentence, tags, probabilities), ensure_ascii=False) + "\n"


def to_fields(
    sentence: TokenisedSentence, tags: Sequence[str], probabilities: Sequence[float] | None = None
) -> dict[str, Any]:
    """`words`, `tags` and, where there are any, `probabilities`."""
    fields: dict[str, Any] = {"words": sentence.words, "tags": list(tags)}
    if probabilities is not None:
        fields["probabilities"] = [round(probability, 6) for probability in probabilities]
    return fields


WRITERS: dict[str, Writer] = {"conllu": to_conllu, "tsv": to_tsv, "json": to_json}
